// SPDX-License-Identifier: Apache-2.0
#include "liquid/absorbed.h"

#include <algorithm>
#include <cmath>

#include "grid/sampler.h"

namespace spindrift {
namespace {

constexpr double kTime = 0.01;  // s

double done(double age) {
    const double s = std::min(age / kTime, 1.0);
    return s * s * (3 - 2 * s);
}

}  // namespace

template <int Dim>
Index<Dim> Absorbed<Dim>::cell() const {
    return map([](double x) { return static_cast<int>(std::floor(x)); }, place);
}

template <int Dim>
double Absorbed<Dim>::pending() const {
    return volume * (1 - done(age));
}

template <int Dim>
double Absorbed<Dim>::growth(double dt) const {
    return volume * (done(age + dt) - done(age));
}

template <int Dim>
double pending_volume(const std::vector<Absorbed<Dim>>& absorbed) {
    double sum = 0;
    for (const Absorbed<Dim>& one : absorbed) sum += one.pending();
    return sum;
}

template <int Dim>
std::vector<double> pending_volume(const std::vector<Absorbed<Dim>>& absorbed, const BodyLabels<Dim>& labels) {
    std::vector<double> sums(labels.count + 1, 0.0);
    for (const Absorbed<Dim>& one : absorbed) sums[labels.at(one.cell())] += one.pending();
    return sums;
}

template <int Dim>
void add_expansion(Field<float, Dim>& expansion, const std::vector<Absorbed<Dim>>& absorbed,
                   const Field<float, Dim>& phi, double cell_volume, double dt) {
    for (const Absorbed<Dim>& one : absorbed) {
        const Index<Dim> cell = one.cell();
        const Slot slot = expansion.tiles().find(tile_of_cell(cell));
        if (slot == kNoTile || !(phi.at(cell) < 0)) continue;
        expansion.tile(slot)[offset_in_tile(cell)] += static_cast<float>(one.growth(dt) / (cell_volume * dt));
    }
}

template <int Dim>
void advect(std::vector<Absorbed<Dim>>& absorbed, const FaceField<Dim>& velocity, double dt, double dx) {
    FaceSampler<Dim> flow(velocity);
    for (Absorbed<Dim>& one : absorbed) {
        one.place += Vec<double, Dim>(flow(Vec<float, Dim>(one.place))) * (dt / dx);
        one.age += dt;
    }
}

template <int Dim>
void remove_done(std::vector<Absorbed<Dim>>& absorbed, const Field<float, Dim>& phi) {
    std::erase_if(absorbed, [&](const Absorbed<Dim>& one) { return one.age >= kTime || !(phi.at(one.cell()) < 0); });
}

#define INSTANTIATE(Dim)                                                                                         \
    template struct Absorbed<Dim>;                                                                               \
    template double pending_volume(const std::vector<Absorbed<Dim>>&);                                           \
    template std::vector<double> pending_volume(const std::vector<Absorbed<Dim>>&, const BodyLabels<Dim>&);      \
    template void add_expansion(Field<float, Dim>&, const std::vector<Absorbed<Dim>>&, const Field<float, Dim>&, \
                                double, double);                                                                 \
    template void advect(std::vector<Absorbed<Dim>>&, const FaceField<Dim>&, double, double);                    \
    template void remove_done(std::vector<Absorbed<Dim>>&, const Field<float, Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

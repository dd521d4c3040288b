// SPDX-License-Identifier: Apache-2.0
#include "liquid/swallowed.h"

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
Index<Dim> Swallowed<Dim>::cell() const {
    return map([](double x) { return static_cast<int>(std::floor(x)); }, place);
}

template <int Dim>
double Swallowed<Dim>::to_come() const {
    return volume * (1 - done(age));
}

template <int Dim>
double volume_to_come(const std::vector<Swallowed<Dim>>& swallowed) {
    double sum = 0;
    for (const Swallowed<Dim>& one : swallowed) sum += one.to_come();
    return sum;
}

template <int Dim>
std::vector<double> volume_to_come(const std::vector<Swallowed<Dim>>& swallowed, const BodyLabels<Dim>& labels) {
    std::vector<double> sums(labels.count + 1, 0.0);
    for (const Swallowed<Dim>& one : swallowed) sums[labels.at(one.cell())] += one.to_come();
    return sums;
}

template <int Dim>
void swell(std::vector<Swallowed<Dim>>& swallowed, Field<float, Dim>& swelling, const Field<float, Dim>& phi,
           double cell_volume, double dt) {
    std::erase_if(swallowed, [&](Swallowed<Dim>& one) {
        const Index<Dim> cell = one.cell();
        const Slot slot = swelling.tiles().find(tile_of_cell(cell));
        if (slot == kNoTile || !(phi.at(cell) < 0)) return true;
        const double before = one.to_come();
        one.age += dt;
        swelling.tile(slot)[offset_in_tile(cell)] += static_cast<float>((before - one.to_come()) / cell_volume);
        return one.age >= kTime;
    });
}

template <int Dim>
void advect(std::vector<Swallowed<Dim>>& swallowed, const FaceField<Dim>& velocity, double dt, double dx) {
    FaceSampler<Dim> flow(velocity);
    for (Swallowed<Dim>& one : swallowed) one.place += Vec<double, Dim>(flow(Vec<float, Dim>(one.place))) * (dt / dx);
}

#define INSTANTIATE(Dim)                                                                                             \
    template struct Swallowed<Dim>;                                                                                  \
    template double volume_to_come(const std::vector<Swallowed<Dim>>&);                                              \
    template std::vector<double> volume_to_come(const std::vector<Swallowed<Dim>>&, const BodyLabels<Dim>&);         \
    template void swell(std::vector<Swallowed<Dim>>&, Field<float, Dim>&, const Field<float, Dim>&, double, double); \
    template void advect(std::vector<Swallowed<Dim>>&, const FaceField<Dim>&, double, double);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

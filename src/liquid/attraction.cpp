// SPDX-License-Identifier: Apache-2.0
#include "liquid/attraction.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "grid/beside.h"

namespace spindrift {
namespace {

// h, and its integral from the surface outwards, which is ψ/s.
double fade(double d, double reach) {
    if (d <= 0) return 1;
    const double q = d / reach;
    return q < 1 ? (1 - q * q) * (1 - q * q) : 0;
}
double integral_of_fade(double d, double reach) {
    if (d <= 0) return d;
    const double q = std::min(d / reach, 1.0);
    return reach * (q - 2 * q * q * q / 3 + q * q * q * q * q / 5);
}

// To the velocity at a face between two cells, in the time that an attraction acts: half the push, the damping, the
// other half.
template <int Dim>
double changed(double u, const Attraction<Dim>& shape, double below, double above, double strength, double gravity,
               double dx, double dt) {
    const double h = 0.5 * (fade(below, shape.reach) + fade(above, shape.reach));
    if (h == 0) return u;
    const double slope = (integral_of_fade(above, shape.reach) - integral_of_fade(below, shape.reach)) / dx;
    const double push = 0.5 * dt * (-strength * slope - (1 - shape.weight) * h * gravity);
    return (u + push) * std::exp(-shape.damping * h * dt) + push;
}

}  // namespace

template <int Dim>
CellDistances<Dim>::CellDistances(const IndexBox<Dim>& cells, const GridTransform<Dim>& grid,
                                  const std::function<double(const Vec<double, Dim>&)>& distance)
    : cells_(cells) {
    std::size_t count = 1;
    for (int a = 0; a < Dim; ++a) count *= static_cast<std::size_t>(cells.hi[a] - cells.lo[a]);
    values_.resize(count);
    constexpr std::size_t kGrain = 512;
    parallel_ranges(count, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) {
            Index<Dim> cell = cells_.lo;
            std::size_t rest = n;
            for (int a = Dim - 1; a >= 0; --a) {
                const auto along = static_cast<std::size_t>(cells_.hi[a] - cells_.lo[a]);
                cell[a] += static_cast<int>(rest % along);
                rest /= along;
            }
            values_[n] = static_cast<float>(distance(grid.world_of_centre(cell)));
        }
    });
}

template <int Dim>
std::size_t CellDistances<Dim>::number(const Index<Dim>& cell) const {
    std::size_t n = 0;
    for (int a = 0; a < Dim; ++a) {
        const int at = std::clamp(cell[a], cells_.lo[a], cells_.hi[a] - 1);
        n = n * static_cast<std::size_t>(cells_.hi[a] - cells_.lo[a]) + static_cast<std::size_t>(at - cells_.lo[a]);
    }
    return n;
}

template <int Dim>
TimeSpan Attraction<Dim>::acting(const TimeSpan& step) const {
    const double from = std::max(step.from, start);
    return {from, std::max(from, std::min(step.to, end))};
}

template <int Dim>
FaceField<Dim> attraction(const FaceField<Dim>& velocity, const Field<float, Dim>& phi,
                          const std::vector<Attraction<Dim>>& attractions, const Vec<double, Dim>& gravity,
                          const GridTransform<Dim>& grid, const TimeSpan& step) {
    FaceField<Dim> change;
    for (const Attraction<Dim>& shape : attractions) {
        const TimeSpan acting = shape.acting(step);
        const double strength = acting.length() > 0 ? shape.strength(acting.middle()) : 0;
        if (strength == 0) continue;
        if (change[0].empty())
            for (int axis = 0; axis < Dim; ++axis) change[axis] = Field<float, Dim>(phi.tiles_ptr());
        for_each_tile(phi.tiles(), [&](Slot slot) {
            const Index<Dim> origin = phi.tiles().origin(slot);
            for (int axis = 0; axis < Dim; ++axis) {
                const TileValues<Dim> below = values_below(phi, slot, axis);
                const float *level = phi.tile(slot), *u = velocity[axis].tile(slot);
                float* to = change[axis].tile(slot);
                for (int n = 0; n < kTileCells<Dim>; ++n) {
                    if (!(level[n] < 0) && !(below[n] < 0)) continue;
                    const Index<Dim> cell = origin + cell_in_tile<Dim>(n);
                    const double now = double{u[n]} + to[n];
                    to[n] = static_cast<float>(changed(now, shape, shape.distance.at(cell - unit<Dim>(axis)),
                                                       shape.distance.at(cell), strength, gravity[axis], grid.dx,
                                                       acting.length()) -
                                               u[n]);
                }
            }
        });
    }
    return change;
}

template <int Dim>
double strongest_attraction(const std::vector<Attraction<Dim>>& attractions, const TimeSpan& step) {
    double sum = 0;
    for (const Attraction<Dim>& shape : attractions)
        if (const TimeSpan acting = shape.acting(step); acting.length() > 0)
            sum += std::abs(shape.strength(acting.from));
    return sum;
}

#define INSTANTIATE(Dim)                                                                             \
    template class CellDistances<Dim>;                                                               \
    template struct Attraction<Dim>;                                                                 \
    template FaceField<Dim> attraction(const FaceField<Dim>&, const Field<float, Dim>&,              \
                                       const std::vector<Attraction<Dim>>&, const Vec<double, Dim>&, \
                                       const GridTransform<Dim>&, const TimeSpan&);                  \
    template double strongest_attraction(const std::vector<Attraction<Dim>>&, const TimeSpan&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

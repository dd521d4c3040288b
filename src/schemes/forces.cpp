// SPDX-License-Identifier: Apache-2.0
#include "schemes/forces.h"

#include <cmath>

#include "base/parallel.h"
#include "grid/dimension.h"
#include "schemes/face_means.h"

namespace spindrift {
namespace {

// How much of a force acts on each face of a tile across an axis; none when nothing does anywhere.
template <int Dim>
std::optional<TileValues<Dim>> weights(const Force<Dim>& force, const ForcedFluid<Dim>& fluid, Slot slot, int axis) {
    TileValues<Dim> weight;
    if (force.substance >= 0)
        weight = face_means(fluid.substances[static_cast<std::size_t>(force.substance)], slot, axis);
    else
        weight.values.fill(1);
    if (fluid.phi != nullptr) {
        const TileValues<Dim> below = values_below(*fluid.phi, slot, axis);
        const float* above = fluid.phi->tile(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n)
            if (!(above[n] < 0) && !(below[n] < 0)) weight.data()[n] = 0;
    }
    if (std::none_of(weight.values.begin(), weight.values.end(), [](float w) { return w != 0; })) return std::nullopt;
    return weight;
}

// The acceleration at each face of a tile where it has a weight: its mean on the way between the centres of the cells
// beside it, by Gauss's two points.  Of a gradient that is the difference of the potential there, so that pressure can
// balance it; in the middle of the face alone it would be off by as much as the potential's cubic part.
template <int Dim>
TileValues<Dim> accelerations(const Force<Dim>& force, const GridTransform<Dim>& grid, const Index<Dim>& origin,
                              int axis, double time, const TileValues<Dim>& weight) {
    const Vec<double, Dim> apart = Vec<double, Dim>(unit<Dim>(axis)) * (grid.dx / std::sqrt(12.0));
    TileValues<Dim> out;
    for (int n = 0; n < kTileCells<Dim>; ++n) {
        out.data()[n] = 0;
        if (weight[n] == 0) continue;
        const Vec<double, Dim> x = grid.world_of_face(axis, origin + cell_in_tile<Dim>(n));
        out.data()[n] = static_cast<float>(
            0.5 * (force.acceleration(x - apart, time)[axis] + force.acceleration(x + apart, time)[axis]));
    }
    return out;
}

template <int Dim>
void add_impulse(float* u, const TileValues<Dim>& weight, const TileValues<Dim>& acceleration, float dt) {
    for (int n = 0; n < kTileCells<Dim>; ++n) u[n] += weight[n] * (acceleration[n] * dt);
}

template <int Dim>
void add_acceleration(FaceField<Dim>& velocity, const Force<Dim>& force, const ForcedFluid<Dim>& fluid,
                      const TimeSpan& acting) {
    const double time = acting.middle();
    const auto dt = static_cast<float>(acting.length());
    const Vec<double, Dim> everywhere = force.is_uniform ? force.acceleration({}, time) : Vec<double, Dim>{};
    parallel_ranges(velocity.tiles().count(), kTilesPerBlock<Dim>, [&](std::size_t begin, std::size_t end) {
        std::optional<TurbulenceOnTile<Dim>> turbulence;
        if (force.turbulence) turbulence.emplace(*force.turbulence, fluid.grid, time);
        TileValues<Dim> push;
        for (std::size_t s = begin; s < end; ++s) {
            const auto slot = static_cast<Slot>(s);
            const Index<Dim> origin = velocity.tiles().origin(slot);
            bool has_begun = false;
            for (int a = 0; a < Dim; ++a) {
                const auto weight = weights(force, fluid, slot, a);
                if (!weight) continue;
                float* u = velocity[a].tile(slot);
                if (force.is_uniform) {
                    push.values.fill(static_cast<float>(everywhere[a]));
                    add_impulse(u, *weight, push, dt);
                } else if (force.acceleration) {
                    add_impulse(u, *weight, accelerations(force, fluid.grid, origin, a, time, *weight), dt);
                }
                if (!turbulence) continue;
                if (!has_begun) turbulence->begin(origin);
                has_begun = true;
                turbulence->find(a, push.data());
                add_impulse(u, *weight, push, dt);
            }
        }
    });
}

}  // namespace

template <int Dim>
void add_accelerations(FaceField<Dim>& velocity, const std::vector<Force<Dim>>& forces, const ForcedFluid<Dim>& fluid,
                       const TimeSpan& step) {
    for (const Force<Dim>& force : forces)
        if ((force.acceleration || force.turbulence) && force.acts(step))
            add_acceleration(velocity, force, fluid, force.acting(step));
}

template <int Dim>
void add_half_of_drag(FaceField<Dim>& velocity, const std::vector<Force<Dim>>& forces, const ForcedFluid<Dim>& fluid,
                      const TimeSpan& step) {
    for (const Force<Dim>& force : forces) {
        if (!force.drag || !force.acts(step)) continue;
        const TimeSpan acting = force.acting(step);
        const auto lost = static_cast<float>(-std::expm1(-0.5 * force.drag(acting.middle()) * acting.length()));
        for_each_tile(velocity.tiles(), [&](Slot slot) {
            for (int a = 0; a < Dim; ++a) {
                const auto weight = weights(force, fluid, slot, a);
                if (!weight) continue;
                float* u = velocity[a].tile(slot);
                for (int n = 0; n < kTileCells<Dim>; ++n) u[n] *= 1 - (*weight)[n] * lost;
            }
        });
    }
}

template <int Dim>
double strongest_acceleration(const std::vector<Force<Dim>>& forces, const ForcedFluid<Dim>& liquid,
                              const TimeSpan& step) {
    Vec<double, Dim> everywhere{};
    double most = 0;
    std::vector<const Force<Dim>*> varying;
    for (const Force<Dim>& force : forces) {
        if (!force.acts(step)) continue;
        const double time = force.acting(step).from;
        if (force.turbulence) most += std::sqrt(double{Dim}) * std::abs(force.turbulence->strength(time));
        if (force.is_uniform)
            everywhere += force.acceleration({}, time);
        else if (force.acceleration)
            varying.push_back(&force);
    }
    most += length(everywhere);
    if (varying.empty()) return most;
    const Tiles<Dim>& tiles = liquid.phi->tiles();
    return most + parallel_max(tiles.count(), kTilesPerBlock<Dim>, 0.0, [&](std::size_t begin, std::size_t end) {
               double strongest = 0;
               for (std::size_t s = begin; s < end; ++s) {
                   const auto slot = static_cast<Slot>(s);
                   const float* phi = liquid.phi->tile(slot);
                   for (int n = 0; n < kTileCells<Dim>; ++n) {
                       if (!(phi[n] < 0)) continue;
                       const Vec<double, Dim> x =
                           liquid.grid.world_of_centre(tiles.origin(slot) + cell_in_tile<Dim>(n));
                       Vec<double, Dim> here{};
                       for (const Force<Dim>* force : varying) here += force->acceleration(x, force->acting(step).from);
                       strongest = std::max(strongest, length(here));
                   }
               }
               return strongest;
           });
}

template <int Dim>
Vec<double, Dim> mean_acceleration(const std::vector<Force<Dim>>& forces, const Vec<double, Dim>& place,
                                   const TimeSpan& step) {
    Vec<double, Dim> sum{};
    for (const Force<Dim>& force : forces) {
        if (!force.acts(step)) continue;
        const TimeSpan acting = force.acting(step);
        const double share = acting.length() / step.length();
        if (force.acceleration) sum += force.acceleration(place, acting.middle()) * share;
        if (force.turbulence) sum += force.turbulence->at(place, acting.middle()) * share;
    }
    return sum;
}

template <int Dim>
double drag_over(const std::vector<Force<Dim>>& forces, const TimeSpan& step) {
    double sum = 0;
    for (const Force<Dim>& force : forces)
        if (force.drag && force.acts(step))
            sum += force.drag(force.acting(step).middle()) * force.acting(step).length();
    return sum;
}

#define INSTANTIATE(Dim)                                                                                              \
    template void add_accelerations(FaceField<Dim>&, const std::vector<Force<Dim>>&, const ForcedFluid<Dim>&,         \
                                    const TimeSpan&);                                                                 \
    template void add_half_of_drag(FaceField<Dim>&, const std::vector<Force<Dim>>&, const ForcedFluid<Dim>&,          \
                                   const TimeSpan&);                                                                  \
    template double strongest_acceleration(const std::vector<Force<Dim>>&, const ForcedFluid<Dim>&, const TimeSpan&); \
    template Vec<double, Dim> mean_acceleration(const std::vector<Force<Dim>>&, const Vec<double, Dim>&,              \
                                                const TimeSpan&);                                                     \
    template double drag_over(const std::vector<Force<Dim>>&, const TimeSpan&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "liquid/uncovered.h"

#include <algorithm>
#include <cmath>

#include "liquid/remove_particles.h"
#include "liquid/step_limit.h"

namespace spindrift {
namespace {

// Cells between places on the way out of a solid.
constexpr double kStride = 0.5;

// The velocity of the moving solid that a place lies in, m/s; zero outside them.
template <int Dim>
Vec<double, Dim> velocity_of_solid(const World<Dim>& world, const Vec<double, Dim>& p, double time) {
    double deepest = 0;
    Vec<double, Dim> velocity(0.0);
    for (const MovingSolid<Dim>& solid : world.moving_solids)
        if (const double distance = solid.distance(p, time); distance < deepest) {
            deepest = distance;
            velocity = solid.velocity(p, time);
        }
    return velocity;
}

}  // namespace

template <int Dim>
void continue_behind_solids(Field<float, Dim>& phi, const World<Dim>& world, const Boundary<Dim>& b,
                            const CellSet<Dim>& separating, double time, double cells) {
    if (!(world.fastest_solid(time) > 0)) return;
    const auto dx = static_cast<float>(b.domain.grid.dx);
    const Field<float, Dim> known = phi;
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float* volume = b.volume.tile(slot);
        if (std::none_of(volume, volume + kTileCells<Dim>, [](float part) { return part == 0; })) return;
        const Index<Dim> origin = phi.tiles().origin(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> cell = origin + cell_in_tile<Dim>(n);
            if (volume[n] > 0 || !b.domain.box.contains(cell)) continue;
            const Vec<double, Dim> here = b.domain.grid.world_of_centre(cell);
            const Vec<double, Dim> velocity = velocity_of_solid(world, here, time);
            const double speed = length(velocity);
            if (!(speed > 0)) continue;

            // The first cell on the way back that is not all solid.
            for (double way = kStride; way <= cells + 1; way += kStride) {
                const Vec<double, Dim> place =
                    b.domain.grid.cell_from_world(here - velocity * (way * b.domain.grid.dx / speed));
                const Index<Dim> behind = map([](double x) { return static_cast<int>(std::floor(x)); }, place);
                if (!b.domain.box.contains(behind)) break;
                if (!(b.volume.at(behind) > 0)) continue;
                const bool follows =
                    known.at(behind) < 0 && !std::binary_search(separating.begin(), separating.end(), behind);
                float& inside = phi.tile(slot)[n];
                inside = follows ? std::min(inside, -0.5F * dx) : std::max(inside, static_cast<float>(way) * dx);
                break;
            }
        }
    });
}

template <int Dim>
void separate_from_solids(LiquidState<Dim>& liquid, const CellSet<Dim>& separating, const LiquidDomain<Dim>& domain) {
    const World<Dim>& world = domain.world;
    const Boundary<Dim>& boundaries = domain.boundaries;
    const bool anything_moves = world.fastest_solid(liquid.time) > 0;
    if (separating.empty() && !anything_moves) return;
    let_air_in(liquid.phi, separating, boundaries, domain.reach());
    if (anything_moves) continue_behind_solids(liquid.phi, world, boundaries, separating, liquid.time, kSolidCfl);
    remove_particles(
        liquid.particles, world.grid,
        [&](Slot slot) {
            const float* solid = boundaries.centre_distance.tile(slot);
            return std::any_of(solid, solid + kTileCells<Dim>, [](float d) { return d < 0; });
        },
        [&](const Vec<double, Dim>& p, float radius) {
            const Vec<double, Dim> place = world.grid.cell_from_world(p);
            const Index<Dim> cell = map([](double x) { return static_cast<int>(std::floor(x)); }, place);
            if (!(boundaries.centre_distance.at(cell) < 0)) return false;
            return radius < 0 ? liquid.phi.at(cell) > 0 : anything_moves && liquid.phi.at(cell) < 0;
        });
}

template void continue_behind_solids(Field<float, 2>&, const World<2>&, const Boundary<2>&, const CellSet<2>&, double,
                                     double);
template void continue_behind_solids(Field<float, 3>&, const World<3>&, const Boundary<3>&, const CellSet<3>&, double,
                                     double);
template void separate_from_solids(LiquidState<2>&, const CellSet<2>&, const LiquidDomain<2>&);
template void separate_from_solids(LiquidState<3>&, const CellSet<3>&, const LiquidDomain<3>&);

}  // namespace spindrift

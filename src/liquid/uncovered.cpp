// SPDX-License-Identifier: Apache-2.0
#include "liquid/uncovered.h"

#include <algorithm>
#include <cmath>

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
void continue_behind_solids(Field<float, Dim>& phi, const World<Dim>& world, const Boundaries<Dim>& b,
                            const CellSet<Dim>& let_go, double time, double cells) {
    if (!(world.fastest_solid(time) > 0)) return;
    const auto dx = static_cast<float>(b.grid.dx);
    const Field<float, Dim> known = phi;
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float* room = b.room.tile(slot);
        if (std::none_of(room, room + kTileCells<Dim>, [](float part) { return part == 0; })) return;
        const Index<Dim> origin = phi.tiles().origin(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> cell = origin + cell_in_tile<Dim>(n);
            if (room[n] > 0 || !b.box.contains(cell)) continue;
            const Vec<double, Dim> here = b.grid.world_of_centre(cell);
            const Vec<double, Dim> velocity = velocity_of_solid(world, here, time);
            const double speed = length(velocity);
            if (!(speed > 0)) continue;

            // The first cell on the way back that is not all solid.
            for (double way = kStride; way <= cells + 1; way += kStride) {
                const Vec<double, Dim> place = b.grid.cell_from_world(here - velocity * (way * b.grid.dx / speed));
                const Index<Dim> behind = map([](double x) { return static_cast<int>(std::floor(x)); }, place);
                if (!b.box.contains(behind)) break;
                if (!(b.room.at(behind) > 0)) continue;
                const bool follows = known.at(behind) < 0 && !std::binary_search(let_go.begin(), let_go.end(), behind);
                float& inside = phi.tile(slot)[n];
                inside = follows ? std::min(inside, -0.5F * dx) : std::max(inside, static_cast<float>(way) * dx);
                break;
            }
        }
    });
}

template void continue_behind_solids(Field<float, 2>&, const World<2>&, const Boundaries<2>&, const CellSet<2>&, double,
                                     double);
template void continue_behind_solids(Field<float, 3>&, const World<3>&, const Boundaries<3>&, const CellSet<3>&, double,
                                     double);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// What one would read off a real tank.
#pragma once

#include <algorithm>
#include <cmath>

#include "liquid/state.h"
#include "liquid/world.h"

namespace spindrift {

// Where the surface of the liquid crosses a line of cells, from liquid to air and farthest along `axis`, m; `none` if
// it does not.
template <int Dim>
double last_crossing(const LiquidState<Dim>& liquid, const World<Dim>& world, Index<Dim> cell, int axis,
                     double none = 0) {
    for (int n = world.box.hi[axis] - 2; n >= world.box.lo[axis]; --n) {
        cell[axis] = n;
        const double below = liquid.phi.at(cell), above = liquid.phi.at(cell + unit<Dim>(axis));
        if (below < 0 && above >= 0)
            return world.grid.world_of_centre(cell)[axis] + world.grid.dx * below / (below - above);
    }
    return none;
}

// The air below a height along `up`: its volume, m³ (m²), and the height of its centre, m.
struct AirBelow {
    double volume = 0, height = 0;
};
template <int Dim>
AirBelow air_below(const LiquidState<Dim>& liquid, const World<Dim>& world, double top, int up = 1) {
    AirBelow air;
    const double cell_volume = std::pow(world.grid.dx, Dim);
    for_each_index(world.box, [&](const Index<Dim>& cell) {
        const double height = world.grid.world_of_centre(cell)[up];
        if (height > top) return;
        const double part = std::clamp(0.5 + double{liquid.phi.at(cell)} / world.grid.dx, 0.0, 1.0) * cell_volume;
        air.volume += part;
        air.height += part * height;
    });
    if (air.volume > 0) air.height /= air.volume;
    return air;
}

}  // namespace spindrift

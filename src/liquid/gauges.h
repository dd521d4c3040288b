// SPDX-License-Identifier: Apache-2.0
// What one would read off a real tank.
#pragma once

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

}  // namespace spindrift

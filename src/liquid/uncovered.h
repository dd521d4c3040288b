// SPDX-License-Identifier: Apache-2.0
// What moving solids are going to uncover.
//
// Where a solid leaves, there is what φ says inside it.  That must be what follows the solid: liquid where it stays in
// touch, which the pressure has made to flow there, and air where it has let go.  What φ has inside the solid from
// another of its sides, such as the water that a lifted gate holds back, would come out of it from nowhere.
#pragma once

#include "liquid/world.h"
#include "schemes/separation.h"

namespace spindrift {

// Continues φ into the solids that move at this time, from what is behind them, so many cells deep.  `let_go` are the
// cells that have let go of solids.
template <int Dim>
void continue_behind_solids(Field<float, Dim>& phi, const World<Dim>& world, const Boundaries<Dim>& boundaries,
                            const CellSet<Dim>& let_go, double time, double cells);

}  // namespace spindrift

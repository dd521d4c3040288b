// SPDX-License-Identifier: Apache-2.0
// What moving solids are going to uncover.
//
// Where a solid leaves, there is what φ says inside it.  That must be what follows the solid: liquid where it stays in
// touch, which the pressure has made to flow there, and air where it has separated.  What φ has inside the solid from
// another of its sides, such as the water that a lifted gate holds back, would come out of it from nowhere.
#pragma once

#include "liquid/domain.h"
#include "schemes/separation.h"

namespace spindrift {

// Continues φ into the solids that move at this time, from what is behind them, so many cells deep.  `separating` are
// the cells that have separated from solids.
template <int Dim>
void continue_behind_solids(Field<float, Dim>& phi, const World<Dim>& world, const Boundary<Dim>& boundaries,
                            const CellSet<Dim>& separating, double time, double cells);

// Ends the surface at the sides of solids that cells are separating from, and continues φ behind those that move.
// Particles inside solids that disagree with φ there are removed.
template <int Dim>
void separate_from_solids(LiquidState<Dim>& liquid, const CellSet<Dim>& separating, const LiquidDomain<Dim>& domain);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// A level set that moves with the flow, by upwind differences [FF01 §5.3].
//
//   φ_t + u·∇φ = 0     slopes of fifth order from the side that the flow comes from, by WENO in Hamilton–Jacobi form
//                      [JiangPeng00]; total variation diminishing Runge–Kutta of third order in time [ShuOsher88]
//
// The other way to move one is advect_level_set() in surface/level_set.h.
#pragma once

#include "surface/level_set.h"

namespace spindrift {

// Advances φ by dt with one velocity, in sub-steps in which nothing in the liquid, or beside it, crosses more than a
// cell (Σ|u| over the axes); air farther away that is faster is slowed down to that.  Cells that stay farther from the
// surface than redistance() asks for keep their values: it comes next.  Returns the number of sub-steps.
template <int Dim>
int advect_level_set_upwind(Field<float, Dim>& phi, const FaceField<Dim>& velocity, double dt,
                            const LevelSetGrid<Dim>& grid);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// How much a surface bends: κ = ∇·(∇φ/|∇φ|), positive for a drop; 1/R in 2D, 2/R in 3D for one of radius R.
#pragma once

#include <functional>

#include "surface/level_set.h"

namespace spindrift {

// 1/m, in cells nearer to the surface than two cells, where it is the curvature of the surface itself, not of the level
// through the cell; 0 elsewhere.  No sharper than the grid can show: |κ| ≤ 1/dx per bending direction.  With `where`,
// only in tiles for which it is true.
template <int Dim>
Field<float, Dim> curvature(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid,
                            const std::function<bool(Slot)>& where = {});

}  // namespace spindrift

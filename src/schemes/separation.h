// SPDX-License-Identifier: Apache-2.0
// Liquid pushes against solids but does not pull at them: at their sides
//
//   p ≥ 0,   (u − u_wall)·n ≥ 0,   and one of the two is zero                                        [Batty07]
//
// where air can get in between.  Of the cells beside solids, those that separate are at p = 0 like the surface, and
// what flows out of them there is not made up for.
#pragma once

#include <cstdint>
#include <vector>

#include "schemes/boundary.h"

namespace spindrift {

template <int Dim>
using CellSet = std::vector<Index<Dim>>;  // in ascending order

// Liquid cells beside solids that pull, p < -threshold, and to which air leads along such cells; `separating` (in which
// p is zero) are such cells too.  Where `level` is negative there is a pressure: no open air.
template <int Dim>
CellSet<Dim> cells_that_pull(const Field<float, Dim>& pressure, const Field<float, Dim>& phi,
                             const Field<float, Dim>& level, const Boundary<Dim>& b, float threshold,
                             const CellSet<Dim>& separating);

// φ with the surface through the middle of these cells.
template <int Dim>
Field<float, Dim> with_surface_at(const CellSet<Dim>& cells, const Field<float, Dim>& phi, double dx);

// Those of the cells that would be pressed against the solid: more flows into them than out.
template <int Dim>
CellSet<Dim> cells_that_press(const CellSet<Dim>& cells, const FaceField<Dim>& velocity, const Boundary<Dim>& b);

// Lets air in: where cells have separated from a solid, φ ends at its side instead of going on inside, down to `depth`
// cells.
template <int Dim>
void let_air_in(Field<float, Dim>& phi, const CellSet<Dim>& separating, const Boundary<Dim>& b, int depth);

}  // namespace spindrift

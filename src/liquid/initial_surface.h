// SPDX-License-Identifier: Apache-2.0
// The distance to the free surface at the start.
//
// A shape of the liquid that ends on a solid or on a wall has a face there that is no surface: liquid and solid touch.
// Left in φ it bends the surface where it meets the solid, which never comes to rest.  So φ near solids is that of the
// free surface alone, continued into them as a plane.  A shape that ends up to kGap cells short of a solid touches it.
#pragma once

#include <functional>

#include "liquid/world.h"
#include "surface/level_set.h"

namespace spindrift {

// Cells between a shape of the liquid and a solid that are too few for air between them.
constexpr double kGap = 0.5;

// `shape` is the distance to the liquid's shape, `solid` that to the solids at the start, which may be empty; m,
// negative inside, at world positions.
template <int Dim>
std::function<double(const Vec<double, Dim>&)> free_surface_distance(
    const World<Dim>& world, std::function<double(const Vec<double, Dim>&)> shape,
    std::function<double(const Vec<double, Dim>&)> solid);

// Lets φ change by no more than dx from a cell to the next.  Inside a solid that is wet on one side alone it jumps, by
// more than redistancing looks for: there it would never become a distance, and what the solid uncovers when it moves
// would not flow.
template <int Dim>
void bound_slopes(Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid);

// Takes out liquid too thin for the grid: cells that hold some although their centre is dry, and those of all cells
// around.  No pressure is solved for in them, and redistancing would wear them off step by step.  Returns how much it
// was, in cells.
template <int Dim>
double take_out_thin_liquid(Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid, const Field<float, Dim>* room);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Walls that are too thin for the grid.
#pragma once

#include <functional>

#include "base/result.h"
#include "base/vec.h"
#include "scene/description.h"

namespace spindrift {

// How thick the thinnest walls of a solid are, m, by samples of its surface in the box: the way along the inward normal
// until it is out again, where that is less than `most`; else +∞.  A hundredth of the samples may be thinner, so
// that edges and tips are no walls.
template <int Dim>
double thinnest_wall(const std::function<double(const Vec<double, Dim>&)>& distance, const Box<double, Dim>& box,
                     double spacing, double most);

// Solids of a liquid's scene whose walls leak, or lose their shape, at its cell size: meshes, shapes, and shells left
// by differences; standing or moving.
Errors wall_warnings(const SceneDescription& scene);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Shapes that are filled up to a height which varies from place to place: by an expression or by a picture.
#pragma once

#include <functional>

#include "scene/description.h"

namespace spindrift {

// The height of a picture's ground at a place, m.  A picture lies as seen from above, its lower edge in front; in 2D a
// cut through its middle counts.  Beyond its edges the ground goes on level.
double height_at(const scene::Heightmap& shape, const scene::Vec3& place, int dim, int up);

// The height over a place, m; empty for a shape of another kind, and for a picture that could not be read.  With a cell
// size, a picture of more pixels than cells is smoothed first.
using HeightFunction = std::function<double(const scene::Vec3& place)>;
HeightFunction height_function(const scene::Shape& shape, int dim, int up, double cell = 0);

// Tells one such shape from others.
std::string height_key(const scene::Shape& shape);

}  // namespace spindrift

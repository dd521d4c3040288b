// SPDX-License-Identifier: Apache-2.0
// Where the shapes of a description lie: enough for warnings and estimates before anything is built.
#pragma once

#include <optional>

#include "base/vec.h"
#include "scene/description.h"

namespace spindrift {

// A box around the shape; nothing for a mesh, whose file is not read here.  A plane's is unbounded.
std::optional<Box<double, 3>> extent(const scene::Shape& shape, int dim);

// The least thickness of the shape in m; nothing where it is unbounded or unknown.
std::optional<double> thickness(const scene::Shape& shape, int dim);

// Nothing for a mesh, nor for a picture that could not be read.  `up` is the axis of heights.
std::optional<bool> contains(const scene::Shape& shape, const Vec<double, 3>& place, int dim, int up);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// The controls of a scene, as a liquid takes them.
#pragma once

#include <vector>

#include "base/result.h"
#include "liquid/attraction.h"
#include "liquid/control.h"
#include "scene/description.h"

namespace spindrift {

// In the scene's order.  Meshes that cannot be read are added to the errors.
template <int Dim>
std::vector<Control<Dim>> scene_controls(Errors& errors, const SceneDescription& scene);

// Those that attract, with distances in these cells.
template <int Dim>
std::vector<Attraction<Dim>> scene_attractions(Errors& errors, const SceneDescription& scene,
                                               const GridTransform<Dim>& grid, const IndexBox<Dim>& cells);

}  // namespace spindrift

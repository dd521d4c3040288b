// SPDX-License-Identifier: Apache-2.0
// The controls of a scene, as a liquid takes them.
#pragma once

#include <vector>

#include "base/result.h"
#include "liquid/control.h"
#include "scene/description.h"

namespace spindrift {

// In the scene's order.  Meshes that cannot be read are added to the errors.
template <int Dim>
std::vector<Control<Dim>> scene_controls(Errors& errors, const SceneDescription& scene);

}  // namespace spindrift

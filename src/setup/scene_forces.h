// SPDX-License-Identifier: Apache-2.0
// The forces of a scene, for liquids and gases alike.
#pragma once

#include <vector>

#include "base/result.h"
#include "scene/description.h"
#include "schemes/forces.h"
#include "setup/finite_values.h"

namespace spindrift {

// Numbered as in the scene.  Expressions without a value in some cell are added to the errors.
template <int Dim>
std::vector<Force<Dim>> scene_forces(Errors& errors, const SceneDescription& scene, const Domain<Dim>& domain);

// The number of a substance in the scene; -1 for none.
int substance_number(const SceneDescription& scene, const std::optional<std::string>& name);

}  // namespace spindrift

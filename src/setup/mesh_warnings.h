// SPDX-License-Identifier: Apache-2.0
// What will disappoint in the mesh files of a scene.
#pragma once

#include "base/result.h"
#include "scene/description.h"

namespace spindrift {

// Meshes that are open, inside out, without area or outside the domain, and liquid or sources that a mesh swallows.
// Files that cannot be read are passed over: check_simulation() tells of them.
Errors mesh_warnings(const SceneDescription& scene);

// And all that scene_warnings(), wall_warnings() and memory_warnings() know.
Errors all_warnings(const SceneDescription& scene);

}  // namespace spindrift

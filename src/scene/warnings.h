// SPDX-License-Identifier: Apache-2.0
// What will disappoint although it is allowed, as far as the description alone can tell.
#pragma once

#include "base/result.h"
#include "scene/description.h"

namespace spindrift {

Errors scene_warnings(const SceneDescription& scene);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Whether a run fits into the machine's memory, as far as estimate() can tell.
#pragma once

#include "base/result.h"
#include "scene/description.h"

namespace spindrift {

// Errors of a scene that surely does not fit: it would take the machine down, or an hour to find out.
Result<void> check_memory(const SceneDescription& scene);

// A warning where it is likely not to fit.
Errors memory_warnings(const SceneDescription& scene);

}  // namespace spindrift

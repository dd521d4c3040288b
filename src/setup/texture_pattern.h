// SPDX-License-Identifier: Apache-2.0
// The texture that a gas moves.
#pragma once

#include <string>

#include "base/result.h"
#include "render/pattern.h"
#include "scene/description.h"

namespace spindrift {

// The scene's texture.  Errors: a picture that cannot be read or does not fit into a periodic box.
Result<Pattern> texture_pattern(const SceneDescription& scene);
// The name of a set of its coordinates in a volume.
std::string texture_grid(int set);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// --set path=value: changes of a scene from outside.
#pragma once

#include <string>

#include <toml++/toml.h>

#include "base/result.h"

namespace spindrift {

// Puts the value (in TOML, or a bare word) at its path: "time.fps=30", "liquid[0].radius=0.2", or by the entry's name
// "liquid.drop.radius=0.2".  Takes away what the new setting excludes.
Result<void> apply_override(toml::table& scene, const std::string& override_text);

}  // namespace spindrift

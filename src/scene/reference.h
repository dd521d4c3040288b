// SPDX-License-Identifier: Apache-2.0
// docs/scene-reference.md, made from the descriptions of the settings.
#pragma once

#include <string>
#include <string_view>

namespace spindrift {

std::string scene_reference_markdown();

// The ten-line scene that the documentation begins with.
extern const std::string_view kExampleScene;

}  // namespace spindrift

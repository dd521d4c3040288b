// SPDX-License-Identifier: Apache-2.0
// From a scene file to its description.  All mistakes are told at once, each with its place.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "scene/description.h"

namespace spindrift {

// Overrides are "path=value" as in --set; their errors are placed at "--set path=value".
Result<SceneDescription> read_scene(const std::filesystem::path& file, std::span<const std::string> overrides = {});

// The text of a scene: of a file, of a pipe, or of standard input if the path is "-".
constexpr std::string_view kStandardInput = "-";
Result<std::string> read_scene_text(const std::filesystem::path& file);

// The same from a text.  The name stands in messages; files named in the scene are looked for beside it.
Result<SceneDescription> parse_scene(std::string_view text, const std::string& name,
                                     std::span<const std::string> overrides = {});

}  // namespace spindrift

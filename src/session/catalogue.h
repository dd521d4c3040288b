// SPDX-License-Identifier: Apache-2.0
// The scenes that come with Spindrift.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace spindrift {

// Where the catalogue lies: the folder named by SPINDRIFT_SCENES, else the one installed beside the program, else the
// one in the sources it was built from.  Empty when there is none.
std::filesystem::path catalogue_folder();

// Names of all scenes in it, in alphabetical order.
std::vector<std::string> catalogue_names();

// The file of a scene given as a path or as a name in the catalogue.
Result<std::filesystem::path> find_scene(const std::string& path_or_name);

}  // namespace spindrift

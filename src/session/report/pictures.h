// SPDX-License-Identifier: Apache-2.0
// The film and some pictures of a run, as parts of its report.
#pragma once

#include <filesystem>
#include <string>

#include "session/output/manifest.h"

namespace spindrift {

// A <section>, or nothing when the run has neither.
std::string film_section(const std::filesystem::path& folder, const Manifest& manifest);

}  // namespace spindrift

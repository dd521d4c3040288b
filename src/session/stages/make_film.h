// SPDX-License-Identifier: Apache-2.0
// NAME.mp4, made of a run's pictures.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "session/output/manifest.h"

namespace spindrift {

// Of all pictures that the manifest lists; `fps` of them in a second; nothing is made when there are fewer than two.
// Lists the film in the manifest's products, in place of the one before; the manifest is not written.
Result<void> make_film(const std::filesystem::path& folder, Manifest& manifest, double fps);

}  // namespace spindrift

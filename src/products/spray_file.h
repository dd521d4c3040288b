// SPDX-License-Identifier: Apache-2.0
// Drops of spray as a point cloud that other programs read: binary PLY with x y z, vx vy vz, radius, volume and id.
#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"
#include "liquid/spray.h"

namespace spindrift {

template <int Dim>
Result<void> write_spray(const std::filesystem::path& file, const std::vector<SprayDrop<Dim>>& drops);

// What write_spray() wrote, rounded to floats.  Older files have no volumes: then these are 0.
template <int Dim>
Result<std::vector<SprayDrop<Dim>>> read_spray(const std::filesystem::path& file);

}  // namespace spindrift

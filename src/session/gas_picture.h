// SPDX-License-Identifier: Apache-2.0
// The picture of a gas: dye in 2D; in 3D a plain view of the smoke from the front.
#pragma once

#include <filesystem>
#include <span>

#include "base/result.h"
#include "gas/world.h"
#include "scene/description.h"

namespace spindrift {

// `substances` in the order of the scene's list.
template <int Dim>
Result<void> write_gas_picture(const std::filesystem::path& file, const SceneDescription& scene,
                               const GasWorld<Dim>& world, std::span<const Field<float, Dim>* const> substances,
                               double time);

}  // namespace spindrift

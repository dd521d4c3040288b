// SPDX-License-Identifier: Apache-2.0
// The picture of a gas: dye in 2D; in 3D smoke in the sun.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "gas/world.h"
#include "render/pattern.h"
#include "scene/description.h"
#include "setup/shown_solids.h"

namespace spindrift {

template <int Dim>
struct GasPictureFields {
    std::vector<const Field<float, Dim>*> substances{};  // in the order of the scene's list
    const Pattern* pattern = nullptr;                    // of the scene's texture, if it has one,
    std::vector<const Field<float, Dim>*> texture{};     // and its coordinates, set by set, axis by axis
    ShownSolids<Dim> solids{};
};

template <int Dim>
Result<void> write_gas_picture(const std::filesystem::path& file, const SceneDescription& scene,
                               const GasWorld<Dim>& world, const GasPictureFields<Dim>& fields, double time);

}  // namespace spindrift

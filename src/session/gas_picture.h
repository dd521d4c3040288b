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

namespace spindrift {

template <int Dim>
struct GasPictureFields {
    std::vector<const Field<float, Dim>*> substances{};  // in the order of the scene's list
    const Pattern* pattern = nullptr;                    // of the scene's texture, if it has one,
    std::vector<const Field<float, Dim>*> texture{};     // and its coordinates, set by set, axis by axis
};

// The scene's texture.  Errors: a picture that cannot be read or does not fit into a periodic box.
Result<Pattern> texture_pattern(const SceneDescription& scene);
// The name of a set of its coordinates in a volume.
std::string texture_grid(int set);

template <int Dim>
Result<void> write_gas_picture(const std::filesystem::path& file, const SceneDescription& scene,
                               const GasWorld<Dim>& world, const GasPictureFields<Dim>& fields, double time);

}  // namespace spindrift

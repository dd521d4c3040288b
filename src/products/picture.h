// SPDX-License-Identifier: Apache-2.0
// The picture of a frame, as the scene's camera sees it.
#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"
#include "grid/field.h"
#include "liquid/spray.h"
#include "liquid/whitewater.h"
#include "liquid/world.h"
#include "scene/description.h"
#include "setup/shown_solids.h"

namespace spindrift {

// What a picture is made of; what is not there is not drawn.
template <int Dim>
struct PictureFields {
    const Field<float, Dim>* phi = nullptr;
    const FaceField<Dim>* velocity = nullptr;
    const Field<float, Dim>* pressure = nullptr;  // over density
    const Spray<Dim>* spray = nullptr;
    // Of a mixture, the part of each component but the first, known a few cells beyond the surface.
    std::vector<const Field<float, Dim>*> components{};
    const Whitewater<Dim>* whitewater = nullptr;
    ShownSolids<Dim> solids{};
};

// A PNG of the frame at `time` (s).
template <int Dim>
Result<void> write_picture(const std::filesystem::path& file, const SceneDescription& scene, const World<Dim>& world,
                           const PictureFields<Dim>& fields, double time);

}  // namespace spindrift

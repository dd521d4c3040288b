// SPDX-License-Identifier: Apache-2.0
// From a scene's description to what a gas is simulated with.
#pragma once

#include "base/result.h"
#include "gas/stable_fluids_1999.h"
#include "scene/description.h"
#include "setup/shown_solids.h"

namespace spindrift {

template <int Dim>
struct GasScene {
    GasWorld<Dim> world;
    ShownSolids<Dim> shown;
};

// Errors name what cannot be simulated: sources outside the domain, expressions without a value at some cell, files
// that cannot be read.
template <int Dim>
Result<GasScene<Dim>> gas_scene(const SceneDescription& scene);

GasSettings gas_settings(const SceneDescription& scene);

}  // namespace spindrift

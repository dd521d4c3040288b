// SPDX-License-Identifier: Apache-2.0
// From a scene's description to what whitewater is made with.
#pragma once

#include "liquid/whitewater.h"
#include "liquid/world.h"
#include "scene/description.h"

namespace spindrift {

WhitewaterSettings whitewater_settings(const SceneDescription& scene);

// At a frame's time, around a liquid whose fields must stay.  The box ends at its sides.
template <int Dim>
WhitewaterFlow<Dim> whitewater_flow(const SceneDescription& scene, const World<Dim>& world,
                                    const Field<float, Dim>& phi, const VectorField<Dim>& velocity, double time);

}  // namespace spindrift

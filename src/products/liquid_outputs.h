// SPDX-License-Identifier: Apache-2.0
// The files that show a frame of a liquid: volumes, surface, picture.
#pragma once

#include <vector>

#include "liquid/state.h"
#include "liquid/world.h"
#include "products/frame_output.h"
#include "products/whitewater_frames.h"
#include "scene/description.h"
#include "setup/shown_solids.h"

namespace spindrift {

// What the scene asks for.  Its files are written from the state as it is then: all of these must stay.  The whitewater
// goes on from frame to frame.
template <int Dim>
std::vector<FrameOutput> liquid_outputs(const SceneDescription& scene, const World<Dim>& world,
                                        const ShownSolids<Dim>& solids, const LiquidState<Dim>& liquid,
                                        WhitewaterFrames<Dim>& whitewater);

}  // namespace spindrift

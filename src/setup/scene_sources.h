// SPDX-License-Identifier: Apache-2.0
// The sources of a scene, for liquids and gases alike.
#pragma once

#include "base/result.h"
#include "scene/description.h"
#include "schemes/source.h"

namespace spindrift {

// One entry, where it is at a time.  What comes out of it moves as it does, and with the velocity that is written,
// which turns with the source.
template <int Dim>
Source<Dim> scene_source(Errors& errors, const SceneDescription& scene, std::size_t number);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// The box of a scene with its sides, for liquids and gases alike.
#pragma once

#include "scene/description.h"
#include "schemes/domain.h"

namespace spindrift {

// An inflow has its velocity prescribed.
template <int Dim>
Domain<Dim> scene_domain(const SceneDescription& scene);

}  // namespace spindrift

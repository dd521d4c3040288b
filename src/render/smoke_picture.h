// SPDX-License-Identifier: Apache-2.0
// A ray-marched picture of a gas: smoke that shadows itself, the solids and the floor, under a sun and a sky.
#pragma once

#include "render/light.h"
#include "render/smoke_view.h"

namespace spindrift {

// As the screen shows it, 0 to 1 and still linear.
Image render_smoke(const SmokeView3& view, const Camera& camera, const Light& light);

}  // namespace spindrift

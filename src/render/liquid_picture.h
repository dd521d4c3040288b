// SPDX-License-Identifier: Apache-2.0
// A quick picture of a liquid in its container, about a second for 960 × 540.
//
//   LiquidView3 view{.phi = &liquid.phi, .grid = world.grid, .container = box};
//   const Camera camera = frame_box(box, 960, 540, view.up_axis);
//   const Image image = render_liquid(view, camera, light_for(camera, view.up_axis));
//   write_png(path, image.width, image.height, srgb8(image, Dither::on));
#pragma once

#include "render/camera.h"
#include "render/light.h"
#include "render/liquid_view.h"

namespace spindrift {

// Ready for a screen: linear, from 0 to 1.  The same bits on any number of threads.
Image render_liquid(const LiquidView3& view, const Camera& camera, const Light& light);

}  // namespace spindrift

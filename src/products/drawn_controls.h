// SPDX-License-Identifier: Apache-2.0
// The curves of a scene's controls, drawn over a picture.
#pragma once

#include <functional>
#include <optional>

#include "render/drawing.h"
#include "scene/description.h"

namespace spindrift {

// Where a place of the world is in the picture, in pixels; nothing behind the camera.
using PixelOf = std::function<std::optional<Place>(const Vec<double, 3>& place)>;

// Thin where a curve does not act at that time, wide where it does, with arrows in the direction of its speed.
void draw_controls(Image& image, const SceneDescription& scene, double time, const PixelOf& pixel_of);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// From a scene's description to the camera and the light of its pictures.
#pragma once

#include "render/light.h"
#include "scene/description.h"

namespace spindrift {

inline Rgb rgb_of(const scene::Color& color) { return Rgb(color.rgb); }

// Where the scene says nothing, the camera sees all that the run will show, the same in all frames.
Camera camera_of(const SceneDescription& scene, double time);
Light light_of(const SceneDescription& scene, const Camera& camera, double time);

}  // namespace spindrift

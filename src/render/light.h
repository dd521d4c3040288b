// SPDX-License-Identifier: Apache-2.0
// A sun and a sky.  The sky brightens from the zenith to the horizon and around the sun; what is seen is brought to the
// range of a screen by the filmic curve of [Narkowicz16].
#pragma once

#include "render/camera.h"
#include "render/image.h"

namespace spindrift {

struct Light {
    Vec<double, 3> to_sun{-0.45, 0.8, 0.4};  // its length does not matter
    Rgb sun{3.0F, 2.8F, 2.5F};               // of a white board that faces it
    Rgb sky{0.55F, 0.70F, 0.90F};            // of a white board under it, without the sun
    float exposure = 1;
    bool background = true;  // the sky is seen behind everything; else it lights the scene, and is white
};

// The sun over the left shoulder of who holds the camera, high enough to reach the floor of a tank.
Light light_for(const Camera& camera, int up_axis);

// What comes from a direction; `above` is its upward component.  The sun itself is part of reflections alone: seen
// directly it would only be a white disc.
Rgb sky_radiance(const Light& light, float above, float cosine_to_sun, bool with_sun);

// What is seen where there is nothing: the sky, or white.
Rgb background_radiance(const Light& light, float above, float cosine_to_sun);

// What comes to a surface from the sky above it and from the floor below; `up` is its normal's upward component.
Rgb ambient_light(const Light& light, float up, const Rgb& floor_color);

// 0 to 1 for a screen, still linear.
Rgb tone_mapped(const Rgb& radiance, float exposure);

}  // namespace spindrift

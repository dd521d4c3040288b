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
    // A level direction across the view, of length 1: dark cards stand at both ends of it.  None if it is zero.
    Vec<double, 3> cards{};
};

// The sun at the left, a little beyond what the camera looks at, and high enough to reach the floor of a tank: shadows
// fall beside things and towards the camera.  Behind a tank they would be seen through the liquid as dark bands.
Light light_for(const Camera& camera, int up_axis);

// The sky in a direction of which `above` is the upward component.
Rgb sky_radiance(const Light& light, float above, float cosine_to_sun);

// What a clear liquid reflects and refracts, besides what is near it.  Before a floor and a sky that are bright all
// around it would have no contours; so photographers light glass against a bright field, with dark cards at both sides
// and a lamp that is long enough to glint on upright surfaces [Hunter15].  None of these is visible by itself.
class LightRig {
  public:
    LightRig(const Light& light, int up_axis);

    // The sky behind the cards, and the lamps: the disc of the sun and a tall window below it.
    Rgb sky(const Vec<float, 3>& direction) const;
    Rgb lamps(const Vec<float, 3>& direction) const;
    Rgb radiance(const Vec<float, 3>& direction) const { return sky(direction) + lamps(direction); }
    // Part of the light from far away that the cards let through.
    float beside_cards(const Vec<float, 3>& direction) const;

  private:
    const Light& light_;
    int up_;
    Vec<float, 3> to_sun_, level_to_sun_{}, cards_;
};

// What is seen where there is nothing: the sky, or white.
Rgb background_radiance(const Light& light, float above, float cosine_to_sun);

// What comes to a surface from the sky above it and from the floor below; `up` is its normal's upward component.
Rgb ambient_light(const Light& light, float up, const Rgb& floor_color);

// 0 to 1 for a screen, still linear.
Rgb tone_mapped(const Rgb& radiance, float exposure);

}  // namespace spindrift

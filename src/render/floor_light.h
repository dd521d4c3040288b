// SPDX-License-Identifier: Apache-2.0
// Sunlight on the floor, by following it from the sun through the liquid and counting what arrives where: an
// illumination map [Arvo86].  Waves throw their bright lines on the floor, solids their shadows, and light that a
// surface sends elsewhere is missing where it would have fallen.
//
// Rays start on a lattice twice as fine as the map.  Those that meet nothing, or flat water, arrive on such a lattice
// again, which counts as exactly 1 everywhere: no noise.
#pragma once

#include <vector>

#include "render/ray_scene.h"

namespace spindrift {

class FloorLight {
  public:
    FloorLight() = default;
    // `absorption` is per cell.
    FloorLight(const RayScene& scene, const Vec3f& to_sun, const Rgb& absorption);

    // Part of the open sun's light at a place on the floor.
    Rgb at(const Vec3f& position) const;

  private:
    struct Landing {
        float x, y;  // in texels; x < 0: nowhere
        Rgb light;
    };
    Landing follow(const RayScene& scene, Vec3f origin, Vec3f direction, const Rgb& absorption) const;
    void blur();

    int u_ = 0, v_ = 2;  // the two level axes
    float low_u_ = 0, low_v_ = 0, texel_ = 1;
    int width_ = 0, height_ = 0;
    Rgb open_{};  // beyond the map
    std::vector<Rgb> texels_;
};

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Sunlight on floor and solids, by following it from the sun through the liquid and counting what arrives where: an
// illumination map [Arvo86].  Waves throw their bright lines, solids their shadows, and light that a surface sends
// elsewhere is missing where it would have fallen.
//
// The map of the floor lies on the floor.  That of solids lies there too: places on them are projected along straight
// rays of the sun, so that a solid in the open counts 1 wherever it faces the sun.  It holds what reaches the floor as
// well, lest solids darken at their edges.
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
    // `extinction` is per cell: absorption and scattering.
    FloorLight(const RayScene& scene, const Vec3f& to_sun, const Rgb& extinction);

    bool empty() const { return texels_.empty(); }

    // Part of the open sun's light at a place on the floor.
    Rgb at(const Vec3f& position) const { return looked_up(texels_, position); }
    // The same for a place on a solid that no other solid shades.
    Rgb on_solid(const Vec3f& position) const { return looked_up(on_all_, under_sun(position)); }

  private:
    struct Landing {
        float x, y;  // in texels; x < 0: nowhere
        Rgb light;
        bool on_floor;
    };
    Landing landing_at(const Vec3f& position, const Rgb& light, bool on_floor) const;
    Landing trace(const RayScene& scene, Vec3f origin, Vec3f direction, const Rgb& extinction) const;
    Vec3f under_sun(const Vec3f& position) const;
    Rgb looked_up(const std::vector<Rgb>& texels, const Vec3f& position) const;
    void blur(std::vector<Rgb>& texels) const;

    int up_ = 1, u_ = 0, v_ = 2;  // the two level axes
    float floor_ = 0;             // its height
    Vec3f to_sun_{};
    float low_u_ = 0, low_v_ = 0, texel_ = 1;
    int width_ = 0, height_ = 0;
    Rgb open_{};               // beyond the map
    std::vector<Rgb> texels_;  // of the floor
    std::vector<Rgb> on_all_;  // of floor and solids
};

}  // namespace spindrift

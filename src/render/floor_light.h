// SPDX-License-Identifier: Apache-2.0
// Sunlight on floor and solids, by following it from the sun through the liquid and counting what arrives where: an
// illumination map [Arvo86].  Waves throw their bright lines, solids their shadows, and light that a surface sends
// elsewhere is missing where it would have fallen.
//
// The map of the floor lies on the floor.  That of solids in the liquid lies there too: places on them are projected
// along the rays that the sun has under a level surface, on which nothing overlaps where the water is still.  It holds
// what reaches the floor under the liquid as well, lest solids darken at their edges.
//
// Rays start on a lattice twice as fine as the map.  Those that meet nothing, or flat water, arrive on such a lattice
// again, which counts as exactly 1 everywhere: no noise.
#pragma once

#include <vector>

#include "render/liquid_medium.h"
#include "render/ray_scene.h"

namespace spindrift {

class FloorLight {
  public:
    FloorLight() = default;
    FloorLight(const RayScene& scene, const Vec3f& to_sun, const LiquidMedium& medium);

    bool empty() const { return texels_.empty(); }

    // Part of the open sun's light at a place on the floor.
    Rgb at(const Vec3f& position) const { return looked_up(texels_, position); }
    // The same for a place on a solid in the liquid that no other solid shades, of what would arrive if it were level.
    Rgb on_solid(const Vec3f& position) const { return looked_up(in_liquid_, on_floor_below(position)); }
    // Towards the sun under a level surface.
    const Vec3f& to_bent_sun() const { return to_bent_sun_; }

  private:
    struct Landing {
        float x, y;  // in texels; x < 0: nowhere
        Rgb light;
        bool on_floor, in_liquid;
    };
    Landing landing_at(const Vec3f& position, const Rgb& light, bool on_floor, bool in_liquid) const;
    Landing trace(const RayScene& scene, Vec3f origin, Vec3f direction, const LiquidMedium& medium) const;
    Vec3f on_floor_below(const Vec3f& position) const;
    Rgb looked_up(const std::vector<Rgb>& texels, const Vec3f& position) const;
    void blur(std::vector<Rgb>& texels) const;

    int up_ = 1, u_ = 0, v_ = 2;  // the two level axes
    float floor_ = 0;             // its height
    Vec3f to_bent_sun_{};
    float low_u_ = 0, low_v_ = 0, texel_ = 1;
    int width_ = 0, height_ = 0;
    Rgb open_{};                  // beyond the map
    std::vector<Rgb> texels_;     // of the floor
    std::vector<Rgb> in_liquid_;  // of floor and solids under the liquid
};

}  // namespace spindrift

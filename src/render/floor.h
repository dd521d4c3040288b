// SPDX-License-Identifier: Apache-2.0
// The floor under a container: of one colour, or with squares that melt together where a pixel covers several of them;
// and a haze that brings it to the horizon.
#pragma once

#include "render/floor_kind.h"
#include "render/image.h"
#include "render/ray_footprint.h"
#include "render/solid_scene.h"

namespace spindrift {

class Floor {
  public:
    Floor(const SolidScene& scene, FloorKind kind, const Rgb& color);

    // Reflectance at a point, averaged over the parallelogram that a pixel covers there.
    Rgb color_at(const Vec3f& point, const RayFootprint& footprint) const;
    // With the haze in front of it, from the horizon's colour.
    template <class Horizon>
    Rgb in_haze(const Rgb& radiance, const Vec3f& direction, float distance, Horizon&& horizon) const {
        const float haze = haze_at(distance);
        if (!(haze > 0)) return radiance;
        Vec3f level = direction;
        level[up_] = 0;
        return mixed(radiance, horizon(level / std::max(length(level), 1e-6F)), haze);
    }

    // 0 at the container and around it, 1 at a distance of some of its sizes.
    float far_away(const Vec3f& point) const;

  private:
    float haze_at(float distance) const;

    FloorKind kind_;
    Rgb color_;
    int up_;
    Vec3f middle_;   // of the container
    float square_;   // its side, cells
    float largest_;  // side of the container
};

}  // namespace spindrift

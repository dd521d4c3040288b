// SPDX-License-Identifier: Apache-2.0
// Hot gas lights what is around it.  Each eighth of the box that shines counts as one lamp, where its light comes from
// in the mean: lamps move and fade smoothly as the gas does.  Solids stand in their light, smoke does not.
#pragma once

#include <vector>

#include "render/light.h"
#include "render/smoke_view.h"
#include "render/solid_scene.h"

namespace spindrift {

class GlowLamps {
  public:
    GlowLamps(const SmokeView3& view, const SolidScene& scene);

    bool empty() const { return lamps_.empty(); }
    // On a white surface, as the brightness that it gets.
    Rgb on_surface(const Vec3f& place, const Vec3f& normal) const;
    // What smoke that scatters all, to all sides alike, sends back.
    Rgb on_smoke(const Vec3f& place) const;

  private:
    struct Lamp {
        Vec3f place;
        Rgb intensity;  // to each steradian
        float size2;    // square of the radius of the gas that shines, cells²
    };
    // Without the angle: intensity over the square of the distance.
    Rgb reaching(const Lamp& lamp, const Vec3f& offset, const Vec3f& place) const;

    const SolidScene& scene_;
    std::vector<Lamp> lamps_;
};

}  // namespace spindrift

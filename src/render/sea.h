// SPDX-License-Identifier: Apache-2.0
// Water up to the horizon around a container: it reflects the sky by Fresnel's equations on ripples that fade where a
// pixel covers several of them, and shows the colour of deep water beneath.
#pragma once

#include "render/light.h"
#include "render/solid_scene.h"

namespace spindrift {

class Sea {
  public:
    // `deep` is the light that comes up from below.
    Sea(const SolidScene& scene, const Light& light, const Rgb& deep);

    // At a point of its surface, seen along a ray where a pixel is `width` cells wide.  Below the surface it is all
    // deep.
    Rgb radiance(const Hit& hit, const Vec3f& direction, float width) const;

  private:
    Vec3f normal_at(const Vec3f& point, const Vec3f& direction, float width) const;

    const Light& light_;
    LightRig rig_;
    Vec3f to_sun_;
    Rgb deep_;
    int up_;
    float longest_;  // wavelength, cells
};

}  // namespace spindrift

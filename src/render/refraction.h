// SPDX-License-Identifier: Apache-2.0
// How light goes on where it meets the liquid: which part is reflected, and where the rest goes.
//
// Films about as thin as a cell have two sides that the grid knows only roughly; rays bent by each of them would
// scatter like sand.  A film with parallel sides does not turn light at all: a ray that leaves soon after it came in
// takes up its old direction, and those of somewhat thicker films are in between.
#pragma once

#include <algorithm>

#include "render/fresnel.h"
#include "render/ray_scene.h"

namespace spindrift {

struct Refraction {
    Vec3f normal;     // against the ray
    float reflected;  // part
    Vec3f through;    // direction of the rest; none when all is reflected
};

// `before` is the direction that the ray had when it came into the liquid, or after it was last reflected in it.
inline Refraction refract_ray(const Vec3f& direction, const Hit& hit, bool in_liquid, const Vec3f& before) {
    constexpr float kThinFilm = 0.2F, kThickFilm = 0.9F;  // cells
    constexpr float kMinCosine = 0.02F;

    // At a silhouette a smooth normal may face away from the ray: then the ray grazes.
    Refraction out{hit.normal, 0, before};
    const float facing = -dot(direction, out.normal);
    if (facing < kMinCosine) {
        out.normal += direction * (facing - kMinCosine);
        out.normal = out.normal / length(out.normal);
    }

    const float eta = in_liquid ? kWaterIndex : 1 / kWaterIndex;
    out.reflected = fresnel(std::clamp(-dot(direction, out.normal), 0.0F, 1.0F), eta);
    const bool leaves = out.reflected < 1;
    if (leaves) out.through = refracted(direction, out.normal, eta);
    if (!in_liquid || hit.t >= kThickFilm) return out;
    if (hit.kind == HitKind::wall && before == direction) return out;  // from wall to wall in a corner: no film

    const float s = std::max((hit.t - kThinFilm) / (kThickFilm - kThinFilm), 0.0F);
    const float thick = s * s * (3 - 2 * s);
    out.reflected *= thick;
    out.through = leaves ? before + (out.through - before) * thick : before;
    out.through = out.through / length(out.through);
    return out;
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "render/sea.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/fresnel.h"

namespace spindrift {
namespace {

constexpr int kWaves = 9;  // each shorter than the one before, all of the same steepness
constexpr float kShorter = 0.63F;
constexpr float kSteepness = 0.035F;  // slope of each
constexpr float kGolden = 2.39996F;   // radians: directions that never line up

}  // namespace

Sea::Sea(const SolidScene& scene, const Light& light, const Rgb& deep)
    : light_(light),
      rig_(light, scene.up_axis()),
      to_sun_(Vec3f(normalized(light.to_sun))),
      deep_(deep),
      up_(scene.up_axis()) {
    const Vec3f size = scene.container().size();
    longest_ = 0.3F * std::max({size[0], size[1], size[2]});
}

Vec3f Sea::normal_at(const Vec3f& point, const Vec3f& direction, float width) const {
    // A pixel is longer on the sea than it is wide, the more so the flatter it is seen.
    const float footprint = width / std::max(std::abs(direction[up_]), 0.02F);
    Vec3f normal = along(up_, 1);
    float wavelength = longest_;
    for (int n = 0; n < kWaves; ++n, wavelength *= kShorter) {
        const float angle = 0.6F + kGolden * static_cast<float>(n);
        const float x = std::cos(angle), z = std::sin(angle), k = 2 * std::numbers::pi_v<float> / wavelength;
        const float covered = footprint / wavelength;
        const float slope = kSteepness * std::exp(-6 * covered * covered) *
                            std::cos(k * (x * point[0] + z * point[3 - up_]) + 1.7F * static_cast<float>(n));
        normal[0] += slope * x;
        normal[3 - up_] += slope * z;
    }
    return normal / length(normal);
}

Rgb Sea::radiance(const Hit& hit, const Vec3f& direction, float width) const {
    if (!(hit.normal[up_] > 0)) return deep_;
    const Vec3f normal = normal_at(hit.point, direction, width);
    const float cosine = std::clamp(-dot(direction, normal), 0.03F, 1.0F);
    const float part = fresnel(cosine, 1 / kWaterIndex);
    Vec3f up = reflected(direction, normal);
    up[up_] = std::abs(up[up_]);  // what a ripple throws down, the next one throws up again
    return deep_ * (1 - part) + (sky_radiance(light_, up[up_], dot(up, to_sun_)) + rig_.lamps(up)) * part;
}

}  // namespace spindrift

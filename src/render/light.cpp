// SPDX-License-Identifier: Apache-2.0
#include "render/light.h"

#include <algorithm>
#include <cmath>

namespace spindrift {
namespace {

float smooth_step(float from, float to, float x) {
    const float t = std::clamp((x - from) / (to - from), 0.0F, 1.0F);
    return t * t * (3 - 2 * t);
}

}  // namespace

Light light_for(const Camera& camera, int up_axis) {
    using Vec3 = Vec<double, 3>;
    Vec3 up;
    up[up_axis] = 1;
    const Vec3 back = camera.position - camera.look_at;
    Vec3 behind = back - up * dot(back, up);
    if (!(length(behind) > 1e-9 * length(back))) behind[0] = 1;
    behind = normalized(behind);
    const Vec3 left = cross(behind, up);

    Light light;
    light.to_sun = normalized(up * 1.1 + left * 0.8 - behind * 0.3);
    light.cards = left;
    return light;
}

Rgb sky_radiance(const Light& light, float above, float cosine_to_sun) {
    // White near the horizon, where the air is deepest; below it the haze goes on.
    const float height = std::max(above, 0.0F);
    const float haze = std::exp(-4.0F * height);
    const float grey = luminance(light.sky);
    const Rgb zenith = filtered(light.sky, {0.62F, 0.92F, 1.35F});
    Rgb radiance = mixed(zenith, mixed(light.sky, Rgb(grey), 0.45F) * 2.1F, haze);

    // A glow around the sun.
    return radiance + light.sun * (0.06F * std::pow(std::max(cosine_to_sun, 0.0F), 8.0F));
}

LightRig::LightRig(const Light& light, int up_axis)
    : light_(light), up_(up_axis), to_sun_(normalized(light.to_sun)), cards_(light.cards) {
    Vec<float, 3> level = to_sun_;
    level[up_] = 0;
    if (const float size = length(level); size > 0.02F) level_to_sun_ = level / size;
}

float LightRig::beside_cards(const Vec<float, 3>& direction) const {
    constexpr float kDarkness = 0.8F;
    return 1 - kDarkness * smooth_step(0.12F, 0.6F, std::abs(dot(direction, cards_)));
}

Rgb LightRig::sky(const Vec<float, 3>& direction) const {
    return sky_radiance(light_, direction[up_], dot(direction, to_sun_)) * beside_cards(direction);
}

Rgb LightRig::lamps(const Vec<float, 3>& direction) const {
    // The disc is some degrees wide, as ripples too small for the grid would spread it.
    const float towards = std::max(dot(direction, to_sun_), 0.0F);
    float brightness = 150 * std::pow(towards, 2500.0F) + 3 * std::pow(towards, 200.0F);

    // The window: 9 degrees to both sides and up to 40 degrees, and as far down.
    const float above = direction[up_], level = std::sqrt(std::max(1 - above * above, 1e-6F));
    const float azimuth = dot(direction, level_to_sun_) / level;
    brightness += 4 * smooth_step(0.985F, 0.992F, azimuth) * (1 - smooth_step(0.6F, 0.7F, std::abs(above)));
    return light_.sun * brightness;
}

Rgb background_radiance(const Light& light, float above, float cosine_to_sun) {
    constexpr float kWhite = 100;  // tone_mapped() has reached 1 by then
    return light.background ? sky_radiance(light, above, cosine_to_sun) : Rgb(kWhite / light.exposure);
}

Rgb ambient_light(const Light& light, float up, const Rgb& floor_color) {
    const Rgb from_floor = filtered(light.sky + light.sun * 0.4F, floor_color) * 0.7F;
    return mixed(from_floor, light.sky, 0.5F + 0.5F * up);
}

Rgb tone_mapped(const Rgb& radiance, float exposure) {
    // 0.36 brings a sunlit floor to the light grey that photographers aim at.
    return map(
        [exposure](float c) {
            const float x = std::max(c, 0.0F) * 0.36F * exposure;
            return std::min((x * (2.51F * x + 0.03F)) / (x * (2.43F * x + 0.59F) + 0.14F), 1.0F);
        },
        radiance);
}

}  // namespace spindrift

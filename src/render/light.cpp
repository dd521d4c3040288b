// SPDX-License-Identifier: Apache-2.0
#include "render/light.h"

#include <algorithm>
#include <cmath>

namespace spindrift {

Light light_for(const Camera& camera, int up_axis) {
    using Vec3 = Vec<double, 3>;
    Vec3 up;
    up[up_axis] = 1;
    const Vec3 back = camera.position - camera.look_at;
    Vec3 behind = back - up * dot(back, up);
    if (!(length(behind) > 1e-9 * length(back))) behind[0] = 1;
    behind = normalized(behind);
    const Vec3 left = cross(behind, up);

    // Rather from the left than from behind: shadows lie beside things, and waves have a bright and a dark side.
    Light light;
    light.to_sun = normalized(up * 1.1 + left * 0.8 + behind * 0.25);
    return light;
}

Rgb sky_radiance(const Light& light, float above, float cosine_to_sun, bool with_sun) {
    // White near the horizon, where the air is deepest; below it the haze goes on.
    const float height = std::max(above, 0.0F);
    const float haze = std::exp(-4.0F * height);
    const float grey = luminance(light.sky);
    const Rgb zenith = filtered(light.sky, {0.62F, 0.92F, 1.35F});
    Rgb radiance = mixed(zenith, mixed(light.sky, Rgb(grey), 0.45F) * 2.1F, haze);

    // A glow around the sun, then the disc: some degrees wide, as ripples too small for the grid would spread it.
    const float towards = std::max(cosine_to_sun, 0.0F);
    radiance += light.sun * (0.06F * std::pow(towards, 8.0F));
    if (with_sun) radiance += light.sun * (150.0F * std::pow(towards, 2500.0F) + 3.0F * std::pow(towards, 200.0F));
    return radiance;
}

Rgb background_radiance(const Light& light, float above, float cosine_to_sun) {
    constexpr float kWhite = 100;  // tone_mapped() has reached 1 by then
    return light.background ? sky_radiance(light, above, cosine_to_sun, false) : Rgb(kWhite / light.exposure);
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

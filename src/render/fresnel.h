// SPDX-License-Identifier: Apache-2.0
// Light at a smooth surface between two clear media: Snell's law and Fresnel's equations for unpolarised light
// [BornWolf99] §1.5.
#pragma once

#include <cmath>

#include "base/vec.h"

namespace spindrift {

constexpr float kWaterIndex = 1.333F;  // fresh water at 20 °C, yellow light

// The part that is reflected; 1 beyond the critical angle.  `cosine` is that of the angle to the normal on the side the
// light comes from; `eta` is the index there over the index beyond.
inline float fresnel(float cosine, float eta) {
    const float sine2 = eta * eta * (1 - cosine * cosine);
    if (sine2 >= 1) return 1;
    const float beyond = std::sqrt(1 - sine2);
    const float s = (eta * cosine - beyond) / (eta * cosine + beyond);
    const float p = (cosine - eta * beyond) / (cosine + eta * beyond);
    return 0.5F * (s * s + p * p);
}

// `normal` faces the light: normal · direction < 0.
inline Vec<float, 3> reflected(const Vec<float, 3>& direction, const Vec<float, 3>& normal) {
    return direction - normal * (2 * dot(direction, normal));
}

// Of length 1; there must be a refracted ray (fresnel() < 1).
inline Vec<float, 3> refracted(const Vec<float, 3>& direction, const Vec<float, 3>& normal, float eta) {
    const float cosine = -dot(direction, normal);
    const float beyond = std::sqrt(std::fmax(1 - eta * eta * (1 - cosine * cosine), 0.0F));
    const Vec<float, 3> out = direction * eta + normal * (eta * cosine - beyond);
    return out / length(out);
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Ray differentials [Igehy99]: how far the rays of the neighbouring pixels, one to the right and one above, lie from a
// ray and how much their directions differ.  They say over which part of a texture a pixel has to be averaged, along
// and across separately: a jet of water squeezes what is behind it to the sides and leaves its height alone.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "base/vec.h"

namespace spindrift {

struct RayFootprint {
    using Vec3f = Vec<float, 3>;

    std::array<Vec3f, 2> offset{};     // of position
    std::array<Vec3f, 2> deviation{};  // of direction

    // Of rays around a direction that spread by an angle (radians).
    static RayFootprint spreading(const Vec3f& direction, float angle) {
        const int smallest = std::abs(direction[0]) < std::abs(direction[2]) ? 0 : 2;
        Vec3f u = direction * -direction[smallest];
        u[smallest] += 1;
        u = u / length(u);
        const Vec3f v{direction[1] * u[2] - direction[2] * u[1], direction[2] * u[0] - direction[0] * u[2],
                      direction[0] * u[1] - direction[1] * u[0]};
        return {.deviation = {u * angle, v * angle}};
    }

    // The mean width after a distance t.
    float width_at(float t) const {
        return 0.5F * (length(offset[0] + deviation[0] * t) + length(offset[1] + deviation[1] * t));
    }
    float spread() const { return 0.5F * (length(deviation[0]) + length(deviation[1])); }

    // On a plane that the ray meets after a distance t.
    RayFootprint on_plane(const Vec3f& direction, const Vec3f& normal, float t) const {
        constexpr float kMinCosine = 0.02F;
        RayFootprint at = *this;
        const float cosine = dot(direction, normal);
        const float slope = std::copysign(std::max(std::abs(cosine), kMinCosine), cosine);
        for (std::size_t i = 0; i < 2; ++i) {
            at.offset[i] += deviation[i] * t;
            at.offset[i] -= direction * (dot(at.offset[i], normal) / slope);
        }
        return at;
    }

    // Behind a surface on which it lies.  `normal` faces the ray; turn[i] is how the normal differs at offset[i].
    RayFootprint reflected(const Vec3f& direction, const Vec3f& normal, const std::array<Vec3f, 2>& turn) const {
        RayFootprint out = *this;
        for (std::size_t i = 0; i < 2; ++i) {
            const float change = dot(deviation[i], normal) + dot(direction, turn[i]);
            out.deviation[i] = limited(deviation[i] - (turn[i] * dot(direction, normal) + normal * change) * 2.0F);
        }
        return out;
    }
    // `eta` is the index before the surface over the one behind; there must be a refracted ray.
    RayFootprint refracted(const Vec3f& direction, const Vec3f& normal, const std::array<Vec3f, 2>& turn,
                           float eta) const {
        constexpr float kMinCosine = 0.1F;  // beyond: at the critical angle the change is infinite
        RayFootprint out = *this;
        const float cosine = -dot(direction, normal);
        const float beyond = std::max(std::sqrt(std::max(1 - eta * eta * (1 - cosine * cosine), 0.0F)), kMinCosine);
        for (std::size_t i = 0; i < 2; ++i) {
            const float change = -(dot(deviation[i], normal) + dot(direction, turn[i]));
            out.deviation[i] = limited(deviation[i] * eta + turn[i] * (eta * cosine - beyond) +
                                       normal * (change * (eta - eta * eta * cosine / beyond)));
        }
        return out;
    }

  private:
    // Differentials hold for small angles only.
    static Vec3f limited(const Vec3f& deviation) {
        const float size = length(deviation);
        return size > 1 ? deviation / size : deviation;
    }
};

}  // namespace spindrift

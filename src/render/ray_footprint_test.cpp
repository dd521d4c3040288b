// SPDX-License-Identifier: Apache-2.0
#include "render/ray_footprint.h"

#include <gtest/gtest.h>

#include "render/fresnel.h"

namespace spindrift {
namespace {

using Vec3f = Vec<float, 3>;

Vec3f unit(const Vec3f& v) { return v / length(v); }

// What a ray becomes at a ball of radius 10 at the origin, that it meets from outside.
struct AtBall {
    Vec3f point, normal, reflection, refraction;

    AtBall(const Vec3f& origin, const Vec3f& direction) {
        const float along = dot(origin, direction);
        const float t = -along - std::sqrt(along * along - dot(origin, origin) + 100);
        point = origin + direction * t;
        normal = point / 10.0F;
        reflection = reflected(direction, normal);
        refraction = refracted(direction, normal, 1 / kWaterIndex);
    }
};

// Differentials agree with the neighbouring ray itself.
TEST(RayFootprint, AgreesWithNeighbouringRays) {
    const Vec3f origin(4, 30, -3), direction = unit({-0.1F, -1, 0.2F});
    constexpr float kAngle = 1e-3F;
    const RayFootprint pixel = RayFootprint::spreading(direction, kAngle);
    const AtBall middle(origin, direction);
    const float t = length(middle.point - origin);
    const RayFootprint there = pixel.on_plane(direction, middle.normal, t);
    std::array<Vec3f, 2> turn;
    for (std::size_t i = 0; i < 2; ++i) turn[i] = there.offset[i] / 10.0F;
    const RayFootprint mirrored = there.reflected(direction, middle.normal, turn);
    const RayFootprint within = there.refracted(direction, middle.normal, turn, 1 / kWaterIndex);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(dot(pixel.deviation[i], direction), 0, 1e-7);
        const AtBall beside(origin, unit(direction + pixel.deviation[i]));
        const float size = length(beside.point - middle.point);
        EXPECT_LT(length(beside.point - middle.point - there.offset[i]), 0.02F * size);
        EXPECT_LT(length(beside.reflection - middle.reflection - mirrored.deviation[i]),
                  0.02F * length(mirrored.deviation[i]));
        EXPECT_LT(length(beside.refraction - middle.refraction - within.deviation[i]),
                  0.02F * length(within.deviation[i]));
    }
}

}  // namespace
}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "render/refraction.h"

#include <gtest/gtest.h>

namespace spindrift {
namespace {

const Vec3f kUp{0, 1, 0};
const Vec3f kAslant{0.8F, -0.6F, 0};

// In through a level surface, down some depth, and out through another one: as a pane of that thickness.
Refraction out_of_film(float depth, const Vec3f& lower_normal) {
    const Refraction in = refract_ray(kAslant, {HitKind::surface, 7, {}, kUp}, false, kAslant);
    return refract_ray(in.through, {HitKind::surface, depth, {}, lower_normal}, true, kAslant);
}

TEST(Refraction, IntoTheLiquidBySnellAndFresnel) {
    const Refraction in = refract_ray(kAslant, {HitKind::surface, 0.1F, {}, kUp}, false, kAslant);
    EXPECT_NEAR(in.through[0] * kWaterIndex, kAslant[0], 1e-6F);
    EXPECT_EQ(in.reflected, fresnel(0.6F, 1 / kWaterIndex));
}

// However rough the grid's idea of the other side: light goes through a film as it came, all of it.
TEST(Refraction, ThinFilmsDoNotTurnLight) {
    const Vec3f tilted{0.9F, 0.436F, 0};
    for (const Vec3f& normal : {kUp, tilted, Vec3f{-0.6F, 0, 0.8F}}) {
        const Refraction out = out_of_film(0.1F, normal);
        EXPECT_EQ(out.reflected, 0);
        EXPECT_LT(length(out.through - kAslant), 1e-6F);
    }
}

TEST(Refraction, ThickOnesDo) {
    const Vec3f tilted{-0.28F, 0.96F, 0};
    const Refraction out = out_of_film(3, tilted);
    EXPECT_GT(length(out.through - kAslant), 0.1F);
    const Vec3f inside = refracted(kAslant, kUp, 1 / kWaterIndex);
    EXPECT_EQ(out.reflected, fresnel(-dot(inside, tilted), kWaterIndex));
}

// No step where a film counts as thick.
TEST(Refraction, BetweenThemItTurnsSmoothly) {
    const Vec3f tilted{0.3F, 0.954F, 0};
    Refraction before = out_of_film(0, tilted);
    for (float depth = 0.01F; depth < 2; depth += 0.01F) {
        const Refraction out = out_of_film(depth, tilted);
        EXPECT_LT(length(out.through - before.through), 0.02F) << depth;
        EXPECT_LT(std::abs(out.reflected - before.reflected), 0.05F) << depth;
        before = out;
    }
}

// A corner of the container is no film: light is reflected there twice and stays inside.
TEST(Refraction, CornersReflect) {
    const Vec3f shallow{0.6F, 0, 0.8F};  // 53° from the wall's normal: beyond the critical angle
    const Refraction corner = refract_ray(shallow, {HitKind::wall, 0.1F, {}, {-1, 0, 0}}, true, shallow);
    EXPECT_EQ(corner.reflected, 1);
}

}  // namespace
}  // namespace spindrift

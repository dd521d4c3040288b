// SPDX-License-Identifier: Apache-2.0
#include "render/fresnel.h"

#include <gtest/gtest.h>

namespace spindrift {
namespace {

constexpr float kIn = 1 / kWaterIndex;

TEST(Fresnel, WaterReflectsTwoPercentStraightOn) {
    EXPECT_NEAR(fresnel(1, kIn), 0.0204F, 2e-4F);
    EXPECT_NEAR(fresnel(1, kWaterIndex), 0.0204F, 2e-4F);
}

TEST(Fresnel, GrazingLightIsAllReflected) {
    EXPECT_NEAR(fresnel(0, kIn), 1, 1e-6F);
    EXPECT_GT(fresnel(0.02F, kIn), 0.85F);
}

// Beyond 48.6° light does not leave the water.
TEST(Fresnel, TotalReflectionFromInside) {
    const float degree = 3.14159265F / 180;
    EXPECT_LT(fresnel(std::cos(48.3F * degree), kWaterIndex), 1);
    EXPECT_EQ(fresnel(std::cos(48.9F * degree), kWaterIndex), 1);
}

// At Brewster's angle (53.1°) the part polarised along the plane vanishes: half of the other's 0.0778 is left.
TEST(Fresnel, BrewstersAngle) { EXPECT_NEAR(fresnel(std::cos(std::atan(kWaterIndex)), kIn), 0.5F * 0.0778F, 1e-3F); }

TEST(Fresnel, SnellsLawAndTheWayBack) {
    const Vec<float, 3> normal{0, 1, 0}, down = Vec<float, 3>{0.8F, -0.6F, 0};
    const Vec<float, 3> in_water = refracted(down, normal, kIn);
    EXPECT_NEAR(in_water[0] * kWaterIndex, down[0], 1e-6F);
    EXPECT_NEAR(length(in_water), 1, 1e-6F);
    const Vec<float, 3> back = refracted(-in_water, -normal, kWaterIndex);
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(back[a], -down[a], 1e-5F);
    EXPECT_NEAR(fresnel(0.6F, kIn), fresnel(-in_water[1], kWaterIndex), 1e-5F);
}

}  // namespace
}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "products/shown_drops.h"

#include <gtest/gtest.h>

namespace spindrift {
namespace {

const Box<double, 3> kBox{{0, 0, 0}, {1, 1, 1}};

TEST(ShownDrops, OneIsShownAsItIs) {
    const SprayDrop<3> drop{.position = {1.25, 0.5, 0.5}, .velocity = {1, 2, 3}, .volume = 0, .radius = 0.01};
    const auto shown = shown_drops<3>({drop}, kBox, {8, 0, 0});
    ASSERT_EQ(shown.size(), 1U);
    EXPECT_FLOAT_EQ(shown[0].position[0], 0.25F);
    EXPECT_EQ(shown[0].velocity, (Vec<float, 3>(1, 2, 3)));
    EXPECT_EQ(shown[0].radius, 0.01F);
}

// All of the water is shown.  The drops of a cloud are near each other and go the same way, but not in step: streaks of
// the same length and direction look like hatching.
TEST(ShownDrops, ManyAreACloudThatParts) {
    const double radius = 0.001, volume = 1000 * sphere_volume<3>(radius);
    const SprayDrop<3> drop{.position = {0.5, 0.5, 0.5}, .velocity = {4, 0, 0}, .volume = volume, .radius = radius};
    const auto shown = shown_drops<3>({drop}, kBox, {});
    ASSERT_EQ(shown.size(), 8U);
    double sum = 0, across = 0, slowest = 1e9, fastest = 0;
    for (const Drop<3>& one : shown) {
        sum += one.count * sphere_volume<3>(one.radius);
        const double speed = length(one.velocity);
        slowest = std::min(slowest, speed), fastest = std::max(fastest, speed);
        across = std::max<double>(across, std::abs(one.velocity[1]) / speed);
        EXPECT_LT(length(one.position - Vec<float, 3>(0.5F)), 0.05F);
        EXPECT_GT(one.velocity[0], 2);
    }
    EXPECT_NEAR(sum / volume, 1, 1e-4);
    EXPECT_GT(fastest, 1.1 * slowest);
    EXPECT_GT(across, 0.05);
}

}  // namespace
}  // namespace spindrift

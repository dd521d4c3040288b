// SPDX-License-Identifier: Apache-2.0
#include "scene/motion.h"

#include <limits>

#include <gtest/gtest.h>

#include "scene/read_scene.h"

namespace spindrift {
namespace {

// A plane has no middle: its offset alone must still move it.
TEST(Motion, WhatIsUnboundedIsShifted) {
    const auto scene = parse_scene(R"(
spindrift = 1
method = "level-set"
[domain]
size = [1, 1]
resolution = 8
[[liquid]]
shape = "box"
min = [0, 0]
max = [1, 0.5]
[[solid]]
shape = "plane"
point = [0, 0.1]
normal = [0, 1]
offset = [0, "0.5*t"]
)",
                                   "plane.toml");
    ASSERT_TRUE(scene) << scene.errors().text();
    const Vec<double, 2> none(std::numeric_limits<double>::quiet_NaN());
    const Placement<2> placed = pose_of<2>(scene.value(), scene.value().solid.at(0).motion, none).at(0.2);
    EXPECT_NEAR(length(placed.body_from_world({0.3, 0.2}) - Vec<double, 2>{0.3, 0.1}), 0, 1e-12);
    EXPECT_NEAR(length(placed.velocity_at({0.3, 0.2}) - Vec<double, 2>{0, 0.5}), 0, 1e-6);
}

}  // namespace
}  // namespace spindrift

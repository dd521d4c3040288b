// SPDX-License-Identifier: Apache-2.0
#include "scene/materials.h"

#include <cmath>

#include <gtest/gtest.h>

namespace spindrift {
namespace {

// Of white light, after a depth in metres.
Vec<double, 3> left_after(const char* name, double depth) {
    const Material* material = find_material(name);
    EXPECT_NE(material, nullptr);
    return map([&](double a) { return std::exp(-a * depth); }, Vec<double, 3>(material->absorption));
}

// Colours as one knows them from a jar and a bottle, on a scale of 0 to 1 that is linear in light: amber has 0.3 to
// 0.45 parts of green for one of red (#FFA000 has 0.35), the gold of oil 0.6 to 0.85, neither has blue.
TEST(Materials, HoneyIsAmberAndOilGolden) {
    const Vec<double, 3> honey = left_after("honey", 0.024), film = left_after("honey", 0.003);
    EXPECT_GT(honey[0], 0.8);
    EXPECT_GT(honey[1] / honey[0], 0.3);
    EXPECT_LT(honey[1] / honey[0], 0.45);
    EXPECT_LT(honey[2], 0.05);
    EXPECT_LT(film[1] / film[0], 0.92);  // not lemon
    const Vec<double, 3> oil = left_after("oil", 0.03);
    EXPECT_GT(oil[0], 0.8);  // not mustard
    EXPECT_GT(oil[1] / oil[0], 0.6);
    EXPECT_LT(oil[1] / oil[0], 0.85);
    EXPECT_LT(oil[2], 0.05);
}

}  // namespace
}  // namespace spindrift

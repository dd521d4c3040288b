// SPDX-License-Identifier: Apache-2.0
#include "setup/wall_warnings.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scene/read_scene.h"

namespace spindrift {
namespace {

// Cells of 0.05 m.
const std::string kBox = "spindrift = 1\n[domain]\nsize = [1, 1]\nresolution = 20\n";

std::string told_of(const std::string& solids) {
    const auto scene = parse_scene(kBox + solids, "walls.toml");
    EXPECT_TRUE(scene) << scene.errors().text();
    return scene ? wall_warnings(scene.value()).text() : "";
}

TEST(WallWarnings, ThicknessIsThatOfTheWall) {
    const Box<double, 3> box{Vec<double, 3>(0.0), Vec<double, 3>(1.0)};
    const auto shell = [](const Vec<double, 3>& p) { return std::abs(length(p - Vec<double, 3>(0.5)) - 0.3) - 0.015; };
    EXPECT_NEAR(thinnest_wall<3>(shell, box, 0.05, 0.1), 0.03, 0.005);
    const auto ball = [](const Vec<double, 3>& p) { return length(p - Vec<double, 3>(0.5)) - 0.3; };
    EXPECT_GT(thinnest_wall<3>(ball, box, 0.05, 0.1), 0.1);
}

// A thin gate is told to leak when it moves, and only to lose its shape when it stands; thick ones are not told of.
TEST(WallWarnings, TellOfThinWallsWhatIsTrue) {
    const auto gate = [](double thickness) {
        return fmt::format("[[solid]]\nshape = 'box'\nmin = [0.5, 0.1]\nmax = [{}, 0.9]\n", 0.5 + thickness);
    };
    const std::string moves = "offset = ['0.1 * t', 0]\n";
    EXPECT_NE(told_of(gate(0.02) + moves).find("thinner than 1.5 cells and will leak"), std::string::npos);
    EXPECT_NE(told_of(gate(0.06) + moves).find("will leak"), std::string::npos);
    EXPECT_EQ(told_of(gate(0.1) + moves), "");
    EXPECT_NE(told_of(gate(0.02)).find("their shape is lost"), std::string::npos);
    EXPECT_EQ(told_of(gate(0.02)).find("leak"), std::string::npos);
    EXPECT_EQ(told_of(gate(0.06)), "");
    // A shell left by a difference.
    EXPECT_NE(told_of("[[solid]]\nshape = 'sphere'\ncenter = [0.5, 0.5]\nradius = 0.3\n"
                      "[[solid]]\nshape = 'sphere'\ncenter = [0.5, 0.5]\nradius = 0.28\nop = 'subtract'\n")
                  .find("thinner than a cell"),
              std::string::npos);
}

}  // namespace
}  // namespace spindrift

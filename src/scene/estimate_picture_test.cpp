// SPDX-License-Identifier: Apache-2.0
#include "scene/estimate_picture.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "scene/read_scene.h"

namespace spindrift {
namespace {

// A box of 1 m full of water and of nothing else, seen from the front at a distance of its middle; its front is 1 m
// nearer than that by half.
PictureShares shares(double distance, const std::string& more = "") {
    const std::string text = R"(
spindrift = 1
[domain]
size = [1, 1, 1]
resolution = 32
[[liquid]]
shape = "box"
min = [0, 0, 0]
max = [1, 1, 1]
[camera]
look_at = [0.5, 0.5, 0.5]
fov_degrees = 40
position = [0.5, 0.5, )" + std::to_string(distance + 0.5) +
                             "]\n" + more;
    const auto scene = parse_scene(text, "test");
    if (!scene) ADD_FAILURE() << scene.errors().text();
    const Samples samples = sampled(scene.value());
    return picture_shares(scene.value(), samples, samples.wet);
}

// The front appears as a square; the picture is wider than high.
double expected(double distance) {
    const double width = 1 / (2 * std::tan(20 * 3.14159265 / 180) * (distance - 0.5));
    return width * width * 64 / 36;
}

TEST(PictureShares, AreWhatTheCameraSees) {
    EXPECT_NEAR(shares(4).liquid, expected(4), 0.03);
    EXPECT_NEAR(shares(8).liquid, expected(8), 0.02);
    EXPECT_NEAR(shares(1).liquid, 1, 1e-9);  // fills the picture
    EXPECT_EQ(shares(4).glass, 0);
}

TEST(PictureShares, GlassThatIsCutOutIsNone) {
    const std::string block = "[[solid]]\nshape = \"box\"\nmin = [0, 0, 0]\nmax = [1, 1, 1]\nglass = true\n";
    EXPECT_NEAR(shares(4, block).glass, expected(4), 0.03);
    EXPECT_EQ(
        shares(4, block + "[[solid]]\nshape = \"box\"\nmin = [0, 0, 0]\nmax = [1, 1, 1]\nop = \"subtract\"\n").glass,
        0);
}

}  // namespace
}  // namespace spindrift

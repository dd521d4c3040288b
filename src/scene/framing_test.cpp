// SPDX-License-Identifier: Apache-2.0
#include "scene/framing.h"

#include <gtest/gtest.h>

#include "scene/read_scene.h"

namespace spindrift {
namespace {

SceneDescription parsed(const std::string& text) {
    auto scene = parse_scene("spindrift = 1\n" + text, "framing.toml");
    EXPECT_TRUE(scene) << scene.errors().text();
    return std::move(scene).value();
}

SceneDescription of_catalogue(const std::string& name) {
    auto scene = read_scene(SPINDRIFT_SOURCE_DIR "/scenes/" + name + ".toml");
    EXPECT_TRUE(scene) << scene.errors().text();
    return std::move(scene).value();
}

constexpr const char* kBigBox =
    "[domain]\nsize = [16, 4, 16]\nresolution = 64\n[time]\nframes = 12\n"
    "[[liquid]]\nshape = \"sphere\"\ncenter = [8, 0.7, 8]\nradius = 0.2\n";

// A drop in a large box: the camera looks at where the water will be, not at the box.
TEST(SeenRegion, FollowsTheWaterNotTheBox) {
    const Box<double, 3> visible = visible_region(parsed(kBigBox));
    EXPECT_GT(visible.hi[0], 8.4);
    EXPECT_LT(visible.size()[0], 8);
    EXPECT_EQ(visible.lo[1], 0) << "it falls to the floor";
    EXPECT_GT(visible.hi[1], 0.9) << "headroom";
    EXPECT_LT(visible.hi[1], 2);
}

// A column that collapses runs up the far wall as high as it stood and more; a pool that fills its box does not.
TEST(SeenRegion, LeavesRoomForWaterThatRunsUpAWall) {
    const Box<double, 3> dam = visible_region(of_catalogue("dam-break"));
    EXPECT_EQ(dam.hi[1], 1) << "all of the box";
    const std::string box =
        "[domain]\nsize = [4, 4, 4]\nresolution = 32\n[time]\nframes = 2\n[[liquid]]\nshape = \"box\"\n";
    EXPECT_GT(visible_region(parsed(box + "min = [0, 0, 0]\nmax = [1, 1.4, 4]\n")).hi[1], 1.5);
    EXPECT_NEAR(visible_region(parsed(box + "min = [0, 0, 0]\nmax = [3.5, 1.4, 4]\n")).hi[1], 2.8, 1e-9);
    EXPECT_NEAR(visible_region(parsed(box + "min = [0, 0, 0]\nmax = [4, 1.4, 4]\n")).hi[1], 1.4 * 1.4, 1e-9);
}

TEST(SeenRegion, HoldsSourcesSolidsAndInflows) {
    const std::string box = "[domain]\nsize = [10, 10, 10]\nresolution = 32\n[time]\nframes = 2\n";
    const auto region = [&](const std::string& more) { return visible_region(parsed(box + more)); };
    const std::string drop = "[[liquid]]\nshape = \"sphere\"\ncenter = [5, 0.5, 5]\nradius = 0.3\n";
    EXPECT_LT(region(drop).hi[1], 2);
    EXPECT_GE(region(drop + "[[source]]\nshape = \"sphere\"\ncenter = [5, 6, 5]\nradius = 0.2\n").hi[1], 6.2);
    const std::string ball = "[[solid]]\nshape = \"sphere\"\ncenter = [2.5, 3, 5]\nradius = 0.5\n";
    EXPECT_LE(region(drop + ball).lo[0], 2);
    EXPECT_GE(region(drop + ball).hi[1], 3.5);
    EXPECT_GE(region(drop + ball + "offset = [0, \"30 * t\", 0]\n").hi[1], 5.9) << "where it goes";
    EXPECT_LT(region(drop + ball + "visible = false\n").hi[1], 2);
    EXPECT_EQ(region(drop + "[domain.sides]\nleft = {kind = \"inflow\", velocity = [1, 0, 0], level = 4}\n").lo[0], 0);
}

// Speeds of waves and of falls come from the energy that the liquid starts with.
TEST(OverlayRange, ComesFromTheEnergyOfTheStart) {
    const double dam = overlay_range(of_catalogue("dam-break-2d"))[1];
    EXPECT_GT(dam, 3);  // it runs at 3.4 m/s
    EXPECT_LT(dam, 5);
    const double wave = overlay_range(of_catalogue("sloshing-wave"))[1];
    EXPECT_GT(wave, 0.02);
    EXPECT_LT(wave, 0.1);
    EXPECT_EQ(overlay_range(of_catalogue("hydrostatic-column"))[0], 0);
    EXPECT_NEAR(overlay_range(of_catalogue("hydrostatic-column"))[1], 1000 * 9.81 * 1.707, 4000);
}

TEST(OverlayRange, IsWhatTheSceneSays) {
    const std::string scene =
        "[domain]\nsize = [1, 1]\nresolution = 32\n[[liquid]]\nshape = \"plane\"\n"
        "point = [0, 0.5]\nnormal = [0, 1]\n[camera]\noverlay = \"velocity\"\n";
    EXPECT_EQ(overlay_range(parsed(scene + "overlay_max = 7\n")), (Vec<double, 2>(0, 7)));
    EXPECT_EQ(overlay_range(parsed(scene + "overlay_min = 1\noverlay_max = 7\n")), (Vec<double, 2>(1, 7)));
    EXPECT_GT(overlay_range(parsed(scene))[1], 0) << "still water has colours, too";
    EXPECT_FALSE(parse_scene("spindrift = 1\n" + scene + "overlay_min = 2\noverlay_max = 1\n", "a.toml"));
    EXPECT_FALSE(parse_scene("spindrift = 1\n" + scene + "min = [2, 0]\n", "a.toml"));
}

TEST(PictureSize, HasTheShapeOfTheBoxIn2D) {
    EXPECT_EQ(picture_size(of_catalogue("dam-break")), (Vec<int, 2>(960, 540)));
    const Vec<int, 2> wave = picture_size(of_catalogue("breaking-wave-2d")),
                      column = picture_size(of_catalogue("hydrostatic-column"));
    EXPECT_GT(wave[0], 4 * wave[1]);
    EXPECT_GT(column[1], 2 * column[0]);
    EXPECT_EQ(picture_size(parsed("[domain]\nsize = [3, 1]\nresolution = 32\n[camera]\nresolution = [100, 90]\n"
                                  "[[liquid]]\nshape = \"plane\"\npoint = [0, 0.5]\nnormal = [0, 1]\n")),
              (Vec<int, 2>(100, 90)));
}

// Slow and fast frames make films that can be watched.
TEST(FilmRate, IsThatOfTheFramesWithinReason) {
    const auto rate = [](const std::string& more) {
        return film_fps(
            parsed("[domain]\nsize = [1, 1]\nresolution = 32\n[[liquid]]\nshape = \"plane\"\n"
                   "point = [0, 0.5]\nnormal = [0, 1]\n" +
                   more));
    };
    EXPECT_EQ(rate(""), 24);
    EXPECT_EQ(rate("[time]\nfps = 30\n"), 30);
    EXPECT_EQ(rate("[time]\nfps = 2\n"), 24);
    EXPECT_EQ(rate("[time]\nfps = 500\n"), 60);
    EXPECT_EQ(rate("[time]\nfps = 2\n[output]\nfilm_fps = 12.5\n"), 12.5);
}

TEST(Floor, IsAKindOrAFlag) {
    const auto floor = [](const std::string& value) {
        return parsed(
                   "[domain]\nsize = [1, 1, 1]\nresolution = 8\n[[liquid]]\nshape = \"plane\"\npoint = [0, 0.5, 0]\n"
                   "normal = [0, 1, 0]\n[render]\nfloor = " +
                   value + "\n")
            .render.floor;
    };
    EXPECT_EQ(floor("true"), FloorKind::checker);
    EXPECT_EQ(floor("false"), FloorKind::none);
    EXPECT_EQ(floor("\"plain\""), FloorKind::plain);
}

}  // namespace
}  // namespace spindrift

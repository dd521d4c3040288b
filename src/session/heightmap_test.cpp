// SPDX-License-Identifier: Apache-2.0
// Pictures as ground: they hold water as the same heights do, and belong to what a run is.
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/test_folder.h"
#include "io/png.h"
#include "scene/read_scene.h"
#include "session/make_run.h"
#include "setup/scene_shapes.h"
#include "setup/scene_solids.h"

namespace spindrift {
namespace {

class Heightmap : public TestFolder {
  protected:
    // Grey that rises from black on the left to white on the right, by whole steps of 255 / (width − 1).
    void write_ramp(int width, int height) const {
        std::vector<std::uint8_t> rgb;
        for (int row = 0; row < height; ++row)
            for (int n = 0; n < width; ++n) rgb.insert(rgb.end(), 3, static_cast<std::uint8_t>(255 * n / (width - 1)));
        write(width, height, rgb);
    }
    void write(int width, int height, const std::vector<std::uint8_t>& rgb) const {
        ASSERT_TRUE(write_png(file("ground.png"), width, height, rgb));
    }
    SceneDescription scene(const std::string& text) const {
        auto read = parse_scene(text, file("scene.toml").string());
        EXPECT_TRUE(read) << read.errors().text();
        return std::move(read).value();
    }
};

constexpr const char* kRamp2D = "image = 'ground.png'\nmin = [0, 0.05]\nmax = [1, 0.35]\n";
constexpr const char* kRamp3D = "image = 'ground.png'\nmin = [0, 0.05, 0]\nmax = [1, 0.35, 1]\n";

template <int Dim>
SolidSet<Dim> solids_of(const SceneDescription& scene) {
    Errors errors;
    const SolidSet<Dim> solids = scene_solids<Dim>(errors, scene);
    EXPECT_TRUE(errors.empty()) << errors.text();
    return solids;
}

// The distance is that of the same heights by an expression: of few pixels, of as many as cells, and of far more.
TEST_F(Heightmap, ASlopeIsThatOfHeights) {
    const std::string box2 = "spindrift = 1\n[domain]\nsize = [1, 1]\nresolution = 32\n[[solid]]\n";
    const std::string box3 = "spindrift = 1\n[domain]\nsize = [1, 1, 1]\nresolution = 16\n[[solid]]\n";
    const std::string heights = "shape = 'heights'\nheight = '0.05 + 0.3 * x'\n", map = "shape = 'heightmap'\n";
    for (const auto& [width, height] : {std::pair{2, 2}, std::pair{18, 2}, std::pair{256, 52}}) {
        write_ramp(width, height);
        for (const char* moved : {"", "offset = [0.1, 0.05]\n"}) {
            const auto a = solids_of<2>(scene(box2 + map + kRamp2D + moved));
            const auto b = solids_of<2>(scene(box2 + heights + moved));
            for (double x = 0.02; x < 1; x += 0.05)
                for (double y = 0.02; y < 1; y += 0.05)
                    EXPECT_NEAR(a.at(0).distance({x, y}), b.at(0).distance({x, y}), 1e-6) << width << " " << moved;
        }
    }
    const auto a = solids_of<3>(scene(box3 + map + kRamp3D)), b = solids_of<3>(scene(box3 + heights));
    for (double x = 0.02; x < 1; x += 0.1)
        for (double y = 0.02; y < 1; y += 0.1)
            EXPECT_NEAR(a.at(0).distance({x, y, 0.4}), b.at(0).distance({x, y, 0.4}), 1e-5);
}

// Seen from above, the lower edge of the picture is in front: at the largest z, or with z up at the least y.
TEST_F(Heightmap, LiesAsSeenFromAbove) {
    // White above on the left, all else black.
    write(2, 2, {255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    for (const bool z_up : {false, true}) {
        const auto read = scene(fmt::format(
            "spindrift = 1\n[domain]\nsize = [1, 1, 1]\nresolution = 16\nup = '{}'\n[[liquid]]\nshape = 'heightmap'\n"
            "image = 'ground.png'\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n",
            z_up ? 'z' : 'y'));
        ShapeSet<3> liquid;
        Errors errors;
        add_shape(liquid, errors, read, "liquid[0]", read.liquid[0].shape, scene::ShapeOp::add);
        ASSERT_TRUE(errors.empty()) << errors.text();
        const auto is_ground = [&](double across, double depth) {
            return signed_distance(
                       liquid, z_up ? Vec<double, 3>{across, 1 - depth, 0.5} : Vec<double, 3>{across, 0.5, depth}) < 0;
        };
        EXPECT_TRUE(is_ground(0.1, 0.1));
        EXPECT_FALSE(is_ground(0.9, 0.1));
        EXPECT_FALSE(is_ground(0.1, 0.9));
        EXPECT_FALSE(is_ground(0.9, 0.9));
    }
}

// A pool against a slope that begins on it: the same water comes to rest at the same level, and none is lost.
TEST_F(Heightmap, ARampHoldsWater) {
    write_ramp(256, 52);
    const auto rest = [&](int dim, const std::string& ground) {
        const bool flat = dim == 2;
        const auto read = scene(fmt::format(
            "spindrift = 1\n[domain]\nsize = [{}]\nresolution = {}\n[[solid]]\n{}[[liquid]]\nshape = 'heights'\n"
            "height = 0.25\n",
            flat ? "1, 0.5" : "1, 1, 1", flat ? 40 : 16, ground));
        auto made = make_simulation(read);
        EXPECT_TRUE(made) << made.errors().text();
        StepReport report;
        for (int step = 0; step < 6; ++step) {
            report = made.value()->advance(std::min(made.value()->stable_dt(), 0.02));
            EXPECT_EQ(report.failure, "");
        }
        return report;
    };
    for (const int dim : {2, 3}) {
        const StepReport map = rest(dim, std::string("shape = 'heightmap'\n") + (dim == 2 ? kRamp2D : kRamp3D));
        const StepReport heights = rest(dim, "shape = 'heights'\nheight = '0.05 + 0.3 * x'\n");
        EXPECT_NEAR(map.volume, 0.5 * 0.2 * (0.2 / 0.3), 2e-3) << dim << "D";
        EXPECT_NEAR(map.volume, heights.volume, 1e-5) << dim << "D";
        EXPECT_NEAR(map.max_speed, heights.max_speed, 1e-3) << dim << "D";
        EXPECT_LT(map.max_speed, 0.02) << dim << "D";
    }
}

// Liquid and sources take it as well.
TEST_F(Heightmap, IsAShapeOfLiquidAndSources) {
    write_ramp(5, 3);
    const auto read = scene(std::string("spindrift = 1\n[domain]\nsize = [1, 1]\nresolution = 40\n"
                                        "[[liquid]]\nshape = 'heightmap'\n") +
                            kRamp2D + "[[source]]\nshape = 'heightmap'\n" + kRamp2D + "velocity = [0, 0.1]\n");
    auto made = make_simulation(read);
    ASSERT_TRUE(made) << made.errors().text();
    const StepReport report = made.value()->advance(1e-4);
    EXPECT_EQ(report.failure, "");
    EXPECT_NEAR(report.volume, 0.2, 1e-3);
}

// A picture that changes makes another run of the same scene: it cannot be resumed.
TEST_F(Heightmap, BelongsToTheRun) {
    const auto read = [&] {
        return scene(std::string("spindrift = 1\n[domain]\nsize = [1, 1]\nresolution = 16\n[[liquid]]\nshape = "
                                 "'heightmap'\n") +
                     kRamp2D);
    };
    write_ramp(4, 2);
    const auto before = run_identity(read());
    ASSERT_TRUE(before);
    write_ramp(6, 2);
    const auto after = run_identity(read());
    ASSERT_TRUE(after);
    EXPECT_NE(before.value().scene_hash, after.value().scene_hash);
}

}  // namespace
}  // namespace spindrift

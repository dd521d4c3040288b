// SPDX-License-Identifier: Apache-2.0
#include "render/flat_picture.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "grid/test_support.h"
#include "render/drawing.h"
#include "render/flat_layout.h"
#include "render/test_support.h"

namespace spindrift {
namespace {

using Vec2 = Vec<double, 2>;
constexpr int kCells = 64;

FlatView unit_square(const Field<float, 2>& phi) {
    return {.phi = &phi, .grid = {.origin = {}, .dx = 1.0 / kCells}, .container = {Vec2(0.0), Vec2(1.0)}};
}

// Liquid and air are black and white: the darkness of a pixel is the part of it that is filled.
double filled_pixels(FlatView view, int width, int height) {
    view.liquid_color = Rgb(0.0F);
    const Image image = render_flat(view, width, height);
    view.liquid_color = Rgb(1.0F);
    const Image blank = render_flat(view, width, height);
    double sum = 0;
    for (std::size_t i = 0; i < image.pixels.size(); ++i) sum += blank.pixels[i][1] - image.pixels[i][1];
    return sum;
}
// The box is as high as the picture allows: a margin of 8 pixels above and below.
constexpr double kPixelsPerMetre = 300 - 16;

TEST(FlatPicture, ADropFillsItsArea) {
    const auto phi = banded_field<2>(Index<2>(kCells), 1.0 / kCells,
                                     [](const Vec2& p) { return length(p - Vec2(0.52, 0.47)) - 0.3; });
    const double expected = std::numbers::pi * 0.09 * kPixelsPerMetre * kPixelsPerMetre;
    EXPECT_NEAR(filled_pixels(unit_square(phi), 400, 300) / expected, 1, 2e-3);
}

// Drops of spray beside the liquid; one beyond the container does not show.
TEST(FlatPicture, SprayFillsItsArea) {
    const Field<float, 2> air(Tiles<2>::covering({Index<2>(0), Index<2>(kCells)}), 1.0F);
    FlatView view = unit_square(air);
    view.drops = {{{0.3F, 0.4F}, 0.02F}, {{0.71F, 0.62F}, 0.05F}, {{1.3F, 0.5F}, 0.1F}};
    const double expected = std::numbers::pi * (0.0004 + 0.0025) * kPixelsPerMetre * kPixelsPerMetre;
    EXPECT_NEAR(filled_pixels(view, 400, 300) / expected, 1, 0.02);
}

// Up to the walls, though there are no tiles beyond them.
TEST(FlatPicture, APoolFillsItsAreaToTheWalls) {
    const auto phi = banded_field<2>(Index<2>(kCells), 1.0 / kCells,
                                     [](const Vec2& p) { return (p[1] - 0.4 - 0.2 * p[0]) / std::hypot(1, 0.2); });
    const double expected = 0.5 * kPixelsPerMetre * kPixelsPerMetre;
    EXPECT_NEAR(filled_pixels(unit_square(phi), 400, 300) / expected, 1, 1e-3);
}

struct Moving {
    Field<float, 2> phi = banded_field<2>(Index<2>(kCells), 1.0 / kCells, [](const Vec2& p) { return p[1] - 0.6; });
    FaceField<2> velocity{phi.tiles_ptr()};
    Field<float, 2> pressure{phi.tiles_ptr()};

    Moving() {
        assign(velocity[0], [](const Index<2>& c) { return 0.02F * static_cast<float>(c[1]); });
        assign(pressure, [](const Index<2>& c) { return 10 * (0.6F - (static_cast<float>(c[1]) + 0.5F) / kCells); });
    }
    FlatView view(FlatOverlay overlay) const {
        FlatView view = unit_square(phi);
        view.overlay = overlay;
        view.velocity = &velocity;
        view.pressure = &pressure;
        view.pressure_unit = 1000;
        view.solid_distance = [](const Vec2& p) { return length(p - Vec2(0.3, 0.3)) - 0.1; };
        view.caption = "t = 0.25 s";
        return view;
    }
};

TEST(FlatPicture, PressureTakesTheColoursOfItsRange) {
    const Moving moving;
    FlatView view = moving.view(FlatOverlay::pressure);
    view.range = Vec<float, 2>(0, 6000);
    const Image image = render_flat(view, 600, 600);
    const auto nearest = [&](const Rgb& color) {
        float least = 1;
        for (const Rgb& pixel : image.pixels) least = std::min(least, length(pixel - color));
        return least;
    };
    for (const float t : {0.05F, 0.25F, 0.65F, 0.95F}) EXPECT_LT(nearest(cool_to_warm(t)), 0.01F) << t;

    // Half of the range takes in no more than its own colours.
    view.range = Vec<float, 2>(0, 12000);
    view.solid_distance = {};
    const Image cool = render_flat(view, 600, 600);
    float reddest = -1;
    for (int y = 0; y < 500; ++y)  // above the legend
        for (int x = 0; x < 600; ++x) {
            const Rgb& pixel = cool.at(x, y);
            reddest = std::max(reddest, pixel[0] - pixel[2]);
        }
    EXPECT_LT(reddest, 0.05F);
}

// The colour of a value depends on the range alone, not on what else is in the picture.
TEST(FlatPicture, AValueHasOneColourInAllFrames) {
    Moving calm, rough;
    for (Moving* moving : {&calm, &rough}) moving->velocity[0].fill(1.0F);
    assign(rough.velocity[0], [](const Index<2>& c) { return c[0] < 20 ? 7.0F : 1.0F; });
    const auto at = [](const Moving& moving) {
        FlatView view = moving.view(FlatOverlay::velocity);
        view.range = Vec<float, 2>(0, 4);
        view.solid_distance = {};
        return render_flat(view, 600, 600).at(400, 450);
    };
    EXPECT_EQ(at(calm), at(rough));
    EXPECT_LT(length(at(calm) - viridis(0.25F)), 0.01F);
}

// Where no range is given, what lies in solids or in the air does not count.
TEST(FlatPicture, ValuesInSolidsDoNotCount) {
    Moving moving;
    moving.velocity[0].fill(1.0F);
    assign(moving.velocity[0], [](const Index<2>& c) {
        return length(Vec2(c) / double{kCells} - Vec2(0.3, 0.3)) < 0.05 ? 50.0F : 1.0F;  // in the solid
    });
    const Image image = render_flat(moving.view(FlatOverlay::velocity), 600, 600);
    EXPECT_LT(length(image.at(400, 450) - viridis(1)), 0.01F);
}

// Whatever shape the picture has, the legend leaves two thirds of it, and the container fills a picture that was made
// for it.
TEST(FlatLayout, LegendAndMarginsKeepTheirShare) {
    for (const Vec<int, 2>& size : {Vec<int, 2>(960, 540), Vec<int, 2>(360, 960), Vec<int, 2>(1280, 120)}) {
        const FlatLayout layout({Vec2(0.0), Vec2(size)}, true, true, size[0], size[1]);
        EXPECT_GT(product(layout.box.size()), 0.5 * product(Vec2(size))) << size[0];
    }
    for (const Vec2& shown : {Vec2(0.5, 2), Vec2(180, 30), Vec2(1, 1), Vec2(20, 16), Vec2(44, 1.6)})
        for (const bool has_legend : {false, true}) {
            const Vec<int, 2> size = flat_picture_size(shown, true, has_legend);
            EXPECT_EQ(size[0] % 2 + size[1] % 2, 0);
            const FlatLayout layout({Vec2(0.0), shown}, true, has_legend, size[0], size[1]);
            const double least = shown[0] > 20 * shown[1] ? 0.35 : has_legend ? 0.6 : 0.8;  // a caption needs 30 rows
            EXPECT_GT(product(layout.box.size()) / product(Vec2(size)), least) << shown[0] << " " << has_legend;
            EXPECT_EQ(layout.legend != LegendPlace::none, has_legend);
        }
    const Vec<int, 2> bare = flat_picture_size({20, 16}, false, false);
    EXPECT_NEAR(1.25 * bare[1] / bare[0], 1, 5e-3);
}

// A part of the container in full width: liquid of the rest does not show.
TEST(FlatPicture, ShowsAPartOfTheContainer) {
    const auto phi = banded_field<2>(Index<2>(kCells), 1.0 / kCells,
                                     [](const Vec2& p) { return length(p - Vec2(0.52, 0.47)) - 0.3; });
    FlatView view = unit_square(phi);
    view.shown = {Vec2(0.4, 0.4), Vec2(0.6, 0.55)};
    const double per_metre = std::min((400 - 16) / 0.2, (300 - 16) / 0.15);
    EXPECT_NEAR(filled_pixels(view, 400, 300) / (0.2 * 0.15 * per_metre * per_metre), 1, 2e-3);
}

// Flow along a wall is as fast beside it as half a cell away, though there are no faces beyond.
TEST(FlatPicture, SpeedReachesTheWalls) {
    Moving moving;
    moving.velocity[0].fill(0);
    assign(moving.velocity[1], [](const Index<2>&) { return 1.0F; });
    FlatView view = moving.view(FlatOverlay::velocity);
    view.range = Vec<float, 2>(0, 2);
    view.solid_distance = {};
    view.caption = "";
    const Image image = render_flat(view, 1200, 600);  // the box begins at x = 16 + (1016 - 568) / 2
    for (int x = 242; x < 260; ++x) EXPECT_LT(length(image.at(x, 500) - viridis(0.5F)), 0.01F) << x;
}

TEST(FlatPicture, SameBitsOnAnyNumberOfThreads) {
    const Moving moving;
    for (const FlatOverlay overlay : {FlatOverlay::none, FlatOverlay::velocity, FlatOverlay::pressure})
        expect_same_on_any_threads([&] {
            const Image image = render_flat(moving.view(overlay), 320, 180);
            return hash_bytes(std::as_bytes(std::span(image.pixels)));
        });
}

TEST(FlatPicture, EveryPixelIsANumberInRange) {
    const Moving moving;
    for (const FlatOverlay overlay : {FlatOverlay::none, FlatOverlay::velocity, FlatOverlay::pressure})
        for (const Vec<int, 2>& size : {Vec<int, 2>(320, 180), Vec<int, 2>(16, 16), Vec<int, 2>(1000, 40)})
            for (const Rgb& pixel : render_flat(moving.view(overlay), size[0], size[1]).pixels)
                for (int c = 0; c < 3; ++c) ASSERT_TRUE(pixel[c] >= 0 && pixel[c] <= 1) << pixel[c];
}

// Still liquid has neither a speed nor a range of pressures.
TEST(FlatPicture, StillLiquidHasALegendToo) {
    Moving still;
    for (int a = 0; a < 2; ++a) still.velocity[a].fill(0);
    still.pressure.fill(0);
    for (const FlatOverlay overlay : {FlatOverlay::velocity, FlatOverlay::pressure})
        for (const Rgb& pixel : render_flat(still.view(overlay), 320, 180).pixels) ASSERT_TRUE(std::isfinite(pixel[0]));
}

}  // namespace
}  // namespace spindrift

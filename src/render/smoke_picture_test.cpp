// SPDX-License-Identifier: Apache-2.0
#include "render/smoke_picture.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "grid/activation.h"
#include "grid/measure.h"
#include "grid/test_support.h"
#include "render/smoke_light.h"

namespace spindrift {
namespace {

using Vec3 = Vec<double, 3>;
constexpr int kCells = 32;
constexpr double kCell = 1.0 / kCells;

// A field of a unit cube, on the tiles where it is not zero.
template <class F>
Field<float, 3> smoke_field(F&& f) {
    const IndexBox<3> box{Index<3>(0), Index<3>(kCells)};
    const GridTransform<3> grid{.origin = {}, .dx = kCell};
    Field<float, 3> full(Tiles<3>::covering(box));
    assign(full, [&](const Index<3>& cell) { return static_cast<float>(f(grid.world_of_centre(cell))); });
    Field<float, 3> field(tiles_where(full, [](float v) { return v != 0; }));
    assign(field, [&](const Index<3>& cell) { return full.at(cell); });
    return field;
}

Field<float, 3> puff() {
    return smoke_field([](const Vec3& p) {
        const double r = length(p - Vec3(0.5, 0.45, 0.5)) / 0.3;
        return r < 1 ? (1 - r) * (1.2 + std::sin(20 * p[0]) * std::sin(17 * p[1])) : 0;
    });
}

SmokeView3 view_of(const Field<float, 3>& field, float opacity = 20) {
    SmokeView3 view{.layers = {{.field = &field, .opacity = opacity}},
                    .grid = {.origin = {}, .dx = kCell},
                    .container = {Vec3(0.0), Vec3(1.0)}};
    return view;
}

SolidScene solids_of(const SmokeView3& view) { return SolidScene({.grid = view.grid, .container = view.container}); }

// Where a cell spans many clouds of the pattern, what lies between its ends is not known: no lines are made up there.
TEST(SmokeBricks, ATextureThatIsDrawnOutBeyondTheGridFades) {
    const auto full = smoke_field([](const Vec3&) { return 0.5; });
    const Pattern pattern({.kind = PatternKind::noise, .scale = 8 * kCell});
    const auto contrast = [&](double stretch) {
        const auto displacement = smoke_field([=](const Vec3& p) { return 1e-9 + stretch * p[1]; });
        const auto none = smoke_field([](const Vec3&) { return 1e-9; });
        SmokeView3 view = view_of(full);
        view.texture = {.pattern = &pattern, .displacements = {&displacement, &none, &none}, .weights = {1}};
        const SmokeBricks bricks(view, solids_of(view).cells());
        float least = 2, most = 0;
        for (int n = 0; n < 300; ++n) {
            const Vec3f local(2 + 0.013F * static_cast<float>(n), 3, 2 + 0.011F * static_cast<float>(n));
            const float factor = bricks.texture_factor(0, SmokeBricks::locate(local), local);
            least = std::min(least, factor), most = std::max(most, factor);
        }
        return most - least;
    };
    EXPECT_GT(contrast(0), 0.3F);
    EXPECT_GT(contrast(0.5), 0.3F);
    EXPECT_LT(contrast(8), 1e-3F);  // a cell spans four of the smallest clouds
}

// exp(−σ L) of Beer and Lambert, whatever path a ray takes through smoke that is the same everywhere.
TEST(SmokeBricks, UniformSmokeLeavesTheExponentialOfTheWay) {
    const auto full = smoke_field([](const Vec3&) { return 0.5; });
    const SmokeView3 view = view_of(full, 6);
    const SolidScene scene = solids_of(view);
    const SmokeBricks bricks(view, scene.cells());
    const SmokeLight light(view, scene, bricks, Light{});
    constexpr double kSigma = 0.5 * 6;
    for (const Vec3 direction : {Vec3(0, 0, 1), Vec3(0, -1, 0), Vec3(0.3, 0.2, 1), Vec3(-1, 1, 0.5)}) {
        const Vec3f d(normalized(direction));
        const Vec3f from = Vec3f(kCells * 0.5F) - d * 60.0F;
        SolidScene::Interval through;
        ASSERT_TRUE(scene.clip_to_container(from, d, through));
        const double distance = double{through.out - through.in} * kCell;
        for (const float jitter : {0.0F, 0.4F, 0.99F})
            EXPECT_NEAR(light.march(from, d, through.in, through.out, jitter).left, std::exp(-kSigma * distance), 2e-5);
        EXPECT_NEAR(bricks.depth(from, d), kSigma * distance, 2e-3);
    }
}

// A Gaussian puff, whose depth along any line is known: exp(−σ a √(2π) e^(−d²/2a²)) is left at a distance d from its
// middle.  A quadratic B-spline widens it by a quarter of a cell's square; where samples lie hardly matters.
TEST(SmokeLight, APuffLeavesWhatItsIntegralSays) {
    constexpr double kWide = 0.08, kSigma = 9;
    const Vec3 middle(0.5, 0.52, 0.49);
    const auto puff = smoke_field([&](const Vec3& p) {
        const double r = length(p - middle) / kWide;
        return r < 6 ? std::exp(-0.5 * r * r) : 0;
    });
    const SmokeView3 view = view_of(puff, kSigma);
    const SolidScene scene = solids_of(view);
    const SmokeBricks bricks(view, scene.cells());
    const SmokeLight light(view, scene, bricks, Light{});
    const double wide2 = kWide * kWide + 0.25 * kCell * kCell, shrink = kWide * kWide / wide2;
    for (const Vec3 direction : {Vec3(0, 0, 1), Vec3(0.3, 0.2, 1), Vec3(-1, 1, 0.5)})
        for (const double beside : {0.0, 0.05, 0.11}) {
            const Vec3 d = normalized(direction), off = normalized(cross(d, {0, 1, 0.2})) * beside;
            const Vec3f from = scene.from_world(middle + off - d * 0.45);
            const double depth =
                kSigma * shrink * kWide * std::sqrt(2 * std::numbers::pi) * std::exp(-0.5 * beside * beside / wide2);
            float least = 1, most = 0;
            for (int i = 0; i < 8; ++i) {
                const float left =
                    light.march(from, Vec3f(d), 0, static_cast<float>(0.9 / kCell), (static_cast<float>(i) + 0.5F) / 8)
                        .left;
                EXPECT_NEAR(left, std::exp(-depth), 2e-3) << i;
                least = std::min(least, left), most = std::max(most, left);
            }
            EXPECT_LT(most - least, 1e-3F) << "grain";
        }
}

// The light left falls as the smoke grows thicker, and along the ray.
TEST(SmokeLight, ThickerSmokeLeavesLess) {
    const auto ball = puff();
    float before = 2;
    for (const float opacity : {0.0F, 3.0F, 10.0F, 40.0F}) {
        const SmokeView3 view = view_of(ball, opacity);
        const SolidScene scene = solids_of(view);
        const SmokeBricks bricks(view, scene.cells());
        const SmokeLight light(view, scene, bricks, Light{});
        const float left = light.march({16, 15, 0}, {0, 0, 1}, 0, 32, 0.3F).left;
        EXPECT_LT(left, before);
        before = left;
    }
}

// Between cells the smoke has no kinks: its slope across a cell's side is the same on both sides of it.
TEST(SmokeLight, SmokeIsSmoothAcrossCells) {
    const auto block = smoke_field([](const Vec3& p) { return p[0] > 0.5 ? 1.0 : 0.0; });
    const SmokeView3 view = view_of(block, 32);
    const SolidScene scene = solids_of(view);
    const SmokeBricks bricks(view, scene.cells());
    const SmokeLight light(view, scene, bricks, Light{});
    const auto depth = [&](float x) { return -std::log(light.march({x, 16, 2}, {0, 0, 1}, 0, 4, 0.5F).left); };
    constexpr float kStep = 0.05F;
    for (float x = 15.5F; x <= 17; x += 0.5F) {
        const float below = depth(x) - depth(x - kStep), above = depth(x + kStep) - depth(x);
        EXPECT_NEAR(above, below, 0.06F * 4 * kStep) << x;  // a linear one bends by a whole 4 · kStep at 15.5
    }
}

// Before an open side smoke fades out; before a closed one it stays.
TEST(SmokeLight, SmokeFadesOutBeforeOpenSides) {
    const auto full = smoke_field([](const Vec3&) { return 1.0; });
    SmokeView3 view = view_of(full, 4);
    view.open_sides[3] = true;  // above, along y
    const SolidScene scene = solids_of(view);
    const SmokeBricks bricks(view, scene.cells());
    const SmokeLight light(view, scene, bricks, Light{});
    const auto left = [&](float y) { return light.march({0, y, 16}, {1, 0, 0}, 0, 32, 0.5F).left; };
    EXPECT_GT(left(31.99F), 0.7F);
    for (float y = 26; y < 31.5F; y += 0.5F) EXPECT_GE(left(y + 0.5F), left(y)) << y;
    EXPECT_NEAR(left(25), std::exp(-4), 1e-5);
    EXPECT_NEAR(left(0.01F), std::exp(-4), 1e-5);
}

TEST(SmokeLight, JitterIsEvenOverNeighbouringPixels) {
    for (const int frame : {0, 7, 130}) {
        EXPECT_EQ(pixel_jitter(10.5, 3.5, frame), pixel_jitter(10.5, 3.5, frame));
        EXPECT_NE(pixel_jitter(10.5, 3.5, frame), pixel_jitter(10.5, 3.5, frame + 1));
        for (int x = 0; x < 30; x += 3) {
            double mean = 0;
            for (int i = 0; i < 9; ++i) {
                const float j = pixel_jitter(x + i % 3 + 0.5, i / 3 + 0.5, frame);
                EXPECT_TRUE(j >= 0 && j < 1);
                mean += double{j} / 9;
            }
            EXPECT_NEAR(mean, 0.5, 0.12);
        }
    }
}

// The far half of a cloud lies in the shadow of the near half.
TEST(SmokePicture, SmokeTurnedAwayFromTheSunIsDarker) {
    const auto ball = smoke_field([](const Vec3& p) { return length(p - Vec3(0.5)) < 0.35 ? 1.0 : 0.0; });
    SmokeView3 view = view_of(ball, 40);
    view.floor = FloorKind::none;
    const Camera camera{.position = {0.5, 0.5, 3}, .look_at = Vec3(0.5), .fov_degrees = 20, .width = 80, .height = 80};
    Light light;
    light.to_sun = {-1, 0, 0.2};
    light.sky = Rgb(0.02F);
    const Image image = render_smoke(view, camera, light);
    EXPECT_GT(luminance(image.at(28, 40)), 2 * luminance(image.at(52, 40)));
    // Without the smoke on the sunny side the other is as bright.
    const auto half = smoke_field([](const Vec3& p) { return length(p - Vec3(0.5)) < 0.35 && p[0] > 0.5 ? 1.0 : 0.0; });
    view.layers[0].field = &half;
    EXPECT_GT(luminance(render_smoke(view, camera, light).at(52, 40)), 1.2 * luminance(image.at(52, 40)));
}

// With the sun at the left the shadow of a ball of smoke lies to its right, where no smoke is before the floor.
TEST(SmokePicture, ShadowFallsOnTheFloor) {
    const auto ball = puff();
    SmokeView3 view = view_of(ball, 60);
    view.floor = FloorKind::plain;
    const Camera camera{
        .position = {0.5, 0.6, 4}, .look_at = {0.5, 0, 0.5}, .fov_degrees = 30, .width = 96, .height = 96};
    Light light;
    light.to_sun = {-1, 1, 0};
    const Image with = render_smoke(view, camera, light);
    const Field<float, 3> none(ball.tiles_ptr());
    view.layers[0].field = &none;
    const Image without = render_smoke(view, camera, light);
    const auto at = [&](const Image& image, const Vec3& place) {
        const Vec3 pixel = CameraRays(camera).picture_from_world(place);
        return image.at(static_cast<int>(pixel[0]), static_cast<int>(pixel[1]));
    };
    const Vec3 shaded(1.0, 0, 0.5), lit(0.0, 0, 0.5);
    EXPECT_LT(luminance(at(with, shaded)), 0.6F * luminance(at(without, shaded)));
    EXPECT_EQ(at(with, lit), at(without, lit));
}

// A checker has two brightnesses, a plain floor one; far away both meet the horizon.
TEST(SmokePicture, FloorsAreCheckeredOrPlain) {
    const Field<float, 3> none(puff().tiles_ptr());
    SmokeView3 view = view_of(none);
    const Camera above{.position = {0.5, 6, 0.5},
                       .look_at = {0.5, 0, 0.5},
                       .up = {0, 0, -1},
                       .fov_degrees = 12,
                       .width = 64,
                       .height = 64};
    const auto contrast = [&](FloorKind kind) {
        view.floor = kind;
        float least = 1, most = 0;
        for (const Rgb& pixel : render_smoke(view, above, Light{}).pixels)
            least = std::min(least, luminance(pixel)), most = std::max(most, luminance(pixel));
        return most - least;
    };
    EXPECT_GT(contrast(FloorKind::checker), 0.05F);
    EXPECT_LT(contrast(FloorKind::plain), 1e-3F);
}

// From above the sea is dark, towards the horizon it mirrors the sky.
TEST(SmokePicture, TheSeaMirrorsTheSkyAtTheHorizon) {
    const Field<float, 3> none(puff().tiles_ptr());
    SmokeView3 view = view_of(none);
    view.floor = FloorKind::sea;
    const Camera level{
        .position = {0.5, 0.5, 9}, .look_at = {0.5, 0.5, 0}, .fov_degrees = 40, .width = 64, .height = 64};
    const Image image = render_smoke(view, level, Light{});
    const float sky = luminance(image.at(32, 29)), far = luminance(image.at(32, 34)),
                near = luminance(image.at(32, 62));
    EXPECT_NEAR(far / sky, 1, 0.15);
    EXPECT_LT(near, 0.7F * sky);
}

TEST(SmokePicture, EmptyVolumeIsTheBackgroundExactly) {
    const auto ball = puff();
    const Field<float, 3> none(ball.tiles_ptr());
    SmokeView3 view = view_of(none);
    view.solid_distance = [](const Vec3& p) { return length(p - Vec3(0.7, 0.3, 0.7)) - 0.15; };
    const Camera camera = frame_box(view.container, 160, 90, 1);
    const Light light = light_for(camera, 1);
    const Image empty = render_smoke(view, camera, light);
    view.layers.clear();
    EXPECT_EQ(empty.pixels, render_smoke(view, camera, light).pixels);
    view.layers = {{.field = &ball, .opacity = 20}};
    EXPECT_NE(empty.pixels, render_smoke(view, camera, light).pixels);
}

// Smoke elsewhere in a large box costs no bricks.
TEST(SmokeBricks, AreThereOnlyWhereSmokeIs) {
    const auto corner = smoke_field([](const Vec3& p) { return p[0] < 0.2 && p[1] < 0.2 && p[2] < 0.2 ? 1.0 : 0.0; });
    const SmokeView3 view = view_of(corner);
    EXPECT_EQ(SmokeBricks(view, solids_of(view).cells()).count(), 1);
}

TEST(SmokePicture, HotGasShinesInTheDark) {
    const auto ball =
        smoke_field([](const Vec3& p) { return std::max(1 - length(p - Vec3(0.5, 0.45, 0.5)) / 0.3, 0.0); });
    SmokeView3 view = view_of(ball, 0);
    view.floor = FloorKind::none;
    view.glow = {.field = &ball, .kelvin = 1800, .strength = 60};
    const Camera camera{
        .position = {0.5, 0.5, 3}, .look_at = {0.5, 0.45, 0.5}, .fov_degrees = 20, .width = 64, .height = 64};
    Light night;
    night.sun = night.sky = Rgb{};
    const Image image = render_smoke(view, camera, night);
    const Rgb middle = image.at(32, 32);
    EXPECT_GT(middle[0], middle[1]);
    EXPECT_GT(middle[1], middle[2]);
    EXPECT_GT(middle[0], 0.05F);
    EXPECT_EQ(image.at(1, 1), Rgb{});
}

// Far from a small hot ball, light on a surface is its intensity over the square of the distance; behind a solid there
// is none.
TEST(GlowLamps, LightFallsOffWithTheSquareOfTheDistance) {
    const auto ember = smoke_field([](const Vec3& p) { return length(p - Vec3(0.3)) < 0.06 ? 1.0 : 0.0; });
    SmokeView3 view = view_of(ember, 0);
    constexpr float kStrength = 200;
    view.glow = {.field = &ember, .kelvin = 1500, .strength = kStrength};
    const SolidScene scene = solids_of(view);
    const GlowLamps lamps(view, scene);
    const double volume = sum(ember) * std::pow(kCell, 3);  // m³ that shine with `strength` per metre
    for (const double away : {0.4, 0.6}) {
        const Vec3f place = scene.from_world({0.3 + away, 0.3, 0.3});
        const Rgb lit = lamps.on_surface(place, {-1, 0, 0});
        EXPECT_NEAR(luminance(lit) / (kStrength * volume / (std::numbers::pi * away * away)), 1, 0.03) << away;
        EXPECT_EQ(lamps.on_surface(place, {1, 0, 0}), Rgb{}) << "turned away";
        EXPECT_NEAR(luminance(lamps.on_smoke(place)) / (kStrength * volume / (4 * std::numbers::pi * away * away)), 1,
                    0.03);
    }
    const SolidScene walled({.grid = view.grid, .container = view.container, .distance = [](const Vec3& p) {
                                 return std::abs(p[0] - 0.5) - 0.05;
                             }});
    EXPECT_EQ(GlowLamps(view, walled).on_surface(walled.from_world({0.8, 0.3, 0.3}), {-1, 0, 0}), Rgb{});
    EXPECT_GT(luminance(GlowLamps(view, walled).on_surface(walled.from_world({0.4, 0.3, 0.3}), {-1, 0, 0})), 0);
}

TEST(SmokePicture, HotGasLightsTheFloor) {
    const auto ball = puff();
    SmokeView3 view = view_of(ball, 0);
    const Camera camera{
        .position = {0.5, 1.5, 3}, .look_at = {0.5, 0.1, 0.5}, .fov_degrees = 30, .width = 64, .height = 64};
    Light night;
    night.sun = night.sky = Rgb{};
    EXPECT_EQ(luminance(render_smoke(view, camera, night).at(32, 60)), 0);
    view.glow = {.field = &ball, .kelvin = 1800, .strength = 60};
    const Image lit = render_smoke(view, camera, night);
    EXPECT_GT(luminance(lit.at(32, 60)), 0.01F);
    EXPECT_GT(luminance(lit.at(32, 55)), luminance(lit.at(2, 62)));
}

TEST(SmokeLight, BlackBodiesTurnFromRedToWhite) {
    const Rgb ember = black_body(1000, 1000), flame = black_body(2000, 2000), lamp = black_body(6500, 6500);
    EXPECT_NEAR(luminance(ember), 1, 1e-5);
    EXPECT_GT(ember[0] / ember[2], flame[0] / flame[2]);
    EXPECT_NEAR(lamp[0] / lamp[2], 1, 0.25);
    EXPECT_LT(luminance(black_body(1000, 2000)), 1e-3F);
    EXPECT_EQ(black_body(0, 2000), Rgb{});
}

// All light that is scattered goes somewhere.
TEST(SmokeLight, PhaseFunctionSumsToOne) {
    for (const float g : {-0.5F, 0.0F, 0.3F, 0.8F}) {
        double sum = 0;
        constexpr int kSteps = 4000;
        for (int i = 0; i < kSteps; ++i)
            sum += 2 * std::numbers::pi * 2.0 / kSteps *
                   double{henyey_greenstein(static_cast<float>(-1 + (i + 0.5) * 2 / kSteps), g)};
        EXPECT_NEAR(sum, 1, 1e-3) << g;
    }
}

TEST(SmokePicture, SameBitsOnAnyNumberOfThreads) {
    const auto ball = puff();
    SmokeView3 view = view_of(ball);
    view.anisotropy = 0.4F;
    view.glow = {.field = &ball, .kelvin = 1800, .strength = 1};
    view.solid_distance = [](const Vec3& p) { return length(p - Vec3(0.7, 0.3, 0.7)) - 0.15; };
    const Camera camera = frame_box(view.container, 160, 90, 1);
    expect_same_on_any_threads([&] {
        const Image image = render_smoke(view, camera, light_for(camera, 1));
        return hash_bytes(std::as_bytes(std::span(image.pixels)));
    });
}

}  // namespace
}  // namespace spindrift

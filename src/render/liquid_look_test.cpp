// SPDX-License-Identifier: Apache-2.0
// What liquids, solids and glass look like in pictures.
#include <cmath>

#include <gtest/gtest.h>

#include "render/floor_light.h"
#include "render/liquid_picture.h"
#include "render/test_support.h"

namespace spindrift {
namespace {

using Vec3 = Vec<double, 3>;
constexpr int kCells = 32;
constexpr double kDx = 1.0 / kCells;

Rgb mean_of(const Image& image) {
    Rgb sum;
    for (const Rgb& pixel : image.pixels) sum += pixel;
    return sum / static_cast<float>(image.pixels.size());
}

// Straight down on a box of 0.2 m inside the unit cube.
Camera from_above(double size = 0.2) {
    return {.position = {0.5, 3, 0.501},
            .look_at = {0.5, 0, 0.5},
            .fov_degrees = 2 * std::atan(size / 3) * 180 / M_PI,
            .width = 48,
            .height = 48};
}

// A film of water on a ball lets the sun through, however thin it is and wherever it ends.
TEST(LiquidLook, ThinWaterOnASolidIsNotDark) {
    const Vec3 centre(0.5, 0.4, 0.5);
    const double radius = 0.22;
    const Camera camera{.position = {0.2, 1.8, 1.6}, .look_at = centre, .fov_degrees = 14, .width = 64, .height = 64};
    Light light = light_for(camera, 1);
    light.to_sun = {-0.2, 0.9, 0.5};
    const auto picture = [&](double film) {
        const auto phi = banded_field<3>(Index<3>(kCells), kDx, [&](const Vec3& p) {
            const double around = length(p - centre) - (radius + film * kDx);
            return film > 0 ? std::max(around, 0.45 - p[1]) : 1.0;
        });
        LiquidView3 view = unit_cube(phi, kCells);
        const Field<float, 3> air(Tiles<3>::covering({Index<3>(0), Index<3>(kCells)}), 1.0F);
        if (film == 0) view.phi = &air;
        view.draw_container = false;
        view.solid_distance = [=](const Vec3& p) { return length(p - centre) - radius; };
        return render_liquid(view, camera, light);
    };
    const Image dry = picture(0);
    for (const double film : {0.1, 0.3, 0.6, 1.0, 2.0}) {
        const Image wet = picture(film);
        int dark = 0, sunlit = 0;
        for (int y = 4; y < 40; ++y)
            for (int x = 8; x < 56; ++x) {
                const float before = luminance(dry.at(x, y));
                if (before < 0.3F || std::hypot(x - 31.5, y - 31.5) > 31) continue;  // beside the ball
                ++sunlit;
                dark += luminance(wet.at(x, y)) < 0.7F * before ? 1 : 0;
            }
        ASSERT_GT(sunlit, 800);
        EXPECT_LT(dark, sunlit / 200) << "a film of " << film << " cells";
    }
}

// Under flat water all of a solid has the same light, and waves throw bright and dark lines on it.
TEST(LiquidLook, WavesThrowLightOnSolidsUnderWater) {
    const Vec3f to_sun = Vec3f(normalized(Vec3(0.3, 0.9, 0.1)));
    struct Light {
        float least = 1e9F, most = 0;
    };
    const auto light_on_slab = [&](double level, double wave) {
        const auto phi = banded_field<3>(Index<3>(kCells), kDx, [=](const Vec3& p) {
            return 0.8 * (p[1] - level - wave * std::sin(20 * p[0]) * std::sin(17 * p[2]));
        });
        LiquidView3 view = unit_cube(phi, kCells);
        view.solid_distance = [](const Vec3& p) { return p[1] - 0.25; };
        const RayScene scene(view);
        view.look.absorption = {};
        const FloorLight map(scene, to_sun, LiquidMedium(view, scene));
        Light found;
        // Farther towards the sun, light that comes in through the tank's sides is added to what comes from above.
        for (double x = 0.2; x < 0.6; x += 0.02)
            for (double z = 0.2; z < 0.6; z += 0.02) {
                const float there = map.on_solid(scene.from_world({x, 0.25, z}))[1];
                found = {std::min(found.least, there), std::max(found.most, there)};
            }
        return found;
    };
    const Light flat = light_on_slab(0.6, 0), waves = light_on_slab(0.6, 0.01);
    EXPECT_GT(flat.least, 0.9F);
    EXPECT_LT(flat.most, 1.1F);
    EXPECT_LT(flat.most - flat.least, 0.03F);
    EXPECT_GT(waves.most, 1.5F);
    EXPECT_LT(waves.least, 0.8F);
}

// Light that the water sends to the floor behind a ball does not show on the part of the ball above the water.
TEST(LiquidLook, WaterBelowABallDoesNotLightItsDryPart) {
    const auto picture_over = [](double level) {
        const auto phi = banded_field<3>(Index<3>(kCells), kDx, [=](const Vec3& p) { return p[1] - level; });
        LiquidView3 view = unit_cube(phi, kCells);
        view.draw_container = false;
        view.solid_distance = [](const Vec3& p) { return length(p - Vec3(0.5, 0.5, 0.5)) - 0.25; };
        return render_liquid(view, from_above(), Light{.to_sun = {-0.8, 1.1, -0.3}});
    };
    const Image wet = picture_over(0.4), dry = picture_over(-1);
    int compared = 0;
    for (int y = 0; y < dry.height; ++y)
        for (int x = 0; x < dry.width; ++x) {
            const double off = std::hypot(x + 0.5 - 0.5 * dry.width, y + 0.5 - 0.5 * dry.height) / dry.height;
            if (off > 0.1) continue;  // on the ball, seen from above
            ++compared;
            ASSERT_NEAR(luminance(wet.at(x, y)) / luminance(dry.at(x, y)), 1, 0.02) << x << ' ' << y;
        }
    EXPECT_GT(compared, 50);
}

// Cards give contours to drops and jets.  Seen through the walls of a tank and level water they would be dark fields.
TEST(LiquidLook, CardsAreSeenInCurvedSurfacesAlone) {
    const Camera camera{
        .position = {2.2, 1.3, 2.6}, .look_at = {0.5, 0.4, 0.5}, .fov_degrees = 24, .width = 64, .height = 64};
    Light light = light_for(camera, 1);
    const auto most_change = [&](const Field<float, 3>& phi) {
        LiquidView3 view = unit_cube(phi, kCells);
        view.draw_container = false;
        const Image with = render_liquid(view, camera, light);
        Light plain = light;
        plain.cards = {};
        const Image without = render_liquid(view, camera, plain);
        float most = 0;
        for (int y = 0; y < with.height; ++y)
            for (int x = 0; x < with.width; ++x)
                most = std::max(most, 1 - luminance(with.at(x, y)) / luminance(without.at(x, y)));
        return most;
    };
    EXPECT_LT(most_change(banded_field<3>(Index<3>(kCells), kDx, [](const Vec3& p) { return p[1] - 0.8; })), 0.1F);
    EXPECT_GT(most_change(banded_field<3>(Index<3>(kCells), kDx,
                                          [](const Vec3& p) { return length(p - Vec3(0.5, 0.5, 0.5)) - 0.15; })),
              0.3F);
}

// Centimetres of honey are amber, however strongly blue is absorbed; milk hides what is below it and mud is brown.
TEST(LiquidLook, LiquidsHaveTheirColours) {
    const auto colour_over = [](const LiquidLook& look, double depth, const Rgb& floor) {
        const auto phi = banded_field<3>(Index<3>(kCells), kDx, [=](const Vec3& p) { return p[1] - depth; });
        LiquidView3 view = unit_cube(phi, kCells);
        view.draw_container = false;
        view.look = look;
        view.floor_color = floor;
        const Camera camera = from_above();
        return mean_of(render_liquid(view, camera, light_for(camera, 1)));
    };
    const Rgb grey(0.6F), black(0.05F);
    const LiquidLook honey{.absorption = {4, 42, 220}};
    const Rgb thin = colour_over(honey, 0.03, grey);
    EXPECT_GT(thin[0], 1.5F * thin[1]);
    EXPECT_GT(thin[1], 2 * thin[2]);
    EXPECT_LT(luminance(colour_over(honey, 0.1, grey)), luminance(thin));

    const LiquidLook milk{.absorption = {0.5F, 1, 6}, .scattering = 2000, .scattering_color = {0.9F, 0.88F, 0.81F}};
    const Rgb on_grey = colour_over(milk, 0.1, grey), on_black = colour_over(milk, 0.1, black);
    EXPECT_GT(luminance(on_black), 0.6F);
    EXPECT_NEAR(luminance(on_grey) / luminance(on_black), 1, 0.05);
    const LiquidLook mud{.scattering = 3000, .scattering_color = {0.17F, 0.11F, 0.065F}};
    EXPECT_GT(colour_over(mud, 0.1, grey)[0], 1.3F * colour_over(mud, 0.1, grey)[2]);
    const LiquidLook lava{.scattering = 3000, .emission = {4.5F, 0.75F, 0.06F}};
    EXPECT_GT(colour_over(lava, 0.1, black)[0], 0.8F);
}

// The floor's squares can be told apart through a filled glass.
TEST(LiquidLook, WhatIsBehindWaterIsSharp) {
    const auto phi = banded_field<3>(Index<3>(kCells), kDx, [](const Vec3& p) {
        return std::max(p[1] - 0.5, std::hypot(p[0] - 0.5, p[2] - 0.5) - 0.4);
    });
    LiquidView3 view = unit_cube(phi, kCells);
    view.draw_container = false;
    view.look = {.absorption = Rgb()};
    const Camera camera{
        .position = {0.5, 1.7, 2.6}, .look_at = {0.5, 0.1, 0.5}, .fov_degrees = 8, .width = 120, .height = 90};
    const Image image = render_liquid(view, camera, light_for(camera, 1));
    float least = 1, most = 0;
    for (int x = 20; x < 100; ++x) {
        const float here = luminance(image.at(x, 45));
        least = std::min(least, here);
        most = std::max(most, here);
    }
    EXPECT_GT(most - least, 0.1F);
}

// An upright jet before a bright floor has contours darker than its middle and than what is beside it, and the floor's
// squares are still there in it, squeezed to the sides: it is not a flat grey.
TEST(LiquidLook, JetsHaveContours) {
    const auto phi =
        banded_field<3>(Index<3>(kCells), kDx, [](const Vec3& p) { return std::hypot(p[0] - 0.5, p[2] - 0.5) - 0.1; });
    LiquidView3 view = unit_cube(phi, kCells);
    view.draw_container = false;
    view.look = {.absorption = Rgb()};
    const Camera camera{
        .position = {0.5, 1.1, 2.6}, .look_at = {0.5, 0.5, 0.5}, .fov_degrees = 10, .width = 96, .height = 96};
    const Image image = render_liquid(view, camera, light_for(camera, 1));
    const int half =
        static_cast<int>(0.1 / (length(camera.position - camera.look_at) * CameraRays(camera).pixel_angle()));
    const auto column = [&](int x) {
        float sum = 0;
        for (int y = 0; y < image.height; ++y) sum += luminance(image.at(x, y)) / static_cast<float>(image.height);
        return sum;
    };
    for (const int side : {-1, 1}) {
        float contour = 1;
        for (int x = half * 3 / 4; x < half; ++x) contour = std::min(contour, column(48 + side * x));
        EXPECT_LT(contour, 0.45F * column(48)) << side;
        EXPECT_LT(contour, 0.8F * column(48 + side * (half + 8))) << side;
    }
    float least = 1, most = 0;
    for (int y = 60; y < 90; ++y) {
        least = std::min(least, luminance(image.at(48 + half / 3, y)));
        most = std::max(most, luminance(image.at(48 + half / 3, y)));
    }
    EXPECT_GT(most - least, 0.1F) << "squares";
}

// The shadow of a tank does not fall on the floor behind it, where it would be seen through still water as a dark band.
TEST(LiquidLook, StillWaterHasNoDarkBand) {
    const auto phi = banded_field<3>(Index<3>(kCells), kDx, [](const Vec3& p) { return p[1] - 0.4; });
    LiquidView3 view = unit_cube(phi, kCells);
    view.draw_container = false;
    view.floor = FloorKind::plain;
    view.look = {.absorption = Rgb()};
    const Camera camera = frame_box(view.container, 96, 64, 1);
    const CameraRays rays(camera);
    const Image image = render_liquid(view, camera, light_for(camera, 1));
    // Down the front side, in the middle.
    float least = 1, most = 0;
    for (double y = 0.03; y < 0.38; y += 0.01) {
        const Vec3 at = rays.picture_from_world({0.5, y, 1});
        const float here = luminance(image.at(static_cast<int>(at[0]), static_cast<int>(at[1])));
        least = std::min(least, here);
        most = std::max(most, here);
    }
    EXPECT_GT(least, 0.6F * most);
}

// A pane reflects, most at its silhouette, and leaves what is behind it to be seen.
TEST(LiquidLook, GlassIsSeen) {
    const Field<float, 3> air(Tiles<3>::covering({Index<3>(0), Index<3>(kCells)}), 1.0F);
    LiquidView3 view = unit_cube(air, kCells);
    view.draw_container = false;
    view.floor = FloorKind::none;
    const Camera camera{
        .position = {0.5, 0.5, 4}, .look_at = {0.5, 0.5, 0.5}, .fov_degrees = 14, .width = 90, .height = 60};
    const Light light = light_for(camera, 1);
    const Image without = render_liquid(view, camera, light);
    view.glass_distance = [](const Vec3& p) { return 0.3 - std::hypot(p[0] - 0.5, p[2] - 0.5); };
    const Image with = render_liquid(view, camera, light);
    const auto change = [&](int x) { return std::abs(luminance(with.at(x, 30)) - luminance(without.at(x, 30))); };
    float most = 0;
    for (int x = 0; x < 45; ++x) most = std::max(most, change(x));
    EXPECT_GT(most, 0.03F);
    EXPECT_GT(change(45), 0.002F);
    EXPECT_LT(change(45), 0.06F);
}

TEST(LiquidLook, BackgroundMayBeWhite) {
    const auto phi = banded_field<3>(Index<3>(kCells), kDx, [](const Vec3& p) { return p[1] - 0.2; });
    LiquidView3 view = unit_cube(phi, kCells);
    view.draw_container = false;
    view.floor = FloorKind::none;
    const Camera camera = frame_box(view.container, 64, 48, 1);
    Light light = light_for(camera, 1);
    light.background = false;
    light.exposure = 0.5F;
    const Image image = render_liquid(view, camera, light);
    EXPECT_GT(image.at(1, 1)[2], 0.99F);
    EXPECT_LT(luminance(image.at(32, 34)), 0.95F);
}

// What components absorb adds up in proportion to their parts.
TEST(LiquidLook, AMixtureTakesLightInProportionToItsParts) {
    const auto phi = banded_field<3>(Index<3>(kCells), kDx, [](const Vec3& p) { return p[1] - 0.8; });
    Field<float, 3> part(phi.tiles_ptr());
    const LiquidLook red{.absorption = {0.5F, 8, 9}}, blue{.absorption = {7, 3, 0.5F}};
    LiquidView3 view = unit_cube(phi, kCells);
    view.look = red;
    view.components.push_back({blue, &part});
    const RayScene scene(view);
    const Vec3f from(4, 4, 4), along(0.6F, 0.48F, 0.64F);
    for (const float c : {0.0F, 0.25F, 1.0F}) {
        transform_values(part, [c](float) { return c; });
        const Rgb left = LiquidMedium(view, scene).transmittance(from, along, 20);
        for (int a = 0; a < 3; ++a)
            EXPECT_NEAR(left[a], std::exp(-(mixed(red.absorption, blue.absorption, c)[a]) * 20 * kDx), 1e-5) << c;
    }
    // Half of the way in the one, half in the other.
    assign(part, [](const Index<3>& cell) { return cell[1] < 9 ? 0.0F : 1.0F; });
    const Rgb left = LiquidMedium(view, scene).transmittance({16, 1, 16}, {0, 1, 0}, 16);
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(left[a], std::exp(-(red.absorption + blue.absorption)[a] * 8 * kDx), 0.02);
}

}  // namespace
}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "render/liquid_picture.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "grid/test_support.h"
#include "render/test_support.h"

namespace spindrift {
namespace {

using Vec3 = Vec<double, 3>;
constexpr int kCells = 48;

Field<float, 3> pool() { return banded_field<3>(Index<3>(kCells), 1.0 / kCells, pool_and_drop); }

double mean_difference(const Image& a, const Image& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i)
        for (int c = 0; c < 3; ++c) sum += std::abs(a.pixels[i][c] - b.pixels[i][c]);
    return sum / (3.0 * static_cast<double>(a.pixels.size()));
}

// Pixels that differ between two pictures.
double changed(const Image& a, const Image& b) {
    double count = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) count += a.pixels[i] != b.pixels[i] ? 1 : 0;
    return count;
}

// Seen against the sky, pixels with the drop differ from those without; their number is that of a projected ball.
TEST(LiquidPicture, ADropCoversWhatItsProjectionCovers) {
    constexpr double kRadius = 0.3;
    const Vec3 centre(0.5, 0.5, 0.5);
    const auto drop =
        banded_field<3>(Index<3>(kCells), 1.0 / kCells, [&](const Vec3& p) { return length(p - centre) - kRadius; });
    const Field<float, 3> air(drop.tiles_ptr(), 1.0F);
    LiquidView3 view = unit_cube(drop, kCells);
    view.floor = FloorKind::none;
    view.draw_container = false;
    const Camera camera{.position = {0.6, 0.3, 2.5}, .look_at = centre, .fov_degrees = 30, .width = 400, .height = 300};
    const Light light = light_for(camera, 1);
    const Image with = render_liquid(view, camera, light);
    view.phi = &air;
    const Image without = render_liquid(view, camera, light);

    const double covered = changed(with, without);
    // In the middle of the picture the ball is a disc: tan of the angle under which its radius is seen.
    const double sine = kRadius / length(camera.position - centre);
    const double radius = sine / std::sqrt(1 - sine * sine) / CameraRays(camera).pixel_angle();
    // Pixels that the rim crosses count as covered: half of them too many.
    const double expected = std::numbers::pi * (radius + 0.5) * (radius + 0.5);
    EXPECT_NEAR(covered / expected, 1, 0.01);
}

// The same for a drop of spray, which is smaller than a cell.  Under water it does not show, nor beyond the container.
TEST(LiquidPicture, SprayCoversWhatItsProjectionCovers) {
    const auto phi = banded_field<3>(Index<3>(kCells), 1.0 / kCells, [](const Vec3& p) { return p[1] - 0.2; });
    LiquidView3 view = unit_cube(phi, kCells);
    view.floor = FloorKind::none;
    view.draw_container = false;
    const Vec3 centre(0.5, 0.6, 0.5);
    const Camera camera{.position = {0.6, 0.6, 1.4}, .look_at = centre, .fov_degrees = 6, .width = 400, .height = 300};
    const Light light = light_for(camera, 1);
    const Image without = render_liquid(view, camera, light);
    constexpr double kRadius = 0.4 / kCells;
    view.drops = {{Vec<float, 3>(centre), static_cast<float>(kRadius)}};
    const double radius = kRadius / length(camera.position - centre) / CameraRays(camera).pixel_angle();  // pixels
    EXPECT_NEAR(
        changed(render_liquid(view, camera, light), without) / (std::numbers::pi * (radius + 0.5) * (radius + 0.5)), 1,
        0.03);

    view.drops = {{{0.5F, 0.1F, 0.5F}, 0.01F}, {{0.5F, 0.6F, 1.1F}, 0.01F}};
    EXPECT_EQ(changed(render_liquid(view, camera, light), without), 0);
}

// A speck of foam is lighter than the water that it floats on; a bubble shows where it is in the water, and there
// alone.
TEST(LiquidPicture, FoamIsWhiteAndBubblesShowInTheWater) {
    const auto phi = banded_field<3>(Index<3>(kCells), 1.0 / kCells, [](const Vec3& p) { return p[1] - 0.6; });
    LiquidView3 view = unit_cube(phi, kCells);
    view.draw_container = false;
    const Camera camera{
        .position = {0.5, 2.5, 0.6}, .look_at = {0.5, 0.6, 0.5}, .fov_degrees = 15, .width = 160, .height = 120};
    const Light light = light_for(camera, 1);
    const Image water = render_liquid(view, camera, light);
    const std::size_t middle = 60 * 160 + 80;
    view.drops = {{.position = {0.5F, 0.6F, 0.5F}, .radius = 0.02F, .kind = DropKind::foam}};
    const Image foam = render_liquid(view, camera, light);
    for (int c = 0; c < 3; ++c) {
        EXPECT_GT(foam.pixels[middle][c], water.pixels[middle][c] + 0.05F);
        EXPECT_GT(foam.pixels[middle][c], 0.6F);
    }
    view.drops = {{.position = {0.5F, 0.45F, 0.5F}, .radius = 0.03F, .kind = DropKind::bubble}};
    EXPECT_GT(changed(render_liquid(view, camera, light), water), 20);
    view.drops[0].position[1] = 0.8F;
    EXPECT_EQ(changed(render_liquid(view, camera, light), water), 0);
}

TEST(LiquidPicture, EveryPixelIsANumberInRange) {
    const auto phi = pool();
    LiquidView3 view = unit_cube(phi, kCells);
    view.drops = {{{0.5F, 0.8F, 0.5F}, 0.01F}, {{0.2F, 0.31F, 0.4F}, 0.03F}, {{0.1F, 0.4F, 0.1F}, 0.0F}};
    view.solid_distance = [](const Vec3& p) { return length(p - Vec3(0.7, 0.3, 0.7)) - 0.15; };
    const Camera framed = frame_box(view.container, 320, 180, 1);
    Camera inside = framed, above = framed;
    inside.position = {0.1, 0.15, 0.1};  // under water
    above.position = {0.5, 3, 0.5};
    for (const Camera& camera : {framed, inside, above}) {
        const Image image = render_liquid(view, camera, light_for(camera, 1));
        double sum = 0;
        for (const Rgb& pixel : image.pixels)
            for (int c = 0; c < 3; ++c) {
                ASSERT_TRUE(pixel[c] >= 0 && pixel[c] <= 1) << pixel[c];
                sum += pixel[c];
            }
        const double mean = sum / (3.0 * static_cast<double>(image.pixels.size()));
        EXPECT_GT(mean, 0.1);
        EXPECT_LT(mean, 0.9);
    }
}

// No pixel of still water may be much darker than its neighbours: a ray that went astray.
TEST(LiquidPicture, StillWaterHasNoSpeckles) {
    const auto phi = banded_field<3>(Index<3>(kCells), 1.0 / kCells, [](const Vec3& p) { return p[1] - 0.4; });
    LiquidView3 view = unit_cube(phi, kCells);
    view.draw_container = false;
    const Camera camera{
        .position = {0.5, 2.2, 0.9}, .look_at = {0.5, 0.4, 0.5}, .fov_degrees = 20, .width = 240, .height = 160};
    const Image image = render_liquid(view, camera, light_for(camera, 1));
    for (int y = 1; y + 1 < image.height; ++y)
        for (int x = 1; x + 1 < image.width; ++x) {
            const float here = luminance(image.at(x, y));
            const float aside = std::min(luminance(image.at(x - 1, y)), luminance(image.at(x + 1, y)));
            const float across = std::min(luminance(image.at(x, y - 1)), luminance(image.at(x, y + 1)));
            ASSERT_GT(here, std::min(aside, across) - 0.1F) << x << ' ' << y;
        }
}

TEST(LiquidPicture, SameBitsOnAnyNumberOfThreads) {
    const auto phi = pool();
    LiquidView3 view = unit_cube(phi, kCells);
    view.solid_distance = [](const Vec3& p) { return length(p - Vec3(0.7, 0.3, 0.7)) - 0.15; };
    const Camera camera = frame_box(view.container, 240, 136, 1);
    expect_same_on_any_threads([&] {
        const Image image = render_liquid(view, camera, light_for(camera, 1));
        return hash_bytes(std::as_bytes(std::span(image.pixels)));
    });
}

// The same liquid lying in a world where z is up gives the same picture, up to rounding.
TEST(LiquidPicture, UpMayBeZ) {
    const auto y_up = pool();
    const auto z_up = banded_field<3>(Index<3>(kCells), 1.0 / kCells, [](const Vec3& p) {
        return pool_and_drop({p[0], p[2], 1 - p[1]});
    });
    LiquidView3 view = unit_cube(y_up, kCells);
    const Camera y_camera = frame_box(view.container, 240, 136, 1);
    const Image expected = render_liquid(view, y_camera, light_for(y_camera, 1));
    view.phi = &z_up;
    view.up_axis = 2;
    const Camera z_camera = frame_box(view.container, 240, 136, 2);
    EXPECT_LT(mean_difference(render_liquid(view, z_camera, light_for(z_camera, 2)), expected), 2e-3);
}

// Where the grid lies in the world does not show.
TEST(LiquidPicture, TheWorldMayBeFarAway) {
    const auto phi = pool();
    LiquidView3 view = unit_cube(phi, kCells);
    const Camera camera = frame_box(view.container, 240, 136, 1);
    const Image expected = render_liquid(view, camera, light_for(camera, 1));
    const Vec3 offset(1000, -2000, 500);
    view.grid.origin = offset;
    view.container = {offset, offset + Vec3(1.0)};
    const Camera moved = frame_box(view.container, 240, 136, 1);
    EXPECT_LT(mean_difference(render_liquid(view, moved, light_for(moved, 1)), expected), 2e-3);
}

}  // namespace
}  // namespace spindrift

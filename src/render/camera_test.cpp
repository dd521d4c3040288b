// SPDX-License-Identifier: Apache-2.0
#include "render/camera.h"

#include <numbers>

#include <gtest/gtest.h>

namespace spindrift {
namespace {

using Vec3 = Vec<double, 3>;

TEST(Camera, LooksAtTheMiddleOfThePicture) {
    const Camera camera{.position = {1, 2, 3}, .look_at = {-2, 1, 0.5}, .width = 640, .height = 360};
    const CameraRays rays(camera);
    const Vec3 expected = normalized(camera.look_at - camera.position);
    EXPECT_LT(length(rays.ray(320, 180).direction - expected), 1e-12);
}

TEST(Camera, FieldOfViewIsFromLeftToRight) {
    const Camera camera{.position = {0, 0, 5}, .fov_degrees = 60, .width = 200, .height = 100};
    const CameraRays rays(camera);
    const double angle = std::acos(dot(rays.ray(0, 50).direction, rays.ray(200, 50).direction));
    EXPECT_NEAR(angle, std::numbers::pi / 3, 1e-12);
    // x to the right, y up, seen against z.
    EXPECT_GT(rays.ray(200, 50).direction[0], 0);
    EXPECT_GT(rays.ray(100, 0).direction[1], 0);
}

TEST(Camera, PlacesInThePictureAreWhereTheirRaysGo) {
    const Camera camera{.position = {3, 2, 4}, .look_at = {0.5, 0.2, 0.1}, .up = {0, 0, 1}};
    const CameraRays rays(camera);
    const Ray ray = rays.ray(123, 456);
    const Vec3 at = rays.picture_from_world(ray.origin + ray.direction * 7.0);
    EXPECT_NEAR(at[0], 123, 1e-9);
    EXPECT_NEAR(at[1], 456, 1e-9);
}

TEST(Camera, MayLookStraightDown) {
    const CameraRays rays(Camera{.position = {0, 5, 0}, .look_at = {0, 0, 0}});
    const Vec3 d = rays.ray(10, 20).direction;
    EXPECT_NEAR(length(d), 1, 1e-12);
}

// All of any box, touching the margin on two sides, in the middle of the picture.
TEST(FrameBox, FillsThePictureWithTheBox) {
    for (const int up_axis : {1, 2})
        for (const Vec3& size : {Vec3{1, 1, 1}, Vec3{4, 1, 0.3}, Vec3{0.1, 0.1, 2}, Vec3{50, 2, 50}}) {
            const Box<double, 3> box{{-3, 1, 2}, Vec3{-3, 1, 2} + size};
            const Camera camera = frame_box(box, 960, 540, up_axis);
            const CameraRays rays(camera);
            Vec3 lo(1e9), hi(-1e9);
            for (int corner = 0; corner < 8; ++corner) {
                Vec3 p;
                for (int a = 0; a < 3; ++a) p[a] = (corner >> a & 1) != 0 ? box.hi[a] : box.lo[a];
                const Vec3 at = rays.picture_from_world(p);
                EXPECT_GT(at[2], 0);
                lo = min(lo, at);
                hi = max(hi, at);
            }
            EXPECT_GE(lo[0], 0.03 * 960);
            EXPECT_LE(hi[0], 0.97 * 960);
            EXPECT_GE(lo[1], 0.03 * 540);
            EXPECT_LE(hi[1], 0.97 * 540);
            EXPECT_GT(std::max((hi[0] - lo[0]) / 960, (hi[1] - lo[1]) / 540), 0.8);
            EXPECT_GT(camera.position[up_axis], camera.look_at[up_axis]);
        }
}

}  // namespace
}  // namespace spindrift

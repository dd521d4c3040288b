// SPDX-License-Identifier: Apache-2.0
#include "render/camera.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/check.h"

namespace spindrift {

using Vec3 = Vec<double, 3>;

Vec3 normalized(const Vec3& v) { return v / length(v); }

CameraRays::CameraRays(const Camera& camera)
    : position_(camera.position), width_(camera.width), height_(camera.height) {
    const Vec3 view = camera.look_at - camera.position;
    CHECK(length(view) > 0, "a camera that looks at the place where it stands");
    forward_ = normalized(view);

    // A view along `up` has no horizon: any other axis will do.
    Vec3 right = cross(forward_, camera.up);
    if (!(length(right) > 1e-9 * length(camera.up)))
        right = cross(forward_, std::abs(forward_[0]) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 0, -1});
    right_ = normalized(right);
    down_ = cross(forward_, right_);
    pixel_ = 2 * std::tan(camera.fov_degrees * std::numbers::pi / 360) / width_;
}

Ray CameraRays::ray(double x, double y) const {
    const Vec3 direction = forward_ + right_ * ((x - 0.5 * width_) * pixel_) + down_ * ((y - 0.5 * height_) * pixel_);
    return {position_, normalized(direction)};
}

Vec3 CameraRays::picture_from_world(const Vec3& world) const {
    const Vec3 offset = world - position_;
    const double depth = dot(offset, forward_);
    const double scale = 1 / (depth * pixel_);
    return {0.5 * width_ + dot(offset, right_) * scale, 0.5 * height_ + dot(offset, down_) * scale, depth};
}

namespace {

// Where the box appears in the picture, in parts of its sides; nowhere, as an infinite box, when some of it is behind.
Box<double, 2> projected_box(const Camera& camera, const Box<double, 3>& box) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    Box<double, 2> projected{{kInfinite, kInfinite}, {-kInfinite, -kInfinite}};
    const CameraRays rays(camera);
    for (int corner = 0; corner < 8; ++corner) {
        Vec3 p;
        for (int a = 0; a < 3; ++a) p[a] = (corner >> a & 1) != 0 ? box.hi[a] : box.lo[a];
        const Vec3 at = rays.picture_from_world(p);
        if (at[2] <= 0) return {{-kInfinite, -kInfinite}, {kInfinite, kInfinite}};
        const Vec<double, 2> place{at[0] / camera.width, at[1] / camera.height};
        projected = {min(projected.lo, place), max(projected.hi, place)};
    }
    return projected;
}

}  // namespace

Camera frame_box(const Box<double, 3>& box, int width, int height, int up_axis, double fov_degrees) {
    CHECK(up_axis == 1 || up_axis == 2, "the axis {} as up", up_axis);
    CHECK(!box.empty(), "a camera for an empty box");

    // From the front: against z when y is up, along y when z is up, so that x points right in the picture.
    constexpr double kAzimuth = 27 * std::numbers::pi / 180;
    constexpr double kElevation = 19 * std::numbers::pi / 180;
    Vec3 up, front;
    up[up_axis] = 1;
    front[3 - up_axis] = up_axis == 1 ? 1 : -1;
    const Vec3 aside{1, 0, 0};
    const Vec3 towards_camera =
        (front * std::cos(kAzimuth) + aside * std::sin(kAzimuth)) * std::cos(kElevation) + up * std::sin(kElevation);

    // The nearest place from where all of it is visible, looking at the middle of its image: the near side of the box
    // takes more room in the picture than the far one.
    Camera camera{.up = up, .fov_degrees = fov_degrees, .width = width, .height = height};
    constexpr double kMargin = 0.035;  // of the picture's sides
    const double size = length(box.size());
    Vec3 middle = (box.lo + box.hi) * 0.5;
    for (int round = 0; round < 6; ++round) {
        double near = 0, far = 1e3 * size;
        const auto stand_at = [&](double distance) {
            camera.look_at = middle;
            camera.position = middle + towards_camera * distance;
            return projected_box(camera, box);
        };
        for (int i = 0; i < 60; ++i) {
            const double distance = 0.5 * (near + far);
            const Vec<double, 2> room = stand_at(distance).size();
            (room[0] <= 1 - 2 * kMargin && room[1] <= 1 - 2 * kMargin ? far : near) = distance;
        }
        const Box<double, 2> projected = stand_at(far);
        const Vec<double, 2> centre = (projected.lo + projected.hi) * 0.5;
        const Ray ray = CameraRays(camera).ray(centre[0] * width, centre[1] * height);
        middle = camera.position + ray.direction * (far / dot(ray.direction, -towards_camera));
    }
    return camera;
}

}  // namespace spindrift

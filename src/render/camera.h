// SPDX-License-Identifier: Apache-2.0
// A pinhole camera.
#pragma once

#include "base/vec.h"

namespace spindrift {

struct Camera {
    Vec<double, 3> position{0, 0, 1};  // m
    Vec<double, 3> look_at{};          // m, in the middle of the picture
    Vec<double, 3> up{0, 1, 0};        // up in the picture; need not be perpendicular to the view
    double fov_degrees = 40;           // from left to right
    int width = 960;                   // pixels
    int height = 540;
};

struct Ray {
    Vec<double, 3> origin;
    Vec<double, 3> direction;  // of length 1
};

Vec<double, 3> normalized(const Vec<double, 3>& v);

// The directions of a camera, made ready once for all pixels.
class CameraRays {
  public:
    explicit CameraRays(const Camera& camera);

    // Through a place in the picture: x from 0 to width, y from 0 to height, from the upper left corner.
    Ray ray(double x, double y) const;
    // Angle between neighbouring pixels in the middle of the picture, radians.
    double pixel_angle() const { return pixel_; }
    // Where a point appears in the picture, and its distance along the view; behind the camera that is not positive.
    Vec<double, 3> picture_from_world(const Vec<double, 3>& world) const;

  private:
    Vec<double, 3> position_, forward_, right_, down_;
    double pixel_;  // side of a pixel on a plane at distance 1
    double width_, height_;
};

// A camera that stands in front of the box, a little to the right of it and above it, and sees all of it with a margin.
// up_axis is 1 (y) or 2 (z).
Camera frame_box(const Box<double, 3>& box, int width, int height, int up_axis, double fov_degrees = 40);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// What lies below a height that varies from place to place, as a shape with an exact distance: a polygon in 2D, a
// closed mesh in 3D.  The height is sampled at regular places and straight between them.
#pragma once

#include <functional>

#include "geometry/mesh.h"
#include "geometry/shapes.h"

namespace spindrift {

// The places that are sampled: `steps` + 1 along each axis of the ground.
template <int Ground>
struct HeightSamples {
    Box<double, Ground> area;  // m
    Index<Ground> steps;
    double bottom;  // m: where the shape ends below; lower than all heights
};

Polygon height_polygon(const HeightSamples<1>& samples, const std::function<double(double)>& height);

// `up` is the axis of heights; those of the ground are the other two, in order.
TriangleMesh height_mesh(const HeightSamples<2>& samples, int up, const std::function<double(double, double)>& height);

}  // namespace spindrift

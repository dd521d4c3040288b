// SPDX-License-Identifier: Apache-2.0
#include "geometry/height_field.h"

#include <cmath>

#include <gtest/gtest.h>

#include "geometry/mesh_distance.h"

namespace spindrift {
namespace {

// Below a slope the distance is that of the plane, on both sides of it; below the bottom and beside it is outside.
TEST(HeightField, ASlopeIsAPlane) {
    const Polygon flat = height_polygon({{Vec<double, 1>(-3.0), Vec<double, 1>(3.0)}, Index<1>(60), -4},
                                        [](double x) { return 0.5 * x; });
    const HalfSpace<2> plane{{0, 0}, {-0.5, 1}};
    for (const Vec<double, 2>& p : {Vec<double, 2>{0.3, 0.8}, {0.3, -0.4}, {-1.0, -0.6}, {1.2, 0.601}})
        EXPECT_NEAR(signed_distance<2>(flat, p), signed_distance<2>(plane, p), 1e-12);
    EXPECT_GT(signed_distance<2>(flat, {0, -4.1}), 0);

    for (const int up : {0, 1, 2}) {
        const int first = up == 0 ? 1 : 0, second = up == 2 ? 1 : 2;
        const MeshDistance mesh(height_mesh({{Vec<double, 2>(-3.0), Vec<double, 2>(3.0)}, Index<2>(30), -4}, up,
                                            [](double x, double y) { return 0.5 * x - 0.2 * y; }));
        EXPECT_TRUE(mesh.closed());
        HalfSpace<3> slope;
        slope.normal[up] = 1;
        slope.normal[first] = -0.5;
        slope.normal[second] = 0.2;
        for (const Vec<double, 3>& p : {Vec<double, 3>{0.3, 0.8, 0.1}, {-0.3, -0.4, 0.6}, {0.2, 0.1, -0.7}})
            EXPECT_NEAR(mesh.signed_distance(p), signed_distance<3>(slope, p), 1e-6);
    }
}

// The volume below waves is the mean height times the area.
TEST(HeightField, HoldsTheVolumeBelowWaves) {
    const TriangleMesh mesh = height_mesh({{Vec<double, 2>(0.0), Vec<double, 2>(1.0)}, Index<2>(64), -1}, 1,
                                          [](double x, double z) { return 0.2 * std::sin(6.283185307 * (x + z)); });
    double volume = 0;
    for (const auto& t : mesh.triangles) {
        const Vec<double, 3> a(mesh.positions[t[0]]), b(mesh.positions[t[1]]), c(mesh.positions[t[2]]);
        volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                   a[2] * (b[0] * c[1] - b[1] * c[0])) /
                  6;
    }
    EXPECT_NEAR(std::abs(volume), 1, 1e-3);
}

}  // namespace
}  // namespace spindrift

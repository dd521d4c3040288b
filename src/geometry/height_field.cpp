// SPDX-License-Identifier: Apache-2.0
#include "geometry/height_field.h"

#include <array>

namespace spindrift {
namespace {

double place(const HeightSamples<1>& s, int n) { return s.area.lo[0] + s.area.size()[0] * n / s.steps[0]; }
Vec<double, 2> place(const HeightSamples<2>& s, int i, int j) {
    return {s.area.lo[0] + s.area.size()[0] * i / s.steps[0], s.area.lo[1] + s.area.size()[1] * j / s.steps[1]};
}

}  // namespace

Polygon height_polygon(const HeightSamples<1>& samples, const std::function<double(double)>& height) {
    Polygon polygon;
    polygon.corners.push_back({samples.area.lo[0], samples.bottom});
    polygon.corners.push_back({samples.area.hi[0], samples.bottom});
    for (int n = samples.steps[0]; n >= 0; --n) {
        const double x = place(samples, n);
        polygon.corners.push_back({x, height(x)});
    }
    return polygon;
}

// The top, a flat bottom with the same corners, and four walls between their rims.
TriangleMesh height_mesh(const HeightSamples<2>& samples, int up, const std::function<double(double, double)>& height) {
    TriangleMesh mesh;
    const int columns = samples.steps[0] + 1, rows = samples.steps[1] + 1;
    const int first = up == 0 ? 1 : 0, second = up == 2 ? 1 : 2;
    for (const bool top : {true, false})
        for (int i = 0; i < columns; ++i)
            for (int j = 0; j < rows; ++j) {
                const Vec<double, 2> at = place(samples, i, j);
                Vec<float, 3> corner;
                corner[first] = static_cast<float>(at[0]);
                corner[second] = static_cast<float>(at[1]);
                corner[up] = static_cast<float>(top ? height(at[0], at[1]) : samples.bottom);
                mesh.positions.push_back(corner);
            }
    const auto vertex = [&](int i, int j, bool top) {
        return static_cast<std::uint32_t>((top ? 0 : columns * rows) + i * rows + j);
    };
    const auto quadrilateral = [&](const std::array<std::uint32_t, 4>& c) {
        mesh.triangles.push_back({c[0], c[1], c[2]});
        mesh.triangles.push_back({c[0], c[2], c[3]});
    };
    for (int i = 0; i + 1 < columns; ++i)
        for (int j = 0; j + 1 < rows; ++j) {
            quadrilateral(
                {vertex(i, j, true), vertex(i + 1, j, true), vertex(i + 1, j + 1, true), vertex(i, j + 1, true)});
            quadrilateral(
                {vertex(i, j, false), vertex(i, j + 1, false), vertex(i + 1, j + 1, false), vertex(i + 1, j, false)});
        }
    const auto wall = [&](int i, int j, int next_i, int next_j) {
        quadrilateral(
            {vertex(i, j, true), vertex(i, j, false), vertex(next_i, next_j, false), vertex(next_i, next_j, true)});
    };
    for (int i = 0; i + 1 < columns; ++i) {
        wall(i, 0, i + 1, 0);
        wall(i + 1, rows - 1, i, rows - 1);
    }
    for (int j = 0; j + 1 < rows; ++j) {
        wall(0, j + 1, 0, j);
        wall(columns - 1, j, columns - 1, j + 1);
    }
    return mesh;
}

}  // namespace spindrift

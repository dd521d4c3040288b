// SPDX-License-Identifier: Apache-2.0
// Meshes of known shape for tests, and what a closed mesh must keep to.
#pragma once

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "geometry/mesh.h"

namespace spindrift::test_meshes {

inline TriangleMesh box(const Vec<float, 3>& lo, const Vec<float, 3>& hi) {
    TriangleMesh mesh;
    for (int i = 0; i < 8; ++i)
        mesh.positions.push_back({(i & 1 ? hi : lo)[0], (i & 2 ? hi : lo)[1], (i & 4 ? hi : lo)[2]});
    mesh.triangles = {{0U, 2U, 1U}, {1U, 2U, 3U}, {4U, 5U, 6U}, {5U, 7U, 6U}, {0U, 1U, 4U}, {1U, 5U, 4U},
                      {2U, 6U, 3U}, {3U, 6U, 7U}, {0U, 4U, 2U}, {2U, 4U, 6U}, {1U, 3U, 5U}, {3U, 7U, 5U}};
    return mesh;
}

// A grid of rows × columns quadrilaterals around a sphere, closed by fans at the poles.
inline TriangleMesh sphere(const Vec<float, 3>& centre, float radius, std::uint32_t rows, std::uint32_t columns) {
    TriangleMesh mesh;
    const auto place = [&](double theta, double turn) {
        const Vec<double, 3> n{std::sin(theta) * std::cos(turn), std::sin(theta) * std::sin(turn), std::cos(theta)};
        return centre + Vec<float, 3>(n) * radius;
    };
    constexpr double kPi = std::numbers::pi;
    mesh.positions.push_back(place(0, 0));
    for (std::uint32_t r = 1; r < rows; ++r)
        for (std::uint32_t c = 0; c < columns; ++c)
            mesh.positions.push_back(place(kPi * r / rows, 2 * kPi * c / columns));
    const auto last = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.push_back(place(kPi, 0));
    const auto at = [&](std::uint32_t r, std::uint32_t c) { return 1 + (r - 1) * columns + c % columns; };
    for (std::uint32_t c = 0; c < columns; ++c) {
        mesh.triangles.push_back({0U, at(1, c), at(1, c + 1)});
        mesh.triangles.push_back({last, at(rows - 1, c + 1), at(rows - 1, c)});
        for (std::uint32_t r = 1; r + 1 < rows; ++r) {
            mesh.triangles.push_back({at(r, c), at(r + 1, c), at(r + 1, c + 1)});
            mesh.triangles.push_back({at(r, c), at(r + 1, c + 1), at(r, c + 1)});
        }
    }
    return mesh;
}

inline TriangleMesh joined(const TriangleMesh& a, const TriangleMesh& b) {
    TriangleMesh mesh = a;
    const auto shift = static_cast<std::uint32_t>(a.positions.size());
    mesh.positions.insert(mesh.positions.end(), b.positions.begin(), b.positions.end());
    for (const auto& t : b.triangles) mesh.triangles.push_back(t + Vec<std::uint32_t, 3>(shift));
    return mesh;
}

inline void turn_inside_out(TriangleMesh& mesh) {
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
}

// Every edge has two triangles that agree, and the triangles at each position form one fan.  Returns positions - edges
// + triangles: 2 for a sphere, 0 for a torus, sums for several of them.
inline long expect_closed_manifold(const TriangleMesh& mesh) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> opposite;  // corner across each directed edge
    std::vector<std::size_t> around(mesh.positions.size());
    for (const auto& t : mesh.triangles)
        for (int i = 0; i < 3; ++i) {
            const bool first = opposite.emplace(std::pair(t[i], t[(i + 1) % 3]), t[(i + 2) % 3]).second;
            if (!first) {
                ADD_FAILURE() << "two triangles run from " << t[i] << " to " << t[(i + 1) % 3];
                return -1000;
            }
            ++around[t[i]];
        }
    for (const auto& [edge, corner] : opposite)
        if (!opposite.contains({edge.second, edge.first})) {
            ADD_FAILURE() << "no triangle on the other side of " << edge.first << " to " << edge.second;
            return -1000;
        }
    // Walking round a position from triangle to triangle meets all of them.
    std::vector<bool> walked(mesh.positions.size());
    for (const auto& t : mesh.triangles)
        for (int i = 0; i < 3; ++i) {
            if (walked[t[i]]) continue;
            walked[t[i]] = true;
            std::uint32_t at = t[(i + 1) % 3];
            std::size_t met = 0;
            do {
                at = opposite.at({t[i], at});
                ++met;
            } while (at != t[(i + 1) % 3]);
            if (met != around[t[i]]) {
                ADD_FAILURE() << "position " << t[i] << " has " << around[t[i]] << " triangles, one fan has " << met;
                return -1000;
            }
        }
    for (std::size_t i = 0; i < walked.size(); ++i) EXPECT_TRUE(walked[i]) << "position " << i << " has no triangle";
    return static_cast<long>(mesh.positions.size()) - static_cast<long>(opposite.size() / 2) +
           static_cast<long>(mesh.triangles.size());
}

}  // namespace spindrift::test_meshes

// SPDX-License-Identifier: Apache-2.0
#include "geometry/mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/parallel.h"
#include "geometry/mesh_edges.h"
#include "geometry/triangle_tree.h"

namespace spindrift {
namespace {

using Point = Vec<double, 3>;
constexpr std::size_t kTrianglesPerBlock = 4096;

// Rays that measure thickness at most: they bound the time that a large mesh takes.  A thin part with fewer triangles
// than lie between two rays can be missed.
constexpr std::size_t kThicknessRays = 50000;

std::array<Point, 3> corners(const TriangleMesh& mesh, std::size_t triangle) {
    const auto& t = mesh.triangles[triangle];
    return {Point(mesh.positions[t[0]]), Point(mesh.positions[t[1]]), Point(mesh.positions[t[2]])};
}

Point area_vector(const TriangleMesh& mesh, std::size_t triangle) {
    const auto [a, b, c] = corners(mesh, triangle);
    return cross(b - a, c - a) * 0.5;
}

// A triangle whose corners lie on a line but for the rounding of floats.
bool is_degenerate(const TriangleMesh& mesh, std::size_t triangle) {
    constexpr double kLeastArea = 1e-6;  // of the square of its longest edge
    const auto [a, b, c] = corners(mesh, triangle);
    const double longest = std::max({dot(b - a, b - a), dot(c - b, c - b), dot(a - c, a - c)});
    return !(length(area_vector(mesh, triangle)) > kLeastArea * longest);
}

template <class F>
double sum_over_triangles(const TriangleMesh& mesh, F&& f) {
    return parallel_sum(mesh.triangles.size(), kTrianglesPerBlock, 0.0, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t t = begin; t < end; ++t) sum += f(t);
        return sum;
    });
}

bool joins(const EdgeUse& a, const EdgeUse& b) { return a.upward != b.upward; }

double thinnest_wall(const TriangleMesh& mesh) {
    const TriangleTree tree(mesh);
    const Box<float, 3> box = bounding_box(mesh);
    const double ignored = 1e-6 * double{length(box.size())};  // below the precision of float positions
    const std::size_t stride = std::max<std::size_t>(1, mesh.triangles.size() / kThicknessRays);
    const std::size_t rays = (mesh.triangles.size() + stride - 1) / stride;
    const double sign = signed_volume(mesh) < 0 ? 1 : -1;
    return -parallel_max(rays, 256, -std::numeric_limits<double>::infinity(), [&](std::size_t begin, std::size_t end) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t ray = begin; ray < end; ++ray) {
            const Point area = area_vector(mesh, ray * stride);
            if (!(length(area) > 0)) continue;
            const auto [a, b, c] = corners(mesh, ray * stride);
            const Point inward = area * (sign / length(area));
            // A wall faces back within 60°; two sides of a wedge do not.
            const auto hit = tree.first_hit({(a + b + c) / 3.0, inward}, ignored, [&](const TriangleTree::Hit& h) {
                return -sign * dot(h.normal, inward) > 0.5;
            });
            if (hit) least = std::min(least, hit->distance);
        }
        return -least;
    });
}

}  // namespace

double signed_volume(const TriangleMesh& mesh) {
    if (mesh.positions.empty()) return 0;
    // Around a point of the mesh, so that a place far from the origin costs no digits.
    const Point origin(mesh.positions.front());
    return sum_over_triangles(mesh, [&](std::size_t t) {
        const auto [a, b, c] = corners(mesh, t);
        return dot(a - origin, cross(b - origin, c - origin)) / 6;
    });
}

double surface_area(const TriangleMesh& mesh) {
    return sum_over_triangles(mesh, [&](std::size_t t) { return length(area_vector(mesh, t)); });
}

Box<float, 3> bounding_box(const TriangleMesh& mesh) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    Box<float, 3> box{Vec<float, 3>(kInfinity), Vec<float, 3>(-kInfinity)};
    for (const auto& p : mesh.positions) box = bounds(box, {p, p});
    return box;
}

std::uint64_t state_hash(const TriangleMesh& mesh) {
    return Hasher()
        .add(mesh.positions)
        .add(mesh.triangles)
        .add(mesh.normals)
        .add(mesh.velocities)
        .add(mesh.colours)
        .digest();
}

std::vector<std::uint32_t> welded_positions(const TriangleMesh& mesh) {
    std::vector<std::uint32_t> order(mesh.positions.size()), first(mesh.positions.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(mesh.positions[a].data, a) < std::pair(mesh.positions[b].data, b);
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool repeats = i > 0 && mesh.positions[order[i]] == mesh.positions[order[i - 1]];
        first[order[i]] = repeats ? first[order[i - 1]] : order[i];
    }
    return first;
}

std::vector<EdgeUse> sorted_edges(const TriangleMesh& mesh) {
    const std::vector<std::uint32_t> place = welded_positions(mesh);
    std::vector<EdgeUse> edges;
    edges.reserve(3 * mesh.triangles.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto& corner = mesh.triangles[t];
        const Vec<std::uint32_t, 3> p{place[corner[0]], place[corner[1]], place[corner[2]]};
        if (p[0] == p[1] || p[1] == p[2] || p[2] == p[0]) continue;
        for (int i = 0; i < 3; ++i) {
            const std::uint32_t from = p[i], to = p[(i + 1) % 3];
            edges.push_back({std::uint64_t{std::min(from, to)} << 32 | std::max(from, to), t, from < to});
        }
    }
    std::sort(edges.begin(), edges.end(), [](const EdgeUse& a, const EdgeUse& b) {
        return std::pair(a.key, a.triangle) < std::pair(b.key, b.triangle);
    });
    return edges;
}

bool has_no_border(const TriangleMesh& mesh) {
    bool none = true;
    for_each_edge(sorted_edges(mesh), [&](std::span<const EdgeUse> uses) {
        const auto upward = std::count_if(uses.begin(), uses.end(), [](const EdgeUse& u) { return u.upward; });
        none &= 2 * upward == std::ssize(uses);
    });
    return none;
}

std::size_t orient_consistently(TriangleMesh& mesh) {
    // Which triangles touch, and whether they agree.
    struct Neighbour {
        std::uint32_t triangle;
        bool agrees;
    };
    std::vector<std::vector<Neighbour>> neighbours;
    bool all_agree = true;
    const std::vector<EdgeUse> edges = sorted_edges(mesh);
    for_each_edge(edges, [&](std::span<const EdgeUse> uses) {
        if (uses.size() == 2) all_agree &= joins(uses[0], uses[1]);
    });
    if (all_agree) return 0;
    neighbours.resize(mesh.triangles.size());
    for_each_edge(edges, [&](std::span<const EdgeUse> uses) {
        if (uses.size() != 2) return;
        for (const int i : {0, 1})
            neighbours[uses[static_cast<std::size_t>(i)].triangle].push_back(
                {uses[static_cast<std::size_t>(1 - i)].triangle, joins(uses[0], uses[1])});
    });

    // Walk each part from its first triangle, and turn whichever side of it has less area.
    enum : std::uint8_t { unseen, as_is, turned };
    std::vector<std::uint8_t> state(mesh.triangles.size(), unseen);
    std::size_t count = 0;
    for (std::uint32_t start = 0; start < mesh.triangles.size(); ++start) {
        if (state[start] != unseen) continue;
        std::vector<std::uint32_t> part{start};
        state[start] = as_is;
        double area[3] = {};
        for (std::size_t i = 0; i < part.size(); ++i) {
            const std::uint32_t t = part[i];
            area[state[t]] += length(area_vector(mesh, t));
            for (const Neighbour& n : neighbours[t]) {
                if (state[n.triangle] != unseen) continue;
                state[n.triangle] = n.agrees ? state[t] : static_cast<std::uint8_t>(as_is + turned - state[t]);
                part.push_back(n.triangle);
            }
        }
        const std::uint8_t wrong = area[turned] <= area[as_is] ? turned : as_is;
        for (const std::uint32_t t : part) {
            if (state[t] != wrong) continue;
            std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
            ++count;
        }
    }
    return count;
}

MeshReport examine(const TriangleMesh& mesh) {
    MeshReport report;
    for_each_edge(sorted_edges(mesh), [&](std::span<const EdgeUse> uses) {
        if (uses.size() == 1) ++report.open_edges;
        if (uses.size() > 2) ++report.nonmanifold_edges;
        if (uses.size() == 2 && !joins(uses[0], uses[1])) ++report.misoriented_edges;
    });
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        if (is_degenerate(mesh, t)) ++report.degenerate_triangles;
    report.volume = signed_volume(mesh);
    report.area = surface_area(mesh);
    report.inside_out = report.volume < 0;
    report.bounds = bounding_box(mesh);
    report.thinnest = thinnest_wall(mesh);
    return report;
}

std::vector<std::string> warnings(const MeshReport& report, double dx) {
    std::vector<std::string> lines;
    if (report.open_edges > 0)
        lines.push_back(fmt::format("the surface has holes ({} open edges): inside is guessed near them; close them",
                                    report.open_edges));
    if (report.nonmanifold_edges > 0)
        lines.push_back(
            fmt::format("{} edges have three or more triangles: parts that overlap are joined; remove walls "
                        "inside the solid if they are not meant",
                        report.nonmanifold_edges));
    if (report.misoriented_edges > 0)
        lines.push_back(
            fmt::format("neighbouring triangles disagree on which side is outside at {} edges: they are "
                        "turned as most of the surface has it; recalculate the normals to be sure",
                        report.misoriented_edges));
    if (report.inside_out)
        lines.push_back("the surface is inside out: it is used the right way round; flip its normals to be sure");
    if (report.degenerate_triangles > 0)
        lines.push_back(fmt::format("{} triangles have no area and are ignored", report.degenerate_triangles));
    if (report.thinnest < dx)
        lines.push_back(
            fmt::format("its walls are as thin as {:.3g} m, less than a cell of {:.3g} m: the grid does not show their "
                        "shape; use cells of {:.3g} m to see it",
                        report.thinnest, dx, report.thinnest / 2));
    return lines;
}

}  // namespace spindrift

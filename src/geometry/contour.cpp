// SPDX-License-Identifier: Apache-2.0
#include "geometry/contour.h"

#include <algorithm>
#include <array>
#include <bit>

#include "geometry/contour_vertices.h"
#include "grid/sampler.h"

namespace spindrift {
namespace {

using contouring::Cube;
using contouring::edge_at;
using contouring::has;
using contouring::Vertices;

constexpr std::size_t kVerticesPerBlock = 4096;

// The cubes of a tile and of the tiles below it.
template <int Dim>
class CubesAround {
  public:
    CubesAround(const Vertices<Dim>& vertices, Slot slot) : vertices_(vertices) {
        for_each_index(IndexBox<Dim>{Index<Dim>(-1), Index<Dim>(1)}, [&](const Index<Dim>& side) {
            slots_[number(side)] = vertices.tiles->neighbour(slot, neighbour_number(side));
        });
    }

    struct Found {
        Cube cube;
        std::uint32_t first;  // vertex
    };
    // Local coordinates from -1.
    Found at(const Index<Dim>& cube) const {
        const Slot slot = slots_[number(map([](int c) { return c < 0 ? -1 : 0; }, cube))];
        const Cube found = vertices_.cubes_of(slot)[offset_in_tile(cube)];
        return {found, vertices_.first[static_cast<std::size_t>(slot)] + found.first()};
    }

    // The vertex of the patch that an edge passes through.
    std::uint32_t vertex(const Found& found, int edge) const {
        const auto patches = contouring::patches<Dim>(found.cube.inside(), found.cube.joined());
        return found.first + static_cast<std::uint32_t>(patches.of_edge[static_cast<std::size_t>(edge)]);
    }

  private:
    static std::size_t number(const Index<Dim>& side) {
        std::size_t n = 0;
        for (int a = 0; a < Dim; ++a) n = 2 * n + (side[a] == 0 ? 1 : 0);
        return n;
    }
    const Vertices<Dim>& vertices_;
    std::array<Slot, std::size_t{1} << Dim> slots_;
};

// Calls f(cube, axis, outward) for each crossed edge that starts at the lowest corner of a cube of the tile; outward
// when it leads out of the inside.
template <int Dim, class F>
void for_each_crossed_edge(const Vertices<Dim>& vertices, Slot slot, F&& f) {
    const Cube* cubes = vertices.cubes_of(slot);
    for (int i = 0; i < kTileCells<Dim>; ++i) {
        const unsigned inside = cubes[i].inside();
        if (inside == 0) continue;
        // Corners that are not as the lowest is.  (GCC 12 at -O1 gets has(inside, 0) != has(inside, 1 << axis) wrong.)
        const unsigned other = has(inside, 0) ? ~inside : inside;
        for (int axis = 0; axis < Dim; ++axis)
            if (has(other, 1 << axis)) f(cell_in_tile<Dim>(i), axis, has(inside, 0));
    }
}

// The ring of vertices around an edge: those of the four cubes that share it, and between two of them that of an arc
// where their face has its own.
struct Ring {
    std::array<std::uint32_t, 8> vertex;
    std::size_t size = 0;
    std::size_t arc = 0;  // where one of an arc stands, if any
    bool has_arc = false;

    void add(std::uint32_t v) { vertex[size++] = v; }
    std::uint32_t operator[](std::size_t i) const { return vertex[i % size]; }
};

// The vertex that the arc of a doubled face through an edge has; the upper of the face's two cubes keeps it.
std::uint32_t arc_vertex(const CubesAround<3>::Found& upper, int axis, int edge) {
    const auto patches = contouring::patches<3>(upper.cube.inside(), upper.cube.joined());
    const unsigned before = upper.cube.doubled() & ((1U << axis) - 1U);
    const int arc = contouring::arc_of_edge<3>(upper.cube.inside(), has(upper.cube.joined(), 2 * axis), 2 * axis, edge);
    return upper.first + static_cast<std::uint32_t>(patches.count + 2 * std::popcount(before) + arc);
}

// Counter-clockwise seen from the upper end of the edge.
Ring ring_around(const CubesAround<3>& around, const Index<3>& cube, int axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const Index<3> eu = unit<3>(u), ev = unit<3>(v);
    const std::array<Index<3>, 4> place{cube - eu - ev, cube - ev, cube, cube - eu};
    // Seen from each of them the edge starts at another corner.
    const std::array<int, 4> edge{edge_at<3>(axis, 1 << u | 1 << v), edge_at<3>(axis, 1 << v), edge_at<3>(axis, 0),
                                  edge_at<3>(axis, 1 << u)};
    // The face to the next one: which of the two is the upper, and along which axis.
    const std::array<std::size_t, 4> upper{1, 2, 2, 3};
    const std::array<int, 4> across{u, v, u, v};

    std::array<CubesAround<3>::Found, 4> found;
    for (std::size_t i = 0; i < 4; ++i) found[i] = around.at(place[i]);
    Ring ring;
    for (std::size_t i = 0; i < 4; ++i) {
        ring.add(around.vertex(found[i], edge[i]));
        if (!has(found[upper[i]].cube.doubled(), across[i])) continue;
        ring.arc = ring.size;
        ring.has_arc = true;
        ring.add(arc_vertex(found[upper[i]], across[i], edge[upper[i]]));
    }
    return ring;
}

// Cuts a ring into triangles: along its shorter diagonal, or fanned from the vertex of an arc, which makes no second
// edge between the two vertices beside it.
void add_triangles(std::vector<Vec<std::uint32_t, 3>>& triangles, const Ring& ring,
                   const std::vector<Vec<float, 3>>& positions, bool outward) {
    std::size_t from = ring.arc;
    if (!ring.has_arc) {
        const auto squared = [&](std::size_t i, std::size_t j) {
            const Vec<float, 3> d = positions[ring[i]] - positions[ring[j]];
            return dot(d, d);
        };
        from = squared(0, 2) <= squared(1, 3) ? 0 : 1;
    }
    for (std::size_t i = 1; i + 1 < ring.size; ++i) {
        const std::uint32_t a = ring[from], b = ring[from + i], c = ring[from + i + 1];
        triangles.push_back(outward ? Vec<std::uint32_t, 3>{a, b, c} : Vec<std::uint32_t, 3>{a, c, b});
    }
}

std::vector<Vec<std::uint32_t, 3>> triangles_of(const Vertices<3>& vertices) {
    const std::size_t count = vertices.tiles->count();
    constexpr std::size_t kGrain = kTilesPerBlock<3>;
    std::vector<std::vector<Vec<std::uint32_t, 3>>> parts((count + kGrain - 1) / kGrain);
    parallel_ranges(count, kGrain, [&](std::size_t begin, std::size_t end) {
        auto& part = parts[begin / kGrain];
        for (std::size_t i = begin; i < end; ++i) {
            const CubesAround<3> around(vertices, static_cast<Slot>(i));
            for_each_crossed_edge(vertices, static_cast<Slot>(i), [&](const Index<3>& cube, int axis, bool outward) {
                add_triangles(part, ring_around(around, cube, axis), vertices.positions, outward);
            });
        }
    });

    std::vector<std::size_t> offset(parts.size() + 1);
    for (std::size_t b = 0; b < parts.size(); ++b) offset[b + 1] = offset[b] + parts[b].size();
    std::vector<Vec<std::uint32_t, 3>> triangles(offset.back());
    parallel_blocks(parts.size(), [&](std::size_t b) {
        std::copy(parts[b].begin(), parts[b].end(), triangles.begin() + static_cast<std::ptrdiff_t>(offset[b]));
    });
    return triangles;
}

// The vertex after each, with the inside to the left.
std::vector<std::uint32_t> successors(const Vertices<2>& vertices) {
    std::vector<std::uint32_t> next(vertices.positions.size());
    for_each_tile(*vertices.tiles, [&](Slot slot) {
        const CubesAround<2> around(vertices, slot);
        for_each_crossed_edge(vertices, slot, [&](const Index<2>& cube, int axis, bool outward) {
            const int u = 1 - axis;
            const std::uint32_t above = around.vertex(around.at(cube), edge_at<2>(axis, 0));
            const std::uint32_t below = around.vertex(around.at(cube - unit<2>(u)), edge_at<2>(axis, 1 << u));
            // Out along x means up along y; out along y means down along x.
            const bool upward = outward == (axis == 0);
            next[upward ? below : above] = upward ? above : below;
        });
    });
    return next;
}

template <int Dim>
std::vector<Vec<float, Dim>> sampled(const FaceField<Dim>& velocity, const GridTransform<Dim>& transform,
                                     const std::vector<Vec<float, Dim>>& positions) {
    std::vector<Vec<float, Dim>> values(positions.size());
    parallel_ranges(positions.size(), kVerticesPerBlock, [&](std::size_t begin, std::size_t end) {
        FaceSampler<Dim> sampler(velocity);
        for (std::size_t i = begin; i < end; ++i)
            values[i] = sampler(Vec<float, Dim>(transform.cell_from_world(Vec<double, Dim>(positions[i]))));
    });
    return values;
}

template <int Dim>
void check_input(const Field<float, Dim>& phi, const GridTransform<Dim>& transform,
                 const ContourOptions<Dim>& options) {
    CHECK(phi.background() >= 0, "contour: the background is {}, so that the inside has no end", phi.background());
    if (options.solid != nullptr) check_same_tiles("contour", "phi", phi.tiles(), "the solid", options.solid->tiles());
    for (int a = 0; a < Dim; ++a) {
        const int cells = phi.tiles().period()[a] * kTileSide;
        if (cells == 0) continue;
        CHECK(options.box, "contour: axis {} repeats itself and no box ends it", a);
        const double lo = transform.cell_from_world(options.box->lo)[a],
                     hi = transform.cell_from_world(options.box->hi)[a];
        CHECK(lo > -0.5 && hi < cells + 0.5,
              "contour: axis {} of the box, from cell {} to {}, is not within the {} cells of a period", a, lo, hi,
              cells);
    }
}

}  // namespace

TriangleMesh contour(const Field<float, 3>& phi, const GridTransform<3>& transform, const ContourOptions<3>& options) {
    check_input(phi, transform, options);
    Vertices<3> vertices = contouring::find_vertices(phi, transform, options);
    TriangleMesh mesh;
    mesh.triangles = triangles_of(vertices);
    if (options.velocity != nullptr) mesh.velocities = sampled(*options.velocity, transform, vertices.positions);
    mesh.positions = std::move(vertices.positions);
    mesh.normals = std::move(vertices.normals);
    return mesh;
}

Polylines contour(const Field<float, 2>& phi, const GridTransform<2>& transform, const ContourOptions<2>& options) {
    check_input(phi, transform, options);
    const Vertices<2> vertices = contouring::find_vertices(phi, transform, options);
    const std::vector<std::uint32_t> next = successors(vertices);

    // Each line from its first vertex on.
    Polylines lines;
    std::vector<bool> seen(next.size());
    for (std::uint32_t start = 0; start < next.size(); ++start) {
        if (seen[start]) continue;
        lines.starts.push_back(static_cast<std::uint32_t>(lines.points.size()));
        for (std::uint32_t v = start; !seen[v]; v = next[v]) {
            seen[v] = true;
            lines.points.push_back(vertices.positions[v]);
            lines.normals.push_back(vertices.normals[v]);
        }
    }
    lines.starts.push_back(static_cast<std::uint32_t>(lines.points.size()));
    if (options.velocity != nullptr) lines.velocities = sampled(*options.velocity, transform, lines.points);
    return lines;
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// How a surface can pass through a cube (2D: a square) of samples, given which of its corners are inside.
//
// On each face the surface is one arc or two between the crossed edges; where opposite corners agree (the face is
// ambiguous) the caller says whether those inside are joined.  Arcs that share edges close to loops, and each loop is
// the rim of one patch of surface.  In 2D the square is its own face, and each arc a patch.
#pragma once

#include <array>
#include <cstdint>

#include "base/vec.h"

namespace spindrift::contouring {

// Corners are numbered by their offset along axis a in bit a; edges by their axis, then the offsets along the others.
template <int Dim>
constexpr int kCorners = 1 << Dim;
template <int Dim>
constexpr int kEdges = Dim << (Dim - 1);
template <int Dim>
constexpr int kFaces = Dim == 2 ? 1 : 6;
template <int Dim>
constexpr unsigned kAllInside = (1U << kCorners<Dim>)-1U;

template <int Dim>
constexpr Index<Dim> corner_offset(int corner) {
    Index<Dim> offset;
    for (int a = 0; a < Dim; ++a) offset[a] = corner >> a & 1;
    return offset;
}

// The edge along an axis that starts or ends at a corner.
template <int Dim>
constexpr int edge_at(int axis, int corner) {
    const int below = corner & ((1 << axis) - 1), above = corner >> (axis + 1);
    return axis << (Dim - 1) | above << axis | below;
}
template <int Dim>
constexpr int edge_axis(int edge) {
    return edge >> (Dim - 1);
}
template <int Dim>
constexpr int lower_corner(int edge) {
    const int axis = edge_axis<Dim>(edge), others = edge & ((1 << (Dim - 1)) - 1);
    return (others >> axis) << (axis + 1) | (others & ((1 << axis) - 1));
}

// A face's corners in a ring, and the edge from each to the next.  In 3D face 2 a lies below along axis a, 2 a + 1
// above; both list their corners in the same order, so that the two cubes of a face agree on it.
template <int Dim>
struct Face {
    std::array<int, 4> corner;
    std::array<int, 4> edge;
};
template <int Dim>
constexpr Face<Dim> face_of(int face) {
    const int axis = Dim == 2 ? 2 : face / 2;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3, base = Dim == 2 ? 0 : (face & 1) << axis;
    const std::array<int, 4> corner{base, base | 1 << u, base | 1 << u | 1 << v, base | 1 << v};
    return {corner,
            {edge_at<Dim>(u, corner[0]), edge_at<Dim>(v, corner[1]), edge_at<Dim>(u, corner[2]),
             edge_at<Dim>(v, corner[3])}};
}

constexpr bool has(unsigned bits, int i) { return (bits >> i & 1U) != 0; }

// Which faces have two arcs: a bit each.
template <int Dim>
constexpr unsigned ambiguous_faces(unsigned inside) {
    unsigned faces = 0;
    for (int f = 0; f < kFaces<Dim>; ++f) {
        const auto c = face_of<Dim>(f).corner;
        const bool first = has(inside, c[0]);
        if (first == has(inside, c[2]) && first != has(inside, c[1]) && first != has(inside, c[3])) faces |= 1U << f;
    }
    return faces;
}

// Of the two arcs of an ambiguous face, the one that ends on an edge: 0 or 1.  An arc cuts off one corner of the face:
// an outer one where the inner ones are joined.
template <int Dim>
constexpr int arc_of_edge(unsigned inside, bool joined, int face, int edge) {
    const Face<Dim> f = face_of<Dim>(face);
    for (std::size_t i = 0; i < 4; ++i)
        if (has(inside, f.corner[i]) != joined && (f.edge[i] == edge || f.edge[(i + 3) & 3] == edge))
            return static_cast<int>(i / 2);
    return 0;
}

template <int Dim>
struct Patches {
    int count = 0;
    std::array<std::int8_t, kEdges<Dim>> of_edge{};  // -1 where the surface does not cross
};

namespace detail {
template <int Dim>
constexpr void join_edges(std::array<std::int8_t, kEdges<Dim>>& label, int a, int b) {
    const std::int8_t from = label[static_cast<std::size_t>(a)], to = label[static_cast<std::size_t>(b)];
    for (auto& l : label)
        if (l == from) l = to;
}

template <int Dim>
constexpr Patches<Dim> find_patches(unsigned inside, unsigned joined) {
    // Each crossed edge is a label of its own, and arcs make them one.
    std::array<std::int8_t, kEdges<Dim>> label{};
    for (int e = 0; e < kEdges<Dim>; ++e) {
        const int low = lower_corner<Dim>(e), high = low | 1 << edge_axis<Dim>(e);
        label[static_cast<std::size_t>(e)] = static_cast<std::int8_t>(has(inside, low) != has(inside, high) ? e : -1);
    }
    const unsigned ambiguous = ambiguous_faces<Dim>(inside);
    for (int number = 0; number < kFaces<Dim>; ++number) {
        const Face<Dim> f = face_of<Dim>(number);
        int previous = -1;
        for (std::size_t i = 0; i < 4; ++i) {
            const int edge = f.edge[i], before = f.edge[(i + 3) & 3];
            if (has(ambiguous, number)) {
                if (has(inside, f.corner[i]) != has(joined, number)) join_edges<Dim>(label, before, edge);
            } else if (label[static_cast<std::size_t>(edge)] >= 0) {
                if (previous >= 0) join_edges<Dim>(label, previous, edge);
                previous = edge;
            }
        }
    }
    // Number them by their first edge.
    Patches<Dim> patches;
    std::array<std::int8_t, kEdges<Dim>> number_of{};
    number_of.fill(-1);
    for (std::size_t e = 0; e < label.size(); ++e) {
        if (label[e] >= 0 && number_of[static_cast<std::size_t>(label[e])] < 0)
            number_of[static_cast<std::size_t>(label[e])] = static_cast<std::int8_t>(patches.count++);
        patches.of_edge[e] = label[e] < 0 ? std::int8_t{-1} : number_of[static_cast<std::size_t>(label[e])];
    }
    return patches;
}

template <int Dim>
const std::array<Patches<Dim>, std::size_t{1} << kCorners<Dim>>& unambiguous_patches() {
    static const auto table = [] {
        std::array<Patches<Dim>, std::size_t{1} << kCorners<Dim>> all;
        for (unsigned inside = 0; inside < all.size(); ++inside) all[inside] = find_patches<Dim>(inside, 0);
        return all;
    }();
    return table;
}
}  // namespace detail

// `inside` has a bit per corner, `joined` a bit per face, which counts where the face is ambiguous.
template <int Dim>
Patches<Dim> patches(unsigned inside, unsigned joined) {
    return joined == 0 ? detail::unambiguous_patches<Dim>()[inside] : detail::find_patches<Dim>(inside, joined);
}

}  // namespace spindrift::contouring

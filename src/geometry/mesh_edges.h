// SPDX-License-Identifier: Apache-2.0
// The edges of a mesh and the triangles at each: what holes, orientation and connection are found from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/mesh.h"

namespace spindrift {

// One side of one triangle, between welded positions.
struct EdgeUse {
    std::uint64_t key;  // both positions, the lower in the upper half
    std::uint32_t triangle;
    bool upward;  // runs from the lower position to the higher
};

// Sides sorted so that those of one edge stand together.  Triangles with two corners in one place are left out.
std::vector<EdgeUse> sorted_edges(const TriangleMesh& mesh);

// Calls f(uses) for each edge.
template <class F>
void for_each_edge(std::span<const EdgeUse> edges, F&& f) {
    for (std::size_t begin = 0; begin < edges.size();) {
        std::size_t end = begin + 1;
        while (end < edges.size() && edges[end].key == edges[begin].key) ++end;
        f(edges.subspan(begin, end - begin));
        begin = end;
    }
}

// Whether each edge is run along as often one way as the other: then the surface has an inside, whatever its shape.
bool has_no_border(const TriangleMesh& mesh);

}  // namespace spindrift

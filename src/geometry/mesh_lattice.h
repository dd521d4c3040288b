// SPDX-License-Identifier: Apache-2.0
// What is known about a mesh on the nodes of a regular lattice around it: a lower bound of the distance, a triangle
// that is about the nearest, and the winding number.  It spares most of the work of a distance: far from the mesh the
// values are interpolated; near it the known triangle bounds the search, and a short line to a node tells inside from
// outside.
//
// The distance to any set has second derivatives of at most 1/distance, so that linear interpolation with spacing h is
// too large by at most 3h²/8 divided by the least distance in the cell.  That is taken off at the nodes: what is
// interpolated is continuous and nowhere above the true distance.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "geometry/triangle_tree.h"
#include "grid/transform.h"

namespace spindrift {

class MeshLattice {
  public:
    struct Extent {
        Box<double, 3> box;  // of the mesh, m
        double spacing;      // m; larger where there would be too many nodes
        double margin;       // around the box, m
        // Beyond this distance (m) only that it is as far is known.
        double reach = std::numeric_limits<double>::infinity();
    };

    MeshLattice() = default;
    // Winding numbers are whole only around a mesh that is closed.
    MeshLattice(const TriangleTree& tree, const Extent& extent, bool is_closed);

    bool empty() const { return distances_.empty(); }
    double spacing() const { return grid_.dx; }

    // What is known of p from the nearest node; nothing where there is none.
    struct Known {
        double within = std::numeric_limits<double>::infinity();  // no nearer triangle need be farther than this, m
        std::optional<std::uint32_t> near{};                      // a triangle that may be the nearest, for the tree
    };
    Known known_at(const Vec<double, 3>& p) const;

    // A lower bound of the distance to the triangles, m, at least half a cell too low where they are within two cells;
    // nothing beside the lattice.
    std::optional<double> lower_bound(const Vec<double, 3>& p) const;

    // The winding number of p around a closed mesh; nothing beside the lattice, and where a line from p to the next
    // node meets an edge.
    std::optional<int> winding_number(const TriangleTree& tree, const Vec<double, 3>& p) const;

  private:
    std::size_t offset(const Index<3>& node) const {
        return (static_cast<std::size_t>(node[0]) * static_cast<std::size_t>(size_[1]) +
                static_cast<std::size_t>(node[1])) *
                   static_cast<std::size_t>(size_[2]) +
               static_cast<std::size_t>(node[2]);
    }
    Vec<double, 3> place(const Index<3>& node) const { return grid_.world_from_cell(Vec<double, 3>(node)); }
    // The nearest node; false beside the lattice.
    bool find(const Vec<double, 3>& p, Index<3>& node) const;
    void fill_block(const TriangleTree& tree, const Index<3>& first, double reach, bool is_closed);

    GridTransform<3> grid_;  // nodes at its whole numbers
    Index<3> size_{};
    std::vector<float> distances_;
    std::vector<std::uint32_t> nearest_;  // triangles in the tree; kNone beyond the reach
    std::vector<std::int8_t> windings_;   // of a closed mesh

    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
};

}  // namespace spindrift

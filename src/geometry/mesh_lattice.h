// SPDX-License-Identifier: Apache-2.0
// What is known about a mesh on the nodes of a regular lattice around it: a lower bound of the distance, a triangle
// that is about the nearest, and the winding number.  It spares most of the work of a distance: far from the mesh the
// values are interpolated; near it the known triangle bounds the search, and a short line to a node tells inside from
// outside.
//
// The distance to any set has second derivatives of at most 1/distance, so that linear interpolation with spacing h is
// too large by at most 3h²/8 divided by the least distance in the cell.  That is taken off at the nodes: what is
// interpolated is continuous and nowhere above the true distance.
//
// Near the mesh nodes hold the signed distance d and its gradient g as well.  With trilinear weights w of the corners x
// of a lattice cell, Σ w (d + ½ g·(p − x)) is exact for quadratics: the error of linear interpolation and that of
// Taylor's expansion from the corners cancel.  Lattice cells in which this is as good as the triangles themselves are
// marked: there a distance costs about what that of a shape does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
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

    // Of the mesh's surface, at a place: negative inside, m, and its gradient.
    struct Sample {
        float distance = 0;
        Vec<float, 3> gradient{};
    };
    // Keeps samples at the nodes within `reach` (m) of the triangles, and marks the lattice cells in which what is
    // interpolated between them is within `tolerance` (m) of `exact`.
    struct Exact {
        const TriangleTree& tree;
        std::function<double(const Vec<double, 3>&)> distance;  // signed, m
    };
    void keep_samples(const Exact& exact, const TriangleMesh& mesh, double reach, double tolerance);
    // The signed distance, interpolated; nothing where samples are too few for that.
    std::optional<double> sampled_distance(const Vec<double, 3>& p) const {
        Vec<double, 3> part;
        Index<3> node;
        if (smooth_.empty() || !find_cell(p, node, part) || smooth_[offset(node)] == 0) return std::nullopt;
        return interpolated(node, part);
    }

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
    // The lower corner of the lattice cell around p, and where p lies in it, 0 to 1; false beside the lattice.
    bool find_cell(const Vec<double, 3>& p, Index<3>& node, Vec<double, 3>& part) const {
        const Vec<double, 3> at = grid_.cell_from_world(p);
        for (int a = 0; a < 3; ++a) {
            if (!(at[a] >= 0 && at[a] <= size_[a] - 1)) return false;
            node[a] = std::min(static_cast<int>(at[a]), size_[a] - 2);
            part[a] = at[a] - node[a];
        }
        return true;
    }
    double interpolated(const Index<3>& node, const Vec<double, 3>& part) const;
    Sample sample_at(const Vec<double, 3>& p, const Exact& exact) const;
    bool is_smooth(const Index<3>& node, const Exact& exact, double tolerance) const;
    void fill_block(const TriangleTree& tree, const Index<3>& first, double reach, bool is_closed);

    GridTransform<3> grid_;  // nodes at its whole numbers
    Index<3> size_{};
    std::vector<float> distances_;
    std::vector<std::uint32_t> nearest_;  // triangles in the tree; kNone beyond the reach
    std::vector<std::int8_t> windings_;   // of a closed mesh
    std::vector<Sample> samples_;         // where they are kept
    std::vector<std::uint8_t> smooth_;    // by lower corner: whether distances in a lattice cell are interpolated

    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
};

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Signed distance to a mesh: how far the nearest triangle is, negative where the winding number says inside
// (geometry/triangle_tree.h).  That works for meshes with holes, overlapping parts and parts turned inside out:
// neighbouring triangles are first made to agree, and going round a point backwards counts as going round it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "geometry/mesh.h"
#include "geometry/mesh_lattice.h"
#include "geometry/triangle_tree.h"
#include "grid/field.h"
#include "grid/transform.h"

namespace spindrift {

enum class MeshKind {
    volume,  // the mesh bounds a solid
    sheet    // the mesh is the solid: a thin shell around its triangles, open or not
};

class MeshDistance {
  public:
    // `thickness` (m) is that of a sheet; it may be 0.  `cell` (m) is the size of the cells that ask for distances: see
    // bounded_distance().
    explicit MeshDistance(TriangleMesh mesh, MeshKind kind = MeshKind::volume, double thickness = 0, double cell = 0);

    // +∞ when there is no triangle.
    double signed_distance(const Vec<double, 3>& p) const;
    double operator()(const Vec<double, 3>& p) const { return signed_distance(p); }

    // Within 4 cells of a mesh made for cells of a size: the same at edges and thin parts, and elsewhere within 0.01
    // cells of it, interpolated between samples.  Beyond, a distance that is nowhere farther from zero than the true
    // one, up to 18 cells away less than a fifth of a cell and a fiftieth of it off, and continuous.  Of a mesh with
    // holes it is the same everywhere.
    double bounded_distance(const Vec<double, 3>& p) const;
    // Whether it is interpolated between samples there.
    bool is_sampled(const Vec<double, 3>& p) const { return lattice_.sampled_distance(p).has_value(); }

    bool inside(const Vec<double, 3>& p) const;
    // Whether inside or outside is beyond doubt: not so in the mouth of a hole.
    bool certain(const Vec<double, 3>& p) const;
    // Of the triangles themselves, whatever the kind; nothing when none is nearer than `within` (m).
    std::optional<TriangleTree::Nearest> nearest(const Vec<double, 3>& p, double within) const {
        return tree_.nearest(p, within);
    }

    // Of the surface next to p, which is outside, and towards it; of length 1.  Interpolated between corners where the
    // mesh is smooth, that of the triangle at edges.  Zero when there is no triangle.
    Vec<double, 3> smooth_normal(const Vec<double, 3>& p) const;

    Box<double, 3> bounding_box() const;
    const TriangleMesh& mesh() const { return mesh_; }  // as it was oriented
    MeshKind kind() const { return kind_; }
    double half_thickness() const { return half_thickness_; }
    // Whether the sign can change at triangles only.
    bool closed() const { return closed_; }

  private:
    TriangleMesh mesh_;
    MeshKind kind_;
    double half_thickness_;
    bool closed_;
    TriangleTree tree_;
    std::vector<std::array<Vec<float, 3>, 3>> corner_normals_;  // of each triangle

    // It bounds the search for the nearest triangle and tells inside from outside: the results are those without it, to
    // the bit.
    MeshLattice lattice_;  // empty for a mesh of a few triangles that is not for cells of a size
    bool for_cells_ = false;
};

// Sets each cell to the distance at its centre, cut off at ±band (m).
void fill_distance(Field<float, 3>& phi, const GridTransform<3>& transform, const MeshDistance& mesh, double band);

}  // namespace spindrift

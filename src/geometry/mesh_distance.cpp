// SPDX-License-Identifier: Apache-2.0
#include "geometry/mesh_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geometry/mesh_edges.h"

namespace spindrift {
namespace {

TriangleMesh oriented(TriangleMesh mesh) {
    orient_consistently(mesh);
    return mesh;
}

// Distances of one tile's cells.  A cell's distance differs from that of the cell before by no more than the way
// between them: that bounds the search, and says where the sign cannot have changed.
class TileFiller {
  public:
    TileFiller(const GridTransform<3>& transform, const MeshDistance& mesh, double band)
        : transform_(transform), mesh_(mesh), reach_(band + mesh.half_thickness()), band_(band) {}

    void fill(float* values, const Index<3>& origin) const {
        // One value for tiles beyond the band.  A winding number near a half may cross it in mid air.
        const Vec<double, 3> middle =
            transform_.world_from_cell(Vec<double, 3>(origin) + Vec<double, 3>(0.5 * kTileSide));
        const double radius = 0.5 * (kTileSide - 1) * std::sqrt(3.0) * transform_.dx;
        if (!mesh_.nearest(middle, reach_ + radius) && (mesh_.closed() || mesh_.certain(middle))) {
            std::fill_n(values, kTileCells<3>, static_cast<float>(mesh_.inside(middle) ? -band_ : band_));
            return;
        }
        std::array<Known, 3> before;  // along each axis
        for (int i = 0; i < kTileCells<3>; ++i) {
            const Index<3> cell = cell_in_tile<3>(i);
            int axis = 2;
            while (axis > 0 && cell[axis] == 0) --axis;
            const Known known = at(transform_.world_of_centre(origin + cell),
                                   i == 0 ? nullptr : &before[static_cast<std::size_t>(axis)]);
            for (std::size_t a = static_cast<std::size_t>(axis); a < 3; ++a) before[a] = known;
            values[i] = static_cast<float>(value(known));
        }
    }

  private:
    struct Known {
        double distance = 0;  // to the triangles; at most reach_
        bool inside = false;
    };

    Known at(const Vec<double, 3>& p, const Known* before) const {
        const double dx = transform_.dx;
        const double within = before == nullptr ? reach_ : std::min(reach_, (before->distance + dx) * (1 + 1e-6));
        const auto nearest = mesh_.nearest(p, within);
        const double distance = nearest ? nearest->distance : within;
        const bool same_side =
            before != nullptr && mesh_.closed() && std::max(distance, before->distance) > dx * (1 + 1e-6);
        return {distance, same_side ? before->inside : mesh_.inside(p)};
    }

    double value(const Known& known) const {
        const double phi = known.inside ? -known.distance : known.distance - mesh_.half_thickness();
        return std::clamp(phi, -band_, band_);
    }

    const GridTransform<3>& transform_;
    const MeshDistance& mesh_;
    double reach_;
    double band_;
};

}  // namespace

MeshDistance::MeshDistance(TriangleMesh mesh, MeshKind kind, double thickness)
    : mesh_(oriented(std::move(mesh))),
      kind_(kind),
      half_thickness_(kind == MeshKind::sheet ? 0.5 * thickness : 0),
      closed_(kind == MeshKind::sheet || has_no_border(mesh_)),
      tree_(mesh_) {}

// A rough look will do, unless it finds the answer in doubt.
bool MeshDistance::inside(const Vec<double, 3>& p) const {
    if (kind_ == MeshKind::sheet) return false;
    const double rough = std::abs(tree_.winding_number(p, 1.2));
    return std::abs(rough - 0.5) > 0.25 ? rough > 0.5 : std::abs(tree_.winding_number(p)) > 0.5;
}

bool MeshDistance::certain(const Vec<double, 3>& p) const {
    return kind_ == MeshKind::sheet || std::abs(std::abs(tree_.winding_number(p)) - 0.5) > 0.2;
}

double MeshDistance::signed_distance(const Vec<double, 3>& p) const {
    const auto nearest = tree_.nearest(p, std::numeric_limits<double>::infinity());
    if (!nearest) return std::numeric_limits<double>::infinity();
    return inside(p) ? -nearest->distance : nearest->distance - half_thickness_;
}

Box<double, 3> MeshDistance::bounding_box() const {
    return Box<double, 3>{Vec<double, 3>(tree_.bounding_box().lo), Vec<double, 3>(tree_.bounding_box().hi)}.expanded(
        half_thickness_);
}

void fill_distance(Field<float, 3>& phi, const GridTransform<3>& transform, const MeshDistance& mesh, double band) {
    CHECK(band > 0, "fill_distance: the band is {} m wide", band);
    const TileFiller filler(transform, mesh, band);
    for_each_tile(phi.tiles(), [&](Slot slot) { filler.fill(phi.tile(slot), phi.tiles().origin(slot)); });
}

}  // namespace spindrift

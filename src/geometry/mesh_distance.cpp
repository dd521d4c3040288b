// SPDX-License-Identifier: Apache-2.0
#include "geometry/mesh_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geometry/mesh_edges.h"

namespace spindrift {
namespace {

constexpr std::size_t kFewTriangles = 32;  // so many are searched as fast without a lattice
constexpr double kLatticeCells = 32;       // along the mesh's longest side, where no size of cells is given
constexpr double kLatticeMargin = 0.25;    // around it, in longest sides

// In cells.  Where the distance is exact, and over how many more it gives way to the interpolated one; how far the
// lattice reaches: simulations take what is 16 cells away as far.
constexpr double kExactCells = 4, kBlendCells = 1, kReachCells = 18;
// In cells: how far a distance that is interpolated between samples may be off.  Fractions of faces count from a
// hundredth; the facets of a sphere of 10 cells and 20,000 triangles stand off by 0.002.
constexpr double kSampleTolerance = 0.01;
constexpr double kFarSlack = 0.02;      // of the distance, beside the lattice
constexpr double kCreaseCosine = 0.77;  // of 40°: triangles that meet at a larger angle have an edge between them

// At each corner of a triangle the mean of the normals, weighed by area, of those triangles around it that make no edge
// with it.
std::vector<std::array<Vec<float, 3>, 3>> normals_of_corners(const TriangleMesh& mesh) {
    std::vector<Vec<double, 3>> areas;
    std::vector<std::uint32_t> first(mesh.positions.size() + 1);  // of the triangles around each vertex
    for (const auto& corner : mesh.triangles) {
        const Vec<double, 3> a(mesh.positions[corner[0]]), b(mesh.positions[corner[1]]), c(mesh.positions[corner[2]]);
        areas.push_back(cross(b - a, c - a) * 0.5);
        for (int k = 0; k < 3; ++k) ++first[corner[k] + 1];
    }
    for (std::size_t v = 1; v < first.size(); ++v) first[v] += first[v - 1];
    std::vector<std::uint32_t> around(first.back()), filled(first.begin(), first.end() - 1);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
        for (int k = 0; k < 3; ++k) around[filled[mesh.triangles[t][k]]++] = t;

    std::vector<std::array<Vec<float, 3>, 3>> normals(mesh.triangles.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t vertex = mesh.triangles[t][static_cast<int>(k)];
            Vec<double, 3> sum;
            for (std::uint32_t n = first[vertex]; n < first[vertex + 1]; ++n) {
                const Vec<double, 3>& other = areas[around[n]];
                if (dot(other, areas[t]) >= kCreaseCosine * length(other) * length(areas[t])) sum += other;
            }
            const double size = length(sum);
            if (size > 0) normals[t][k] = Vec<float, 3>(sum / size);
        }
    return normals;
}

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

MeshDistance::MeshDistance(TriangleMesh mesh, MeshKind kind, double thickness, double cell)
    : mesh_(oriented(std::move(mesh))),
      kind_(kind),
      half_thickness_(kind == MeshKind::sheet ? 0.5 * thickness : 0),
      closed_(kind == MeshKind::sheet || has_no_border(mesh_)),
      tree_(mesh_),
      corner_normals_(normals_of_corners(mesh_)),
      for_cells_(cell > 0 && closed_) {
    if (!for_cells_ && mesh_.triangles.size() < kFewTriangles) return;
    const Box<double, 3> box = bounding_box();
    const double longest = std::max({box.size()[0], box.size()[1], box.size()[2]});
    if (!(longest > 0) || !std::isfinite(longest)) return;
    MeshLattice::Extent extent{.box = box, .spacing = longest / kLatticeCells, .margin = kLatticeMargin * longest};
    if (for_cells_) {
        const double reach = kReachCells * cell;
        extent = {.box = box, .spacing = cell, .margin = reach, .reach = reach + half_thickness_};
    }
    lattice_ = MeshLattice(tree_, extent, closed_ && kind_ == MeshKind::volume);
    if (for_cells_ && kind_ == MeshKind::volume) {
        // Up to where no exact distance is asked for, and the far corner of the lattice cell there.
        const double reach = (kExactCells + kBlendCells) * lattice_.spacing() + 2 * std::sqrt(3.0) * lattice_.spacing();
        lattice_.keep_samples({tree_, [this](const Vec<double, 3>& p) { return signed_distance(p); }}, mesh_, reach,
                              kSampleTolerance * cell);
    }
}

// Linear between the corners of the nearest triangle.
Vec<double, 3> MeshDistance::smooth_normal(const Vec<double, 3>& p) const {
    const MeshLattice::Known known = lattice_.known_at(p);
    const auto nearest = tree_.nearest(p, known.within, {.near = known.near});
    if (!nearest) return {};
    const auto& corner = mesh_.triangles[nearest->triangle];
    const Vec<double, 3> a(mesh_.positions[corner[0]]), b(mesh_.positions[corner[1]]), c(mesh_.positions[corner[2]]);
    const Vec<double, 3> area = cross(b - a, c - a);
    const double square = dot(area, area);
    const auto& normals = corner_normals_[nearest->triangle];
    if (!(square > 0)) return Vec<double, 3>(normals[0]);
    const double wa = dot(cross(b - nearest->point, c - nearest->point), area) / square;
    const double wb = dot(cross(c - nearest->point, a - nearest->point), area) / square;
    Vec<double, 3> normal =
        Vec<double, 3>(normals[0]) * wa + Vec<double, 3>(normals[1]) * wb + Vec<double, 3>(normals[2]) * (1 - wa - wb);
    // A sheet has two sides, and a mesh turned inside out has its normals inside: p is where they must point to.
    const Vec<double, 3> out = p - nearest->point;
    const double size = length(normal), off = length(out);
    if (!(size > 0)) return {};
    if (off > 1e-9 * (1 + length(p)) && dot(normal, out) < 0) normal = -normal;
    return normal / size;
}

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
    const MeshLattice::Known known = lattice_.known_at(p);
    const auto nearest = tree_.nearest(p, known.within, {.near = known.near});
    if (!nearest) return std::numeric_limits<double>::infinity();
    const std::optional<int> winding = lattice_.winding_number(tree_, p);
    const bool is_inside = winding ? *winding != 0 : inside(p);
    return is_inside ? -nearest->distance : nearest->distance - half_thickness_;
}

double MeshDistance::bounded_distance(const Vec<double, 3>& p) const {
    if (!for_cells_ || lattice_.empty()) return signed_distance(p);
    if (const std::optional<double> sampled = lattice_.sampled_distance(p)) return *sampled;
    const std::optional<double> least = lattice_.lower_bound(p);
    if (!least) {
        const auto nearest = tree_.nearest(p, std::numeric_limits<double>::infinity(), {.slack = kFarSlack});
        return nearest ? (1 - kFarSlack) * nearest->distance - half_thickness_
                       : std::numeric_limits<double>::infinity();
    }
    const double h = lattice_.spacing(), off = *least - half_thickness_;
    const double weight = std::clamp((off / h - kExactCells) / kBlendCells, 0.0, 1.0);
    if (weight == 0) return signed_distance(p);
    const double far = lattice_.winding_number(tree_, p).value_or(0) != 0 ? -off : off;
    return weight == 1 ? far : far + (1 - weight) * (signed_distance(p) - far);
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

// SPDX-License-Identifier: Apache-2.0
#include "geometry/mesh_lattice.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace spindrift {
namespace {

constexpr double kSlack = 0.005;    // of the distance: nodes need not know it better
constexpr double kMostNodes = 1e6;  // 9 bytes each, 26 with samples
constexpr int kBlock = 8;           // nodes a side; each search in it starts from the last

// A rough look will do, unless it finds the answer in doubt.
int whole_winding_number(const TriangleTree& tree, const Vec<double, 3>& p) {
    const double rough = tree.winding_number(p, 1.2);
    const double sure = std::abs(rough - std::round(rough)) > 0.25 ? tree.winding_number(p) : rough;
    return static_cast<int>(std::clamp(std::round(sure), -100.0, 100.0));
}

}  // namespace

MeshLattice::MeshLattice(const TriangleTree& tree, const Extent& extent, bool is_closed) {
    const Box<double, 3> box = extent.box.expanded(extent.margin);
    double dx = extent.spacing;
    const auto nodes = [&](int axis) { return std::ceil(box.size()[axis] / dx) + 1; };
    while (nodes(0) * nodes(1) * nodes(2) > kMostNodes) dx *= 1.1;
    grid_ = {.origin = box.lo, .dx = dx};
    for (int a = 0; a < 3; ++a) size_[a] = static_cast<int>(nodes(a));
    const auto count = static_cast<std::size_t>(product(size_));
    distances_.resize(count);
    nearest_.resize(count);
    if (is_closed) windings_.resize(count);

    const Index<3> blocks = map([](int n) { return (n + kBlock - 1) / kBlock; }, size_);
    parallel_blocks(static_cast<std::size_t>(product(blocks)), [&](std::size_t block) {
        const int b = static_cast<int>(block);
        const Index<3> at(b / (blocks[1] * blocks[2]), b / blocks[2] % blocks[1], b % blocks[2]);
        fill_block(tree, at * kBlock, extent.reach, is_closed);
    });
}

// Along each axis the node before bounds the distance, and tells the winding number where no triangle can lie between.
void MeshLattice::fill_block(const TriangleTree& tree, const Index<3>& first, double reach, bool is_closed) {
    const Index<3> last = min(first + Index<3>(kBlock), size_);
    for_each_index(IndexBox<3>{first, last}, [&](const Index<3>& node) {
        const std::size_t here = offset(node);
        TriangleTree::Start start{.slack = kSlack};
        double within = reach;
        int axis = 2;
        while (axis >= 0 && node[axis] == first[axis]) --axis;
        const std::size_t before = axis < 0 ? here : offset(node - unit<3>(axis));
        if (axis >= 0 && nearest_[before] != kNone) start.near = nearest_[before];

        const auto found = tree.nearest(place(node), within, start);
        nearest_[here] = found ? found->place : kNone;
        const double bound = found ? (1 - kSlack) * found->distance : within;
        distances_[here] = static_cast<float>(bound * (1 - 1e-6));
        if (!is_closed) return;
        const bool same = axis >= 0 && std::max(double{distances_[here]}, double{distances_[before]}) > grid_.dx;
        windings_[here] = same ? windings_[before] : static_cast<std::int8_t>(whole_winding_number(tree, place(node)));
    });
}

bool MeshLattice::find(const Vec<double, 3>& p, Index<3>& node) const {
    const Vec<double, 3> at = grid_.cell_from_world(p);
    for (int a = 0; a < 3; ++a) {
        if (!(at[a] > -0.5 && at[a] < size_[a] - 0.5)) return false;
        node[a] = std::clamp(static_cast<int>(std::floor(at[a] + 0.5)), 0, size_[a] - 1);
    }
    return true;
}

MeshLattice::Known MeshLattice::known_at(const Vec<double, 3>& p) const {
    Known known;
    Index<3> node;
    if (empty() || !find(p, node) || nearest_[offset(node)] == kNone) return known;
    known.near = nearest_[offset(node)];
    known.within = (distances_[offset(node)] / (1 - kSlack) + length(p - place(node))) * (1 + 1e-5) + 1e-5 * grid_.dx;
    return known;
}

std::optional<double> MeshLattice::lower_bound(const Vec<double, 3>& p) const {
    Index<3> node;
    Vec<double, 3> part;
    if (!find_cell(p, node, part)) return std::nullopt;
    const double h = grid_.dx, diagonal = std::sqrt(3.0) * h;
    const auto bound = [&](std::size_t i) {
        const double d = distances_[i];
        return d - 0.375 * h * h / std::max(d - diagonal, 0.5 * h);
    };
    const auto along_z = [&](std::size_t i) { return bound(i) + part[2] * (bound(i + 1) - bound(i)); };
    const std::size_t z = static_cast<std::size_t>(size_[2]), corner = offset(node);
    const auto along_y = [&](std::size_t i) {
        const double low = along_z(i);
        return low + part[1] * (along_z(i + z) - low);
    };
    const double low = along_y(corner);
    return low + part[0] * (along_y(corner + z * static_cast<std::size_t>(size_[1])) - low);
}

double MeshLattice::interpolated(const Index<3>& node, const Vec<double, 3>& part) const {
    const auto z = static_cast<std::size_t>(size_[2]), x = z * static_cast<std::size_t>(size_[1]);
    const Sample* corner = samples_.data() + offset(node);
    const double h = 0.5 * grid_.dx;
    double sum = 0;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            const Sample* row = corner + static_cast<std::size_t>(i) * x + static_cast<std::size_t>(j) * z;
            const double weight = (i == 0 ? 1 - part[0] : part[0]) * (j == 0 ? 1 - part[1] : part[1]);
            double value[2];
            for (int k = 0; k < 2; ++k) {
                const Vec<float, 3>& g = row[k].gradient;
                value[k] = row[k].distance + h * (g[0] * (part[0] - i) + g[1] * (part[1] - j) + g[2] * (part[2] - k));
            }
            sum += weight * (value[0] + part[2] * (value[1] - value[0]));
        }
    return sum;
}

// Where the gradients of the corners disagree there is an edge, the middle of a wall, or something between the nodes.
// Elsewhere the middle and four places around it, corners of a tetrahedron, tell.
bool MeshLattice::is_smooth(const Index<3>& node, const Exact& exact, double tolerance) const {
    constexpr double kAgree = 0.7;  // cosine of 45°
    const Vec<float, 3>& first = samples_[offset(node)].gradient;
    bool agree = true;
    for_each_index(IndexBox<3>{Index<3>(0), Index<3>(2)}, [&](const Index<3>& corner) {
        agree &= dot(first, samples_[offset(node + corner)].gradient) > kAgree;
    });
    if (!agree) return false;
    constexpr double kNear = 0.2, kFar = 0.8;
    for (const Vec<double, 3>& part : {Vec<double, 3>(0.5), Vec<double, 3>(kNear), Vec<double, 3>(kNear, kFar, kFar),
                                       Vec<double, 3>(kFar, kNear, kFar), Vec<double, 3>(kFar, kFar, kNear)})
        if (!(std::abs(interpolated(node, part) - exact.distance(grid_.world_from_cell(Vec<double, 3>(node) + part))) <
              tolerance))
            return false;
    return true;
}

// The gradient points away from the nearest triangle; on the surface itself differences tell it.
MeshLattice::Sample MeshLattice::sample_at(const Vec<double, 3>& p, const Exact& exact) const {
    constexpr double kOnSurface = 0.01;  // in lattice cells
    const double distance = exact.distance(p), step = kOnSurface * grid_.dx;
    Vec<double, 3> gradient;
    const Known known = known_at(p);
    const auto nearest = exact.tree.nearest(p, known.within, {.near = known.near});
    if (nearest && std::abs(distance) > step) {
        gradient = (p - nearest->point) / distance;
    } else {
        for (int a = 0; a < 3; ++a) {
            Vec<double, 3> aside;
            aside[a] = step;
            gradient[a] = (exact.distance(p + aside) - exact.distance(p - aside)) / (2 * step);
        }
    }
    return {static_cast<float>(distance), Vec<float, 3>(gradient)};
}

void MeshLattice::keep_samples(const Exact& exact, const TriangleMesh& mesh, double reach, double tolerance) {
    const auto layers = static_cast<std::size_t>(size_[0]), count = distances_.size();
    samples_.resize(count);
    const auto is_near = [&](const Index<3>& node) { return distances_[offset(node)] <= reach; };
    parallel_blocks(layers, [&](std::size_t layer) {
        const int x = static_cast<int>(layer);
        for_each_index(IndexBox<3>{{x, 0, 0}, {x + 1, size_[1], size_[2]}}, [&](const Index<3>& node) {
            if (is_near(node)) samples_[offset(node)] = sample_at(place(node), exact);
        });
    });

    smooth_.assign(count, 0);
    parallel_blocks(layers - 1, [&](std::size_t layer) {
        const int x = static_cast<int>(layer);
        for_each_index(IndexBox<3>{{x, 0, 0}, {x + 1, size_[1] - 1, size_[2] - 1}}, [&](const Index<3>& node) {
            bool known = true;
            for_each_index(IndexBox<3>{Index<3>(0), Index<3>(2)},
                           [&](const Index<3>& corner) { known &= is_near(node + corner); });
            if (known && is_smooth(node, exact, tolerance)) smooth_[offset(node)] = 1;
        });
    });

    // A bump that no node and no place between them has seen has corners.
    for (const Vec<float, 3>& vertex : mesh.positions) {
        Index<3> node;
        Vec<double, 3> part;
        if (!find_cell(Vec<double, 3>(vertex), node, part) || smooth_[offset(node)] == 0) continue;
        const double off = std::abs(exact.distance(Vec<double, 3>(vertex)) - interpolated(node, part));
        if (!(off < tolerance)) smooth_[offset(node)] = 0;
    }
}

std::optional<int> MeshLattice::winding_number(const TriangleTree& tree, const Vec<double, 3>& p) const {
    Index<3> node;
    if (windings_.empty() || !find(p, node)) return std::nullopt;
    const int there = windings_[offset(node)];
    if (distances_[offset(node)] > length(p - place(node))) return there;
    const std::optional<int> more = tree.crossings(place(node), p);
    return more ? std::optional(there + *more) : std::nullopt;
}

}  // namespace spindrift

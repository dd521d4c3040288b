// SPDX-License-Identifier: Apache-2.0
#include "geometry/mesh_lattice.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace spindrift {
namespace {

constexpr double kSlack = 0.005;    // of the distance: nodes need not know it better
constexpr double kMostNodes = 1e6;  // 9 bytes each
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
    const Vec<double, 3> at = grid_.cell_from_world(p);
    Index<3> node;
    Vec<double, 3> part;
    for (int a = 0; a < 3; ++a) {
        if (!(at[a] >= 0 && at[a] <= size_[a] - 1)) return std::nullopt;
        node[a] = std::min(static_cast<int>(at[a]), size_[a] - 2);
        part[a] = at[a] - node[a];
    }
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

std::optional<int> MeshLattice::winding_number(const TriangleTree& tree, const Vec<double, 3>& p) const {
    Index<3> node;
    if (windings_.empty() || !find(p, node)) return std::nullopt;
    const int there = windings_[offset(node)];
    if (distances_[offset(node)] > length(p - place(node))) return there;
    const std::optional<int> more = tree.crossings(place(node), p);
    return more ? std::optional(there + *more) : std::nullopt;
}

}  // namespace spindrift

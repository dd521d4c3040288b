// SPDX-License-Identifier: Apache-2.0
#include "linear/null_space.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/disjoint_sets.h"

namespace spindrift {
namespace {

constexpr std::uint16_t kNoUnknown = 0xffff;

// The pieces of one tile: labels 0, 1, … in the order of their first cells.
template <int Dim>
struct Pieces {
    std::array<std::uint16_t, kTileCells<Dim>> label;  // where there are several
    std::vector<bool> held;                            // per piece: touches ground
};

// Cells with an unknown, and those joined to one below them along some axis inside the tile.
template <int Dim>
void find_links(const TileSystem<Dim>& system, std::array<std::uint8_t, kTileCells<Dim>>& unknown,
                std::array<std::uint8_t, kTileCells<Dim>>& linked) {
    std::uint8_t *is_unknown = unknown.data(), *is_linked = linked.data();
    for (int n = 0; n < kTileCells<Dim>; ++n) is_unknown[n] = system.ground[n] > 0 ? 1 : 0;
    linked.fill(0);
    for (int axis = 0; axis < Dim; ++axis) {
        const float *lower = system.lower[axis], *upper = system.upper[axis];
        const int stride = tile_stride<Dim>(axis), slab = stride * kTileSide, last = slab - stride;
        for (int n = 0; n < kTileCells<Dim>; ++n) is_unknown[n] |= lower[n] > 0 ? 1 : 0;
        for (int at = 0; at < kTileCells<Dim>; at += slab) {
            for (int n = at; n < at + last; ++n) is_unknown[n] |= lower[n + stride] > 0 ? 1 : 0;
            const float* beyond = upper + at / kTileSide;
            for (int n = 0; n < stride; ++n) is_unknown[at + last + n] |= beyond[n] > 0 ? 1 : 0;
            for (int n = at + stride; n < at + slab; ++n) is_linked[n] |= lower[n] > 0 ? 1 : 0;
        }
    }
}

// From cell to cell below, every path ends at a cell that is not linked: where there is one of these, there is one
// piece.
template <int Dim>
bool is_one_piece(const TileSystem<Dim>& system) {
    std::array<std::uint8_t, kTileCells<Dim>> unknown, linked;
    find_links(system, unknown, linked);
    int ends = 0;
    for (std::size_t n = 0; n < unknown.size(); ++n) ends += unknown[n] & (linked[n] ^ 1);
    return ends == 1;
}

template <int Dim>
Pieces<Dim> find_pieces(const TileSystem<Dim>& system) {
    Pieces<Dim> pieces;
    if (is_one_piece(system)) {
        pieces.held.push_back(
            std::any_of(system.ground, system.ground + kTileCells<Dim>, [](float g) { return g > 0; }));
        return pieces;
    }
    std::array<std::uint16_t, kTileCells<Dim>> parent;
    std::iota(parent.begin(), parent.end(), std::uint16_t{0});
    std::array<bool, kTileCells<Dim>> unknown{};
    for (int cell = 0; cell < kTileCells<Dim>; ++cell) {
        const auto n = static_cast<std::size_t>(cell);
        const Index<Dim> at = cell_in_tile<Dim>(cell);
        unknown[n] = system.ground[n] > 0;
        for (int axis = 0; axis < Dim; ++axis) {
            const float below = system.lower[axis][n];
            if (below > 0 || system.upper_of(axis, cell) > 0) unknown[n] = true;
            if (below > 0 && at[axis] > 0) join(parent, n, n - static_cast<std::size_t>(tile_stride<Dim>(axis)));
        }
    }
    for (std::size_t n = 0; n < parent.size(); ++n) {
        pieces.label[n] = kNoUnknown;
        if (!unknown[n]) continue;
        const std::size_t root = root_of(parent, n);
        if (root == n) {
            pieces.label[n] = static_cast<std::uint16_t>(pieces.held.size());
            pieces.held.push_back(false);
        } else {
            pieces.label[n] = pieces.label[root];
        }
        if (system.ground[n] > 0) pieces.held[pieces.label[n]] = true;
    }
    return pieces;
}

}  // namespace

template <int Dim>
NullSpace<Dim>::NullSpace(const PoissonOperator<Dim>& a) : a_(a) {
    if (a.mass() > 0) return;
    const Tiles<Dim>& tiles = a.tiles();

    // Pieces of every tile.  A uniform tile is a single one, not held.
    std::vector<Pieces<Dim>> found(tiles.count());
    for_each_tile(tiles, [&](Slot slot) {
        if (a.is_uniform(slot) || a.is_empty(slot)) return;
        TileSystem<Dim> system;
        a.expand(slot, system);
        found[static_cast<std::size_t>(slot)] = find_pieces(system);
    });
    first_piece_.resize(tiles.count() + 1);
    label_block_.assign(tiles.count(), kOneLabel);
    std::vector<bool> held;
    for (std::size_t n = 0; n < tiles.count(); ++n) {
        first_piece_[n] = static_cast<std::uint32_t>(held.size());
        if (a.is_uniform(static_cast<Slot>(n)))
            held.push_back(false);
        else
            held.insert(held.end(), found[n].held.begin(), found[n].held.end());
        if (found[n].held.size() > 1) {
            label_block_[n] = static_cast<std::uint32_t>(labels_.size() / kTileCells<Dim>);
            labels_.insert(labels_.end(), found[n].label.begin(), found[n].label.end());
        }
    }
    first_piece_.back() = static_cast<std::uint32_t>(held.size());
    found.clear();

    // Join pieces across the sides of tiles.
    std::vector<std::uint32_t> parent(held.size());
    std::iota(parent.begin(), parent.end(), 0U);
    const auto piece_at = [&](Slot slot, int cell) {
        const auto n = static_cast<std::size_t>(slot);
        const std::uint32_t block = label_block_[n];
        return first_piece_[n] +
               (block == kOneLabel ? 0 : labels_[block * kTileCells<Dim> + static_cast<std::size_t>(cell)]);
    };
    TileSystem<Dim> system;
    for (std::size_t n = 0; n < tiles.count(); ++n) {
        const auto slot = static_cast<Slot>(n);
        if (a.is_empty(slot)) continue;
        const bool uniform = a.is_uniform(slot);
        if (!uniform) a.expand(slot, system);
        for (int axis = 0; axis < Dim; ++axis) {
            const Slot below = tiles.neighbour(slot, side_neighbour<Dim>(axis, false));
            if (below == kNoTile || a.is_empty(below)) continue;
            if (uniform && a.is_closed(slot, axis, false)) continue;
            const int stride = tile_stride<Dim>(axis);
            for (int side = 0; side < TileSystem<Dim>::kSideCells; ++side) {
                const int cell = first_layer_cell<Dim>(axis, side);
                if (!uniform && !(system.lower[axis][cell] > 0)) continue;
                join(parent, piece_at(slot, cell), piece_at(below, cell + stride * (kTileSide - 1)));
                if (uniform && label_block_[static_cast<std::size_t>(below)] == kOneLabel) break;
            }
        }
    }

    // A region is held if any of its pieces is; number the free ones in the order of their first pieces.
    for (std::size_t p = 0; p < held.size(); ++p)
        if (held[p]) held[root_of(parent, p)] = true;
    piece_region_.assign(held.size(), kHeld);
    for (std::size_t p = 0; p < held.size(); ++p) {
        const std::size_t root = root_of(parent, p);
        if (held[root]) continue;
        if (root == p) {
            piece_region_[p] = static_cast<std::int32_t>(region_cells_.size());
            region_cells_.push_back(0);
        }
        piece_region_[p] = piece_region_[root];
    }
    if (region_cells_.empty()) return;

    // Their sizes: the sum of ones.
    const std::vector<double> sums = region_sums([](Slot, int) { return 1.0; });
    for (std::size_t r = 0; r < sums.size(); ++r) region_cells_[r] = static_cast<std::uint64_t>(sums[r]);
}

template <int Dim>
template <class Value>
std::vector<double> NullSpace<Dim>::region_sums(Value&& value) const {
    // Pieces belong to tiles and are summed in parallel; regions collect their pieces in order.
    std::vector<double> piece_sum(piece_region_.size(), 0.0);
    for_each_tile(a_.tiles(), [&](Slot slot) {
        for_each_free_cell(slot, [&](int cell, std::uint32_t piece) { piece_sum[piece] += value(slot, cell); });
    });
    std::vector<double> sums(region_cells_.size(), 0.0);
    for (std::size_t p = 0; p < piece_sum.size(); ++p)
        if (piece_region_[p] != kHeld) sums[static_cast<std::size_t>(piece_region_[p])] += piece_sum[p];
    return sums;
}

template <int Dim>
template <class F>
void NullSpace<Dim>::for_each_free_cell(Slot slot, F&& f) const {
    const auto n = static_cast<std::size_t>(slot);
    const std::uint32_t first = first_piece_[n], end = first_piece_[n + 1];
    bool any_free = false;
    for (std::uint32_t p = first; p < end; ++p) any_free |= piece_region_[p] != kHeld;
    if (!any_free) return;
    const std::uint32_t block = label_block_[n];
    if (block != kOneLabel) {
        for (int cell = 0; cell < kTileCells<Dim>; ++cell) {
            const std::uint16_t label = labels_[block * kTileCells<Dim> + static_cast<std::size_t>(cell)];
            if (label != kNoUnknown && piece_region_[first + label] != kHeld) f(cell, first + label);
        }
        return;
    }
    if (a_.is_uniform(slot)) {
        for (int cell = 0; cell < kTileCells<Dim>; ++cell) f(cell, first);
        return;
    }
    TileSystem<Dim> system;
    a_.expand(slot, system);
    for (int cell = 0; cell < kTileCells<Dim>; ++cell) {
        float conductance = 0;
        for (int axis = 0; axis < Dim; ++axis) conductance += system.lower[axis][cell] + system.upper_of(axis, cell);
        if (conductance > 0) f(cell, first);
    }
}

template <int Dim>
void NullSpace<Dim>::remove_means(Field<float, Dim>& field) const {
    check_same_tiles("remove_means", "the operator", a_.tiles(), "the field", field.tiles());
    if (region_cells_.empty()) return;
    std::vector<double> mean =
        region_sums([&](Slot slot, int cell) { return static_cast<double>(field.tile(slot)[cell]); });
    for (std::size_t r = 0; r < mean.size(); ++r) mean[r] /= static_cast<double>(region_cells_[r]);
    for_each_tile(a_.tiles(), [&](Slot slot) {
        for_each_free_cell(slot, [&](int cell, std::uint32_t piece) {
            // In double: a mean much larger than what varies, rounded, would leave a part of itself everywhere.
            float& value = field.tile(slot)[cell];
            value = static_cast<float>(value - mean[static_cast<std::size_t>(piece_region_[piece])]);
        });
    });
}

template class NullSpace<2>;
template class NullSpace<3>;

}  // namespace spindrift

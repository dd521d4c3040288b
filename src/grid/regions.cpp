// SPDX-License-Identifier: Apache-2.0
#include "grid/regions.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/disjoint_sets.h"
#include "grid/beside.h"

namespace spindrift {
namespace {

// Whether no face between cells of the tile is closed.
template <int Dim>
bool is_open_inside(const FaceField<Dim>& open_part, Slot slot) {
    for (int axis = 0; axis < Dim; ++axis) {
        const float* open = open_part[axis].tile(slot);
        const int stride = tile_stride<Dim>(axis), slab = stride * kTileSide;
        int closed = 0;
        for (int at = 0; at < kTileCells<Dim>; at += slab)
            for (int n = at + stride; n < at + slab; ++n) closed += open[n] > 0 ? 0 : 1;
        if (closed > 0) return false;
    }
    return true;
}

// Numbers the pieces of a tile, whose cells are marked, in the order of their first cells; returns how many.
template <int Dim>
std::size_t label_tile(std::uint16_t* label, const FaceField<Dim>& open_part, Slot slot) {
    constexpr std::uint16_t kUnmarked = Regions<Dim>::kUnmarked;
    const auto count = std::count(label, label + kTileCells<Dim>, std::uint16_t{0});
    if (count == 0) return 0;
    if (count == kTileCells<Dim> && is_open_inside(open_part, slot)) return 1;
    std::array<std::uint16_t, kTileCells<Dim>> parent;
    std::iota(parent.begin(), parent.end(), std::uint16_t{0});
    for (int axis = 0; axis < Dim; ++axis) {
        const float* open = open_part[axis].tile(slot);
        const int stride = tile_stride<Dim>(axis), slab = stride * kTileSide;
        for (int at = 0; at < kTileCells<Dim>; at += slab)
            for (int n = at + stride; n < at + slab; ++n)
                if (label[n] == 0 && label[n - stride] == 0 && open[n] > 0)
                    join(parent, static_cast<std::size_t>(n), static_cast<std::size_t>(n - stride));
    }
    std::size_t pieces = 0;
    for (int n = 0; n < kTileCells<Dim>; ++n) {
        if (label[n] == kUnmarked) continue;
        const std::size_t root = root_of(parent, static_cast<std::size_t>(n));
        label[n] = root == static_cast<std::size_t>(n) ? static_cast<std::uint16_t>(pieces++) : label[root];
    }
    return pieces;
}

// The first piece of each piece's region.
template <int Dim>
std::vector<std::uint32_t> join_across_tiles(const Regions<Dim>& regions, const FaceField<Dim>& open_part) {
    std::vector<std::uint32_t> parent(regions.first_piece.back());
    std::iota(parent.begin(), parent.end(), 0U);
    const Tiles<Dim>& tiles = regions.piece.tiles();
    const auto number = [&](Slot slot, int cell) {
        return regions.first_piece[static_cast<std::size_t>(slot)] + regions.piece.tile(slot)[cell];
    };
    for (std::size_t n = 0; n < tiles.count(); ++n) {
        if (regions.first_piece[n] == regions.first_piece[n + 1]) continue;
        const auto slot = static_cast<Slot>(n);
        for (int axis = 0; axis < Dim; ++axis) {
            const Slot below = tiles.neighbour(slot, side_neighbour<Dim>(axis, false));
            if (below == kNoTile) continue;
            const float* open = open_part[axis].tile(slot);
            const int to_below = tile_stride<Dim>(axis) * (kTileSide - 1);
            for (int side = 0; side < kTileCells<Dim> / kTileSide; ++side) {
                const int cell = first_layer_cell<Dim>(axis, side);
                if (open[cell] > 0 && regions.is_marked(slot, cell) && regions.is_marked(below, cell + to_below))
                    join(parent, number(slot, cell), number(below, cell + to_below));
            }
        }
    }
    for (std::size_t p = 0; p < parent.size(); ++p) parent[p] = static_cast<std::uint32_t>(root_of(parent, p));
    return parent;
}

}  // namespace

template <int Dim>
Regions<Dim> connected_regions(const FaceField<Dim>& open, const std::function<void(Slot, std::uint16_t*)>& mark) {
    const Tiles<Dim>& tiles = open.tiles();
    Regions<Dim> regions;
    regions.piece = Field<std::uint16_t, Dim>::unfilled(open.tiles_ptr(), Regions<Dim>::kUnmarked);
    std::vector<std::size_t> pieces(tiles.count());
    for_each_tile(tiles, [&](Slot slot) {
        mark(slot, regions.piece.tile(slot));
        pieces[static_cast<std::size_t>(slot)] = label_tile(regions.piece.tile(slot), open, slot);
    });
    regions.first_piece.assign(1, 0);
    for (const std::size_t here : pieces) regions.first_piece.push_back(regions.first_piece.back() + here);

    // Roots are the least of their sets, so that a region is numbered before any other piece of it is met.
    const std::vector<std::uint32_t> root = join_across_tiles(regions, open);
    regions.region_of.resize(root.size());
    for (std::size_t p = 0; p < root.size(); ++p)
        regions.region_of[p] = root[p] == p ? static_cast<std::uint32_t>(regions.count++) : regions.region_of[root[p]];
    return regions;
}

template struct Regions<2>;
template struct Regions<3>;
template Regions<2> connected_regions(const FaceField<2>&, const std::function<void(Slot, std::uint16_t*)>&);
template Regions<3> connected_regions(const FaceField<3>&, const std::function<void(Slot, std::uint16_t*)>&);

}  // namespace spindrift

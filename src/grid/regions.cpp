// SPDX-License-Identifier: Apache-2.0
#include "grid/regions.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/disjoint_sets.h"
#include "grid/beside.h"

namespace spindrift {
namespace {

// Whether all marked cells of a tile are one piece: from cell to cell below, every path ends at a cell that is not
// joined to one below it, and there is one of these.
template <int Dim>
bool is_one_piece(const std::uint16_t* label, const TileFaces& open_faces, Slot slot) {
    std::array<std::uint8_t, kTileCells<Dim>> is_end;
    for (std::size_t n = 0; n < is_end.size(); ++n) is_end[n] = label[n] == 0 ? 1 : 0;
    for (int axis = 0; axis < Dim; ++axis) {
        const float* open = open_faces(slot, axis, false);
        const int stride = tile_stride<Dim>(axis), slab = stride * kTileSide;
        for (int at = 0; at < kTileCells<Dim>; at += slab)
            for (int n = at + stride; n < at + slab; ++n)
                is_end[static_cast<std::size_t>(n)] &= open[n] > 0 && label[n - stride] == 0 ? 0 : 1;
    }
    int ends = 0;
    for (const std::uint8_t end : is_end) ends += end;
    return ends == 1;
}

// Numbers the pieces of a tile, whose cells are marked, in the order of their first cells; returns how many.
template <int Dim>
std::size_t label_tile(std::uint16_t* label, const TileFaces& open_faces, Slot slot) {
    constexpr std::uint16_t kUnmarked = Regions<Dim>::kUnmarked;
    if (std::find(label, label + kTileCells<Dim>, std::uint16_t{0}) == label + kTileCells<Dim>) return 0;
    if (is_one_piece<Dim>(label, open_faces, slot)) return 1;
    std::array<std::uint16_t, kTileCells<Dim>> parent;
    std::iota(parent.begin(), parent.end(), std::uint16_t{0});
    for (int axis = 0; axis < Dim; ++axis) {
        const float* open = open_faces(slot, axis, false);
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
std::vector<std::uint32_t> join_across_tiles(const Regions<Dim>& regions, const TileFaces& open_faces) {
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
            const float* open = open_faces(slot, axis, true);
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

// The coordinates of tiles of a box, as far as tiles go and one more: beyond that every tile is missing.
template <int Dim>
struct TileBox {
    IndexBox<Dim> all;       // of the box
    IndexBox<Dim> searched;  // those of them that are looked at
    Index<Dim> period;

    TileBox(const Tiles<Dim>& tiles, const IndexBox<Dim>& box) : all(tile_box(box)), period(tiles.period()) {
        for (int axis = 0; axis < Dim; ++axis)
            if (period[axis] > 0) all.lo[axis] = 0, all.hi[axis] = period[axis];
        searched = intersection(all, tile_box(tiles.cell_bounds()).expanded(1));
    }
    static IndexBox<Dim> tile_box(const IndexBox<Dim>& cells) {
        return {tile_of_cell(cells.lo), tile_of_cell(cells.hi - Index<Dim>(1)) + Index<Dim>(1)};
    }

    std::size_t count() const {
        std::size_t product = 1;
        for (int axis = 0; axis < Dim; ++axis) product *= static_cast<std::size_t>(searched.size()[axis]);
        return product;
    }
    std::size_t number(const Index<Dim>& at) const {
        std::size_t n = 0;
        for (int axis = 0; axis < Dim; ++axis)
            n = n * static_cast<std::size_t>(searched.size()[axis]) +
                static_cast<std::size_t>(at[axis] - searched.lo[axis]);
        return n;
    }
    // Cells of the box in a missing tile, and in those beyond it that are not looked at.
    double cells(const Index<Dim>& at, const IndexBox<Dim>& box) const {
        double product = 1;
        for (int axis = 0; axis < Dim; ++axis) {
            const int first = at[axis] == searched.lo[axis] ? all.lo[axis] : at[axis];
            const int last = at[axis] == searched.hi[axis] - 1 ? all.hi[axis] - 1 : at[axis];
            product *= std::min(box.hi[axis], (last + 1) * kTileSide) - std::max(box.lo[axis], first * kTileSide);
        }
        return product;
    }
};

// Joins the missing tiles that lie next to each other; their numbers begin at `first`.
template <int Dim>
void join_missing_tiles(std::vector<std::uint32_t>& parent, std::size_t first, const std::vector<bool>& is_missing,
                        const TileBox<Dim>& tile_box, const Tiles<Dim>& tiles) {
    for_each_index(tile_box.searched, [&](const Index<Dim>& at) {
        if (!is_missing[tile_box.number(at)]) return;
        for (int axis = 0; axis < Dim; ++axis) {
            const Index<Dim> below = tiles.wrapped(at - unit<Dim>(axis));
            if (tile_box.searched.contains(below) && is_missing[tile_box.number(below)])
                join(parent, first + tile_box.number(at), first + tile_box.number(below));
        }
    });
}

// Calls touch(region, coordinate) for the marked cells of a tile that lie next to a missing one.
template <int Dim, class F>
void for_each_missing_neighbour(const Regions<Dim>& regions, Slot slot, F&& touch) {
    const Tiles<Dim>& tiles = regions.piece.tiles();
    for (int axis = 0; axis < Dim; ++axis)
        for (const bool above : {false, true}) {
            if (tiles.neighbour(slot, side_neighbour<Dim>(axis, above)) != kNoTile) continue;
            const Index<Dim> at = tiles.wrapped(tiles.coordinate(slot) + unit<Dim>(axis) * (above ? 1 : -1));
            const int to_layer = above ? tile_stride<Dim>(axis) * (kTileSide - 1) : 0;
            for (int side = 0; side < kTileCells<Dim> / kTileSide; ++side) {
                const int cell = first_layer_cell<Dim>(axis, side) + to_layer;
                if (regions.is_marked(slot, cell)) touch(regions.at(slot, cell), at);
            }
        }
}

}  // namespace

template <int Dim>
RegionGroups<Dim> grouped_regions(const Regions<Dim>& regions, const IndexBox<Dim>& box) {
    const Tiles<Dim>& tiles = regions.piece.tiles();
    RegionGroups<Dim> groups;
    if (regions.count == 0) return groups;
    const TileBox<Dim> tile_box(tiles, box);
    std::vector<bool> is_missing(tile_box.count(), true);
    for (std::size_t n = 0; n < tiles.count(); ++n)
        if (const Index<Dim>& at = tiles.coordinate(static_cast<Slot>(n)); tile_box.searched.contains(at))
            is_missing[tile_box.number(at)] = false;

    // Regions come first, then tiles.
    std::vector<std::uint32_t> parent(regions.count + is_missing.size());
    std::iota(parent.begin(), parent.end(), 0U);
    join_missing_tiles(parent, regions.count, is_missing, tile_box, tiles);
    for (std::size_t n = 0; n < tiles.count(); ++n)
        for_each_missing_neighbour(regions, static_cast<Slot>(n), [&](std::size_t region, const Index<Dim>& at) {
            if (tile_box.searched.contains(at)) join(parent, region, regions.count + tile_box.number(at));
        });

    for (std::size_t r = 0; r < regions.count; ++r) {
        const auto root = root_of(parent, r);
        groups.group_of.push_back(root == r ? static_cast<std::uint32_t>(groups.count++) : groups.group_of[root]);
    }
    groups.untiled.resize(groups.count);
    groups.reaches.resize(groups.count);
    for_each_index(tile_box.searched, [&](const Index<Dim>& at) {
        if (!is_missing[tile_box.number(at)]) return;
        const auto root = root_of(parent, regions.count + tile_box.number(at));
        if (root >= regions.count) return;
        const std::size_t group = groups.group_of[root];
        groups.untiled[group] += tile_box.cells(at, box);
        for (int axis = 0; axis < Dim; ++axis) {
            if (tile_box.period[axis] > 0) continue;
            auto& sides = groups.reaches[group][static_cast<std::size_t>(axis)];
            sides[0] = sides[0] || at[axis] == tile_box.searched.lo[axis];
            sides[1] = sides[1] || at[axis] == tile_box.searched.hi[axis] - 1;
        }
    });
    return groups;
}

template <int Dim>
Regions<Dim> connected_regions(const TilesPtr<Dim>& tiles, const TileFaces& open,
                               const std::function<void(Slot, std::uint16_t*)>& mark) {
    Regions<Dim> regions;
    regions.piece = Field<std::uint16_t, Dim>::unfilled(tiles, Regions<Dim>::kUnmarked);
    std::vector<std::size_t> pieces(tiles->count());
    for_each_tile(*tiles, [&](Slot slot) {
        mark(slot, regions.piece.tile(slot));
        pieces[static_cast<std::size_t>(slot)] = label_tile<Dim>(regions.piece.tile(slot), open, slot);
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
template RegionGroups<2> grouped_regions(const Regions<2>&, const IndexBox<2>&);
template RegionGroups<3> grouped_regions(const Regions<3>&, const IndexBox<3>&);
template <int Dim>
Regions<Dim> connected_regions(const FaceField<Dim>& open, const std::function<void(Slot, std::uint16_t*)>& mark) {
    return connected_regions<Dim>(
        open.tiles_ptr(), [&](Slot slot, int axis, bool) { return open[axis].tile(slot); }, mark);
}

template Regions<2> connected_regions(const TilesPtr<2>&, const TileFaces&,
                                      const std::function<void(Slot, std::uint16_t*)>&);
template Regions<3> connected_regions(const TilesPtr<3>&, const TileFaces&,
                                      const std::function<void(Slot, std::uint16_t*)>&);
template Regions<2> connected_regions(const FaceField<2>&, const std::function<void(Slot, std::uint16_t*)>&);
template Regions<3> connected_regions(const FaceField<3>&, const std::function<void(Slot, std::uint16_t*)>&);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "schemes/enclosed_air.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

#include "base/disjoint_sets.h"
#include "linear/poisson.h"

namespace spindrift {
namespace {

constexpr std::uint16_t kNoAir = 0xffff;

// Air connected inside a tile, or a region of such pieces.
struct Piece {
    std::size_t cells = 0;
    bool is_open = false;
};

// The pieces of all tiles, numbered tile by tile.
template <int Dim>
struct Pieces {
    Field<std::uint16_t, Dim> label;  // the piece within the tile, or kNoAir
    std::vector<std::size_t> first;   // per tile, and one more
    std::vector<Piece> all;

    bool is_air(Slot slot, int cell) const { return label.tile(slot)[cell] != kNoAir; }
    std::size_t at(Slot slot, int cell) const { return first[static_cast<std::size_t>(slot)] + label.tile(slot)[cell]; }
};

// Which cells of a tile are air, as 0 or kNoAir; returns how many.
template <int Dim>
int mark_air(std::uint16_t* label, const Field<float, Dim>& phi, const Boundaries<Dim>& b, Slot slot) {
    const float *level = phi.tile(slot), *room = b.has_solids() ? b.room.tile(slot) : nullptr;
    const Index<Dim> origin = phi.tiles().origin(slot);
    const IndexBox<Dim> tile{origin, origin + Index<Dim>(kTileSide)};
    const bool is_inside = intersection(b.box, tile) == tile;
    int count = 0;
    for (int n = 0; n < kTileCells<Dim>; ++n) {
        bool is_air = level[n] >= 0 && (room == nullptr || room[n] > 0);
        if (is_air && !is_inside) is_air = b.box.contains(origin + cell_in_tile<Dim>(n));
        label[n] = is_air ? 0 : kNoAir;
        count += is_air ? 1 : 0;
    }
    return count;
}

// Whether no face between cells of the tile is closed.
template <int Dim>
bool is_open_inside(const Boundaries<Dim>& b, Slot slot) {
    for (int axis = 0; axis < Dim; ++axis) {
        const float* open = b.open[axis].tile(slot);
        const int stride = tile_stride<Dim>(axis), slab = stride * kTileSide;
        int closed = 0;
        for (int at = 0; at < kTileCells<Dim>; at += slab)
            for (int n = at + stride; n < at + slab; ++n) closed += open[n] > 0 ? 0 : 1;
        if (closed > 0) return false;
    }
    return true;
}

// Numbers the pieces of a tile in the order of their first cells; returns their sizes.
template <int Dim>
std::vector<Piece> label_tile(std::uint16_t* label, const Field<float, Dim>& phi, const Boundaries<Dim>& b, Slot slot) {
    const int count = mark_air(label, phi, b, slot);
    if (count == 0) return {};
    if (count == kTileCells<Dim> && is_open_inside(b, slot)) return {{kTileCells<Dim>, false}};
    std::array<std::uint16_t, kTileCells<Dim>> parent;
    std::iota(parent.begin(), parent.end(), std::uint16_t{0});
    for (int axis = 0; axis < Dim; ++axis) {
        const float* open = b.open[axis].tile(slot);
        const int stride = tile_stride<Dim>(axis), slab = stride * kTileSide;
        for (int at = 0; at < kTileCells<Dim>; at += slab)
            for (int n = at + stride; n < at + slab; ++n)
                if (label[n] == 0 && label[n - stride] == 0 && open[n] > 0)
                    join(parent, static_cast<std::size_t>(n), static_cast<std::size_t>(n - stride));
    }
    std::vector<Piece> pieces;
    for (int n = 0; n < kTileCells<Dim>; ++n) {
        if (label[n] == kNoAir) continue;
        const std::size_t root = root_of(parent, static_cast<std::size_t>(n));
        if (root == static_cast<std::size_t>(n)) {
            label[n] = static_cast<std::uint16_t>(pieces.size());
            pieces.emplace_back();
        } else {
            label[n] = label[root];
        }
        ++pieces[label[n]].cells;
    }
    return pieces;
}

// Opens the pieces of a tile that reach an open side of the container, or a place in it that has no tile.
template <int Dim>
void open_at_sides(std::vector<Piece>& pieces, const std::uint16_t* label, const Tiles<Dim>& tiles,
                   const Boundaries<Dim>& b, Slot slot) {
    if (pieces.empty()) return;
    const Index<Dim> origin = tiles.origin(slot);
    for (int axis = 0; axis < Dim; ++axis)
        for (const bool above : {false, true}) {
            const bool is_open = b.walls[static_cast<std::size_t>(axis)][above ? 1 : 0] == Wall::open;
            const int last_layer = above ? b.box.hi[axis] - 1 : b.box.lo[axis];
            const bool holds_it = last_layer >= origin[axis] && last_layer < origin[axis] + kTileSide;
            const bool is_alone = tiles.neighbour(slot, side_neighbour<Dim>(axis, above)) == kNoTile;
            if (!(is_open && holds_it) && !is_alone) continue;
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                if (label[n] == kNoAir) continue;
                const Index<Dim> in_tile = cell_in_tile<Dim>(n);
                const bool at_side = origin[axis] + in_tile[axis] == last_layer;
                const bool at_edge = is_alone && in_tile[axis] == (above ? kTileSide - 1 : 0);
                if (at_side ? is_open : at_edge) pieces[label[n]].is_open = true;
            }
        }
}

template <int Dim>
Pieces<Dim> find_pieces(const Field<float, Dim>& phi, const Boundaries<Dim>& b) {
    const Tiles<Dim>& tiles = phi.tiles();
    Pieces<Dim> pieces{Field<std::uint16_t, Dim>::unfilled(phi.tiles_ptr(), kNoAir), {0}, {}};
    std::vector<std::vector<Piece>> found(tiles.count());
    for_each_tile(tiles, [&](Slot slot) {
        std::vector<Piece>& here = found[static_cast<std::size_t>(slot)];
        here = label_tile(pieces.label.tile(slot), phi, b, slot);
        open_at_sides(here, pieces.label.tile(slot), tiles, b, slot);
    });
    for (const std::vector<Piece>& here : found) {
        pieces.all.insert(pieces.all.end(), here.begin(), here.end());
        pieces.first.push_back(pieces.all.size());
    }
    return pieces;
}

// The pieces that belong together: each leads to the first of its region.
template <int Dim>
std::vector<std::uint32_t> join_across_tiles(const Pieces<Dim>& pieces, const Boundaries<Dim>& b) {
    std::vector<std::uint32_t> parent(pieces.all.size());
    std::iota(parent.begin(), parent.end(), 0U);
    const Tiles<Dim>& tiles = pieces.label.tiles();
    for (std::size_t n = 0; n < tiles.count(); ++n) {
        if (pieces.first[n] == pieces.first[n + 1]) continue;
        const auto slot = static_cast<Slot>(n);
        for (int axis = 0; axis < Dim; ++axis) {
            const Slot below = tiles.neighbour(slot, side_neighbour<Dim>(axis, false));
            if (below == kNoTile) continue;
            const float* open = b.open[axis].tile(slot);
            const int to_below = tile_stride<Dim>(axis) * (kTileSide - 1);
            for (int side = 0; side < kTileCells<Dim> / kTileSide; ++side) {
                const int cell = first_layer_cell<Dim>(axis, side);
                if (open[cell] > 0 && pieces.is_air(slot, cell) && pieces.is_air(below, cell + to_below))
                    join(parent, pieces.at(slot, cell), pieces.at(below, cell + to_below));
            }
        }
    }
    for (std::size_t p = 0; p < parent.size(); ++p) parent[p] = static_cast<std::uint32_t>(root_of(parent, p));
    return parent;
}

// Whether liquid may flow between the cell and one beside it.
template <int Dim>
bool touches_liquid(const Field<float, Dim>& phi, const Boundaries<Dim>& b, const Index<Dim>& cell) {
    bool any = false;
    for (int axis = 0; axis < Dim; ++axis) {
        const Index<Dim> step = unit<Dim>(axis);
        any |= phi.at(cell - step) < 0 && b.open[axis].at(cell) > 0;
        any |= phi.at(cell + step) < 0 && b.open[axis].at(cell + step) > 0;
    }
    return any;
}

// Calls f(slot, cell, region) for the cells of regions that are not open, by tile.
template <int Dim, class F>
void for_each_enclosed(const Pieces<Dim>& pieces, const std::vector<std::uint32_t>& region_of,
                       const std::vector<Piece>& regions, F&& f) {
    for (std::size_t n = 0; n + 1 < pieces.first.size(); ++n) {
        bool any = false;
        for (std::size_t p = pieces.first[n]; p < pieces.first[n + 1]; ++p) any |= !regions[region_of[p]].is_open;
        if (!any) continue;
        const auto slot = static_cast<Slot>(n);
        for (int cell = 0; cell < kTileCells<Dim>; ++cell) {
            if (!pieces.is_air(slot, cell)) continue;
            const std::size_t region = region_of[pieces.at(slot, cell)];
            if (!regions[region].is_open) f(slot, cell, region);
        }
    }
}

}  // namespace

template <int Dim>
std::vector<CellGroup> enclosed_air(const Field<float, Dim>& phi, const Boundaries<Dim>& b,
                                    const std::function<bool(const Index<Dim>&)>& is_outlet) {
    check_same_tiles("enclosed_air", "phi", phi.tiles(), "boundaries", b.open.tiles());
    const Pieces<Dim> pieces = find_pieces(phi, b);
    const std::vector<std::uint32_t> region_of = join_across_tiles(pieces, b);
    std::vector<Piece> regions(pieces.all.size());
    for (std::size_t p = 0; p < pieces.all.size(); ++p) {
        regions[region_of[p]].cells += pieces.all[p].cells;
        regions[region_of[p]].is_open |= pieces.all[p].is_open;
    }
    if (regions.empty()) return {};
    if (std::none_of(regions.begin(), regions.end(), [](const Piece& region) { return region.is_open; })) {
        const auto fewer = [](const Piece& a, const Piece& c) { return a.cells < c.cells; };
        std::max_element(regions.begin(), regions.end(), fewer)->is_open = true;
    }
    if (is_outlet)
        for_each_enclosed(pieces, region_of, regions, [&](Slot slot, int cell, std::size_t region) {
            if (is_outlet(phi.tiles().origin(slot) + cell_in_tile<Dim>(cell))) regions[region].is_open = true;
        });
    constexpr std::size_t kDry = ~std::size_t{0};
    std::vector<std::size_t> number(regions.size(), kDry);
    std::size_t count = 0;
    for_each_enclosed(pieces, region_of, regions, [&](Slot slot, int cell, std::size_t region) {
        if (number[region] == kDry && touches_liquid(phi, b, phi.tiles().origin(slot) + cell_in_tile<Dim>(cell)))
            number[region] = count++;
    });
    std::vector<CellGroup> bubbles(count);
    for_each_enclosed(pieces, region_of, regions, [&](Slot slot, int cell, std::size_t region) {
        if (number[region] != kDry) bubbles[number[region]].push_back({slot, cell});
    });
    return bubbles;
}

template std::vector<CellGroup> enclosed_air(const Field<float, 2>&, const Boundaries<2>&,
                                             const std::function<bool(const Index<2>&)>&);
template std::vector<CellGroup> enclosed_air(const Field<float, 3>&, const Boundaries<3>&,
                                             const std::function<bool(const Index<3>&)>&);

}  // namespace spindrift

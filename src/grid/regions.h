// SPDX-License-Identifier: Apache-2.0
// Connected regions of cells: marked cells, joined across open faces.  Each tile is labelled by itself, in parallel,
// and the pieces that it finds are then joined across the sides of tiles.  Regions are numbered in the order of their
// first cells, which no thread count changes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "grid/field.h"

namespace spindrift {

template <int Dim>
struct Regions {
    static constexpr std::uint16_t kUnmarked = 0xffff;

    Field<std::uint16_t, Dim> piece;       // the connected piece within the tile, or kUnmarked
    std::vector<std::size_t> first_piece;  // of each tile, and one more: pieces are numbered tile by tile
    std::vector<std::uint32_t> region_of;  // by piece
    std::size_t count = 0;

    bool is_marked(Slot slot, int cell) const { return piece.tile(slot)[cell] != kUnmarked; }
    // Of a marked cell.
    std::size_t at(Slot slot, int cell) const {
        return region_of[first_piece[static_cast<std::size_t>(slot)] + piece.tile(slot)[cell]];
    }
};

// How far a tile's lower faces along an axis are open: those between its own cells, or those at its lower side, each at
// the cell's own number.  A face that is not open at all parts the cells on its sides.
using TileFaces = std::function<const float*(Slot, int axis, bool at_side)>;

// `mark` writes 0 for the marked cells of a tile and kUnmarked for the others.
template <int Dim>
Regions<Dim> connected_regions(const TilesPtr<Dim>& tiles, const TileFaces& open,
                               const std::function<void(Slot, std::uint16_t*)>& mark);
template <int Dim>
Regions<Dim> connected_regions(const FaceField<Dim>& open, const std::function<void(Slot, std::uint16_t*)>& mark);

// Regions of a box that are connected with each other through its untiled part: cells of the box that have no tile.
template <int Dim>
struct RegionGroups {
    std::vector<std::uint32_t> group_of;  // by region
    std::size_t count = 0;
    // By group: how many untiled cells belong to it, and along which sides of the box they lie.
    std::vector<double> untiled;
    std::vector<std::array<std::array<bool, 2>, Dim>> reaches;
};

// Regions that touch an untiled place are joined by it; untiled places are joined tile by tile.
template <int Dim>
RegionGroups<Dim> grouped_regions(const Regions<Dim>& regions, const IndexBox<Dim>& box);

// Sums by label: f(slot, add) calls add(label, value) for what the tile contributes, with labels below `count`.  In
// an order that does not depend on the threads.
template <int Dim, class F>
std::vector<double> sums_by_label(const Tiles<Dim>& tiles, std::size_t count, F&& f) {
    struct Part {
        std::size_t label;
        double sum;
    };
    std::vector<std::vector<Part>> parts(tiles.count());
    for_each_tile(tiles, [&](Slot slot) {
        std::vector<Part>& here = parts[static_cast<std::size_t>(slot)];
        f(slot, [&](std::size_t label, double value) {
            for (Part& part : here)
                if (part.label == label) return static_cast<void>(part.sum += value);
            here.push_back({label, value});
        });
    });
    std::vector<double> sums(count, 0.0);
    for (const std::vector<Part>& here : parts)
        for (const Part& part : here) sums[part.label] += part.sum;
    return sums;
}

}  // namespace spindrift

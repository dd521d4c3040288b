// SPDX-License-Identifier: Apache-2.0
// Where 2 and 3 dimensions may differ, and the layout of a tile: 8 cells per axis, last axis fastest.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/vec.h"

namespace spindrift {

constexpr int kTileBits = 3;
constexpr int kTileSide = 1 << kTileBits;

template <int Dim>
constexpr int kTileCells = Dim == 2 ? kTileSide* kTileSide : kTileSide* kTileSide* kTileSide;

// A tile as kernels see it: planes of 8 rows of 8 cells.  A 2D tile is a single plane.
template <int Dim>
constexpr int kTilePlanes = Dim == 2 ? 1 : kTileSide;
constexpr int kPlaneCells = kTileSide * kTileSide;

// Tiles handed to a thread at a time.  Fixed, because sums are formed per block; small enough that a hundred tiles
// still spread over the cores, large enough that starting a block costs nothing beside working on it.
template <int Dim>
constexpr std::size_t kTilesPerBlock = Dim == 2 ? 128 : 16;

// The 3^Dim tiles around and including one, numbered with the last axis fastest.
template <int Dim>
constexpr int kNeighbours = Dim == 2 ? 9 : 27;
template <int Dim>
constexpr int kSelf = kNeighbours<Dim> / 2;

// The number of the neighbour at an offset of -1, 0 or 1 along each axis.
template <int Dim>
constexpr int neighbour_number(const Index<Dim>& offset) {
    int n = 0;
    for (int a = 0; a < Dim; ++a) n = 3 * n + offset[a] + 1;
    return n;
}

// The neighbour across a side: axis 0..Dim-1, below or above.
template <int Dim>
constexpr int side_neighbour(int axis, bool above) {
    int stride = 1;
    for (int a = Dim - 1; a > axis; --a) stride *= 3;
    return kSelf<Dim> + (above ? stride : -stride);
}

// Distance in memory between cells next to each other along an axis of one tile.
template <int Dim>
constexpr int tile_stride(int axis) {
    return 1 << (kTileBits * (Dim - 1 - axis));
}

template <int Dim>
constexpr Index<Dim> tile_of_cell(const Index<Dim>& cell) {
    return map([](int c) { return c >> kTileBits; }, cell);
}
template <int Dim>
constexpr Index<Dim> first_cell(const Index<Dim>& tile) {
    return map([](int t) { return t * kTileSide; }, tile);
}
template <int Dim>
constexpr int offset_in_tile(const Index<Dim>& cell) {
    int offset = 0;
    for (int a = 0; a < Dim; ++a) offset = offset << kTileBits | (cell[a] & (kTileSide - 1));
    return offset;
}
template <int Dim>
constexpr Index<Dim> cell_in_tile(int offset) {
    Index<Dim> cell;
    for (int a = Dim - 1; a >= 0; --a, offset >>= kTileBits) cell[a] = offset & (kTileSide - 1);
    return cell;
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Which tiles exist.  Tiles are numbered (their slot) block by block, 8 tiles a side, so that slots near each other are
// near each other in space and most rows of tiles lie in a row; the set never changes once made and is shared by all
// fields on it.
//
// Along chosen axes space may repeat itself: then tiles have coordinates from 0 to the period, any other coordinate
// means the tile it repeats, and what reads through find() or the neighbour table goes round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/parallel.h"
#include "base/vec.h"
#include "grid/dimension.h"

namespace spindrift {

using Slot = std::int32_t;
constexpr Slot kNoTile = -1;

// A cell by its tile and its number in it.
struct TileCell {
    Slot slot;
    int cell;
};
using CellGroup = std::vector<TileCell>;

// Into 0 … period along the axes that have one; the others have 0.
template <int Dim>
constexpr Index<Dim> wrap(const Index<Dim>& i, const Index<Dim>& period) {
    return map([](int at, int p) { return p > 0 ? (at % p + p) % p : at; }, i, period);
}

template <int Dim>
class Tiles;
template <int Dim>
using TilesPtr = std::shared_ptr<const Tiles<Dim>>;

template <int Dim>
class Tiles {
  public:
    // In any order, repeated or not.  `period` is in tiles, 0 along axes that do not repeat.
    static TilesPtr<Dim> from_coordinates(std::vector<Index<Dim>> coordinates, const Index<Dim>& period = {});
    // All tiles that hold a cell of the box.
    static TilesPtr<Dim> covering(const IndexBox<Dim>& cells, const Index<Dim>& period = {});

    std::size_t count() const { return coordinates_.size(); }
    std::size_t cell_count() const { return count() * kTileCells<Dim>; }
    std::size_t bytes() const;

    const Index<Dim>& coordinate(Slot slot) const { return coordinates_[static_cast<std::size_t>(slot)]; }
    Index<Dim> origin(Slot slot) const { return first_cell(coordinate(slot)); }

    // In tiles, 0 along axes that do not repeat.
    const Index<Dim>& period() const { return period_; }
    bool is_periodic() const { return period_ != Index<Dim>{}; }
    // The tile that a coordinate repeats.
    Index<Dim> wrapped(const Index<Dim>& coordinate) const { return wrap(coordinate, period_); }

    // kNoTile where there is none.
    Slot find(const Index<Dim>& coordinate) const;
    Slot neighbour(Slot slot, int number) const {
        return neighbours_[static_cast<std::size_t>(slot) * kNeighbours<Dim> + static_cast<std::size_t>(number)];
    }

    // For kernels: kNeighbours slots per tile.
    const Slot* neighbours() const { return neighbours_.data(); }

    // The smallest box of cells that holds all tiles; empty when there are none.
    const IndexBox<Dim>& cell_bounds() const { return bounds_; }
    // For messages: "120 tiles over cells (0, 0, 0) to (64, 64, 40)".
    std::string describe() const;

  private:
    Tiles(std::vector<Index<Dim>> sorted, const Index<Dim>& period);
    std::int32_t find_block(const Index<Dim>& block) const;

    Index<Dim> period_;
    std::vector<Index<Dim>> coordinates_;
    std::vector<Slot> neighbours_;
    std::vector<Index<Dim>> blocks_;         // those that hold a tile, in order
    std::vector<Slot> block_slots_;          // each block's tiles, absent ones included
    std::vector<std::int32_t> block_table_;  // finds a block by its coordinate: open addressing, a power of two in size
    IndexBox<Dim> bounds_;
};

// Same tile set, or at least the same tiles in the same slots, repeated in the same way.
template <int Dim>
bool same_tiles(const Tiles<Dim>& a, const Tiles<Dim>& b);

// Calls f(slot) for every tile, in parallel.
template <int Dim, class F>
void for_each_tile(const Tiles<Dim>& tiles, F&& f) {
    parallel_ranges(tiles.count(), kTilesPerBlock<Dim>, [&](std::size_t begin, std::size_t end) {
        for (std::size_t slot = begin; slot < end; ++slot) f(static_cast<Slot>(slot));
    });
}

// The sum over all tiles of what f(slot) returns, in an order that does not depend on the threads.
template <class T, int Dim, class F>
T sum_over_tiles(const Tiles<Dim>& tiles, T zero, F&& f) {
    return parallel_sum(tiles.count(), kTilesPerBlock<Dim>, zero, [&](std::size_t begin, std::size_t end) {
        T sum = zero;
        for (std::size_t slot = begin; slot < end; ++slot) sum += f(static_cast<Slot>(slot));
        return sum;
    });
}

extern template class Tiles<2>;
extern template class Tiles<3>;

}  // namespace spindrift

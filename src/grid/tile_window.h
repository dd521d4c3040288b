// SPDX-License-Identifier: Apache-2.0
// The 3^Dim tiles around the last place asked for.  Stencils that stay among them find their tiles in a small table,
// with no search: queries near each other, in any order, move the window seldom.
#pragma once

#include <algorithm>
#include <array>

#include "base/unroll.h"
#include "grid/tiles.h"

namespace spindrift {

template <int Dim>
class TileWindow {
  public:
    static constexpr unsigned kSide = 3 * kTileSide;
    // Cell coordinates inside the window, from 0 to kSide - 1.  Unsigned, so that a cell on the other side of the world
    // wraps to a large number instead of overflowing.
    using Local = Vec<unsigned, Dim>;

    explicit TileWindow(const Tiles<Dim>& tiles) : tiles_(&tiles) {
        around_.fill(kNoTile);
        if (tiles.count() > 0) centre_on(Slot{0});
    }

    SPINDRIFT_INLINE Local local(const Index<Dim>& cell) const {
        Local l;
        unrolled<Dim>([&](auto a) { l[a] = static_cast<unsigned>(cell[a]) - lowest_[a]; });
        return l;
    }

    // Whether the stencil of Width cells per axis from `first` upward lies inside.
    template <unsigned Width>
    SPINDRIFT_INLINE static bool holds(const Local& first) {
        bool held = true;
        unrolled<Dim>([&](auto a) { held &= first[a] <= kSide - Width; });
        return held;
    }

    // Moves to hold the stencil of `width` cells, at most a tile's side, from `first` upward.  False, and no move, when
    // no tile lies under it.
    bool move_to(Index<Dim> first, int width);

    void centre_on(Slot slot) {
        for (int n = 0; n < kNeighbours<Dim>; ++n) around_[static_cast<std::size_t>(n)] = tiles_->neighbour(slot, n);
        place(tiles_->coordinate(slot));
    }

    // The tile of a cell, and where in it the cell lies.
    SPINDRIFT_INLINE Slot slot(const Local& cell) const {
        unsigned n = 0;
        unrolled<Dim>([&](auto a) { n = 3 * n + (cell[a] >> kTileBits); });
        return around_[n];
    }
    SPINDRIFT_INLINE static std::size_t offset(const Local& cell) {
        unsigned o = 0;
        unrolled<Dim>([&](auto a) { o = o << kTileBits | (cell[a] & (kTileSide - 1)); });
        return o;
    }

  private:
    void place(const Index<Dim>& middle) {
        for (int a = 0; a < Dim; ++a) lowest_[a] = (static_cast<unsigned>(middle[a]) - 1U) * kTileSide;
    }

    const Tiles<Dim>* tiles_;
    Vec<unsigned, Dim> lowest_;
    std::array<Slot, kNeighbours<Dim>> around_;
};

extern template class TileWindow<2>;
extern template class TileWindow<3>;

}  // namespace spindrift

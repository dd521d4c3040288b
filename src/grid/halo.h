// SPDX-License-Identifier: Apache-2.0
// A tile and the cells around it, copied to a small dense block: the way to write any stencil that is not a hot solver
// loop.  Cells where no tile exists hold the field's background.
#pragma once

#include <algorithm>

#include "grid/field.h"

namespace spindrift {

template <class T, int Dim, int Width>
class HaloBlock {
    static_assert(Width >= 1 && Width <= kTileSide);

  public:
    static constexpr int kSide = kTileSide + 2 * Width;

    HaloBlock(const Field<T, Dim>& field, Slot slot) { load(field, slot); }
    HaloBlock() = default;

    void load(const Field<T, Dim>& field, Slot slot) {
        const Tiles<Dim>& tiles = field.tiles();
        for_each_index(IndexBox<Dim>{Index<Dim>(-1), Index<Dim>(2)}, [&](const Index<Dim>& side) {
            const Slot from = tiles.neighbour(slot, neighbour_number(side));
            copy(side, from == kNoTile ? nullptr : field.tile(from), field.background());
        });
    }

    // Local cell coordinates, from -Width to kTileSide + Width - 1.
    const T& operator()(const Index<Dim>& cell) const { return values_[offset(cell)]; }
    T& operator()(const Index<Dim>& cell) { return values_[offset(cell)]; }

    // For kernels: the address of a cell, and the distance between neighbours along an axis.
    const T* at(const Index<Dim>& cell) const { return &values_[offset(cell)]; }
    static constexpr int stride(int axis) {
        int s = 1;
        for (int a = Dim - 1; a > axis; --a) s *= kSide;
        return s;
    }

  private:
    static constexpr int cells() {
        int n = 1;
        for (int a = 0; a < Dim; ++a) n *= kSide;
        return n;
    }
    static constexpr std::size_t offset(const Index<Dim>& cell) {
        int o = 0;
        for (int a = 0; a < Dim; ++a) o = o * kSide + cell[a] + Width;
        return static_cast<std::size_t>(o);
    }

    // The part of the block that one neighbouring tile fills, a row along the last axis at a time.
    void copy(const Index<Dim>& side, const T* tile, T background) {
        IndexBox<Dim> part;
        for (int a = 0; a < Dim; ++a) {
            part.lo[a] = side[a] < 0 ? -Width : side[a] * kTileSide;
            part.hi[a] = side[a] < 0 ? 0 : side[a] == 0 ? kTileSide : kTileSide + Width;
        }
        IndexBox<Dim> starts = part;
        starts.hi[Dim - 1] = starts.lo[Dim - 1] + 1;
        // Lengths that the compiler knows: a call to copy so few values would cost more than they do.
        if (side[Dim - 1] == 0)
            copy_rows<kTileSide>(starts, tile, background);
        else
            copy_rows<Width>(starts, tile, background);
    }
    template <int Run>
    void copy_rows(const IndexBox<Dim>& starts, const T* tile, T background) {
        for_each_index(starts, [&](const Index<Dim>& cell) {
            T* to = &values_[offset(cell)];
            const T* from = tile != nullptr ? tile + offset_in_tile(cell) : nullptr;
            for (int n = 0; n < Run; ++n) to[n] = from != nullptr ? from[n] : background;
        });
    }

    alignas(32) std::array<T, static_cast<std::size_t>(cells())> values_;
};

}  // namespace spindrift

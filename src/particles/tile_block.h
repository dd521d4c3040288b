// SPDX-License-Identifier: Apache-2.0
// Interpolation for the particles of one tile: its values with a few cells around, copied to a small block, so that no
// particle looks for a tile.  Beyond the container a value is that of the nearest cell inside.
#pragma once

#include <cstring>

#include "base/simd.h"
#include "grid/halo.h"

namespace spindrift {

using Quad = float __attribute__((vector_size(16)));

template <int Dim, int Width>
class TileBlock {
  public:
    // Cells of the block along each axis lie from −Width to kTileSide + Width − 1, seen from the tile.
    static constexpr float kLowest = -Width, kHighest = kTileSide + Width - 1;

    // `box` is the container's cells or faces on this lattice.
    void load(const Field<float, Dim>& field, Slot slot, const IndexBox<Dim>& box) {
        block_.load(field, slot);
        const Index<Dim> origin = field.tiles().origin(slot);
        const IndexBox<Dim> all{Index<Dim>(-Width), Index<Dim>(kTileSide + Width)};
        const IndexBox<Dim> local{box.lo - origin, box.hi - origin};
        if (intersection(all, local) == all) return;
        for_each_index(all, [&](const Index<Dim>& cell) {
            if (local.contains(cell)) return;
            Index<Dim> inside;
            for (int a = 0; a < Dim; ++a)
                inside[a] = std::clamp(std::clamp(cell[a], local.lo[a], local.hi[a] - 1), all.lo[a], all.hi[a] - 1);
            block_(cell) = block_(inside);
        });
    }

    // Whether all cells around a place on this lattice are in the block.
    SPINDRIFT_INLINE static bool holds(const Vec<float, Dim>& at) {
        bool held = true;
        for (int a = 0; a < Dim; ++a) held &= at[a] >= kLowest && at[a] < kHighest;
        return held;
    }

    // Linear along each axis; cell n of the tile has its value at place n.
    SPINDRIFT_INLINE float operator()(const Vec<float, Dim>& at) const {
        Vec<float, Dim> t;
        const float* p = locate(at, t);
        Quad q = load_quad(p);
        if constexpr (Dim == 3) q += t[0] * (load_quad(p + Block::stride(0)) - q);
        const Quad upper = __builtin_shufflevector(q, q, 2, 3, 2, 3);
        q += t[Dim - 2] * (upper - q);
        return q[0] + t[Dim - 1] * (q[1] - q[0]);
    }

    // The same value, and its slope along each axis per cell.
    SPINDRIFT_INLINE float operator()(const Vec<float, Dim>& at, Vec<float, Dim>& slope) const {
        Vec<float, Dim> t;
        const float* p = locate(at, t);
        Quad q = load_quad(p), rise{};
        if constexpr (Dim == 3) {
            rise = load_quad(p + Block::stride(0)) - q;
            q += t[0] * rise;
            const float low = rise[0] + t[2] * (rise[1] - rise[0]), high = rise[2] + t[2] * (rise[3] - rise[2]);
            slope[0] = low + t[1] * (high - low);
        }
        const float low = q[0] + t[Dim - 1] * (q[1] - q[0]), high = q[2] + t[Dim - 1] * (q[3] - q[2]);
        slope[Dim - 2] = high - low;
        slope[Dim - 1] = (q[1] - q[0]) + t[Dim - 2] * ((q[3] - q[2]) - (q[1] - q[0]));
        return low + t[Dim - 2] * (high - low);
    }

    const float& at(const Index<Dim>& cell) const { return block_(cell); }
    // For kernels: the value of the lowest cell; the last axis is fastest.
    const float* first() const { return block_.at(Index<Dim>(-Width)); }

  private:
    using Block = HaloBlock<float, Dim, Width>;

    SPINDRIFT_INLINE const float* locate(const Vec<float, Dim>& at, Vec<float, Dim>& t) const {
        int offset = 0;
        for (int a = 0; a < Dim; ++a) {
            // Never negative, so that rounding towards zero is rounding down.
            const float from_edge = at[a] + static_cast<float>(Width);
            const int below = static_cast<int>(from_edge);
            t[a] = from_edge - static_cast<float>(below);
            offset += below * Block::stride(a);
        }
        return block_.at(Index<Dim>(-Width)) + offset;
    }
    // Two neighbours along the last axis, and those next to them along the axis before.
    SPINDRIFT_INLINE static Quad load_quad(const float* p) {
        Quad q;
        std::memcpy(&q, p, 8);
        std::memcpy(reinterpret_cast<char*>(&q) + 8, p + Block::stride(Dim - 2), 8);
        return q;
    }

    Block block_;
};

}  // namespace spindrift

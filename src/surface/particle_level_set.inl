// SPDX-License-Identifier: Apache-2.0
// φ at the particles of a tile, eight at a time.

#include "grid/window_rows.inl"

// `block` is the first value of a TileBlock of width 1; places are in cells from the tile's corner.
template <int Dim>
SPINDRIFT_KERNEL void levels_at(const float* block, const float* const* place, std::size_t count, float per_cell,
                                float* out) {
    constexpr int kSide = kTileSide + 2, kPlane = Dim == 3 ? kSide * kSide : 0;
    for (std::size_t first = 0; first < count; first += kRow) {
        const int lanes = count - first < kRow ? static_cast<int>(count - first) : kRow;
        Row t[Dim], v[1 << Dim];
        RowInts offset{};
#pragma GCC unroll 3
        for (int a = 0; a < Dim; ++a) {
            Row at{};
            if (lanes == kRow)
                at = load_row(place[a] + first);
            else
                for (int n = 0; n < lanes; ++n) at[n] = place[a][first + static_cast<std::size_t>(n)];
            // Never negative, so that rounding towards zero is rounding down.
            const Row from_edge = at - fill_row(0.5F) + fill_row(1);
            const RowInts below = __builtin_convertvector(from_edge, RowInts);
            t[a] = from_edge - __builtin_convertvector(below, Row);
            offset = offset * kSide + below;
        }
        alignas(32) int at[kRow];
        __builtin_memcpy(at, &offset, sizeof at);
#pragma GCC unroll 4
        for (int n = 0; n < 1 << (Dim - 1); ++n) {
            const RowPair pair = gather_pairs(block + (n >> 1) * kPlane + (n & 1) * kSide, at);
            v[2 * n] = pair.first;
            v[2 * n + 1] = pair.second;
        }
        const Row level = join_cells<Dim>(v, t) * fill_row(per_cell);
        if (lanes == kRow)
            store_row(out + first, level);
        else
            for (int n = 0; n < lanes; ++n) out[first + static_cast<std::size_t>(n)] = level[n];
    }
}

// SPDX-License-Identifier: Apache-2.0
// A tile with three cells beyond each of its sides (corners left out), copied to a small dense block, for kernels whose
// stencils run along the axes.  At walls the values beyond mirror those inside.

#include "grid/tile_star.inl"

// Rows have room for 16 values, with cell 0 at the fifth: k from -3 to 10 is filled.
template <int Dim>
struct StarBlock {
    static constexpr int kHalo = 3;
    static constexpr int kPitch = 16;
    static constexpr int kRows = kTileSide + 2 * kHalo;
    static constexpr int kPlanePitch = kRows * kPitch;
    static constexpr int kValues = (Dim == 3 ? kRows : 1) * kPlanePitch;

    alignas(64) float values[kValues];

    SPINDRIFT_INLINE float* row(int i, int j) {
        return values + (Dim == 3 ? (i + kHalo) * kPlanePitch : 0) + (j + kHalo) * kPitch + 4;
    }
    // Distance in memory between neighbours along an axis.
    static constexpr int stride(int axis) { return axis == Dim - 1 ? 1 : axis == Dim - 2 ? kPitch : kPlanePitch; }
};

template <int Dim>
SPINDRIFT_INLINE void load_star(StarBlock<Dim>& block, const float* field, const Slot* neighbours, Slot slot,
                                float background) {
    constexpr int kHalo = StarBlock<Dim>::kHalo;
    const auto tile_beyond = [&](int axis, bool above) -> const float* {
        const Slot n = neighbour<Dim>(neighbours, slot, axis, above);
        return n == kNoTile ? nullptr : field + static_cast<std::size_t>(n) * kTileCells<Dim>;
    };
    const auto copy_row = [&](float* to, const float* from, int at) {
        store_row(to, from != nullptr ? load_row(from + at) : fill_row(background));
    };
    const float* own = field + static_cast<std::size_t>(slot) * kTileCells<Dim>;
    const float *below_k = tile_beyond(Dim - 1, false), *above_k = tile_beyond(Dim - 1, true);
    const float *below_j = tile_beyond(Dim - 2, false), *above_j = tile_beyond(Dim - 2, true);
    for (int i = 0; i < kTilePlanes<Dim>; ++i) {
        for (int j = 0; j < kTileSide; ++j) {
            const int at = row_offset(i, j);
            float* to = block.row(i, j);
            store_row(to, load_row(own + at));
            for (int h = 1; h <= kHalo; ++h) {
                to[-h] = below_k != nullptr ? below_k[at + kRow - h] : background;
                to[kRow - 1 + h] = above_k != nullptr ? above_k[at + h - 1] : background;
            }
        }
        for (int h = 1; h <= kHalo; ++h) {
            copy_row(block.row(i, -h), below_j, row_offset(i, kTileSide - h));
            copy_row(block.row(i, kTileSide - 1 + h), above_j, row_offset(i, h - 1));
        }
    }
    if constexpr (Dim == 3) {
        const float *below_i = tile_beyond(0, false), *above_i = tile_beyond(0, true);
        for (int h = 1; h <= kHalo; ++h)
            for (int j = 0; j < kTileSide; ++j) {
                copy_row(block.row(-h, j), below_i, row_offset(kTileSide - h, j));
                copy_row(block.row(kTileSide - 1 + h, j), above_i, row_offset(h - 1, j));
            }
    }
}

// Replaces what lies beyond the container by its mirror image.
template <int Dim>
SPINDRIFT_INLINE void mirror_at_walls(StarBlock<Dim>& block, const LocalBox& box) {
    constexpr int kHalo = StarBlock<Dim>::kHalo, kEnd = kTileSide + kHalo;
    // Along k, within rows; then whole rows along j; then whole planes along i.
    if (box.lo[2] > -kHalo || box.hi[2] < kEnd)
        for (int i = 0; i < kTilePlanes<Dim>; ++i)
            for (int j = 0; j < kTileSide; ++j) {
                float* row = block.row(i, j);
                for (int k = box.lo[2] - 1; k >= -kHalo; --k)
                    row[k] = row[2 * box.lo[2] - 1 - k < kEnd ? 2 * box.lo[2] - 1 - k : kEnd - 1];
                for (int k = box.hi[2]; k < kEnd; ++k)
                    row[k] = row[2 * box.hi[2] - 1 - k >= -kHalo ? 2 * box.hi[2] - 1 - k : -kHalo];
            }
    const auto mirrored = [&](int n, int axis, bool below) {
        const int m = 2 * (below ? box.lo[axis] : box.hi[axis]) - 1 - n;
        return m < -kHalo ? -kHalo : m >= kEnd ? kEnd - 1 : m;
    };
    for (int i = 0; i < kTilePlanes<Dim>; ++i) {
        for (int j = box.lo[1] - 1; j >= -kHalo; --j)
            store_row(block.row(i, j), load_row(block.row(i, mirrored(j, 1, true))));
        for (int j = box.hi[1]; j < kEnd; ++j)
            store_row(block.row(i, j), load_row(block.row(i, mirrored(j, 1, false))));
    }
    if constexpr (Dim == 3)
        for (int j = 0; j < kTileSide; ++j) {
            for (int i = box.lo[0] - 1; i >= -kHalo; --i)
                store_row(block.row(i, j), load_row(block.row(mirrored(i, 0, true), j)));
            for (int i = box.hi[0]; i < kEnd; ++i)
                store_row(block.row(i, j), load_row(block.row(mirrored(i, 0, false), j)));
        }
}

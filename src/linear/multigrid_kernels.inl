// SPDX-License-Identifier: Apache-2.0
// Between two levels of multigrid.

#include "linear/poisson_rows.inl"

// The sum of lanes in twos, in the first four lanes.
SPINDRIFT_INLINE Row add_pairs(Row v) {
    return __builtin_shufflevector(v, v, 0, 2, 4, 6, 0, 2, 4, 6) +
           __builtin_shufflevector(v, v, 1, 3, 5, 7, 1, 3, 5, 7);
}
SPINDRIFT_INLINE Row even_lanes(Row v) { return __builtin_shufflevector(v, v, 0, 2, 4, 6, 0, 2, 4, 6); }
SPINDRIFT_INLINE void store_half_row(float* p, Row v) {
    for (int k = 0; k < kRow / 2; ++k) p[k] = v[k];
}

// One child's part of a coarse tile's system: ground adds up, weakened; faces conduct the mean of the fine ones in
// them.
template <int Dim>
SPINDRIFT_KERNEL void coarsen_child(TileSystem<Dim>& coarse, const TileSystem<Dim>& fine, int child, float mass,
                                    float ground_reach) {
    constexpr int kHalf = kTileSide / 2;
    const Row mean = fill_row(Dim == 2 ? 0.5F : 0.25F), scale = fill_row(kSumScale<Dim>);
    const int up_i = Dim == 3 ? child >> 2 & 1 : 0, up_j = child >> 1 & 1, up_k = child & 1;
    const int corner = row_offset(up_i * kHalf, up_j * kHalf) + up_k * kHalf;

    // Adds the two planes that a coarse one holds; a 2D tile has one.
    const auto over_planes = [](const float* p) {
        return Dim == 3 ? load_row(p) + load_row(p + kPlaneCells) : load_row(p);
    };
    const auto hold = [&](const float* p) {
        // Only what exceeds the mass is a surface.  A coarse cell that is partly unknowns has less than the mass.
        const Row all = load_row(p), own_mass = select(all < fill_row(mass), all, fill_row(mass));
        const Row g = all - own_mass;
        return g / (fill_row(1) + fill_row(ground_reach) * g) + own_mass;
    };
    for (int i = 0; i < (kTilePlanes<Dim> + 1) / 2; ++i)
        for (int j = 0; j < kHalf; ++j) {
            const int from = row_offset(2 * i, 2 * j), to = corner + row_offset(i, j);
            Row ground = hold(fine.ground + from) + hold(fine.ground + from + kRow);
            if constexpr (Dim == 3)
                ground += hold(fine.ground + from + kPlaneCells) + hold(fine.ground + from + kPlaneCells + kRow);
            store_half_row(coarse.ground + to, scale * add_pairs(ground));

            const float* k = fine.lower[Dim - 1] + from;
            store_half_row(coarse.lower[Dim - 1] + to, mean * even_lanes(over_planes(k) + over_planes(k + kRow)));
            store_half_row(coarse.lower[Dim - 2] + to, mean * add_pairs(over_planes(fine.lower[Dim - 2] + from)));
            if constexpr (Dim == 3) {
                const float* f = fine.lower[0] + from;
                store_half_row(coarse.lower[0] + to, mean * add_pairs(load_row(f) + load_row(f + kRow)));
            }
        }

    // Faces above, of the children that lie there.
    if (up_k == 1)
        for (int i = 0; i < (kTilePlanes<Dim> + 1) / 2; ++i)
            for (int j = 0; j < kHalf; ++j) {
                const float* f = fine.upper[Dim - 1] + 2 * i * kTileSide + 2 * j;
                const float sum = Dim == 3 ? (f[0] + f[1]) + (f[kTileSide] + f[kTileSide + 1]) : f[0] + f[1];
                coarse.upper[Dim - 1][(up_i * kHalf + i) * kTileSide + up_j * kHalf + j] = mean[0] * sum;
            }
    if (up_j == 1)
        for (int i = 0; i < (kTilePlanes<Dim> + 1) / 2; ++i) {
            const float* f = fine.upper[Dim - 2] + 2 * i * kRow;
            const Row sum = Dim == 3 ? load_row(f) + load_row(f + kRow) : load_row(f);
            store_half_row(coarse.upper[Dim - 2] + (up_i * kHalf + i) * kRow + up_k * kHalf, mean * add_pairs(sum));
        }
    if constexpr (Dim == 3)
        if (up_i == 1)
            for (int j = 0; j < kHalf; ++j) {
                const float* f = fine.upper[0] + 2 * j * kRow;
                store_half_row(coarse.upper[0] + (up_j * kHalf + j) * kRow + up_k * kHalf,
                               mean * add_pairs(load_row(f) + load_row(f + kRow)));
            }
}

// b of coarse tiles = the summed residual b − A x of the cells in each of theirs.
template <int Dim>
SPINDRIFT_KERNEL void restrict_tiles(const PoissonView<Dim>& fine, const Slot* children, float* coarse_b,
                                     const float* b, const float* x, std::size_t begin, std::size_t end) {
    alignas(32) float residual[kTileCells<Dim>];
    for (std::size_t n = begin; n < end; ++n)
        for (int c = 0; c < kChildren<Dim>; ++c) {
            Slot child = children[n * kChildren<Dim> + static_cast<std::size_t>(c)];
            if (child != kNoTile && fine.kind[child] == kEmptyTile) child = kNoTile;
            float* out = coarse_b + n * kTileCells<Dim> + offset_in_tile(child_offset<Dim>(c) * (kTileSide / 2));
            if (child != kNoTile) {
                const float* fine_b = b + static_cast<std::size_t>(child) * kTileCells<Dim>;
                apply_tile<Dim>(fine, x, child, [&](int i, int j, Row, Row ax, RowMask unknown) {
                    const int row = row_offset(i, j);
                    store_row(residual + row, select(unknown, load_row(fine_b + row) - ax, fill_row(0)));
                });
            }
            // Add rows in twos along every axis but the last, then lanes in twos.
            for (int i = 0; i < (kTilePlanes<Dim> + 1) / 2; ++i)
                for (int j = 0; j < kTileSide / 2; ++j) {
                    Row sum = fill_row(0);
                    if (child != kNoTile) {
                        const float* r = residual + 2 * i * kPlaneCells + 2 * j * kRow;
                        sum = load_row(r) + load_row(r + kRow);
                        if constexpr (Dim == 3) sum += load_row(r + kPlaneCells) + load_row(r + kPlaneCells + kRow);
                    }
                    store_half_row(out + row_offset(i, j), fill_row(kSumScale<Dim>) * add_pairs(sum));
                }
        }
}

// x += the coarse value of each cell's parent.  Cells that are no unknowns take it too: their faces conduct nothing,
// and the relaxation that follows sets them back to zero.
template <int Dim>
SPINDRIFT_KERNEL void prolong_tiles(const Slot* children, float* x, const float* coarse_x, std::size_t begin,
                                    std::size_t end) {
    for (std::size_t n = begin; n < end; ++n)
        for (int c = 0; c < kChildren<Dim>; ++c) {
            const Slot child = children[n * kChildren<Dim> + static_cast<std::size_t>(c)];
            if (child == kNoTile) continue;
            const Index<Dim> half = child_offset<Dim>(c);
            Index<Dim> corner = half * (kTileSide / 2);
            corner[Dim - 1] = 0;  // whole rows are loaded; the half is chosen below
            const float* from = coarse_x + n * kTileCells<Dim> + offset_in_tile(corner);
            float* to = x + static_cast<std::size_t>(child) * kTileCells<Dim>;
            for (int i = 0; i < kTilePlanes<Dim>; ++i)
                for (int j = 0; j < kTileSide; ++j) {
                    const Row parents = load_row(from + (i / 2) * kPlaneCells + (j / 2) * kRow);
                    const Row values = half[Dim - 1] == 0
                                           ? __builtin_shufflevector(parents, parents, 0, 0, 1, 1, 2, 2, 3, 3)
                                           : __builtin_shufflevector(parents, parents, 4, 4, 5, 5, 6, 6, 7, 7);
                    float* row = to + row_offset(i, j);
                    store_row(row, load_row(row) + values);
                }
        }
}

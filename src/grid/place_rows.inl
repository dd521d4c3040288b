// SPDX-License-Identifier: Apache-2.0
// Kernels: rows of places near a tile, in cells, and the values there.

using RowInts = int __attribute__((vector_size(32)));

struct RowRange {
    Row value, least, most;
};

// NaN becomes lo.
SPINDRIFT_INLINE Row limited(Row v, float lo, float hi) {
    const Row above = select(v > fill_row(lo), v, fill_row(lo));
    return select(above < fill_row(hi), above, fill_row(hi));
}

// The cell of a row's first lane along each axis; lanes count along the last one.
template <int Dim>
SPINDRIFT_INLINE void row_place(Row* place, const float* corner, int row) {
    constexpr Row kLanes{0, 1, 2, 3, 4, 5, 6, 7};
    if constexpr (Dim == 3) {
        place[0] = fill_row(corner[0] + static_cast<float>(row / kTileSide));
        place[1] = fill_row(corner[1] + static_cast<float>(row % kTileSide));
    } else {
        place[0] = fill_row(corner[0] + static_cast<float>(row));
    }
    place[Dim - 1] = fill_row(corner[Dim - 1]) + kLanes;
}

// The values of the cells around a place, axis 0 slowest, joined to the one there, t beyond the lower cells.
// a + t (b - a), axis 0 first: exact for constants and at t = 0.
template <int Dim>
SPINDRIFT_INLINE Row join_cells(Row* v, const Row* t) {
#pragma GCC unroll 3
    for (int a = 0; a < Dim; ++a) {
        const int half = 1 << (Dim - 1 - a);
#pragma GCC unroll 4
        for (int n = 0; n < half; ++n) v[n] += t[a] * (v[n + half] - v[n]);
    }
    return v[0];
}

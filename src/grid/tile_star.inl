// SPDX-License-Identifier: Apache-2.0
// A tile's cells with their neighbours along every axis, a row of eight at a time, across the sides of tiles.

// Where values continue beyond the sides of a tile.  Along the last axis these are columns (one value per row), along
// the one before rows (one per plane), along the first of three a plane; all have the tile's own strides.
struct Sides {
    const float *below_k, *above_k;
    const float *below_j, *above_j;
    const float *below_i, *above_i;
};

constexpr int kLastRow = kPlaneCells - kRow;
constexpr int kLastPlane = (kTileSide - 1) * kPlaneCells;

// The sides of a tile: side(axis, above, offset of the near layer in the tile beyond, offset of the tile's own last
// layer) gives where each continues.
template <int Dim, class Side>
SPINDRIFT_INLINE Sides make_sides(Side&& side) {
    Sides s{};
    s.below_k = side(Dim - 1, false, kRow - 1, 0);
    s.above_k = side(Dim - 1, true, 0, kRow - 1);
    s.below_j = side(Dim - 2, false, kLastRow, 0);
    s.above_j = side(Dim - 2, true, 0, kLastRow);
    if constexpr (Dim == 3) {
        s.below_i = side(0, false, kLastPlane, 0);
        s.above_i = side(0, true, 0, kLastPlane);
    }
    return s;
}

template <int Dim>
SPINDRIFT_INLINE Slot neighbour(const Slot* neighbours, Slot slot, int axis, bool above) {
    return neighbours[static_cast<std::size_t>(slot) * kNeighbours<Dim> +
                      static_cast<std::size_t>(side_neighbour<Dim>(axis, above))];
}

// A row and its neighbours: k along the last axis, j the one before, i the first of three.
struct Star {
    Row here, below_k, above_k, below_j, above_j, below_i, above_i;
};

// The first rows of a plane and of those around it.
struct Plane {
    const float *here, *below_i, *above_i;  // rows j at j * kRow
    const float *below_j, *above_j;         // one row each
    const float *below_k, *above_k;         // one value per row
};

template <int Dim>
SPINDRIFT_INLINE Plane plane_at(const float* tile, const Sides& s, int i) {
    const int at = i * kPlaneCells;
    Plane p{};
    p.here = tile + at;
    p.below_j = s.below_j + at;
    p.above_j = s.above_j + at;
    p.below_k = s.below_k + at;
    p.above_k = s.above_k + at;
    if constexpr (Dim == 3) {
        p.below_i = i > 0 ? p.here - kPlaneCells : s.below_i;
        p.above_i = i < kTileSide - 1 ? p.here + kPlaneCells : s.above_i;
    }
    return p;
}

template <int Dim>
SPINDRIFT_INLINE Star star(const Plane& p, int j) {
    const int row = j * kRow;
    Star v;
    v.here = load_row(p.here + row);
    v.below_k = shift_up(v.here, p.below_k[row]);
    v.above_k = shift_down(v.here, p.above_k[row]);
    v.below_j = load_row(j > 0 ? p.here + row - kRow : p.below_j);
    v.above_j = load_row(j < kTileSide - 1 ? p.here + row + kRow : p.above_j);
    if constexpr (Dim == 3) {
        v.below_i = load_row(p.below_i + row);
        v.above_i = load_row(p.above_i + row);
    }
    return v;
}

// Calls f(plane, i, j) for each row of a tile.  Rows are unrolled, so that what depends on j costs nothing.
template <int Dim, class F>
SPINDRIFT_INLINE void for_rows(const float* tile, const Sides& sides, F&& f) {
    for (int i = 0; i < kTilePlanes<Dim>; ++i) {
        const Plane plane = plane_at<Dim>(tile, sides, i);
#pragma GCC unroll 8
        for (int j = 0; j < kTileSide; ++j) f(plane, i, j);
    }
}

SPINDRIFT_INLINE int row_offset(int i, int j) { return i * kPlaneCells + j * kRow; }

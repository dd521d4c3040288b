// SPDX-License-Identifier: Apache-2.0
// Kernels of back-traces, a tile at a time in rows of eight points.  Places are in cells, from the tile's corner.

#include "grid/place_rows.inl"

// The values around each place, axis 0 slowest, and how far beyond the lower ones it lies.
template <int Dim>
SPINDRIFT_INLINE void load_around(const PatchView<Dim>& patch, const Row* place, Row* v, Row* t) {
    RowInts offset{};
#pragma GCC unroll 3
    for (int a = 0; a < Dim; ++a) {
        // Never negative, so that rounding towards zero is rounding down.
        const Row p = place[a] + fill_row(patch.shift[a]);
        const RowInts below = __builtin_convertvector(p, RowInts);
        t[a] = p - __builtin_convertvector(below, Row);
        offset += a == Dim - 1 ? below : below * patch.stride[a];
    }
    const auto corner = [&](int n) {
        return patch.values + (n & 1) * patch.stride[Dim - 2] + (n >> 1) * patch.stride[0];
    };
    // Where the flow is smooth, places side by side lie in cells side by side.
    constexpr RowInts kLanes{0, 1, 2, 3, 4, 5, 6, 7};
    if (!any_lane(offset != offset[0] + kLanes)) {
#pragma GCC unroll 4
        for (int n = 0; n < 1 << (Dim - 1); ++n) {
            v[2 * n] = load_row(corner(n) + offset[0]);
            v[2 * n + 1] = load_row(corner(n) + offset[0] + 1);
        }
        return;
    }
    alignas(32) int at[kRow];
    __builtin_memcpy(at, &offset, sizeof at);
#pragma GCC unroll 4
    for (int n = 0; n < 1 << (Dim - 1); ++n) {
        const RowPair pair = gather_pairs(corner(n), at);
        v[2 * n] = pair.first;
        v[2 * n + 1] = pair.second;
    }
}

template <int Dim>
SPINDRIFT_INLINE Row sample_row(const PatchView<Dim>& patch, const Row* place) {
    Row v[1 << Dim], t[Dim];
    load_around<Dim>(patch, place, v, t);
    return join_cells<Dim>(v, t);
}

// With the least and the largest of the points it joins.
template <int Dim>
SPINDRIFT_INLINE RowRange sample_row_with_range(const PatchView<Dim>& patch, const Row* place) {
    Row v[1 << Dim], t[Dim];
    load_around<Dim>(patch, place, v, t);
    Row least = v[0], most = v[0];
#pragma GCC unroll 8
    for (int n = 1; n < 1 << Dim; ++n) {
        least = select(v[n] < least, v[n], least);
        most = select(v[n] > most, v[n], most);
    }
    return {join_cells<Dim>(v, t), least, most};
}

// Of the polynomial through four points, by how far a place is beyond the second.
SPINDRIFT_INLINE void cubic_weights(Row t, Row* w) {
    const Row one = fill_row(1), below = t + one, above = t - one, far = t - fill_row(2);
    w[0] = fill_row(-1.0F / 6) * t * above * far;
    w[1] = fill_row(0.5F) * below * above * far;
    w[2] = fill_row(-0.5F) * below * t * far;
    w[3] = fill_row(1.0F / 6) * below * t * above;
}

// The 4^Dim values around a place, joined, and the range of the 2^Dim next to it.
template <int Dim, class Read>
SPINDRIFT_INLINE RowRange join_cubics(const PatchView<Dim>& patch, const Row (&weights)[Dim][4], Read&& read) {
    Row value{}, least{}, most{};
#pragma GCC unroll 4
    for (int i = Dim == 3 ? 0 : 1; i < (Dim == 3 ? 4 : 2); ++i) {
        Row layer{};
#pragma GCC unroll 4
        for (int j = 0; j < 4; ++j) {
            Row v[4];
            read(patch.values + (Dim == 3 ? (i - 1) * patch.stride[0] : 0) + (j - 1) * patch.stride[Dim - 2], v);
            const Row* w = weights[Dim - 1];
            layer += weights[Dim - 2][j] * ((w[0] * v[0] + w[1] * v[1]) + (w[2] * v[2] + w[3] * v[3]));
            if ((i != 1 && i != 2) || (j != 1 && j != 2)) continue;
            const bool first = i == 1 && j == 1;
#pragma GCC unroll 2
            for (int n = 1; n < 3; ++n) {
                least = first && n == 1 ? v[n] : select(v[n] < least, v[n], least);
                most = first && n == 1 ? v[n] : select(v[n] > most, v[n], most);
            }
        }
        value += Dim == 3 ? weights[0][i] * layer : layer;
    }
    return {value, least, most};
}
SPINDRIFT_INLINE Row within(const RowRange& r) {
    const Row above = select(r.value < r.least, r.least, r.value);
    return select(above > r.most, r.most, above);
}

// By cubics through four points along each axis, with the range that it should not pass.
template <int Dim>
SPINDRIFT_INLINE RowRange sample_row_cubic(const PatchView<Dim>& patch, const Row* place) {
    RowInts offset{};
    Row weights[Dim][4];
#pragma GCC unroll 3
    for (int a = 0; a < Dim; ++a) {
        const Row p = place[a] + fill_row(patch.shift[a]);
        const RowInts below = __builtin_convertvector(p, RowInts);
        cubic_weights(p - __builtin_convertvector(below, Row), weights[a]);
        offset += a == Dim - 1 ? below : below * patch.stride[a];
    }
    // Four values along the last axis, from that below.
    alignas(32) int at[kRow];
    __builtin_memcpy(at, &offset, sizeof at);
    const auto gathered = [&](const float* first, Row* v) {
        const RowPair low = gather_pairs(first - 1, at), high = gather_pairs(first + 1, at);
        v[0] = low.first, v[1] = low.second, v[2] = high.first, v[3] = high.second;
    };
    const auto in_rows = [&](const float* first, Row* v) {
#pragma GCC unroll 4
        for (int n = 0; n < 4; ++n) v[n] = load_row(first + at[0] + n - 1);
    };
    constexpr RowInts kLanes{0, 1, 2, 3, 4, 5, 6, 7};
    return any_lane(offset != offset[0] + kLanes) ? join_cubics<Dim>(patch, weights, gathered)
                                                  : join_cubics<Dim>(patch, weights, in_rows);
}

// The velocity at a row of the layout's own points: means of the faces around them.
template <int Dim>
SPINDRIFT_INLINE void velocity_at_points(Row* u, const TracedTile<Dim>& tile, int row) {
#pragma GCC unroll 3
    for (int b = 0; b < Dim; ++b) {
        const PatchView<Dim>& patch = tile.velocity[b];
        const int at =
            Dim == 3 ? row / kTileSide * patch.stride[0] + row % kTileSide * patch.stride[1] : row * patch.stride[0];
        const float* v = patch.tile + at;
        const int up = patch.stride[b];
        if (tile.axis < 0) {
            u[b] = fill_row(0.5F) * (load_row(v) + load_row(v + up));
        } else if (tile.axis == b) {
            u[b] = load_row(v);
        } else {
            const int back = patch.stride[tile.axis];
            u[b] =
                fill_row(0.25F) * ((load_row(v) + load_row(v - back)) + (load_row(v + up) + load_row(v + up - back)));
        }
    }
}

// A part of a step from a row of places, no further than the tile's paths may go.
template <int Dim>
SPINDRIFT_INLINE void go(Row* to, const Row* from, const Row* u, const TracedTile<Dim>& tile, float cells) {
#pragma GCC unroll 3
    for (int a = 0; a < Dim; ++a) to[a] = limited(from[a] + u[a] * fill_row(cells), tile.lo[a], tile.hi[a]);
}

// Where the flow brings the points of a layout:  x + dt u(x + dt u(x) / 2).  First straight on to the places inside u,
// then all the way with the velocity there.
template <int Dim>
SPINDRIFT_KERNEL void go_straight(const TracedTile<Dim>& tile, float cells) {
    for (int r = 0; r < tile.rows->count; ++r) {
        const int row = tile.rows->row[static_cast<unsigned>(r)];
        Row start[Dim], place[Dim], u[Dim];
        row_place<Dim>(start, tile.stagger, row);
        velocity_at_points<Dim>(u, tile, row);
        go<Dim>(place, start, u, tile, cells);
#pragma GCC unroll 3
        for (int a = 0; a < Dim; ++a) store_row(tile.ends[a] + row * kRow, place[a]);
    }
}
template <int Dim>
SPINDRIFT_KERNEL void go_from_there(const TracedTile<Dim>& tile, float cells) {
    for (int r = 0; r < tile.rows->count; ++r) {
        const int row = tile.rows->row[static_cast<unsigned>(r)];
        Row start[Dim], place[Dim], u[Dim];
#pragma GCC unroll 3
        for (int a = 0; a < Dim; ++a) place[a] = load_row(tile.ends[a] + row * kRow);
#pragma GCC unroll 3
        for (int b = 0; b < Dim; ++b) u[b] = sample_row<Dim>(tile.velocity[b], place);
        row_place<Dim>(start, tile.stagger, row);
        go<Dim>(place, start, u, tile, cells);
#pragma GCC unroll 3
        for (int a = 0; a < Dim; ++a) store_row(tile.ends[a] + row * kRow, place[a]);
    }
}

// What a field has at the ends.
template <int Dim>
SPINDRIFT_KERNEL void sample_tile(const PatchView<Dim>& patch, const TracedRows<Dim>& rows, const float* const* ends,
                                  float* out) {
    for (int r = 0; r < rows.count; ++r) {
        const int n = rows.row[static_cast<unsigned>(r)] * kRow;
        Row place[Dim];
#pragma GCC unroll 3
        for (int a = 0; a < Dim; ++a) place[a] = load_row(ends[a] + n);
        store_row(out + n, sample_row<Dim>(patch, place));
    }
}
template <int Dim>
SPINDRIFT_KERNEL void sample_tile_cubic(const PatchView<Dim>& patch, const TracedRows<Dim>& rows,
                                        const float* const* ends, float* out) {
    for (int r = 0; r < rows.count; ++r) {
        const int n = rows.row[static_cast<unsigned>(r)] * kRow;
        Row place[Dim];
#pragma GCC unroll 3
        for (int a = 0; a < Dim; ++a) place[a] = load_row(ends[a] + n);
        store_row(out + n, within(sample_row_cubic<Dim>(patch, place)));
    }
}
// And what the range cuts off.
template <int Dim>
SPINDRIFT_KERNEL void sample_tile_cubic_with_range(const PatchView<Dim>& patch, const TracedRows<Dim>& rows,
                                                   const float* const* ends, float* out, float* least, float* most,
                                                   float* cut) {
    for (int r = 0; r < rows.count; ++r) {
        const int n = rows.row[static_cast<unsigned>(r)] * kRow;
        Row place[Dim];
#pragma GCC unroll 3
        for (int a = 0; a < Dim; ++a) place[a] = load_row(ends[a] + n);
        const RowRange found = sample_row_cubic<Dim>(patch, place);
        const Row value = within(found);
        store_row(out + n, value);
        store_row(least + n, found.least);
        store_row(most + n, found.most);
        store_row(cut + n, found.value - value);
    }
}
template <int Dim>
SPINDRIFT_KERNEL void sample_tile_with_range(const PatchView<Dim>& patch, const TracedRows<Dim>& rows,
                                             const float* const* ends, float* out, float* least, float* most) {
    for (int r = 0; r < rows.count; ++r) {
        const int n = rows.row[static_cast<unsigned>(r)] * kRow;
        Row place[Dim];
#pragma GCC unroll 3
        for (int a = 0; a < Dim; ++a) place[a] = load_row(ends[a] + n);
        const RowRange found = sample_row_with_range<Dim>(patch, place);
        store_row(out + n, found.value);
        store_row(least + n, found.least);
        store_row(most + n, found.most);
    }
}

// How much larger a cell is where the points of a tile come from than where they go, less 1: det ∂(ends)/∂(starts) − 1,
// by differences among the tile's own points.  No more than a whole cell is lost or gained.
template <int Dim>
SPINDRIFT_KERNEL void stretch_of_tile(const float* const* ends, float* out) {
    for (int row = 0; row < kTileCells<Dim> / kRow; ++row) {
        Row slope[Dim][Dim];
#pragma GCC unroll 3
        for (int b = 0; b < Dim; ++b) {
            const float* here = ends[b] + row * kRow;
            Row along{};
#pragma GCC unroll 8
            for (int n = 0; n < kRow; ++n) along += fill_row(here[n]) * load_row(kAlongRow[n].data());
            slope[b][Dim - 1] = along;
#pragma GCC unroll 2
            for (int a = 0; a < Dim - 1; ++a) {
                const int rows = Dim == 3 && a == 0 ? kTileSide : 1, place = row / rows % kTileSide;
                const int first = first_of_five(place);
                const float* from = ends[b] + (row + (first - place) * rows) * kRow;
                Row across{};
#pragma GCC unroll 5
                for (int n = 0; n < 5; ++n)
                    across += load_row(from + n * rows * kRow) * fill_row(kSlopes[place - first][n]);
                slope[b][a] = across;
            }
        }
        Row volume;
        if constexpr (Dim == 3)
            volume = slope[0][0] * (slope[1][1] * slope[2][2] - slope[1][2] * slope[2][1]) -
                     slope[0][1] * (slope[1][0] * slope[2][2] - slope[1][2] * slope[2][0]) +
                     slope[0][2] * (slope[1][0] * slope[2][1] - slope[1][1] * slope[2][0]);
        else
            volume = slope[0][0] * slope[1][1] - slope[0][1] * slope[1][0];
        store_row(out + row * kRow, limited(volume - fill_row(1), -1, 1));
    }
}

// missing += stretch · (a − ambient)
SPINDRIFT_KERNEL void add_stretched_rows(float* missing, const float* stretch, const float* a, float ambient,
                                         int count) {
    for (int n = 0; n < count; n += kRow)
        store_row(missing + n, load_row(missing + n) + load_row(stretch + n) * (load_row(a + n) - fill_row(ambient)));
}

// NaN is passed over.
template <int Dim>
SPINDRIFT_KERNEL Extent extent_of_rows(const float* values, const TracedRows<Dim>& rows) {
    Row least = fill_row(kLargest), most = -least;
    for (int r = 0; r < rows.count; ++r) {
        const Row v = load_row(values + rows.row[static_cast<unsigned>(r)] * kRow);
        least = select(v < least, v, least);
        most = select(v > most, v, most);
    }
    Extent all{least[0], most[0]};
    for (int lane = 1; lane < kRow; ++lane) {
        all.least = least[lane] < all.least ? least[lane] : all.least;
        all.most = most[lane] > all.most ? most[lane] : all.most;
    }
    return all;
}

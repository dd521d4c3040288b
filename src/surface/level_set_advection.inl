// SPDX-License-Identifier: Apache-2.0
// Kernels of the level set's advection, a tile at a time in rows of eight cells.

#include "grid/place_rows.inl"

// Lists the rows with a cell nearer to the surface than `limit`, m, and the places of their cells.
template <int Dim>
SPINDRIFT_KERNEL void find_near_rows(PlaceRows<Dim>& rows, const float* phi, float limit) {
    constexpr float kCentre[] = {0.5F, 0.5F, 0.5F};
    rows.count = 0;
    for (int row = 0; row < kTileCells<Dim> / kRow; ++row) {
        const Row here = load_row(phi + row * kRow);
        if (!any_lane((here < fill_row(limit)) & (here > fill_row(-limit)))) continue;
        Row place[Dim];
        row_place<Dim>(place, kCentre, row);
        for (int a = 0; a < Dim; ++a) store_row(rows.at[a] + rows.count * kRow, place[a]);
        rows.row[rows.count++] = row;
    }
}

// Keeps weights finite where φ is linear, per dx².
constexpr float kTiny = 0.15F;

// A dense copy of the cells that the places of a tile need, mirrored at the walls.
template <int Dim>
class WindowValues {
  public:
    static constexpr int kSide = 3 * kTileSide, kPlane = Dim == 3 ? kSide * kSide : 0;
    alignas(64) float values[kSide * kSide * (Dim == 3 ? kSide : 1)];

    // From lo to hi along each axis, counted from the window's first cell.
    SPINDRIFT_INLINE void load(const PhiWindow<Dim>& window, const int* lo, const int* hi) {
        const int first_tile = lo[Dim - 1] >> kTileBits, last_tile = hi[Dim - 1] >> kTileBits;
        for (int i = Dim == 3 ? lo[0] : 0; i <= (Dim == 3 ? hi[0] : 0); ++i) {
            const int from_i = Dim == 3 ? inside(i, window, 0) : 0;
            for (int j = lo[Dim - 2]; j <= hi[Dim - 2]; ++j) {
                const int from_j = inside(j, window, 1);
                float* row = values + i * kPlane + j * kSide;
                const int at = ((from_i & (kTileSide - 1)) * kTileSide + (from_j & (kTileSide - 1))) * kRow;
                for (int t = first_tile; t <= last_tile; ++t) {
                    const float* tile = window.tile[((from_i >> kTileBits) * 3 + (from_j >> kTileBits)) * 3 + t];
                    store_row(row + t * kRow, tile == nullptr ? fill_row(window.background) : load_row(tile + at));
                }
                const int first = kTileSide + window.box.lo[2], end = kTileSide + window.box.hi[2];
                for (int k = lo[Dim - 1]; k < first; ++k) row[k] = row[inside(k, window, 2)];
                for (int k = end > lo[Dim - 1] ? end : lo[Dim - 1]; k <= hi[Dim - 1]; ++k)
                    row[k] = row[inside(k, window, 2)];
            }
        }
    }

  private:
    // The cell itself, or its mirror image in the container.
    SPINDRIFT_INLINE static int inside(int cell, const PhiWindow<Dim>& window, int axis) {
        const int first = kTileSide + window.box.lo[axis], last = kTileSide + window.box.hi[axis] - 1;
        if (cell < first) {
            const int mirrored = 2 * first - 1 - cell;
            return mirrored < last ? mirrored : last;
        }
        if (cell > last) {
            const int mirrored = 2 * last + 1 - cell;
            return mirrored > first ? mirrored : first;
        }
        return cell;
    }
};

// What a parabola adds to the line between two cells, at t beyond the first, is −t (1 − t)/2 times the second
// difference.  There are two of them, about either cell; d1 and d2 weighted by (2 − t)/3 and (1 + t)/3 give the cubic
// through the four cells, and like the weights of [JiangPeng00] these give way to the smoother side at a kink of φ:
// between the two sides of a sheet a cubic would thicken it.
SPINDRIFT_INLINE Row second_difference(Row v0, Row v1, Row v2, Row v3, Row t, Row tiny) {
    const auto square = [](Row v) { return v * v; };
    const Row d1 = (v0 - v1) + (v2 - v1), d2 = (v1 - v2) + (v3 - v2);
    const Row w1 = (fill_row(2) - t) * square(tiny + d2 * d2), w2 = (fill_row(1) + t) * square(tiny + d1 * d1);
    return (w1 * d1 + w2 * d2) / (w1 + w2);
}

// φ at places beyond the cells at `at` by t: linear between the 2^Dim cells around, and along each axis the parabolas.
// read(offset) gives the values of two cells along the last axis for each lane, counted from the lowest of the 4^Dim.
template <int Dim, class Read>
SPINDRIFT_INLINE Row interpolate(const Row* t, Row tiny, Read&& read) {
    constexpr int kSide = WindowValues<Dim>::kSide, kPlane = WindowValues<Dim>::kPlane;
    constexpr int kCorners = 1 << Dim, kRows = kCorners / 2, kFirst = kPlane + kSide + 1;
    Row v[kCorners], bend{};
    const auto weight = [&](int n, int a) { return n != 0 ? t[a] : fill_row(1) - t[a]; };
    const auto bump = [&](int a) { return fill_row(-0.5F) * t[a] * (fill_row(1) - t[a]); };
    // Along the last axis, for each pair of rows.
    Row along{};
#pragma GCC unroll 4
    for (int n = 0; n < kRows; ++n) {
        const int row = kFirst + (n >> 1) * kPlane + (n & 1) * kSide;
        const RowPair inner = read(row), below = read(row - 1), above = read(row + 1);
        v[2 * n] = inner.first;
        v[2 * n + 1] = inner.second;
        const Row d = second_difference(below.first, inner.first, inner.second, above.second, t[Dim - 1], tiny);
        along += (Dim == 3 ? weight(n >> 1, 0) : fill_row(1)) * weight(n & 1, Dim - 2) * d;
    }
    bend += bump(Dim - 1) * along;
    // Along the others.
#pragma GCC unroll 2
    for (int a = 0; a < Dim - 1; ++a) {
        const int step = Dim == 3 && a == 0 ? kPlane : kSide, other = Dim == 3 && a == 0 ? kSide : kPlane;
        Row across{};
#pragma GCC unroll 2
        for (int n = 0; n < kRows / 2; ++n) {
            const RowPair below = read(kFirst + n * other - step), above = read(kFirst + n * other + 2 * step);
            const int low = Dim == 2 ? 0 : a == 0 ? 2 * n : 4 * n, up = Dim == 3 && a == 0 ? 4 : 2;
            const Row first = second_difference(below.first, v[low], v[low + up], above.first, t[a], tiny);
            const Row second = second_difference(below.second, v[low + 1], v[low + up + 1], above.second, t[a], tiny);
            const Row d = first + t[Dim - 1] * (second - first);
            across += (Dim == 3 ? weight(n, 1 - a) : fill_row(1)) * d;
        }
        bend += bump(a) * across;
    }
    return join_cells<Dim>(v, t) + bend;
}

// φ at the places, for those cells of their rows that are nearer to the surface than `limit`.
template <int Dim>
SPINDRIFT_KERNEL void sample_rows(const PhiWindow<Dim>& window, PlaceRows<Dim>& rows, float* phi, float limit) {
    // Counts places from the window's first cell centre on; they are no farther away than a path may lead, and inside
    // the container.
    constexpr float kFirst[] = {kTileSide, kTileSide, kTileSide};
    Row low[Dim], high[Dim];
    for (int a = 0; a < Dim; ++a) low[a] = fill_row(3 * kTileSide), high[a] = fill_row(0);
    for (int r = 0; r < rows.count; ++r) {
        Row start[Dim];
        row_place<Dim>(start, kFirst, rows.row[r]);
#pragma GCC unroll 3
        for (int a = 0; a < Dim; ++a) {
            const int axis = 3 - Dim + a;
            const Row way = load_row(rows.at[a] + r * kRow) + fill_row(kTileSide - 0.5F) - start[a];
            const Row at = limited(start[a] + limited(way, -kLongestPath, kLongestPath),
                                   static_cast<float>(kTileSide + window.box.lo[axis]) - 0.5F,
                                   static_cast<float>(kTileSide + window.box.hi[axis]) - 0.5F);
            store_row(rows.at[a] + r * kRow, at);
            low[a] = select(at < low[a], at, low[a]);
            high[a] = select(at > high[a], at, high[a]);
        }
    }
    int lo[Dim], hi[Dim];
    for (int a = 0; a < Dim; ++a) {
        float from = low[a][0], to = high[a][0];
        for (int n = 1; n < kRow; ++n) {
            from = low[a][n] < from ? low[a][n] : from;
            to = high[a][n] > to ? high[a][n] : to;
        }
        lo[a] = static_cast<int>(from) - 1;
        hi[a] = static_cast<int>(to) + 2;
    }
    WindowValues<Dim> copy;
    copy.load(window, lo, hi);
    const Row tiny = fill_row(kTiny * window.dx * window.dx);
    for (int r = 0; r < rows.count; ++r) {
        RowInts offset{};
        Row t[Dim];
#pragma GCC unroll 3
        for (int a = 0; a < Dim; ++a) {
            const Row at = load_row(rows.at[a] + r * kRow);
            const RowInts below = __builtin_convertvector(at, RowInts);
            t[a] = at - __builtin_convertvector(below, Row);
            offset = offset * WindowValues<Dim>::kSide + (below - 1);
        }
        alignas(32) int at[kRow];
        __builtin_memcpy(at, &offset, sizeof at);
        const auto gathered = [&](int more) { return gather_pairs(copy.values + more, at); };
        const auto in_rows = [&](int more) {
            return RowPair{load_row(copy.values + at[0] + more), load_row(copy.values + at[0] + more + 1)};
        };
        // Where the flow is smooth, places side by side lie in cells side by side.
        constexpr RowInts kLanes{0, 1, 2, 3, 4, 5, 6, 7};
        const Row found = any_lane(offset != offset[0] + kLanes) ? interpolate<Dim>(t, tiny, gathered)
                                                                 : interpolate<Dim>(t, tiny, in_rows);
        float* out = phi + rows.row[r] * kRow;
        const Row before = load_row(out);
        store_row(out, select((before < fill_row(limit)) & (before > fill_row(-limit)), found, before));
    }
}

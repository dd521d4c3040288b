// SPDX-License-Identifier: Apache-2.0
// Kernels: a field's values at eight places near a tile (grid/window_view.h).

#include "grid/place_rows.inl"

// Rows of places, one row per axis; in cells, from where cell 0 has its value.
template <int Dim>
struct RowPlaces {
    int count = 0;
    int row[kTileCells<Dim> / kRow];  // of the tile, for which the places are
    Row at[kTileCells<Dim> / kRow][Dim];
};

// Linear along each axis.  The part of the window that the places need is copied to a dense block first.
template <int Dim>
class WindowValues {
  public:
    // For the places of `seen` and all others between them.
    SPINDRIFT_INLINE void see(const WindowView<Dim>& window, const RowPlaces<Dim>& seen) {
        int lo[Dim], hi[Dim];
#pragma GCC unroll 3
        for (int a = 0; a < Dim; ++a) {
            first_[a] = window.first[a];
            Row least = seen.at[0][a], most = least;
            for (int n = 1; n < seen.count; ++n) {
                const Row place = seen.at[n][a];
                least = select(place < least, place, least);
                most = select(place > most, place, most);
            }
            float from = least[0], to = most[0];
            for (int n = 1; n < kRow; ++n) {
                from = least[n] < from ? least[n] : from;
                to = most[n] > to ? most[n] : to;
            }
            lo[a] = inside(static_cast<int>(from - first_[a]));
            hi[a] = inside(static_cast<int>(to - first_[a]) + 1);
        }
        for (int i = Dim == 3 ? lo[0] : 0; i <= (Dim == 3 ? hi[0] : 0); ++i)
            for (int j = lo[Dim - 2]; j <= hi[Dim - 2]; ++j)
                for (int t = lo[Dim - 1] >> kTileBits; t <= hi[Dim - 1] >> kTileBits; ++t) copy_row(window, i, j, t);
    }

    SPINDRIFT_INLINE Row operator()(const Row* place) const {
        Row v[1 << Dim], t[Dim];
        load(place, v, t);
        return join_cells<Dim>(v, t);
    }

    // With the least and the largest of the cells it joins, those of no weight left out: the bounds of a limiter.
    SPINDRIFT_INLINE RowRange with_range(const Row* place) const {
        Row v[1 << Dim], t[Dim], least[1 << Dim], most[1 << Dim];
        load(place, v, t);
#pragma GCC unroll 8
        for (int n = 0; n < 1 << Dim; ++n) least[n] = most[n] = v[n];
#pragma GCC unroll 3
        for (int a = 0; a < Dim; ++a) {
            const int half = 1 << (Dim - 1 - a);
            const RowMask counts = t[a] > fill_row(0);
#pragma GCC unroll 4
            for (int n = 0; n < half; ++n) {
                const Row low = select(counts, least[n + half], least[n]);
                const Row high = select(counts, most[n + half], most[n]);
                least[n] = select(low < least[n], low, least[n]);
                most[n] = select(high > most[n], high, most[n]);
            }
        }
        return {join_cells<Dim>(v, t), least[0], most[0]};
    }

  private:
    static constexpr int kSide = 3 * kTileSide, kPlane = Dim == 3 ? kSide * kSide : 0;
    static constexpr int kValues = kSide * kSide * (Dim == 3 ? kSide : 1);

    SPINDRIFT_INLINE static int inside(int cell) { return cell < 0 ? 0 : cell >= kSide ? kSide - 1 : cell; }

    // A row of one of the window's tiles, number t along the last axis.
    SPINDRIFT_INLINE void copy_row(const WindowView<Dim>& window, int i, int j, int t) {
        const int start = window.start[((i >> kTileBits) * 3 + (j >> kTileBits)) * 3 + t];
        const int at = ((i & (kTileSide - 1)) * kTileSide + (j & (kTileSide - 1))) * kRow;
        store_row(values_ + i * kPlane + j * kSide + t * kRow,
                  start < 0 ? fill_row(window.background) : load_row(window.values + start + at));
    }

    // The cells around each place, axis 0 slowest, and how far beyond the lower ones it lies.
    SPINDRIFT_INLINE void load(const Row* place, Row* v, Row* t) const {
        RowInts offset{};
#pragma GCC unroll 3
        for (int a = 0; a < Dim; ++a) {
            // Never negative, so that rounding towards zero is rounding down.
            const Row from_edge = place[a] - fill_row(first_[a]);
            const RowInts below = __builtin_convertvector(from_edge, RowInts);
            t[a] = place[a] - (__builtin_convertvector(below, Row) + fill_row(first_[a]));
            offset = offset * kSide + below;
        }
        alignas(32) int at[kRow];
        __builtin_memcpy(at, &offset, sizeof at);
#pragma GCC unroll 4
        for (int n = 0; n < 1 << (Dim - 1); ++n) {
            const RowPair pair = gather_pairs(values_ + (n >> 1) * kPlane + (n & 1) * kSide, at);
            v[2 * n] = pair.first;
            v[2 * n + 1] = pair.second;
        }
    }

    float first_[Dim];
    alignas(64) float values_[kValues];
};

// SPDX-License-Identifier: Apache-2.0
// Kernels: a field's values at eight places near a tile (grid/window_view.h).

using RowInts = int __attribute__((vector_size(32)));

// base[index] of each lane.
SPINDRIFT_INLINE Row gather(const float* base, RowInts index) {
#if defined(__AVX2__)
    const RowMask all = RowInts{} == RowInts{};
    return __builtin_ia32_gathersiv8sf(Row{}, base, index, reinterpret_cast<Row>(all), 4);
#else
    Row out;
    for (int n = 0; n < kRow; ++n) out[n] = base[index[n]];
    return out;
#endif
}
SPINDRIFT_INLINE RowInts gather(const int* base, RowInts index) {
#if defined(__AVX2__)
    return __builtin_ia32_gathersiv8si(RowInts{}, base, index, RowInts{} == RowInts{}, 4);
#else
    RowInts out;
    for (int n = 0; n < kRow; ++n) out[n] = base[index[n]];
    return out;
#endif
}

struct RowRange {
    Row value, least, most;
};

// Linear along each axis.  Places count in cells from where cell 0 has its value, one row per axis.
template <int Dim>
struct WindowValues {
    const WindowView<Dim>* window;

    SPINDRIFT_INLINE Row operator()(const Row* place) const {
        Row v[1 << Dim], t[Dim];
        load(place, v, t);
        return join(v, t);
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
        return {join(v, t), least[0], most[0]};
    }

  private:
    // The cells around each place, axis 0 slowest, and how far beyond the lower ones it lies.
    SPINDRIFT_INLINE void load(const Row* place, Row* v, Row* t) const {
        // Of the lower and of the upper cell along each axis: which tile of the window, where in the tile.
        RowInts tile[Dim][2], inside[Dim][2];
#pragma GCC unroll 3
        for (int a = 0; a < Dim; ++a) {
            // Never negative, so that rounding towards zero is rounding down.
            const Row from_edge = place[a] - fill_row(window->first[a]);
            const RowInts below = __builtin_convertvector(from_edge, RowInts);
            t[a] = place[a] - (__builtin_convertvector(below, Row) + fill_row(window->first[a]));
            int weight = 1;
            for (int later = a + 1; later < Dim; ++later) weight *= 3;
            const int shift = kTileBits * (Dim - 1 - a);
#pragma GCC unroll 2
            for (int up = 0; up < 2; ++up) {
                const RowInts cell = below + up;
                tile[a][up] = (cell >> kTileBits) * weight;
                inside[a][up] = (cell & (kTileSide - 1)) << shift;
            }
        }
#pragma GCC unroll 8
        for (int n = 0; n < 1 << Dim; ++n) {
            RowInts of{}, at{};
#pragma GCC unroll 3
            for (int a = 0; a < Dim; ++a) {
                const int up = n >> (Dim - 1 - a) & 1;
                of += tile[a][up];
                at += inside[a][up];
            }
            const RowInts start = gather(window->start, of);
            const RowMask missing = start < RowInts{};
            const Row value = gather(window->values, missing ? RowInts{} : start + at);
            v[n] = select(missing, fill_row(window->background), value);
        }
    }
    // a + t (b - a), axis 0 first: exact for constants and at t = 0.
    SPINDRIFT_INLINE static Row join(Row* v, const Row* t) {
#pragma GCC unroll 3
        for (int a = 0; a < Dim; ++a) {
            const int half = 1 << (Dim - 1 - a);
#pragma GCC unroll 4
            for (int n = 0; n < half; ++n) v[n] += t[a] * (v[n + half] - v[n]);
        }
        return v[0];
    }
};

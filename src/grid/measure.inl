// SPDX-License-Identifier: Apache-2.0
// Measures of runs of whole rows.

// Half a row in double: every product is exact and a sum loses nothing that matters, as solvers' faster sums may.
using UnalignedHalf = float __attribute__((vector_size(16), aligned(4), may_alias));
SPINDRIFT_INLINE Row4d load_double(const float* p) {
    return __builtin_convertvector(*reinterpret_cast<const UnalignedHalf*>(p), Row4d);
}
SPINDRIFT_INLINE double total(Row4d s) { return (s[0] + s[1]) + (s[2] + s[3]); }

SPINDRIFT_KERNEL double dot_rows(const float* a, const float* b, std::size_t size) {
    Row4d lower{}, upper{};
    for (std::size_t i = 0; i < size; i += kRow) {
        lower += load_double(a + i) * load_double(b + i);
        upper += load_double(a + i + 4) * load_double(b + i + 4);
    }
    return total(lower + upper);
}

SPINDRIFT_KERNEL double sum_rows(const float* values, std::size_t size) {
    Row4d lower{}, upper{};
    for (std::size_t i = 0; i < size; i += kRow) {
        lower += load_double(values + i);
        upper += load_double(values + i + 4);
    }
    return total(lower + upper);
}

// Comparisons pass over NaN, so it is looked for apart.
SPINDRIFT_KERNEL Extremes extremes_of_rows(const float* values, std::size_t size) {
    Row least = fill_row(kInfinity), greatest = fill_row(-kInfinity);
    RowMask nan{};
    for (std::size_t i = 0; i < size; i += kRow) {
        const Row v = load_row(values + i);
        least = select(v < least, v, least);
        greatest = select(v > greatest, v, greatest);
        nan |= v != v;
    }
    Extremes all{kInfinity, -kInfinity};
    for (int lane = 0; lane < kRow; ++lane) {
        if (nan[lane] != 0) return {kNaN, kNaN};
        all.least = least[lane] < all.least ? least[lane] : all.least;
        all.greatest = greatest[lane] > all.greatest ? greatest[lane] : all.greatest;
    }
    return all;
}

// A lane counts at most the rows of a block.
SPINDRIFT_KERNEL std::size_t count_nonfinite_rows(const float* values, std::size_t size) {
    RowMask count{};
    for (std::size_t i = 0; i < size; i += kRow) {
        const Row v = load_row(values + i);
        count -= (v - v) != fill_row(0);  // ∞ - ∞ and NaN - NaN are NaN
    }
    std::size_t all = 0;
    for (int lane = 0; lane < kRow; ++lane) all += static_cast<std::size_t>(count[lane]);
    return all;
}

// SPDX-License-Identifier: Apache-2.0
// Rows of eight floats, for kernels.  Included by each_instruction_set.h inside the namespace of each set: a function
// here must be compiled with the set of the kernel it ends up in.

using Row = float __attribute__((vector_size(32)));
using RowMask = int __attribute__((vector_size(32)));
using Row4d = double __attribute__((vector_size(32)));
// The attributes stand before the equals sign: behind it clang ignores the alignment.
using UnalignedRow __attribute__((aligned(4), may_alias)) = Row;

SPINDRIFT_INLINE Row load_row(const float* p) { return *reinterpret_cast<const UnalignedRow*>(p); }
SPINDRIFT_INLINE void store_row(float* p, Row v) { *reinterpret_cast<UnalignedRow*>(p) = v; }
SPINDRIFT_INLINE Row fill_row(float v) { return Row{v, v, v, v, v, v, v, v}; }

// The row moved by one lane, with what enters at the free end.
SPINDRIFT_INLINE Row shift_up(Row v, float first) {
    return __builtin_shufflevector(v, fill_row(first), 8, 0, 1, 2, 3, 4, 5, 6);
}
SPINDRIFT_INLINE Row shift_down(Row v, float last) {
    return __builtin_shufflevector(v, fill_row(last), 1, 2, 3, 4, 5, 6, 7, 8);
}

// Whether the condition holds in some lane.
SPINDRIFT_INLINE bool any_lane(RowMask condition) {
    using Halves = long long __attribute__((vector_size(32)));
    const auto h = reinterpret_cast<Halves>(condition);
    return ((h[0] | h[1]) | (h[2] | h[3])) != 0;
}
SPINDRIFT_INLINE Row select(RowMask condition, Row yes, Row no) { return condition ? yes : no; }

SPINDRIFT_INLINE Row square_root(Row v) {
    Row out;
    for (int n = 0; n < kRow; ++n) out[n] = __builtin_sqrtf(v[n]);
    return out;
}

// Two neighbours in memory for each lane, from base[at[lane]] on.
struct RowPair {
    Row first, second;
};
SPINDRIFT_INLINE RowPair gather_pairs(const float* base, const int* at) {
    // A pair is moved as one double: half as many loads, and two shuffles take pairs apart for all lanes.
    const auto pair = [&](int lane) {
        double both;
        __builtin_memcpy(&both, base + at[lane], sizeof both);
        return both;
    };
    const Row a = reinterpret_cast<Row>(Row4d{pair(0), pair(1), pair(4), pair(5)}),
              b = reinterpret_cast<Row>(Row4d{pair(2), pair(3), pair(6), pair(7)});
    return {__builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14),
            __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15)};
}

// A sum of products.  Up to eight products per lane are added in float, then these go to double sums: close to the
// accuracy of double at a fraction of its cost.  The order is part of the result.
struct RowSum {
    Row part{};
    Row4d lower{}, upper{};

    SPINDRIFT_INLINE void add_products(Row a, Row b) { part += a * b; }
    // To be called after at most eight rows.
    SPINDRIFT_INLINE void flush() {
        lower += Row4d{part[0], part[1], part[2], part[3]};
        upper += Row4d{part[4], part[5], part[6], part[7]};
        part = Row{};
    }
    SPINDRIFT_INLINE double total() {
        flush();
        const Row4d s = lower + upper;
        return (s[0] + s[1]) + (s[2] + s[3]);
    }
};

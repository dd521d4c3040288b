// SPDX-License-Identifier: Apache-2.0
// The kernels of simd_test.cpp.

SPINDRIFT_KERNEL void copy_row(float* to, const float* from) { store_row(to, load_row(from)); }

SPINDRIFT_KERNEL void shift_rows(float* up, float* down, const float* from, float first, float last) {
    store_row(up, shift_up(load_row(from), first));
    store_row(down, shift_down(load_row(from), last));
}

SPINDRIFT_KERNEL void keep_below(float* out, const float* from, float limit, float otherwise) {
    const Row v = load_row(from);
    store_row(out, select(v < fill_row(limit), v, fill_row(otherwise)));
}

SPINDRIFT_KERNEL double dot_rows(const float* a, const float* b, std::size_t rows) {
    RowSum sum;
    for (std::size_t r = 0; r < rows; ++r) {
        sum.add_products(load_row(a + r * kRow), load_row(b + r * kRow));
        if (r % 8 == 7) sum.flush();
    }
    sum.flush();
    return sum.total();
}

SPINDRIFT_KERNEL void multiply_add(float* out, const float* a, const float* b, std::size_t rows) {
    for (std::size_t r = 0; r < rows; ++r) {
        const Row x = load_row(a + r * kRow);
        store_row(out + r * kRow, x * load_row(b + r * kRow) + x);
    }
}

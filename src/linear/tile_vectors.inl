// SPDX-License-Identifier: Apache-2.0
// Vector loops over whole tiles, a plane of 64 values at a time.

SPINDRIFT_KERNEL double dot_rows(const float* a, const float* b, std::size_t size) {
    RowSum sum;
    for (std::size_t i = 0; i < size; i += kPlaneCells) {
        for (std::size_t j = i; j < i + kPlaneCells; j += kRow) sum.add_products(load_row(a + j), load_row(b + j));
        sum.flush();
    }
    return sum.total();
}

SPINDRIFT_KERNEL void axpby_rows(float* y, float a, const float* x, float b, std::size_t size) {
    const Row ra = fill_row(a), rb = fill_row(b);
    for (std::size_t i = 0; i < size; i += kRow) store_row(y + i, ra * load_row(x + i) + rb * load_row(y + i));
}

SPINDRIFT_KERNEL double advance_rows(float* x, float* r, float alpha, const float* p, const float* q,
                                     std::size_t size) {
    const Row step = fill_row(alpha);
    RowSum sum;
    for (std::size_t i = 0; i < size; i += kPlaneCells) {
        for (std::size_t j = i; j < i + kPlaneCells; j += kRow) {
            store_row(x + j, load_row(x + j) + step * load_row(p + j));
            const Row fresh = load_row(r + j) - step * load_row(q + j);
            store_row(r + j, fresh);
            sum.add_products(fresh, fresh);
        }
        sum.flush();
    }
    return sum.total();
}

// SPDX-License-Identifier: Apache-2.0
// Sums that measure a right side and a solution.

// Calls f(first, count) for eights of n values, where count is a constant to the compiler, then for the rest.
template <class F>
SPINDRIFT_INLINE void for_each_eight(std::size_t n, F&& f) {
    std::size_t k = 0;
    for (; k + kRow <= n; k += kRow) f(k, std::integral_constant<std::size_t, kRow>{});
    if (k < n) f(k, n - k);
}

SPINDRIFT_KERNEL void add_right_side(LaneSums& sums, const float* b, std::size_t n) {
    for_each_eight(n, [&](std::size_t k, auto count) {
        for (std::size_t i = 0; i < count; ++i) {
            const double value = b[k + i];
            sums.b[i] += value;
            sums.bb[i] += value * value;
        }
    });
}

SPINDRIFT_KERNEL void add_residual(LaneSums& sums, const float* b, const Neighbourhood& line, double mean, double mass,
                                   std::size_t n) {
    for_each_eight(n, [&](std::size_t k, auto count) {
        double rest[kRow];
        for (std::size_t i = 0; i < count; ++i) {
            const double right_side = b[k + i] - mean;
            const double x = line.x[k + i];
            sums.bb[i] += right_side * right_side;
            sums.xx[i] += x * x;
            rest[i] = right_side - mass * x;
        }
        for (int s = 0; s < line.count; ++s)
            for (std::size_t i = 0; i < count; ++i)
                rest[i] -= static_cast<double>(line.x[k + i]) - line.beside[static_cast<std::size_t>(s)][k + i];
        for (std::size_t i = 0; i < count; ++i) sums.rr[i] += rest[i] * rest[i];
    });
}

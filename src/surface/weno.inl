// SPDX-License-Identifier: Apache-2.0
// Fifth-order one-sided slopes of φ, a row at a time.

// φ around a row along one axis, in units of dx: the steps s[n] = φ(n − 2) − φ(n − 3), n = 0 … 5, and how they change,
// c[n] = s[n + 1] − s[n].
struct Steps {
    Row s[6], c[5];
};
SPINDRIFT_INLINE Steps steps_along(const float* row, int stride, Row scale) {
    Row v[7];
#pragma GCC unroll 7
    for (int n = 0; n < 7; ++n) v[n] = load_row(row + (n - 3) * stride);
    Steps out;
#pragma GCC unroll 6
    for (int n = 0; n < 6; ++n) out.s[n] = (v[n + 1] - v[n]) * scale;
#pragma GCC unroll 5
    for (int n = 0; n < 5; ++n) out.c[n] = out.s[n + 1] - out.s[n];
    return out;
}

// The WENO combination of five steps, less the one at hand: a smooth choice of three parabolas.  c1 … c4 are the
// changes from one to the next, coming from the side of the wind: with v1 … v5 of [JiangPeng00] c1 = v2 − v1, and so
// on.
SPINDRIFT_INLINE Row weno(Row c1, Row c2, Row c3, Row c4) {
    const auto square = [](Row v) { return v * v; };
    const Row q1 = c2 * (5 / 6.0F) - c1 * (1 / 3.0F);
    const Row q2 = c2 * (1 / 6.0F) + c3 * (1 / 3.0F);
    const Row q3 = c3 * (2 / 3.0F) - c4 * (1 / 6.0F);
    const Row s1 = square(c2 - c1) * (13 / 12.0F) + square(3 * c2 - c1) * 0.25F;
    const Row s2 = square(c3 - c2) * (13 / 12.0F) + square(c3 + c2) * 0.25F;
    const Row s3 = square(c4 - c3) * (13 / 12.0F) + square(c4 - 3 * c3) * 0.25F;
    // Weights 1/t1, 6/t2, 3/t3 over their sum, multiplied out so that one division is left.
    const Row tiny = fill_row(1e-6F);
    const Row t1 = square(s1 + tiny), t2 = square(s2 + tiny), t3 = square(s3 + tiny);
    const Row a1 = t2 * t3, a2 = 6 * (t1 * t3), a3 = 3 * (t1 * t2);
    return (a1 * q1 + a2 * q2 + a3 * q3) / (a1 + a2 + a3);
}
// Slopes from below and from above: seen from there the changes come in reverse, with the other sign.
SPINDRIFT_INLINE Row from_below(const Steps& v) { return v.s[2] + weno(v.c[0], v.c[1], v.c[2], v.c[3]); }
SPINDRIFT_INLINE Row from_above(const Steps& v) { return v.s[3] - weno(v.c[4], v.c[3], v.c[2], v.c[1]); }

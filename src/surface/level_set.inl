// SPDX-License-Identifier: Apache-2.0
// Kernels of the level set, a tile at a time.

#include "surface/star_block.inl"
#include "surface/weno.inl"

// What is held of a cell: a ratio, never positive; or, added to kFixed, its distance in cells; or nothing.
constexpr float kFixed = 16, kNotHeld = 1e30F;

// How fast a cell at the surface is pulled back, per pseudo-time of a cell: β of [Hartmann10].
constexpr float kHoldingRate = 2;

// Keeps the ratio below finite where a neighbour lies on the surface.
SPINDRIFT_INLINE Row beyond_offset(RowMask inside, float dx) {
    return select(inside, fill_row(1e-4F * dx), fill_row(-1e-4F * dx));
}

// Where the surface crosses between a cell and its neighbours: φ over the sum of φ at those on the other side, which
// says where it crosses.  Cells of drops, sheets and bubbles so thin that it crosses on two opposite sides have no
// slope to relax; their distance is fixed by the steepest side.
template <int Dim>
SPINDRIFT_KERNEL bool hold_tile(const LevelSetTile<Dim>& t, float* held) {
    StarBlock<Dim> block;
    load_star(block, t.phi, t.neighbours, t.slot, t.background);
    mirror_at_walls(block, t.box);
    const Row zero = fill_row(0);
    RowMask any{};
    for (int i = 0; i < kTilePlanes<Dim>; ++i)
        for (int j = 0; j < kTileSide; ++j) {
            const float* row = block.row(i, j);
            const Row here = load_row(row);
            const RowMask inside = here < zero;
            RowMask crosses{};
            Row beyond = beyond_offset(inside, t.dx), steepest = fill_row(1e-20F), central = zero;
#pragma GCC unroll 3
            for (int axis = 0; axis < Dim; ++axis) {
                const int s = StarBlock<Dim>::stride(axis);
                const Row below = load_row(row - s), above = load_row(row + s);
                const RowMask crosses_below = inside ^ (below < zero), crosses_above = inside ^ (above < zero);
                crosses |= crosses_below | crosses_above;
                central += (above - below) * (above - below) * 0.25F;
                const Row a = (above - here) * (above - here), b = (here - below) * (here - below);
                steepest = select(a > steepest, a, steepest);
                steepest = select(b > steepest, b, steepest);
                beyond += select(crosses_below, below, zero) + select(crosses_above, above, zero);
            }
            const RowMask thin = crosses & (central < steepest * 0.25F);
            const Row ratio = here / select(crosses, beyond, fill_row(1));
            const Row fixed = fill_row(kFixed) + here / square_root(steepest);
            store_row(held + row_offset(i, j), select(thin, fixed, select(crosses, ratio, fill_row(kNotHeld))));
            any |= crosses;
        }
    int found = 0;
    for (int n = 0; n < kRow; ++n) found |= any[n];
    return found != 0;
}

// A stage of φ_τ = S(φ)(1 − |∇φ|), Godunov's choice of one-sided slopes, on cells nearer than `limit`; those next to
// the surface are also pulled to where it crosses.
template <int Dim>
SPINDRIFT_KERNEL void redistance_tile(const LevelSetTile<Dim>& t, float* out, const float* start, const float* held,
                                      float keep, float dt) {
    StarBlock<Dim> block;
    load_star(block, t.phi, t.neighbours, t.slot, t.background);
    mirror_at_walls(block, t.box);
    const Row scale = fill_row(1 / t.dx), zero = fill_row(0), part = fill_row(keep), limit = fill_row(t.limit);
    for (int i = 0; i < kTilePlanes<Dim>; ++i)
        for (int j = 0; j < kTileSide; ++j) {
            const int at = row_offset(i, j);
            const float* row = block.row(i, j);
            const Row here = load_row(row);
            const Row hold = load_row(held + at);
            const RowMask near = (here < limit) & (here > -limit);
            const RowMask is_fixed = (hold > zero) & (hold < fill_row(kNotHeld));
            if (!any_lane(near | is_fixed)) {
                store_row(out + at, here);
                continue;
            }
            const RowMask inside = here < zero;
            Row slope2 = zero, beyond = beyond_offset(inside, t.dx);
#pragma GCC unroll 3
            for (int axis = 0; axis < Dim; ++axis) {
                const int s = StarBlock<Dim>::stride(axis);
                const Row below = load_row(row - s), above = load_row(row + s);
                beyond += select(inside ^ (below < zero), below, zero) + select(inside ^ (above < zero), above, zero);
                const Steps v = steps_along(row, StarBlock<Dim>::stride(axis), scale);
                const Row lower = from_below(v), upper = from_above(v);
                // Information comes from the surface: seen from inside, slopes change their roles.
                const Row a = select(inside, -lower, lower), b = select(inside, -upper, upper);
                const Row down = select(a > zero, a, zero), up = select(b < zero, b, zero);
                const Row d2 = down * down, u2 = up * up;
                slope2 += select(d2 > u2, d2, u2);
            }
            const Row sign = here / square_root(here * here + fill_row(t.dx * t.dx));
            const Row moved = here + fill_row(dt) * sign * (fill_row(1) - square_root(slope2));
            // Where the surface crosses, towards the ratio there was.  Of two cells the nearer one follows the farther.
            const Row weight = fill_row(kHoldingRate * dt / t.dx) / select(hold < fill_row(-1), -hold, fill_row(1));
            const Row pull = select(hold <= zero, (hold * beyond - here) * weight, zero);
            const Row fresh = part * load_row(start + at) + (fill_row(1) - part) * (moved + pull);
            const Row fixed = (hold - fill_row(kFixed)) * t.dx;
            store_row(out + at, select(is_fixed, fixed, select(near, fresh, here)));
        }
}

// The distance from the nearest neighbours along each axis: the first-order solution of |∇φ| = 1, for cells beyond
// `limit`.
template <int Dim>
SPINDRIFT_KERNEL void spread_tile(const LevelSetTile<Dim>& t, float* out, const float* held, float band) {
    StarBlock<Dim> block;
    load_star(block, t.phi, t.neighbours, t.slot, t.background);
    mirror_at_walls(block, t.box);
    const Row zero = fill_row(0), limit = fill_row(t.limit), dx = fill_row(t.dx), widest = fill_row(band);
    const auto least = [](Row a, Row b) { return select(a < b, a, b); };
    const auto most = [](Row a, Row b) { return select(a < b, b, a); };
    for (int i = 0; i < kTilePlanes<Dim>; ++i)
        for (int j = 0; j < kTileSide; ++j) {
            const int at = row_offset(i, j);
            const float* row = block.row(i, j);
            const Row here = load_row(row);
            const Row sign = select(here < zero, fill_row(-1), fill_row(1));
            Row a[3] = {widest, widest, widest};
#pragma GCC unroll 3
            for (int axis = 0; axis < Dim; ++axis) {
                const int s = StarBlock<Dim>::stride(axis);
                a[axis] = most(least(sign * load_row(row - s), sign * load_row(row + s)), zero);
            }
            const Row small = least(a[0], least(a[1], a[2])), large = most(a[0], most(a[1], a[2]));
            const Row middle = most(least(a[0], a[1]), least(most(a[0], a[1]), a[2]));
            // From the nearest alone, from the nearest two where that lies beyond the second, and so on.
            Row d = small + dx;
            const Row q2 = 2 * dx * dx - (small - middle) * (small - middle);
            d = select(d > middle, 0.5F * (small + middle + square_root(most(q2, zero))), d);
            if constexpr (Dim == 3) {
                const Row sum = small + middle + large;
                const Row q3 = sum * sum - 3 * (small * small + middle * middle + large * large - dx * dx);
                d = select(d > large, (sum + square_root(most(q3, zero))) * (1 / 3.0F), d);
            }
            const RowMask far = ((here >= limit) | (here <= -limit)) & (load_row(held + at) >= fill_row(kNotHeld));
            store_row(out + at, select(far, sign * least(d, widest), here));
        }
}

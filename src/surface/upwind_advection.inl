// SPDX-License-Identifier: Apache-2.0
// A stage of a sub-step of a level set, a tile at a time.

#include "surface/star_block.inl"
#include "surface/weno.inl"

// out = keep · start + (1 − keep) · (φ − dt u·∇φ) in the cells whose value at the start of the sub-step lies nearer to
// the surface than `limit`; start elsewhere.
template <int Dim>
SPINDRIFT_KERNEL void upwind_tile(const UpwindTile<Dim>& t, float* out, float keep) {
    StarBlock<Dim> block;
    load_star(block, t.phi, t.neighbours, t.slot, t.background);
    mirror_at_walls(block, t.box);
    const Row zero = fill_row(0), scale = fill_row(1 / t.dx), limit = fill_row(t.limit), part = fill_row(keep);
    const Row longest = fill_row(t.dx / t.dt), dt = fill_row(t.dt);
    for (int i = 0; i < kTilePlanes<Dim>; ++i)
        for (int j = 0; j < kTileSide; ++j) {
            const int at = row_offset(i, j);
            const Row start = load_row(t.start + at);
            const RowMask near = (start < limit) & (start > -limit);
            if (!any_lane(near)) {
                store_row(out + at, start);
                continue;
            }
            const float* row = block.row(i, j);
            Row speed = zero, rate = zero;
#pragma GCC unroll 3
            for (int axis = 0; axis < Dim; ++axis) {
                const Row u = load_row(t.velocity[axis] + at);
                const RowMask rises = u > zero;
                const Steps v = steps_along(row, StarBlock<Dim>::stride(axis), scale);
                // From above the changes come in reverse, with the other sign.
                const Row bend = weno(select(rises, v.c[0], v.c[4]), select(rises, v.c[1], v.c[3]), v.c[2],
                                      select(rises, v.c[3], v.c[1]));
                const Row slope = select(rises, v.s[2] + bend, v.s[3] - bend);
                speed += select(rises, u, -u);
                rate += u * slope;
            }
            const Row slower = select(speed > longest, longest / speed, fill_row(1));
            const Row moved = load_row(row) - dt * slower * rate;
            store_row(out + at, select(near, part * start + (fill_row(1) - part) * moved, start));
        }
}

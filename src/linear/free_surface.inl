// SPDX-License-Identifier: Apache-2.0
// The coefficients of a liquid's pressure problem, a tile at a time.

#include "grid/tile_star.inl"

// Adds the faces towards one neighbour to the ground where the surface lies between: open / θ, θ the distance to it.
SPINDRIFT_INLINE Row with_surface(Row ground, Row level, Row beyond, Row open, Row smallest_theta) {
    const RowMask crosses = (level < fill_row(0)) & (beyond >= fill_row(0));
    const Row theta = level / select(crosses, level - beyond, fill_row(-1));
    return ground + select(crosses, open / select(theta > smallest_theta, theta, smallest_theta), fill_row(0));
}

SPINDRIFT_INLINE Row between_unknowns(Row level, Row beyond, Row open) {
    return select((level < fill_row(0)) & (beyond < fill_row(0)), open, fill_row(0));
}

template <int Dim>
SPINDRIFT_KERNEL void fill_free_surface(TileSystem<Dim>& system, const FreeSurfaceInput<Dim>& in, Slot slot) {
    const std::size_t at = static_cast<std::size_t>(slot) * kTileCells<Dim>;
    const auto sides_of = [&](const float* values, const float* outside) {
        return make_sides<Dim>([&](int axis, bool above, int near_layer, int) {
            const Slot n = neighbour<Dim>(in.neighbours, slot, axis, above);
            return n == kNoTile ? outside : values + static_cast<std::size_t>(n) * kTileCells<Dim> + near_layer;
        });
    };
    const Sides sides = sides_of(in.level, in.level_outside);
    const Sides above_k = sides_of(in.open[Dim - 1], in.open_outside[Dim - 1]);
    const Sides above_j = sides_of(in.open[Dim - 2], in.open_outside[Dim - 2]);
    const Sides above_i = sides_of(in.open[0], in.open_outside[0]);
    const Row smallest_theta = fill_row(in.smallest_theta);

    for_rows<Dim>(in.level + at, sides, [&](const Plane& plane, int i, int j) {
        const Star v = star<Dim>(plane, j);
        const int row = row_offset(i, j);
        Row ground = select(v.here < fill_row(0), fill_row(in.mass), fill_row(0));

        // Along the last axis.
        const Row open_k = load_row(in.open[Dim - 1] + at + row);
        const Row next_k = shift_down(open_k, above_k.above_k[row]);
        store_row(system.lower[Dim - 1] + row, between_unknowns(v.here, v.below_k, open_k));
        system.upper[Dim - 1][row / kRow] = between_unknowns(v.here, v.above_k, next_k)[kRow - 1];
        ground = with_surface(ground, v.here, v.below_k, open_k, smallest_theta);
        ground = with_surface(ground, v.here, v.above_k, next_k, smallest_theta);

        // Along the one before.
        const float* faces_j = in.open[Dim - 2] + at + row;
        const Row open_j = load_row(faces_j);
        const Row next_j = load_row(j < kTileSide - 1 ? faces_j + kRow : above_j.above_j + i * kPlaneCells);
        store_row(system.lower[Dim - 2] + row, between_unknowns(v.here, v.below_j, open_j));
        if (j == kTileSide - 1)
            store_row(system.upper[Dim - 2] + i * kRow, between_unknowns(v.here, v.above_j, next_j));
        ground = with_surface(ground, v.here, v.below_j, open_j, smallest_theta);
        ground = with_surface(ground, v.here, v.above_j, next_j, smallest_theta);

        // Along the first of three.
        if constexpr (Dim == 3) {
            const float* faces_i = in.open[0] + at + row;
            const Row open_i = load_row(faces_i);
            const Row next_i = load_row(i < kTileSide - 1 ? faces_i + kPlaneCells : above_i.above_i + j * kRow);
            store_row(system.lower[0] + row, between_unknowns(v.here, v.below_i, open_i));
            if (i == kTileSide - 1) store_row(system.upper[0] + j * kRow, between_unknowns(v.here, v.above_i, next_i));
            ground = with_surface(ground, v.here, v.below_i, open_i, smallest_theta);
            ground = with_surface(ground, v.here, v.above_i, next_i, smallest_theta);
        }
        store_row(system.ground + row, ground);
    });
}

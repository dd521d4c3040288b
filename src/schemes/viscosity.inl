// SPDX-License-Identifier: Apache-2.0
// Kernels of viscosity.

#include "grid/tile_star.inl"

// One tile of u += number · ∇²u along an axis, where all walls slip.  `faces` holds the velocities with those of walls,
// and what each face is.
template <int Dim>
SPINDRIFT_KERNEL void slip_tile(float* u, const SlipFaces& faces, int axis, Slot slot, float number) {
    const std::size_t at = static_cast<std::size_t>(slot) * kTileCells<Dim>;
    const auto sides_of = [&](const float* values, const float* where_no_tile_is) {
        return make_sides<Dim>([&](int along, bool above, int near_layer, int) {
            const Slot n = neighbour<Dim>(faces.neighbours, slot, along, above);
            return n == kNoTile ? where_no_tile_is
                                : values + static_cast<std::size_t>(n) * kTileCells<Dim> + near_layer;
        });
    };
    const Sides value_sides = sides_of(faces.values, faces.zeros), kind_sides = sides_of(faces.kinds, faces.closed);
    const Row zero = fill_row(0);
    for (int i = 0; i < kTilePlanes<Dim>; ++i) {
        const Plane values = plane_at<Dim>(faces.values + at, value_sides, i);
        const Plane kinds = plane_at<Dim>(faces.kinds + at, kind_sides, i);
#pragma GCC unroll 8
        for (int j = 0; j < kTileSide; ++j) {
            const Star v = star<Dim>(values, j), kind = star<Dim>(kinds, j);
            // Along the component itself closed faces count too; beside it they slip.
            const auto exchange = [&](int along, Row beside, Row what) {
                const RowMask counts = along == axis ? what != fill_row(kDryFace) : what == fill_row(kUnknownFace);
                return select(counts, beside - v.here, zero);
            };
            Row sum = zero;
            if constexpr (Dim == 3) sum += exchange(0, v.below_i, kind.below_i) + exchange(0, v.above_i, kind.above_i);
            sum += exchange(Dim - 2, v.below_j, kind.below_j) + exchange(Dim - 2, v.above_j, kind.above_j);
            sum += exchange(Dim - 1, v.below_k, kind.below_k) + exchange(Dim - 1, v.above_k, kind.above_k);
            float* to = u + row_offset(i, j);
            const Row old = load_row(to);
            store_row(to, select(kind.here == fill_row(kUnknownFace), old + fill_row(number) * sum, old));
        }
    }
}

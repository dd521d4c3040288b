// SPDX-License-Identifier: Apache-2.0
// Kernels of extrapolation.

#include "grid/tile_star.inl"

// One layer on one tile: faces not known take the mean of known neighbours.  Returns whether any did.
template <int Dim>
SPINDRIFT_KERNEL bool extrapolate_tile(const ExtrapolationLayer& in, float* out, float* out_known, Slot slot) {
    const auto at = static_cast<std::size_t>(in.number[slot]) * kTileCells<Dim>;
    const auto sides_of = [&](const float* unknown, bool is_known) {
        return make_sides<Dim>([&](int axis, bool above, int near_layer, int) {
            const Slot n = neighbour<Dim>(in.neighbours, slot, axis, above);
            if (n == kNoTile) return in.zeros;
            const std::int32_t number = in.number[n];
            if (number >= 0) return unknown + static_cast<std::size_t>(number) * kTileCells<Dim> + near_layer;
            return is_known ? in.ones : in.velocity + static_cast<std::size_t>(n) * kTileCells<Dim> + near_layer;
        });
    };
    const Sides value_sides = sides_of(in.values, false), known_sides = sides_of(in.known, true);
    Row changed = fill_row(0);
    for (int i = 0; i < kTilePlanes<Dim>; ++i) {
        const Plane values = plane_at<Dim>(in.values + at, value_sides, i);
        const Plane knowns = plane_at<Dim>(in.known + at, known_sides, i);
#pragma GCC unroll 8
        for (int j = 0; j < kTileSide; ++j) {
            const Star v = star<Dim>(values, j), k = star<Dim>(knowns, j);
            Row count = (k.below_k + k.above_k) + (k.below_j + k.above_j);
            Row sum = (k.below_k * v.below_k + k.above_k * v.above_k) + (k.below_j * v.below_j + k.above_j * v.above_j);
            if constexpr (Dim == 3) {
                count += k.below_i + k.above_i;
                sum += k.below_i * v.below_i + k.above_i * v.above_i;
            }
            const RowMask fresh = (k.here == fill_row(0)) & (count > fill_row(0.5F));
            store_row(out + row_offset(i, j), select(fresh, sum / select(fresh, count, fill_row(1)), v.here));
            store_row(out_known + row_offset(i, j), select(fresh, fill_row(1), k.here));
            changed += select(fresh, fill_row(1), fill_row(0));
        }
    }
    float total = 0;
    for (int n = 0; n < kRow; ++n) total += changed[n];
    return total > 0;
}

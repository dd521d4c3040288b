// SPDX-License-Identifier: Apache-2.0
#include "grid/collocate.h"

namespace spindrift {

template <int Dim>
VectorField<Dim> collocated(const FaceField<Dim>& faces) {
    VectorField<Dim> centred;
    for (int axis = 0; axis < Dim; ++axis) {
        const Field<float, Dim>& from = faces[axis];
        auto to = Field<float, Dim>::unfilled(from.tiles_ptr(), from.background());
        const int stride = tile_stride<Dim>(axis), slab = stride * kTileSide, last = slab - stride;
        for_each_tile(from.tiles(), [&](Slot slot) {
            const float* own = from.tile(slot);
            const Slot above = from.tiles().neighbour(slot, side_neighbour<Dim>(axis, true));
            float* out = to.tile(slot);
            for (int at = 0; at < kTileCells<Dim>; at += slab) {
                for (int n = at; n < at + last; ++n) out[n] = 0.5F * (own[n] + own[n + stride]);
                for (int n = at; n < at + stride; ++n)
                    out[n + last] =
                        0.5F * (own[n + last] + (above == kNoTile ? from.background() : from.tile(above)[n]));
            }
        });
        centred[axis] = std::move(to);
    }
    return centred;
}

template VectorField<2> collocated(const FaceField<2>&);
template VectorField<3> collocated(const FaceField<3>&);

}  // namespace spindrift

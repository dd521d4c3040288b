// SPDX-License-Identifier: Apache-2.0
// Values of cells at the faces between them.
#pragma once

#include "grid/beside.h"

namespace spindrift {

// At all faces of a tile across an axis: the means of the cells on both sides.
template <int Dim>
TileValues<Dim> face_means(const Field<float, Dim>& field, Slot slot, int axis) {
    TileValues<Dim> means = values_below(field, slot, axis);
    const float* own = field.tile(slot);
    for (int n = 0; n < kTileCells<Dim>; ++n) means.data()[n] = 0.5F * (own[n] + means[n]);
    return means;
}

}  // namespace spindrift

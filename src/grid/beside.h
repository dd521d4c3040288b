// SPDX-License-Identifier: Apache-2.0
// A tile's values moved by one cell along an axis, so that plain loops over the tile see each cell's neighbour at the
// cell's own number.  Where there is no tile they are the field's background.
#pragma once

#include <algorithm>
#include <array>

#include "grid/field.h"

namespace spindrift {

template <int Dim>
struct TileValues {
    alignas(32) std::array<float, kTileCells<Dim>> values;
    float operator[](int cell) const { return values[static_cast<std::size_t>(cell)]; }
    float* data() { return values.data(); }
};

// At each cell, the value of the cell above.
template <int Dim>
TileValues<Dim> values_above(const Field<float, Dim>& field, Slot slot, int axis) {
    const int stride = tile_stride<Dim>(axis), slab = stride * kTileSide, last = slab - stride;
    const Slot above = field.tiles().neighbour(slot, side_neighbour<Dim>(axis, true));
    TileValues<Dim> out;
    const float* own = field.tile(slot);
    for (int at = 0; at < kTileCells<Dim>; at += slab) {
        std::copy_n(own + at + stride, last, out.data() + at);
        if (above == kNoTile)
            std::fill_n(out.data() + at + last, stride, field.background());
        else
            std::copy_n(field.tile(above) + at, stride, out.data() + at + last);
    }
    return out;
}

// At each cell, the value of the cell below.
template <int Dim>
TileValues<Dim> values_below(const Field<float, Dim>& field, Slot slot, int axis) {
    const int stride = tile_stride<Dim>(axis), slab = stride * kTileSide, last = slab - stride;
    const Slot below = field.tiles().neighbour(slot, side_neighbour<Dim>(axis, false));
    TileValues<Dim> out;
    const float* own = field.tile(slot);
    for (int at = 0; at < kTileCells<Dim>; at += slab) {
        if (below == kNoTile)
            std::fill_n(out.data() + at, stride, field.background());
        else
            std::copy_n(field.tile(below) + at + last, stride, out.data() + at);
        std::copy_n(own + at, last, out.data() + at + stride);
    }
    return out;
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// A tile's values moved by one cell along an axis, so that plain loops over the tile see each cell's neighbour at the
// cell's own number.  Where there is no tile they are the field's background.
#pragma once

#include <array>

#include "grid/field.h"

namespace spindrift {

// The cells of the first layer along an axis, in order: number n of the layer is this cell.
template <int Dim>
constexpr int first_layer_cell(int axis, int n) {
    const int stride = tile_stride<Dim>(axis);
    return n / stride * stride * kTileSide + n % stride;
}
// The number of a cell within its layer.
template <int Dim>
constexpr int number_in_layer(int axis, int cell) {
    const int stride = tile_stride<Dim>(axis);
    return cell / (stride * kTileSide) * stride + cell % stride;
}

template <int Dim>
struct TileValues {
    alignas(32) std::array<float, kTileCells<Dim>> values;
    float operator[](int cell) const { return values[static_cast<std::size_t>(cell)]; }
    float* data() { return values.data(); }
};

namespace detail {

// Moves the layers of a tile by one along an axis of this stride, with a layer of the tile beside at the free end.
// Strides are compile-time numbers: calls to copy so few values would cost more than they do.
template <int Dim, int Stride>
void shift_layers(float* out, const float* own, const float* beside, float background, bool up) {
    constexpr int kSlab = Stride * kTileSide, kLast = kSlab - Stride;
    for (int at = 0; at < kTileCells<Dim>; at += kSlab) {
        const int kept_from = up ? at : at + Stride, kept_to = up ? at + Stride : at;
        const int free = up ? at : at + kLast, near = up ? at + kLast : at;
        for (int n = 0; n < kLast; ++n) out[kept_to + n] = own[kept_from + n];
        if (beside != nullptr)
            for (int n = 0; n < Stride; ++n) out[free + n] = beside[near + n];
        else
            for (int n = 0; n < Stride; ++n) out[free + n] = background;
    }
}

template <int Dim>
TileValues<Dim> shifted(const Field<float, Dim>& field, Slot slot, int axis, bool up) {
    const Slot beside = field.tiles().neighbour(slot, side_neighbour<Dim>(axis, !up));
    const float* values = beside == kNoTile ? nullptr : field.tile(beside);
    TileValues<Dim> out;
    if (axis == Dim - 1)
        shift_layers<Dim, 1>(out.data(), field.tile(slot), values, field.background(), up);
    else if (axis == Dim - 2)
        shift_layers<Dim, kTileSide>(out.data(), field.tile(slot), values, field.background(), up);
    else
        shift_layers<Dim, kTileCells<Dim> / kTileSide>(out.data(), field.tile(slot), values, field.background(), up);
    return out;
}

}  // namespace detail

// At each cell, the value of the cell above.
template <int Dim>
TileValues<Dim> values_above(const Field<float, Dim>& field, Slot slot, int axis) {
    return detail::shifted(field, slot, axis, false);
}

// At each cell, the value of the cell below.
template <int Dim>
TileValues<Dim> values_below(const Field<float, Dim>& field, Slot slot, int axis) {
    return detail::shifted(field, slot, axis, true);
}

}  // namespace spindrift

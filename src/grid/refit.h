// SPDX-License-Identifier: Apache-2.0
// A field on another tile set: values where both sets have the tile, the field's background where only the new one
// does. What lies on tiles that the new set lacks is lost.
#pragma once

#include "grid/field.h"

namespace spindrift {

template <class T, int Dim>
Field<T, Dim> refitted(const Field<T, Dim>& field, const TilesPtr<Dim>& tiles) {
    if (field.tiles_ptr() == tiles) return field;
    auto result = Field<T, Dim>::unfilled(tiles, field.background());
    for_each_tile(*tiles, [&](Slot slot) {
        const Slot from = field.tiles().find(tiles->coordinate(slot));
        if (from == kNoTile)
            std::fill_n(result.tile(slot), kTileCells<Dim>, field.background());
        else
            std::copy_n(field.tile(from), kTileCells<Dim>, result.tile(slot));
    });
    return result;
}

// In place; a field that already lives there keeps its memory.
template <class T, int Dim>
void refit(Field<T, Dim>& field, const TilesPtr<Dim>& tiles) {
    if (field.tiles_ptr() != tiles) field = refitted(field, tiles);
}
template <int Dim>
void refit(FaceField<Dim>& faces, const TilesPtr<Dim>& tiles) {
    for (auto& component : faces.component) refit(component, tiles);
}

}  // namespace spindrift

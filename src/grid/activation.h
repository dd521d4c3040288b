// SPDX-License-Identifier: Apache-2.0
// Which tiles there should be: those with something in them, what surrounds these, and sets made of other sets.
// Distances are along the axes (the largest of the coordinate differences), so a neighbourhood is a box.
// A set that comes out the same as it went in is the same object, and fields on it need no refit.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "grid/field.h"

namespace spindrift {

namespace detail {
// The tiles marked by a nonzero byte at their slot.
template <int Dim>
TilesPtr<Dim> marked_tiles(const TilesPtr<Dim>& tiles, std::span<const std::uint8_t> marks);
}  // namespace detail

// Tiles of the field with a value for which predicate(value) holds.  The background is not asked.
template <class T, int Dim, class Predicate>
TilesPtr<Dim> tiles_where(const Field<T, Dim>& field, Predicate&& predicate) {
    std::vector<std::uint8_t> marks(field.tiles().count());
    for_each_tile(field.tiles(), [&](Slot slot) {
        const T* values = field.tile(slot);
        marks[static_cast<std::size_t>(slot)] = std::any_of(values, values + kTileCells<Dim>, predicate);
    });
    return detail::marked_tiles<Dim>(field.tiles_ptr(), marks);
}

// All tiles at most n tiles away.
template <int Dim>
TilesPtr<Dim> dilate_tiles(const TilesPtr<Dim>& tiles, int n);

// All tiles with a cell at most n cells away from a marked (nonzero) one, whether the mask has them or not.
template <int Dim>
TilesPtr<Dim> dilate_cells(const Field<std::uint8_t, Dim>& mask, int n);

template <int Dim>
TilesPtr<Dim> unite(const TilesPtr<Dim>& a, const TilesPtr<Dim>& b);

// Tiles with a cell inside the box.
template <int Dim>
TilesPtr<Dim> clip(const TilesPtr<Dim>& tiles, const IndexBox<Dim>& cells);

}  // namespace spindrift

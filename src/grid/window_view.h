// SPDX-License-Identifier: Apache-2.0
// A tile and the tiles around it as kernels see them, to interpolate at rows of places near it (window_rows.inl).
#pragma once

#include "grid/field.h"

namespace spindrift {

template <int Dim>
struct WindowView {
    const float* values;          // the whole field
    int start[kNeighbours<Dim>];  // where each tile's values begin, −1 where there is none
    float background;
    float first[Dim];  // the window's first cell
};

// Places up to this many cells beside the tile lie in its window with all the cells that interpolation joins there.
constexpr int kWindowReach = kTileSide - 1;

template <int Dim>
WindowView<Dim> window_view(const Field<float, Dim>& field, Slot slot) {
    WindowView<Dim> view;
    view.values = field.tile(0);
    for (int n = 0; n < kNeighbours<Dim>; ++n) {
        const Slot tile = field.tiles().neighbour(slot, n);
        view.start[n] = tile == kNoTile ? -1 : tile * kTileCells<Dim>;
    }
    view.background = field.background();
    for (int a = 0; a < Dim; ++a) view.first[a] = static_cast<float>(field.tiles().origin(slot)[a] - kTileSide);
    return view;
}

}  // namespace spindrift

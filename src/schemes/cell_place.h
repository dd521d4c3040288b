// SPDX-License-Identifier: Apache-2.0
// Where in memory a cell is: for lists of cells that are found once and used in many steps.
#pragma once

#include "grid/tiles.h"

namespace spindrift {

struct CellPlace {
    Slot slot = kNoTile;
    int cell = 0;
};

template <int Dim>
CellPlace place_of(const Tiles<Dim>& tiles, const Index<Dim>& cell) {
    return {tiles.find(tile_of_cell(cell)), offset_in_tile(cell)};
}

}  // namespace spindrift

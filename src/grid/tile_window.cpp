// SPDX-License-Identifier: Apache-2.0
#include "grid/tile_window.h"

namespace spindrift {

template <int Dim>
bool TileWindow<Dim>::move_to(Index<Dim> first, int width) {
    const Index<Dim> last = first + Index<Dim>(width - 1);
    for (int a = 0; a < Dim; ++a)
        if (tiles_->period()[a] == 0 &&
            (last[a] < tiles_->cell_bounds().lo[a] || first[a] >= tiles_->cell_bounds().hi[a]))
            return false;

    const Index<Dim> middle = tile_of_cell(first);
    const Slot slot = tiles_->find(middle);
    if (slot != kNoTile) {
        centre_on(slot);
        place(middle);  // of all the tiles this one repeats, the one asked for
        return true;
    }

    // A missing tile has no list of neighbours; search them, unless the stencil lies in that tile alone.
    if (tile_of_cell(last) == middle) return false;
    for_each_index(IndexBox<Dim>{Index<Dim>(-1), Index<Dim>(2)}, [&](const Index<Dim>& side) {
        around_[static_cast<std::size_t>(neighbour_number(side))] = tiles_->find(middle + side);
    });
    place(middle);
    return true;
}

template class TileWindow<2>;
template class TileWindow<3>;

}  // namespace spindrift

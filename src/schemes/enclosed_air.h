// SPDX-License-Identifier: Apache-2.0
// Air that liquid encloses: it has no way to the open air, and so keeps its volume.
//
// Were its pressure zero like that of the open air, every bubble would be a drain: the weight of the water above drives
// liquid into it as fast as it can, and closes the tube of a breaking wave at once.
#pragma once

#include <functional>
#include <vector>

#include "schemes/boundary.h"

namespace spindrift {

struct EnclosedAir {
    std::vector<CellGroup> bubbles;  // the cells of each
    // Of each, how many cells of the box without a tile belong to it: the middle of a pocket that is larger than the
    // band around the surface.
    std::vector<double> untiled;
};

// Regions of air, φ ≥ 0, joined across faces that are not wholly closed and through the untiled part of the box.  Open
// are those that reach an open side, or the largest when there is none; and those that hold a cell for which is_outlet
// holds.  What solids keep from the liquid does not matter and is left out, as are solids where there are no tiles.
template <int Dim>
EnclosedAir enclosed_air(const Field<float, Dim>& phi, const Boundary<Dim>& boundaries,
                         const std::function<bool(const Index<Dim>&)>& is_outlet = nullptr);

}  // namespace spindrift

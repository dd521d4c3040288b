// SPDX-License-Identifier: Apache-2.0
// A box of cells as seen from a tile, for kernels.
#pragma once

#include <algorithm>

#include "base/vec.h"

namespace spindrift {

// lo and hi in the tile's own cells along i, j, k; a 2D tile uses the last two.  Far sides are cut off near the tile.
struct LocalBox {
    int lo[3], hi[3];
};

template <int Dim>
LocalBox local_box(const IndexBox<Dim>& box, const Index<Dim>& tile_origin) {
    constexpr int kFar = 1000;
    LocalBox local{{-kFar, -kFar, -kFar}, {kFar, kFar, kFar}};
    for (int a = 0; a < Dim; ++a) {
        local.lo[3 - Dim + a] = std::max(box.lo[a] - tile_origin[a], -kFar);
        local.hi[3 - Dim + a] = std::min(box.hi[a] - tile_origin[a], kFar);
    }
    return local;
}

}  // namespace spindrift

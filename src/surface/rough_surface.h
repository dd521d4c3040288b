// SPDX-License-Identifier: Apache-2.0
// Where a surface is rough [FF01 §5.4], for the files of particles that correct it there alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "particles/tile_block.h"
#include "surface/curvature.h"

namespace spindrift {

// How much the surface bends outwards at places in some tiles.
template <int Dim>
class RoughSurface {
  public:
    // `asked` says by slot in which tiles places are going to be asked for.
    RoughSurface(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid, const std::vector<std::uint8_t>& asked)
        : grid_(grid) {
        if (std::find(asked.begin(), asked.end(), 1) == asked.end()) return;
        bend_ = curvature(phi, grid, [&](Slot slot) {
            bool near = false;
            for (int n = 0; n < kNeighbours<Dim>; ++n)
                if (const Slot beside = phi.tiles().neighbour(slot, n); beside != kNoTile)
                    near |= asked[static_cast<std::size_t>(beside)] != 0;
            return near;
        });
    }

    // A tile that was asked for.  bend(place), place in cells from the tile's lower corner: κ, 1/cells.
    class Tile {
      public:
        Tile(const RoughSurface& surface, Slot slot) : dx_(static_cast<float>(surface.grid_.dx)) {
            block_.load(surface.bend_, slot, surface.grid_.box);
        }
        float operator()(const Vec<float, Dim>& place) const { return block_(place - kCellCentre<Dim>) * dx_; }

      private:
        TileBlock<Dim, 1> block_;
        float dx_;
    };

  private:
    LevelSetGrid<Dim> grid_;
    Field<float, Dim> bend_;
};

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// The box a gas moves in, and what its sides do.
#pragma once

#include <array>
#include <functional>

#include "grid/tiles.h"
#include "grid/transform.h"

namespace spindrift {

enum class GasSideKind {
    slip,     // nothing flows through; the gas slides along
    fixed,    // the gas has the side's velocity there: a wall that holds it, a lid that drags it, an inflow
    open,     // the pressure is that of the air outside; gas leaves, air comes in
    periodic  // what leaves here comes in on the opposite side
};

template <int Dim>
struct GasSide {
    GasSideKind kind = GasSideKind::slip;
    // Of a fixed side, m/s; none means at rest.  Called by many threads at once.
    std::function<Vec<double, Dim>(const Vec<double, Dim>& place, double time)> velocity{};
    bool is_uniform = false;  // the velocity is the same all over the side
    bool is_lid = false;      // the velocity lies in the side: it drags the gas along, and nothing comes in through it

    friend bool is_wall(const GasSide& side) {
        return side.kind == GasSideKind::slip || side.kind == GasSideKind::fixed;
    }
};

// How many cells, or tiles, a box of them has.
template <int Dim>
std::size_t number_in(const IndexBox<Dim>& box) {
    return static_cast<std::size_t>(product(Vec<std::int64_t, Dim>(box.size())));
}

template <int Dim>
struct GasEnclosure {
    GridTransform<Dim> grid;                               // of the world
    IndexBox<Dim> box;                                     // in cells; begins at 0
    std::array<std::array<GasSide<Dim>, 2>, Dim> sides{};  // below and above along each axis

    const GasSide<Dim>& side(int axis, bool above) const {
        return sides[static_cast<std::size_t>(axis)][above ? 1 : 0];
    }
    bool is_periodic(int axis) const { return side(axis, false).kind == GasSideKind::periodic; }

    // For the tiles: 0 along axes that do not repeat.
    Index<Dim> period() const {
        Index<Dim> period{};
        for (int a = 0; a < Dim; ++a)
            if (is_periodic(a)) period[a] = box.hi[a] / kTileSide;
        return period;
    }
    // All tiles of the box, as coordinates.  The faces of an upper side through which gas may be driven belong to the
    // cells beyond it.
    IndexBox<Dim> tile_box() const {
        Index<Dim> last = box.hi - Index<Dim>(1);
        for (int a = 0; a < Dim; ++a)
            if (side(a, true).kind == GasSideKind::fixed && side(a, true).velocity) ++last[a];
        return {tile_of_cell(box.lo), tile_of_cell(last) + Index<Dim>(1)};
    }
    TilesPtr<Dim> all_tiles() const {
        const IndexBox<Dim> tiles = tile_box();
        return Tiles<Dim>::covering({first_cell(tiles.lo), first_cell(tiles.hi)}, period());
    }
};

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// The box that a fluid moves in, and the boundary conditions on its sides.
#pragma once

#include <array>
#include <functional>

#include "grid/tiles.h"
#include "grid/transform.h"

namespace spindrift {

enum class SideKind {
    slip,        // nothing flows through; the fluid slides along
    prescribed,  // the fluid has the side's velocity there: a no-slip wall, a lid, an inflow
    open,        // the pressure is that of the air outside; fluid leaves, air comes in
    periodic     // what leaves here comes in on the opposite side
};

template <int Dim>
struct DomainSide {
    SideKind kind = SideKind::slip;
    // Of a side with a prescribed velocity, m/s; none means at rest.  Called by many threads at once.
    std::function<Vec<double, Dim>(const Vec<double, Dim>& place, double time)> velocity{};
    bool is_uniform = false;  // the velocity is the same all over the side
    bool is_lid = false;      // the velocity is tangential: nothing comes in through the side

    friend bool is_wall(const DomainSide& side) {
        return side.kind == SideKind::slip || side.kind == SideKind::prescribed;
    }
};

// How many cells, or tiles, a box of them has.
template <int Dim>
std::size_t number_in(const IndexBox<Dim>& box) {
    return static_cast<std::size_t>(product(Vec<std::int64_t, Dim>(box.size())));
}

template <int Dim>
struct Domain {
    GridTransform<Dim> grid;                                  // of the world
    IndexBox<Dim> box;                                        // in cells; begins at 0
    std::array<std::array<DomainSide<Dim>, 2>, Dim> sides{};  // below and above along each axis

    const DomainSide<Dim>& side(int axis, bool above) const {
        return sides[static_cast<std::size_t>(axis)][above ? 1 : 0];
    }
    bool is_periodic(int axis) const { return side(axis, false).kind == SideKind::periodic; }
    // Whether a cell lies in the box; axes that are periodic have no end.
    bool contains(const Index<Dim>& cell) const {
        bool inside = true;
        for (int a = 0; a < Dim; ++a) inside &= is_periodic(a) || (cell[a] >= box.lo[a] && cell[a] < box.hi[a]);
        return inside;
    }

    // For the tiles: 0 along axes that are not periodic.
    Index<Dim> period() const {
        Index<Dim> period{};
        for (int a = 0; a < Dim; ++a)
            if (is_periodic(a)) period[a] = box.hi[a] / kTileSide;
        return period;
    }
    // All tiles of the domain, as coordinates.  The faces of an upper side with a prescribed velocity belong to the
    // cells beyond it.
    IndexBox<Dim> tile_box() const {
        Index<Dim> last = box.hi - Index<Dim>(1);
        for (int a = 0; a < Dim; ++a)
            if (side(a, true).kind == SideKind::prescribed && side(a, true).velocity) ++last[a];
        return {tile_of_cell(box.lo), tile_of_cell(last) + Index<Dim>(1)};
    }
    TilesPtr<Dim> all_tiles() const {
        const IndexBox<Dim> tiles = tile_box();
        return Tiles<Dim>::covering({first_cell(tiles.lo), first_cell(tiles.hi)}, period());
    }
};

}  // namespace spindrift

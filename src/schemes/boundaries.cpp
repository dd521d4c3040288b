// SPDX-License-Identifier: Apache-2.0
#include "schemes/boundaries.h"

#include "geometry/face_fractions.h"
#include "grid/plane_fraction.h"
#include "grid/refit.h"

namespace spindrift {
namespace {

// Closes the faces of the container's walls; open sides stay open.
template <int Dim>
void close_walls(FaceField<Dim>& open, const Boundaries<Dim>& b) {
    for (int axis = 0; axis < Dim; ++axis)
        for_each_tile(open.tiles(), [&](Slot slot) {
            const Index<Dim> origin = open.tiles().origin(slot);
            const IndexBox<Dim> tile{origin, origin + Index<Dim>(kTileSide)};
            if (intersection(b.box, tile) == tile && tile.lo[axis] > b.box.lo[axis]) return;  // nowhere near a wall
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const Index<Dim> above = origin + cell_in_tile<Dim>(n), below = above - unit<Dim>(axis);
                const bool in_above = b.box.contains(above), in_below = b.box.contains(below);
                if (in_above && in_below) continue;
                const bool through_open_side = (in_above && b.walls[static_cast<std::size_t>(axis)][0] == Wall::open) ||
                                               (in_below && b.walls[static_cast<std::size_t>(axis)][1] == Wall::open);
                if (!through_open_side) open[axis].tile(slot)[n] = 0;
            }
        });
}

// The part of a cell outside the solids, their surface taken as a plane through it.
template <int Dim>
float room_in_cell(const Index<Dim>& cell, const Boundaries<Dim>& b) {
    const Vec<double, Dim> centre = b.grid.world_of_centre(cell);
    const double here = b.solid_distance(centre) / b.grid.dx;
    if (here >= 1) return 1;
    if (here <= -1) return 0;
    Vec<double, Dim> slope;
    for (int axis = 0; axis < Dim; ++axis) {
        Vec<double, Dim> side = centre;
        side[axis] += 0.5 * b.grid.dx;
        const double above = b.solid_distance(side);
        side[axis] -= b.grid.dx;
        slope[axis] = (above - b.solid_distance(side)) / b.grid.dx;
    }
    return static_cast<float>(1 - fraction_below<Dim>(here, slope));
}

}  // namespace

template <int Dim>
void refit(Boundaries<Dim>& b, const TilesPtr<Dim>& tiles) {
    if (b.open.component[0].tiles_ptr() == tiles) return;
    const bool first = b.open.component[0].empty();
    if (!b.has_solids()) {
        b.open = FaceField<Dim>(tiles, 0.0F);
        for (auto& c : b.open.component) c.fill(1);
        close_walls(b.open, b);
        return;
    }

    // Fractions of new tiles alone.
    std::vector<Index<Dim>> fresh_coordinates;
    for (std::size_t n = 0; n < tiles->count(); ++n) {
        const Index<Dim>& c = tiles->coordinate(static_cast<Slot>(n));
        if (first || b.open.tiles().find(c) == kNoTile) fresh_coordinates.push_back(c);
    }
    const TilesPtr<Dim> fresh = Tiles<Dim>::from_coordinates(std::move(fresh_coordinates));
    FaceField<Dim> fresh_open = open_fractions<Dim>(fresh, b.grid, b.solid_distance);
    close_walls(fresh_open, b);
    Field<float, Dim> fresh_room(fresh);
    assign(fresh_room, [&](const Index<Dim>& cell) { return room_in_cell(cell, b); });
    const auto merge = [&](Field<float, Dim>& field, const Field<float, Dim>& added, float background) {
        auto merged = Field<float, Dim>::unfilled(tiles, background);
        for_each_tile(*tiles, [&](Slot slot) {
            const Slot is_new = fresh->find(tiles->coordinate(slot));
            const float* from =
                is_new != kNoTile ? added.tile(is_new) : field.tile(field.tiles().find(tiles->coordinate(slot)));
            std::copy_n(from, kTileCells<Dim>, merged.tile(slot));
        });
        field = std::move(merged);
    };
    for (int axis = 0; axis < Dim; ++axis) merge(b.open[axis], fresh_open[axis], 0.0F);
    merge(b.room, fresh_room, 1.0F);
}

template <int Dim>
void stop_at_walls(FaceField<Dim>& velocity, const Boundaries<Dim>& b) {
    for (int axis = 0; axis < Dim; ++axis) {
        check_same_tiles("stop_at_walls", "velocity", velocity[axis].tiles(), "boundaries", b.open[axis].tiles());
        for_each_tile(velocity.tiles(), [&](Slot slot) {
            float* u = velocity[axis].tile(slot);
            const float* open = b.open[axis].tile(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) u[n] = open[n] > 0 ? u[n] : 0;
        });
    }
}

#define INSTANTIATE(Dim)                                         \
    template void refit(Boundaries<Dim>&, const TilesPtr<Dim>&); \
    template void stop_at_walls(FaceField<Dim>&, const Boundaries<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

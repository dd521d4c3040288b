// SPDX-License-Identifier: Apache-2.0
// Where on the tiles of a step there is gas, and where it may go.
#pragma once

#include <optional>

#include "gas/enclosure.h"
#include "grid/field.h"
#include "grid/halo.h"

namespace spindrift {

enum class GasCell : std::uint8_t {
    gas,   // its pressure is solved for
    open,  // air at rest pressure: beyond an open side, and the outermost cells of tiles that follow the smoke
    wall   // a solid, or beyond a closed side
};

// 1 / the distance, in cells, from a gas cell to where an open cell beside it fixes the pressure.
constexpr int kOpenHold = 2;

// Solids inside the box.  Functions are called by many threads at once.
template <int Dim>
struct GasSolids {
    std::function<double(const Vec<double, Dim>& place, double time)> distance{};            // m, negative inside
    std::function<double(const Vec<double, Dim>& place, double time)> shown{};               // by pictures; m
    std::function<Vec<double, Dim>(const Vec<double, Dim>& place, double time)> velocity{};  // m/s; none: at rest
    std::function<int(const Vec<double, Dim>& place, double time)>
        nearest{};  // number of the one whose wall counts there
    bool slip = false;

    bool any() const { return static_cast<bool>(distance); }
};

template <int Dim>
struct GasRoom {
    TilesPtr<Dim> tiles{};
    Field<std::uint8_t, Dim> cells{};
    std::vector<std::uint8_t> plain{};     // by tile: gas everywhere in it and beside it, no solids
    std::vector<std::uint8_t> full{};      // by tile: all of its cells count as gas
    bool fills_box = false;                // all tiles of the box are there
    std::optional<IndexBox<Dim>> block{};  // in cells, where the tiles fill one without gaps
    FaceField<Dim> open{};                 // open fraction of each face; only with solids
    FaceField<Dim> distance{};        // in cells, of each face's centre from the solids; only where they hold the gas
    FaceField<Dim> solid_velocity{};  // m/s on each face; only with solids that move
    Field<float, Dim> centre_distance{};        // in cells, of each centre from the solids; only where asked for
    Field<float, Dim> volume{};                 // the part of each cell that is not solid; as centre_distance
    Field<std::uint16_t, Dim> nearest_solid{};  // as centre_distance
    // How often the pressure of the cell at a face and of the one below it count in the gradient there: 0, 1 or
    // kOpenHold, in the lower and the upper half of a byte.  Of tiles that are not plain.
    std::array<Field<std::uint8_t, Dim>, Dim> gradient{};

    bool has_solids() const { return !open.component[0].empty(); }
    // Whether gas sticks to the solids.
    bool holds() const { return !distance.component[0].empty(); }
    bool moves() const { return !solid_velocity.component[0].empty(); }
};

// With `centres` solids are found for diffusion of substances, too.
template <int Dim>
GasRoom<Dim> make_room(const TilesPtr<Dim>& tiles, const GasEnclosure<Dim>& enclosure, const GasSolids<Dim>& solids,
                       double time, bool centres = false);

// The kinds of a tile's cells and those around it, beyond tiles and sides as well.
template <int Width, int Dim>
void load_cells(HaloBlock<std::uint8_t, Dim, Width>& block, const GasRoom<Dim>& room, const GasEnclosure<Dim>& e,
                Slot slot) {
    block.load(room.cells, slot);
    const Index<Dim> origin = room.tiles->origin(slot);
    for (int a = 0; a < Dim; ++a) {
        if (e.is_periodic(a)) continue;
        for (int c = -Width; c < kTileSide + Width; ++c) {
            const int at = origin[a] + c;
            if (at >= e.box.lo[a] && at < e.box.hi[a]) continue;
            const bool wall = is_wall(e.side(a, at >= e.box.hi[a]));
            IndexBox<Dim> layer{Index<Dim>(-Width), Index<Dim>(kTileSide + Width)};
            layer.lo[a] = c;
            layer.hi[a] = c + 1;
            for_each_index(layer, [&](const Index<Dim>& cell) {
                block(cell) = static_cast<std::uint8_t>(wall ? GasCell::wall : GasCell::open);
            });
        }
    }
}

template <int Dim, int Width>
bool is(const HaloBlock<std::uint8_t, Dim, Width>& block, const Index<Dim>& cell, GasCell kind) {
    return block(cell) == static_cast<std::uint8_t>(kind);
}

// Whether a cell of a tile lies in the box and not in a solid.
template <int Dim>
bool counts_as_gas(const GasRoom<Dim>& room, const GasEnclosure<Dim>& e, Slot slot, int n) {
    return room.cells.tile(slot)[n] != static_cast<std::uint8_t>(GasCell::wall) &&
           e.box.contains(room.tiles->origin(slot) + cell_in_tile<Dim>(n));
}

// Calls f(n) for the cells of a tile that do not.
template <int Dim, class F>
void for_each_other_cell(const GasRoom<Dim>& room, const GasEnclosure<Dim>& e, Slot slot, F&& f) {
    if (room.full[static_cast<std::size_t>(slot)] != 0) return;
    for (int n = 0; n < kTileCells<Dim>; ++n)
        if (!counts_as_gas(room, e, slot, n)) f(n);
}

// Gives faces of walls and solids the velocity of these, and takes velocity from cells beyond the box.
template <int Dim>
void hold_at_walls(FaceField<Dim>& velocity, const GasRoom<Dim>& room, const GasEnclosure<Dim>& enclosure, double time);

// Fills solid cells near the gas with what is beside them, so that interpolation next to a solid sees no flux into it.
template <int Dim>
void extend_into_solids(Field<float, Dim>& field, const GasRoom<Dim>& room, const GasEnclosure<Dim>& enclosure);

}  // namespace spindrift

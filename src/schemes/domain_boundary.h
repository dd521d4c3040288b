// SPDX-License-Identifier: Apache-2.0
// The cells of a domain on the tiles of a step: which hold fluid, which are open to the air outside, which are walls;
// and what solids leave open of them.
#pragma once

#include <optional>

#include "grid/field.h"
#include "grid/halo.h"
#include "schemes/domain.h"

namespace spindrift {

enum class CellKind : std::uint8_t {
    fluid,  // its pressure is solved for
    open,   // ambient pressure: beyond an open side, and the outermost cells of sparse tiles
    wall    // a solid, or beyond a closed side
};

// 1 / the distance, in cells, from a fluid cell to where the pressure is that of the open cell beside it.
constexpr int kOpenWeight = 2;

// Solids in the domain.  Functions are called by many threads at once.
template <int Dim>
struct Solids {
    std::function<double(const Vec<double, Dim>& place, double time)> distance{};            // m, negative inside
    std::function<double(const Vec<double, Dim>& place, double time)> shown{};               // by pictures; m
    std::function<Vec<double, Dim>(const Vec<double, Dim>& place, double time)> velocity{};  // m/s; none: at rest
    std::function<int(const Vec<double, Dim>& place, double time)>
        nearest{};  // number of the one whose wall counts there
    bool slip = false;

    bool any() const { return static_cast<bool>(distance); }
};

template <int Dim>
struct DomainBoundary {
    TilesPtr<Dim> tiles{};
    Field<std::uint8_t, Dim> cells{};
    std::vector<std::uint8_t> plain{};     // by tile: fluid everywhere in it and beside it, no solids
    std::vector<std::uint8_t> full{};      // by tile: all of its cells hold fluid
    bool fills_box = false;                // all tiles of the domain are there
    std::optional<IndexBox<Dim>> block{};  // in cells, where the tiles fill one without gaps
    FaceField<Dim> open{};                 // open fraction of each face; only with solids
    FaceField<Dim> distance{};             // in cells, of each face's centre from the solids; only with no-slip solids
    FaceField<Dim> solid_velocity{};       // m/s on each face; only with solids that move
    Field<float, Dim> centre_distance{};   // in cells, of each centre from the solids; only where asked for
    Field<float, Dim> volume{};            // the part of each cell that is not solid; as centre_distance
    Field<std::uint16_t, Dim> nearest_solid{};  // as centre_distance
    // How often the pressure of the cell at a face and of the one below it count in the gradient there: 0, 1 or
    // kOpenWeight, in the lower and the upper half of a byte.  Of tiles that are not plain.
    std::array<Field<std::uint8_t, Dim>, Dim> gradient{};

    bool has_solids() const { return !open.component[0].empty(); }
    bool has_no_slip_solids() const { return !distance.component[0].empty(); }
    bool solids_move() const { return !solid_velocity.component[0].empty(); }
};

// With `centres` solids are found for diffusion of substances, too.
template <int Dim>
DomainBoundary<Dim> make_boundary(const TilesPtr<Dim>& tiles, const Domain<Dim>& domain, const Solids<Dim>& solids,
                                  double time, bool centres = false);

// The kinds of a tile's cells and those around it, beyond tiles and sides as well.
template <int Width, int Dim>
void load_cells(HaloBlock<std::uint8_t, Dim, Width>& block, const DomainBoundary<Dim>& boundary,
                const Domain<Dim>& domain, Slot slot) {
    block.load(boundary.cells, slot);
    const Index<Dim> origin = boundary.tiles->origin(slot);
    for (int a = 0; a < Dim; ++a) {
        if (domain.is_periodic(a)) continue;
        for (int c = -Width; c < kTileSide + Width; ++c) {
            const int at = origin[a] + c;
            if (at >= domain.box.lo[a] && at < domain.box.hi[a]) continue;
            const bool wall = is_wall(domain.side(a, at >= domain.box.hi[a]));
            IndexBox<Dim> layer{Index<Dim>(-Width), Index<Dim>(kTileSide + Width)};
            layer.lo[a] = c;
            layer.hi[a] = c + 1;
            for_each_index(layer, [&](const Index<Dim>& cell) {
                block(cell) = static_cast<std::uint8_t>(wall ? CellKind::wall : CellKind::open);
            });
        }
    }
}

template <int Dim, int Width>
bool is(const HaloBlock<std::uint8_t, Dim, Width>& block, const Index<Dim>& cell, CellKind kind) {
    return block(cell) == static_cast<std::uint8_t>(kind);
}

// Whether a cell of a tile lies in the domain and not in a solid.
template <int Dim>
bool holds_fluid(const DomainBoundary<Dim>& boundary, const Domain<Dim>& domain, Slot slot, int n) {
    return boundary.cells.tile(slot)[n] != static_cast<std::uint8_t>(CellKind::wall) &&
           domain.box.contains(boundary.tiles->origin(slot) + cell_in_tile<Dim>(n));
}

// Calls f(n) for the cells of a tile that do not.
template <int Dim, class F>
void for_each_other_cell(const DomainBoundary<Dim>& boundary, const Domain<Dim>& domain, Slot slot, F&& f) {
    if (boundary.full[static_cast<std::size_t>(slot)] != 0) return;
    for (int n = 0; n < kTileCells<Dim>; ++n)
        if (!holds_fluid(boundary, domain, slot, n)) f(n);
}

// Gives faces on walls and in solids the velocity of these, and sets that of cells beyond the domain to zero.
template <int Dim>
void set_wall_velocity(FaceField<Dim>& velocity, const DomainBoundary<Dim>& boundary, const Domain<Dim>& domain,
                       double time);

// Extrapolates a field into solid cells, so that interpolation next to a solid sees no flux into it.
template <int Dim>
void extrapolate_into_solids(Field<float, Dim>& field, const DomainBoundary<Dim>& boundary, const Domain<Dim>& domain);

}  // namespace spindrift

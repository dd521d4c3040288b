// SPDX-License-Identifier: Apache-2.0
// The boundary of a fluid that fills its domain, and the cells of this: which hold fluid, which are open to the air
// outside, which are walls.
#pragma once

#include <optional>

#include "grid/field.h"
#include "grid/halo.h"
#include "schemes/boundary.h"
#include "schemes/cut_faces.h"
#include "schemes/unknown_cells.h"

namespace spindrift {

enum class CellKind : std::uint8_t {
    fluid,  // its pressure is solved for
    open,   // ambient pressure: beyond an open side, and the outermost cells of sparse tiles
    wall    // a solid, or beyond a closed side
};

// Solids in the domain.  Functions are called by many threads at once.
template <int Dim>
struct Solids {
    std::function<double(const Vec<double, Dim>& place, double time)> distance{};            // m, negative inside
    std::function<Vec<double, Dim>(const Vec<double, Dim>& place, double time)> velocity{};  // m/s; none: at rest
    std::function<int(const Vec<double, Dim>& place, double time)>
        nearest{};      // number of the one whose wall counts there
    bool slip = false;  // all of them
    // Where some slip and others do not, and `slip` is false: whether the nearest one does.
    std::function<bool(const Vec<double, Dim>& place, double time)> slips_at{};

    bool any() const { return static_cast<bool>(distance); }
};

// In cells: a value nearer than this to a solid that gives it follows from the solid's and from those beyond.
constexpr float kBesideWall = 0.1F;

template <int Dim>
struct DomainBoundary : Boundary<Dim> {
    Field<std::uint8_t, Dim> cells{};
    Field<float, Dim> level{};             // −1 in fluid cells, else 1: the pressure is zero half way to open ones
    std::vector<std::uint8_t> plain{};     // by tile: fluid everywhere in it and beside it, no solids
    std::vector<std::uint8_t> full{};      // by tile: all of its cells hold fluid
    CutFaces<Dim> cut{};                   // by solids with friction
    UnknownCells<Dim> in_solids{};         // see extrapolate_into_solids()
    UnknownCells<Dim> in_slivers{};        // see extrapolate_into_slivers()
    bool fills_box = false;                // all tiles of the domain are there
    std::optional<IndexBox<Dim>> block{};  // in cells, where the tiles fill one without gaps

    bool has_friction() const { return !this->distance.component[0].empty(); }
    bool solids_move() const { return this->has_solids() && this->anything_moves(); }
};

// What acts at solids: friction needs to know how far faces are from them, what diffuses which of them is where.
struct AtSolids {
    bool friction = false;
    bool diffusion = false;
};

// The boundary of a fluid in a domain with these solids, on no tiles yet.
template <int Dim>
DomainBoundary<Dim> make_boundary(const Domain<Dim>& domain, const Solids<Dim>& solids, AtSolids acts);

// Brings it to tiles, and solids to where they are at a time.
template <int Dim>
void refit(DomainBoundary<Dim>& boundary, const TilesPtr<Dim>& tiles, const Solids<Dim>& solids, double time);

// The kinds of a tile's cells and those around it, beyond tiles and sides as well.
template <int Width, int Dim>
void load_cells(HaloBlock<std::uint8_t, Dim, Width>& block, const DomainBoundary<Dim>& boundary, Slot slot) {
    const Domain<Dim>& domain = boundary.domain;
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
bool holds_fluid(const DomainBoundary<Dim>& boundary, Slot slot, int n) {
    return boundary.cells.tile(slot)[n] != static_cast<std::uint8_t>(CellKind::wall) &&
           boundary.domain.box.contains(boundary.tiles->origin(slot) + cell_in_tile<Dim>(n));
}

// Calls f(n) for the cells of a tile that do not.
template <int Dim, class F>
void for_each_other_cell(const DomainBoundary<Dim>& boundary, Slot slot, F&& f) {
    if (boundary.full[static_cast<std::size_t>(slot)] != 0) return;
    for (int n = 0; n < kTileCells<Dim>; ++n)
        if (!holds_fluid(boundary, slot, n)) f(n);
}

// Gives faces on walls and in solids the velocity of these, sides as they are at a time, and sets that of cells beyond
// the domain to zero.
template <int Dim>
void set_wall_velocity(FaceField<Dim>& velocity, DomainBoundary<Dim>& boundary, double time);

// Extrapolates a field into solid cells, so that interpolation next to a solid sees no flux into it.
template <int Dim>
void extrapolate_into_solids(Field<float, Dim>& field, const DomainBoundary<Dim>& boundary);

// The same, and into cells that are open only through faces right beside a wall with friction, which gives the velocity
// there whatever the pressure is: what projections add to that pressure would add up from step to step.
template <int Dim>
void extrapolate_into_slivers(Field<float, Dim>& pressure, const DomainBoundary<Dim>& boundary);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "schemes/domain_boundary.h"

#include "grid/beside.h"

namespace spindrift {
namespace {

constexpr auto kFluid = static_cast<std::uint8_t>(CellKind::fluid);
constexpr auto kOpen = static_cast<std::uint8_t>(CellKind::open);
constexpr auto kWall = static_cast<std::uint8_t>(CellKind::wall);

// A gas has no surface that could be drawn through a slit: see Boundary::slit.
constexpr float kSlit = 0.01F;

// Sets the cells of a tile that lie in one layer across an axis.
template <int Dim>
void set_layer(std::uint8_t* kind, int axis, int layer, std::uint8_t value) {
    const int stride = tile_stride<Dim>(axis), slab = stride * kTileSide;
    for (int at = layer * stride; at < kTileCells<Dim>; at += slab) std::fill_n(kind + at, stride, value);
}

// By where they lie; solids not counted.
template <int Dim>
void find_kinds(std::uint8_t* kind, const Tiles<Dim>& tiles, const Domain<Dim>& domain, Slot slot) {
    const Index<Dim> origin = tiles.origin(slot);
    std::fill_n(kind, kTileCells<Dim>, kFluid);
    for (int a = 0; a < Dim; ++a) {
        // The faces beyond the last layer below an open side have no tile to live on.
        const int last = domain.box.hi[a] - 1 - origin[a];
        if (domain.side(a, true).kind == SideKind::open && last >= 0 && last < kTileSide)
            set_layer<Dim>(kind, a, last, kOpen);
        // The same at the edge of the tiles.
        for (const bool above : {false, true}) {
            const int beyond = origin[a] + (above ? kTileSide : -1);
            const bool in_box = domain.is_periodic(a) || (beyond >= domain.box.lo[a] && beyond < domain.box.hi[a]);
            if (in_box && tiles.neighbour(slot, side_neighbour<Dim>(a, above)) == kNoTile)
                set_layer<Dim>(kind, a, above ? kTileSide - 1 : 0, kOpen);
        }
    }
    // Beyond several sides the first axis decides.
    for (int a = Dim - 1; a >= 0; --a)
        for (int c = 0; c < kTileSide && !domain.is_periodic(a); ++c) {
            const int at = origin[a] + c;
            if (at < domain.box.lo[a] || at >= domain.box.hi[a])
                set_layer<Dim>(kind, a, c, is_wall(domain.side(a, at >= domain.box.hi[a])) ? kWall : kOpen);
        }
}

// Cells that solids leave no way in or out of.
template <int Dim>
void find_solid_cells(DomainBoundary<Dim>& boundary) {
    for_each_tile(*boundary.tiles, [&](Slot slot) {
        const float* volume = boundary.volume.tile(slot);
        if (std::all_of(volume, volume + kTileCells<Dim>, [](float v) { return v == 1; })) return;
        bool has_way[kTileCells<Dim>] = {};
        for (int a = 0; a < Dim; ++a) {
            const float* open = boundary.open[a].tile(slot);
            const TileValues<Dim> above = values_above(boundary.open[a], slot, a);
            for (int n = 0; n < kTileCells<Dim>; ++n) has_way[n] |= open[n] > 0 || above[n] > 0;
        }
        for (int n = 0; n < kTileCells<Dim>; ++n)
            if (!has_way[n] && volume[n] < 1) boundary.cells.tile(slot)[n] = kWall;
    });
}

template <int Dim>
void find_plain_tiles(DomainBoundary<Dim>& boundary) {
    const Domain<Dim>& domain = boundary.domain;
    std::vector<std::uint8_t> full(boundary.tiles->count());
    for_each_tile(*boundary.tiles, [&](Slot slot) {
        const std::uint8_t* kind = boundary.cells.tile(slot);
        bool all = std::all_of(kind, kind + kTileCells<Dim>, [](std::uint8_t k) { return k == kFluid; });
        const Index<Dim> origin = boundary.tiles->origin(slot);
        for (int a = 0; a < Dim && all && boundary.has_solids(); ++a)
            for (int n = 0; n < kTileCells<Dim> && all; ++n)
                all = boundary.open[a].tile(slot)[n] == 1 || origin[a] + cell_in_tile<Dim>(n)[a] == domain.box.lo[a];
        full[static_cast<std::size_t>(slot)] = all ? 1 : 0;
    });
    boundary.plain.assign(boundary.tiles->count(), 0);
    for_each_tile(*boundary.tiles, [&](Slot slot) {
        bool all = full[static_cast<std::size_t>(slot)] != 0;
        const Index<Dim> origin = boundary.tiles->origin(slot);
        for (int a = 0; a < Dim && all; ++a)
            for (const bool above : {false, true}) {
                const Slot beside = boundary.tiles->neighbour(slot, side_neighbour<Dim>(a, above));
                all &= beside != kNoTile && full[static_cast<std::size_t>(beside)] != 0;
                if (!domain.is_periodic(a))
                    all &= origin[a] > domain.box.lo[a] && origin[a] + kTileSide < domain.box.hi[a];
            }
        boundary.plain[static_cast<std::size_t>(slot)] = all ? 1 : 0;
    });
}

template <int Dim>
Field<std::uint8_t, Dim> outside_solids(const DomainBoundary<Dim>& boundary) {
    auto known = Field<std::uint8_t, Dim>::unfilled(boundary.tiles);
    for_each_tile(*boundary.tiles, [&](Slot slot) {
        for (int n = 0; n < kTileCells<Dim>; ++n) known.tile(slot)[n] = boundary.cells.tile(slot)[n] != kWall;
    });
    return known;
}

// The same but for cells that are open only through faces right beside a wall.
template <int Dim>
Field<std::uint8_t, Dim> outside_slivers(const DomainBoundary<Dim>& boundary) {
    Field<std::uint8_t, Dim> known = outside_solids(boundary);
    for_each_tile(*boundary.tiles, [&](Slot slot) {
        if (boundary.full[static_cast<std::size_t>(slot)] != 0 && boundary.plain[static_cast<std::size_t>(slot)] != 0)
            return;
        bool has_way[kTileCells<Dim>] = {};
        for (int a = 0; a < Dim; ++a) {
            const float *open = boundary.open[a].tile(slot), *away = boundary.distance[a].tile(slot);
            const TileValues<Dim> open_above = values_above(boundary.open[a], slot, a),
                                  away_above = values_above(boundary.distance[a], slot, a);
            for (int n = 0; n < kTileCells<Dim>; ++n)
                has_way[n] |=
                    (open[n] > 0 && away[n] > kBesideWall) || (open_above[n] > 0 && away_above[n] > kBesideWall);
        }
        for (int n = 0; n < kTileCells<Dim>; ++n)
            if (!has_way[n]) known.tile(slot)[n] = 0;
    });
    return known;
}

}  // namespace

template <int Dim>
DomainBoundary<Dim> make_boundary(const Domain<Dim>& domain, const Solids<Dim>& solids, AtSolids acts) {
    DomainBoundary<Dim> boundary;
    boundary.domain = domain;
    boundary.slit = kSlit;
    boundary.solid_slip = solids.slip;
    boundary.wants_face_distance = solids.any() && !solids.slip && acts.friction;
    if (acts.diffusion) boundary.number_at = solids.nearest;
    if (solids.any() && !solids.velocity)
        boundary.solid_distance = [distance = solids.distance](const Vec<double, Dim>& x) { return distance(x, 0); };
    return boundary;
}

template <int Dim>
void refit(DomainBoundary<Dim>& boundary, const TilesPtr<Dim>& tiles, const Solids<Dim>& solids, double time) {
    std::vector<MovingPart<Dim>> movers;
    if (solids.velocity) movers.push_back({solids.distance, solids.velocity});
    if (solids.slips_at)
        boundary.solid_slips_at = [slips_at = solids.slips_at, time](const Vec<double, Dim>& x) {
            return slips_at(x, time);
        };
    refit<Dim>(boundary, tiles, movers, time);
    boundary.cells = Field<std::uint8_t, Dim>::unfilled(tiles, kOpen);
    for_each_tile(*tiles, [&](Slot slot) { find_kinds(boundary.cells.tile(slot), *tiles, boundary.domain, slot); });
    boundary.block.reset();
    if (tiles->count() > 0 && tiles->cell_count() == number_in(tiles->cell_bounds()))
        boundary.block = tiles->cell_bounds();
    boundary.fills_box = tiles->count() == number_in(boundary.domain.tile_box());
    if (boundary.has_solids()) find_solid_cells(boundary);
    find_plain_tiles(boundary);
    boundary.cut = boundary.has_friction() ? cut_faces<Dim>(boundary) : CutFaces<Dim>{};
    boundary.full.assign(tiles->count(), 1);
    boundary.level = Field<float, Dim>::unfilled(tiles, 1.0F);
    for_each_tile(*tiles, [&](Slot slot) {
        std::uint8_t& full = boundary.full[static_cast<std::size_t>(slot)];
        for (int n = 0; n < kTileCells<Dim> && full != 0; ++n) full = holds_fluid(boundary, slot, n) ? 1 : 0;
        for (int n = 0; n < kTileCells<Dim>; ++n)
            boundary.level.tile(slot)[n] = boundary.cells.tile(slot)[n] == kFluid ? -1.0F : 1.0F;
    });
    boundary.in_solids.clear();
    boundary.in_slivers.clear();
    if (boundary.has_solids()) boundary.in_solids = unknown_cells(outside_solids(boundary), boundary.domain);
    if (boundary.has_friction()) boundary.in_slivers = unknown_cells(outside_slivers(boundary), boundary.domain);
}

template <int Dim>
void set_wall_velocity(FaceField<Dim>& velocity, DomainBoundary<Dim>& boundary, double time) {
    const Domain<Dim>& domain = boundary.domain;
    set_side_velocity(boundary, time);
    stop_at_walls<Dim>(velocity, boundary, boundary.plain);
    for (int a = 0; a < Dim; ++a)
        // Along an open upper side the outermost layer follows the one inside it where gas leaves; what comes in was
        // at rest outside.
        for (int b = 0; b < Dim; ++b) {
            if (b == a || domain.side(b, true).kind != SideKind::open) continue;
            Field<float, Dim>& u = velocity[a];
            for_each_tile(*boundary.tiles, [&](Slot slot) {
                const int last = domain.box.hi[b] - 1 - boundary.tiles->origin(slot)[b];
                if (last < 0 || last >= kTileSide) return;
                const Slot below = boundary.tiles->neighbour(slot, side_neighbour<Dim>(b, false));
                if (last == 0 && below == kNoTile) return;
                for (int n = 0; n < kTileCells<Dim>; ++n) {
                    if (cell_in_tile<Dim>(n)[b] != last) continue;
                    const int stride = tile_stride<Dim>(b);
                    const float inside =
                        last > 0 ? u.tile(slot)[n - stride] : u.tile(below)[n + stride * (kTileSide - 1)];
                    u.tile(slot)[n] = velocity[b].tile(slot)[n] > 0 ? inside : 0.0F;
                }
            });
        }
}

template <int Dim>
void extrapolate_into_solids(Field<float, Dim>& field, const DomainBoundary<Dim>& boundary) {
    extrapolate(field, boundary.in_solids);
}

template <int Dim>
void extrapolate_into_slivers(Field<float, Dim>& field, const DomainBoundary<Dim>& boundary) {
    extrapolate(field, boundary.in_slivers);
}

#define INSTANTIATE(Dim)                                                                          \
    template DomainBoundary<Dim> make_boundary(const Domain<Dim>&, const Solids<Dim>&, AtSolids); \
    template void refit(DomainBoundary<Dim>&, const TilesPtr<Dim>&, const Solids<Dim>&, double);  \
    template void set_wall_velocity(FaceField<Dim>&, DomainBoundary<Dim>&, double);               \
    template void extrapolate_into_solids(Field<float, Dim>&, const DomainBoundary<Dim>&);        \
    template void extrapolate_into_slivers(Field<float, Dim>&, const DomainBoundary<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

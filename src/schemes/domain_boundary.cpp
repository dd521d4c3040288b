// SPDX-License-Identifier: Apache-2.0
#include "schemes/domain_boundary.h"

#include "geometry/face_fractions.h"
#include "grid/plane_fraction.h"
#include "schemes/patch.h"

namespace spindrift {
namespace {

constexpr auto kFluid = static_cast<std::uint8_t>(CellKind::fluid);
constexpr auto kOpen = static_cast<std::uint8_t>(CellKind::open);
constexpr auto kWall = static_cast<std::uint8_t>(CellKind::wall);

// Layers of solid cells that take on what is beside them: as many as interpolation and a limiter read.
constexpr int kLayersIntoSolids = 2;

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

// A tile's faces are asked for only if its middle is near enough.
template <int Dim>
void find_distances(DomainBoundary<Dim>& boundary, const Domain<Dim>& domain, const Solids<Dim>& solids, double time) {
    constexpr float kFar = kTileSide;
    boundary.distance = FaceField<Dim>(boundary.tiles, kFar);
    for_each_tile(*boundary.tiles, [&](Slot slot) {
        const Index<Dim> origin = boundary.tiles->origin(slot);
        const Vec<double, Dim> middle = domain.grid.world_of_centre(origin + Index<Dim>(kTileSide / 2));
        if (std::abs(solids.distance(middle, time)) > 2 * kTileSide * domain.grid.dx) return;
        for (int a = 0; a < Dim; ++a)
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const Vec<double, Dim> x = domain.grid.world_of_face(a, origin + cell_in_tile<Dim>(n));
                boundary.distance[a].tile(slot)[n] = static_cast<float>(solids.distance(x, time) / domain.grid.dx);
            }
    });
}

// The part of a cell outside the solids, their surface taken as a plane through it.
template <int Dim>
float open_volume(const Vec<double, Dim>& centre, double here, double dx,
                  const std::function<double(const Vec<double, Dim>&)>& distance) {
    Vec<double, Dim> slope;
    for (int a = 0; a < Dim; ++a) {
        Vec<double, Dim> side = centre;
        side[a] += 0.5 * dx;
        const double above = distance(side);
        side[a] -= dx;
        slope[a] = (above - distance(side)) / dx;
    }
    return static_cast<float>(1 - fraction_below<Dim>(here / dx, slope));
}

// What diffusion asks of cells near solids.
template <int Dim>
void find_centres(DomainBoundary<Dim>& boundary, const Domain<Dim>& domain, const Solids<Dim>& solids, double time) {
    const double dx = domain.grid.dx;
    const auto distance = [&](const Vec<double, Dim>& x) { return solids.distance(x, time); };
    boundary.centre_distance = Field<float, Dim>(boundary.tiles, static_cast<float>(kTileSide));
    boundary.volume = Field<float, Dim>(boundary.tiles, 1.0F);
    boundary.nearest_solid = Field<std::uint16_t, Dim>(boundary.tiles);
    for_each_tile(*boundary.tiles, [&](Slot slot) {
        const Index<Dim> origin = boundary.tiles->origin(slot);
        const double middle = distance(domain.grid.world_of_centre(origin + Index<Dim>(kTileSide / 2)));
        if (std::abs(middle) > 2 * kTileSide * dx) {
            if (middle < 0) {
                std::fill_n(boundary.centre_distance.tile(slot), kTileCells<Dim>, static_cast<float>(-kTileSide));
                std::fill_n(boundary.volume.tile(slot), kTileCells<Dim>, 0.0F);
            }
            return;
        }
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Vec<double, Dim> x = domain.grid.world_of_centre(origin + cell_in_tile<Dim>(n));
            const double here = distance(x);
            boundary.centre_distance.tile(slot)[n] = static_cast<float>(here / dx);
            if (std::abs(here) < dx) boundary.volume.tile(slot)[n] = open_volume<Dim>(x, here, dx, distance);
            if (here <= -dx) boundary.volume.tile(slot)[n] = 0;
            if (solids.nearest && std::abs(here) < 2 * dx)
                boundary.nearest_solid.tile(slot)[n] = static_cast<std::uint16_t>(solids.nearest(x, time));
        }
    });
}

template <int Dim>
void add_solids(DomainBoundary<Dim>& boundary, const Domain<Dim>& domain, const Solids<Dim>& solids, double time) {
    boundary.open = open_fractions<Dim>(boundary.tiles, domain.grid,
                                        [&](const Vec<double, Dim>& x) { return solids.distance(x, time); });
    for_each_tile(*boundary.tiles, [&](Slot slot) {
        std::uint8_t* kind = boundary.cells.tile(slot);
        std::array<HaloBlock<float, Dim, 1>, Dim> open;
        bool cut = false;
        for (int a = 0; a < Dim; ++a) {
            const float* own = boundary.open[a].tile(slot);
            cut |= std::any_of(own, own + kTileCells<Dim>, [](float f) { return f < 1; });
            open[static_cast<std::size_t>(a)].load(boundary.open[a], slot);
        }
        if (!cut) {
            // Faces above the tile may still be closed; then its cells are solid only if their centres are.
            const Index<Dim> middle = boundary.tiles->origin(slot) + Index<Dim>(kTileSide / 2);
            if (solids.distance(domain.grid.world_of_centre(middle), time) > kTileSide * 2 * domain.grid.dx) return;
        }
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> c = cell_in_tile<Dim>(n);
            float ways = 0;
            for (int a = 0; a < Dim; ++a) {
                const auto& f = open[static_cast<std::size_t>(a)];
                ways += f(c) + f(c + unit<Dim>(a));
            }
            if (ways == 0) kind[n] = kWall;
        }
    });
    if (!solids.slip) find_distances(boundary, domain, solids, time);
    if (!solids.velocity) return;
    boundary.solid_velocity = FaceField<Dim>(boundary.tiles);
    const double near = 2 * domain.grid.dx;
    for (int a = 0; a < Dim; ++a)
        assign(boundary.solid_velocity[a], [&](const Index<Dim>& cell) {
            const Vec<double, Dim> x = domain.grid.world_of_face(a, cell);
            return solids.distance(x, time) < near ? static_cast<float>(solids.velocity(x, time)[a]) : 0.0F;
        });
}

template <int Dim>
void find_plain_tiles(DomainBoundary<Dim>& boundary, const Domain<Dim>& domain) {
    std::vector<std::uint8_t> full(boundary.tiles->count());
    for_each_tile(*boundary.tiles, [&](Slot slot) {
        const std::uint8_t* kind = boundary.cells.tile(slot);
        bool all = std::all_of(kind, kind + kTileCells<Dim>, [](std::uint8_t k) { return k == kFluid; });
        for (int a = 0; a < Dim && all && boundary.has_solids(); ++a) {
            const float* open = boundary.open[a].tile(slot);
            all = std::all_of(open, open + kTileCells<Dim>, [](float f) { return f == 1; });
        }
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

// The parts of the pressure's gradient on the faces of a tile: none towards walls and between cells without gas.
template <int Dim>
void find_gradient_parts(DomainBoundary<Dim>& boundary, const Domain<Dim>& domain, Slot slot) {
    HaloBlock<std::uint8_t, Dim, 1> kind;
    load_cells(kind, boundary, domain, slot);
    for (int a = 0; a < Dim; ++a) {
        std::uint8_t* to = boundary.gradient[static_cast<std::size_t>(a)].tile(slot);
        for (int row = 0; row < kTileCells<Dim>; row += kTileSide) {
            const Index<Dim> first = cell_in_tile<Dim>(row);
            const std::uint8_t *here = kind.at(first), *below = kind.at(first - unit<Dim>(a));
            const auto counts = [](std::uint8_t own, std::uint8_t other) {
                return own != kFluid ? 0 : other == kFluid ? 1 : other == kOpen ? kOpenWeight : 0;
            };
            for (int n = 0; n < kTileSide; ++n)
                to[row + n] = static_cast<std::uint8_t>(counts(here[n], below[n]) | counts(below[n], here[n]) << 4);
        }
        for (int n = 0; n < kTileCells<Dim> && boundary.has_solids(); ++n)
            if (!(boundary.open[a].tile(slot)[n] > 0)) to[n] = 0;
    }
}

}  // namespace

template <int Dim>
DomainBoundary<Dim> make_boundary(const TilesPtr<Dim>& tiles, const Domain<Dim>& domain, const Solids<Dim>& solids,
                                  double time, bool centres) {
    DomainBoundary<Dim> boundary;
    boundary.tiles = tiles;
    boundary.cells = Field<std::uint8_t, Dim>::unfilled(tiles, kOpen);
    for_each_tile(*tiles, [&](Slot slot) { find_kinds(boundary.cells.tile(slot), *tiles, domain, slot); });
    if (tiles->count() > 0 && tiles->cell_count() == number_in(tiles->cell_bounds()))
        boundary.block = tiles->cell_bounds();
    boundary.fills_box = tiles->count() == number_in(domain.tile_box());
    if (solids.any()) add_solids(boundary, domain, solids, time);
    if (solids.any() && centres) find_centres(boundary, domain, solids, time);
    find_plain_tiles(boundary, domain);
    boundary.full.assign(tiles->count(), 1);
    for_each_tile(*tiles, [&](Slot slot) {
        std::uint8_t& full = boundary.full[static_cast<std::size_t>(slot)];
        for (int n = 0; n < kTileCells<Dim> && full != 0; ++n) full = holds_fluid(boundary, domain, slot, n) ? 1 : 0;
    });
    for (auto& parts : boundary.gradient) parts = Field<std::uint8_t, Dim>::unfilled(tiles);
    for_each_tile(*tiles, [&](Slot slot) {
        if (boundary.plain[static_cast<std::size_t>(slot)] == 0) find_gradient_parts(boundary, domain, slot);
    });
    return boundary;
}

template <int Dim>
void set_wall_velocity(FaceField<Dim>& velocity, const DomainBoundary<Dim>& boundary, const Domain<Dim>& domain,
                       double time) {
    for (int a = 0; a < Dim; ++a) {
        const FieldLayout<Dim> layout = velocity_layout(domain, a, time);
        for_each_tile(*boundary.tiles, [&](Slot slot) {
            if (boundary.plain[static_cast<std::size_t>(slot)] != 0) return;
            float* u = velocity[a].tile(slot);
            const Index<Dim> origin = boundary.tiles->origin(slot);
            if (boundary.has_solids()) {
                const float* open = boundary.open[a].tile(slot);
                for (int n = 0; n < kTileCells<Dim>; ++n)
                    if (open[n] == 0) u[n] = boundary.solids_move() ? boundary.solid_velocity[a].tile(slot)[n] : 0.0F;
            }
            for (int b = 0; b < Dim; ++b)
                for (int c = 0; c < kTileSide && !domain.is_periodic(b); ++c) {
                    const int at = origin[b] + c;
                    const bool on_side = b == a && (at == domain.box.lo[b] || at == domain.box.hi[b]);
                    const bool outside = at < domain.box.lo[b] || at >= domain.box.hi[b];
                    if (!outside && !on_side) continue;
                    if (on_side && !is_wall(domain.side(b, at == domain.box.hi[b]))) {
                        if (!outside) continue;
                    }
                    IndexBox<Dim> layer{Index<Dim>(0), Index<Dim>(kTileSide)};
                    layer.lo[b] = c;
                    layer.hi[b] = c + 1;
                    const bool wall = on_side && is_wall(domain.side(b, at == domain.box.hi[b]));
                    for_each_index(layer, [&](const Index<Dim>& cell) {
                        u[offset_in_tile(cell)] = wall ? layout.ghost_value(origin + cell, a).offset : 0.0F;
                    });
                }
        });
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
}

template <int Dim>
void extrapolate_into_solids(Field<float, Dim>& field, const DomainBoundary<Dim>& boundary, const Domain<Dim>& domain) {
    if (!boundary.has_solids()) return;
    Field<std::uint8_t, Dim> known(boundary.tiles);
    for_each_tile(*boundary.tiles, [&](Slot slot) {
        for (int n = 0; n < kTileCells<Dim>; ++n) known.tile(slot)[n] = boundary.cells.tile(slot)[n] != kWall;
    });
    for (int layer = 0; layer < kLayersIntoSolids; ++layer) {
        Field<float, Dim> next = field;
        Field<std::uint8_t, Dim> known_next = known;
        for_each_tile(*boundary.tiles, [&](Slot slot) {
            const std::uint8_t* own = known.tile(slot);
            if (std::all_of(own, own + kTileCells<Dim>, [](std::uint8_t k) { return k != 0; })) return;
            const HaloBlock<std::uint8_t, Dim, 1> is_known(known, slot);
            const HaloBlock<float, Dim, 1> value(field, slot);
            const Index<Dim> origin = boundary.tiles->origin(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const Index<Dim> c = cell_in_tile<Dim>(n);
                if (own[n] != 0 || !domain.box.contains(origin + c)) continue;
                float sum = 0;
                int count = 0;
                for (int a = 0; a < Dim; ++a)
                    for (const int side : {-1, 1}) {
                        const Index<Dim> beside = c + unit<Dim>(a) * side;
                        if (is_known(beside) == 0) continue;
                        sum += value(beside);
                        ++count;
                    }
                if (count == 0) continue;
                next.tile(slot)[n] = sum / static_cast<float>(count);
                known_next.tile(slot)[n] = 1;
            }
        });
        field = std::move(next);
        known = std::move(known_next);
    }
}

#define INSTANTIATE(Dim)                                                                                             \
    template DomainBoundary<Dim> make_boundary(const TilesPtr<Dim>&, const Domain<Dim>&, const Solids<Dim>&, double, \
                                               bool);                                                                \
    template void set_wall_velocity(FaceField<Dim>&, const DomainBoundary<Dim>&, const Domain<Dim>&, double);        \
    template void extrapolate_into_solids(Field<float, Dim>&, const DomainBoundary<Dim>&, const Domain<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

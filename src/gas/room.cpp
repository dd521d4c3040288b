// SPDX-License-Identifier: Apache-2.0
#include "gas/room.h"

#include "gas/patch.h"
#include "geometry/face_fractions.h"
#include "grid/plane_fraction.h"

namespace spindrift {
namespace {

constexpr auto kGas = static_cast<std::uint8_t>(GasCell::gas);
constexpr auto kOpen = static_cast<std::uint8_t>(GasCell::open);
constexpr auto kWall = static_cast<std::uint8_t>(GasCell::wall);

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
void find_kinds(std::uint8_t* kind, const Tiles<Dim>& tiles, const GasEnclosure<Dim>& e, Slot slot) {
    const Index<Dim> origin = tiles.origin(slot);
    std::fill_n(kind, kTileCells<Dim>, kGas);
    for (int a = 0; a < Dim; ++a) {
        // The faces beyond the last layer below an open side have no tile to live on.
        const int last = e.box.hi[a] - 1 - origin[a];
        if (e.side(a, true).kind == GasSideKind::open && last >= 0 && last < kTileSide)
            set_layer<Dim>(kind, a, last, kOpen);
        // The same at the edge of the tiles.
        for (const bool above : {false, true}) {
            const int beyond = origin[a] + (above ? kTileSide : -1);
            const bool in_box = e.is_periodic(a) || (beyond >= e.box.lo[a] && beyond < e.box.hi[a]);
            if (in_box && tiles.neighbour(slot, side_neighbour<Dim>(a, above)) == kNoTile)
                set_layer<Dim>(kind, a, above ? kTileSide - 1 : 0, kOpen);
        }
    }
    // Beyond several sides the first axis decides.
    for (int a = Dim - 1; a >= 0; --a)
        for (int c = 0; c < kTileSide && !e.is_periodic(a); ++c) {
            const int at = origin[a] + c;
            if (at < e.box.lo[a] || at >= e.box.hi[a])
                set_layer<Dim>(kind, a, c, is_wall(e.side(a, at >= e.box.hi[a])) ? kWall : kOpen);
        }
}

// A tile's faces are asked for only if its middle is near enough.
template <int Dim>
void find_distances(GasRoom<Dim>& room, const GasEnclosure<Dim>& e, const GasSolids<Dim>& solids, double time) {
    constexpr float kFar = kTileSide;
    room.distance = FaceField<Dim>(room.tiles, kFar);
    for_each_tile(*room.tiles, [&](Slot slot) {
        const Index<Dim> origin = room.tiles->origin(slot);
        const Vec<double, Dim> middle = e.grid.world_of_centre(origin + Index<Dim>(kTileSide / 2));
        if (std::abs(solids.distance(middle, time)) > 2 * kTileSide * e.grid.dx) return;
        for (int a = 0; a < Dim; ++a)
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const Vec<double, Dim> x = e.grid.world_of_face(a, origin + cell_in_tile<Dim>(n));
                room.distance[a].tile(slot)[n] = static_cast<float>(solids.distance(x, time) / e.grid.dx);
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
void find_centres(GasRoom<Dim>& room, const GasEnclosure<Dim>& e, const GasSolids<Dim>& solids, double time) {
    const double dx = e.grid.dx;
    const auto distance = [&](const Vec<double, Dim>& x) { return solids.distance(x, time); };
    room.centre_distance = Field<float, Dim>(room.tiles, static_cast<float>(kTileSide));
    room.volume = Field<float, Dim>(room.tiles, 1.0F);
    room.nearest_solid = Field<std::uint16_t, Dim>(room.tiles);
    for_each_tile(*room.tiles, [&](Slot slot) {
        const Index<Dim> origin = room.tiles->origin(slot);
        const double middle = distance(e.grid.world_of_centre(origin + Index<Dim>(kTileSide / 2)));
        if (std::abs(middle) > 2 * kTileSide * dx) {
            if (middle < 0) {
                std::fill_n(room.centre_distance.tile(slot), kTileCells<Dim>, static_cast<float>(-kTileSide));
                std::fill_n(room.volume.tile(slot), kTileCells<Dim>, 0.0F);
            }
            return;
        }
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Vec<double, Dim> x = e.grid.world_of_centre(origin + cell_in_tile<Dim>(n));
            const double here = distance(x);
            room.centre_distance.tile(slot)[n] = static_cast<float>(here / dx);
            if (std::abs(here) < dx) room.volume.tile(slot)[n] = open_volume<Dim>(x, here, dx, distance);
            if (here <= -dx) room.volume.tile(slot)[n] = 0;
            if (solids.nearest && std::abs(here) < 2 * dx)
                room.nearest_solid.tile(slot)[n] = static_cast<std::uint16_t>(solids.nearest(x, time));
        }
    });
}

template <int Dim>
void add_solids(GasRoom<Dim>& room, const GasEnclosure<Dim>& e, const GasSolids<Dim>& solids, double time) {
    room.open =
        open_fractions<Dim>(room.tiles, e.grid, [&](const Vec<double, Dim>& x) { return solids.distance(x, time); });
    for_each_tile(*room.tiles, [&](Slot slot) {
        std::uint8_t* kind = room.cells.tile(slot);
        std::array<HaloBlock<float, Dim, 1>, Dim> open;
        bool cut = false;
        for (int a = 0; a < Dim; ++a) {
            const float* own = room.open[a].tile(slot);
            cut |= std::any_of(own, own + kTileCells<Dim>, [](float f) { return f < 1; });
            open[static_cast<std::size_t>(a)].load(room.open[a], slot);
        }
        if (!cut) {
            // Faces above the tile may still be closed; then its cells are solid only if their centres are.
            const Index<Dim> middle = room.tiles->origin(slot) + Index<Dim>(kTileSide / 2);
            if (solids.distance(e.grid.world_of_centre(middle), time) > kTileSide * 2 * e.grid.dx) return;
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
    if (!solids.slip) find_distances(room, e, solids, time);
    if (!solids.velocity) return;
    room.solid_velocity = FaceField<Dim>(room.tiles);
    const double near = 2 * e.grid.dx;
    for (int a = 0; a < Dim; ++a)
        assign(room.solid_velocity[a], [&](const Index<Dim>& cell) {
            const Vec<double, Dim> x = e.grid.world_of_face(a, cell);
            return solids.distance(x, time) < near ? static_cast<float>(solids.velocity(x, time)[a]) : 0.0F;
        });
}

template <int Dim>
void find_plain_tiles(GasRoom<Dim>& room, const GasEnclosure<Dim>& e) {
    std::vector<std::uint8_t> full(room.tiles->count());
    for_each_tile(*room.tiles, [&](Slot slot) {
        const std::uint8_t* kind = room.cells.tile(slot);
        bool all = std::all_of(kind, kind + kTileCells<Dim>, [](std::uint8_t k) { return k == kGas; });
        for (int a = 0; a < Dim && all && room.has_solids(); ++a) {
            const float* open = room.open[a].tile(slot);
            all = std::all_of(open, open + kTileCells<Dim>, [](float f) { return f == 1; });
        }
        full[static_cast<std::size_t>(slot)] = all ? 1 : 0;
    });
    room.plain.assign(room.tiles->count(), 0);
    for_each_tile(*room.tiles, [&](Slot slot) {
        bool all = full[static_cast<std::size_t>(slot)] != 0;
        const Index<Dim> origin = room.tiles->origin(slot);
        for (int a = 0; a < Dim && all; ++a)
            for (const bool above : {false, true}) {
                const Slot beside = room.tiles->neighbour(slot, side_neighbour<Dim>(a, above));
                all &= beside != kNoTile && full[static_cast<std::size_t>(beside)] != 0;
                if (!e.is_periodic(a)) all &= origin[a] > e.box.lo[a] && origin[a] + kTileSide < e.box.hi[a];
            }
        room.plain[static_cast<std::size_t>(slot)] = all ? 1 : 0;
    });
}

// The parts of the pressure's gradient on the faces of a tile: none towards walls and between cells without gas.
template <int Dim>
void find_gradient_parts(GasRoom<Dim>& room, const GasEnclosure<Dim>& e, Slot slot) {
    HaloBlock<std::uint8_t, Dim, 1> kind;
    load_cells(kind, room, e, slot);
    for (int a = 0; a < Dim; ++a) {
        std::uint8_t* to = room.gradient[static_cast<std::size_t>(a)].tile(slot);
        for (int row = 0; row < kTileCells<Dim>; row += kTileSide) {
            const Index<Dim> first = cell_in_tile<Dim>(row);
            const std::uint8_t *here = kind.at(first), *below = kind.at(first - unit<Dim>(a));
            const auto counts = [](std::uint8_t own, std::uint8_t other) {
                return own != kGas ? 0 : other == kGas ? 1 : other == kOpen ? kOpenHold : 0;
            };
            for (int n = 0; n < kTileSide; ++n)
                to[row + n] = static_cast<std::uint8_t>(counts(here[n], below[n]) | counts(below[n], here[n]) << 4);
        }
        for (int n = 0; n < kTileCells<Dim> && room.has_solids(); ++n)
            if (!(room.open[a].tile(slot)[n] > 0)) to[n] = 0;
    }
}

}  // namespace

template <int Dim>
GasRoom<Dim> make_room(const TilesPtr<Dim>& tiles, const GasEnclosure<Dim>& e, const GasSolids<Dim>& solids,
                       double time, bool centres) {
    GasRoom<Dim> room;
    room.tiles = tiles;
    room.cells = Field<std::uint8_t, Dim>::unfilled(tiles, kOpen);
    for_each_tile(*tiles, [&](Slot slot) { find_kinds(room.cells.tile(slot), *tiles, e, slot); });
    if (tiles->count() > 0 && tiles->cell_count() == number_in(tiles->cell_bounds())) room.block = tiles->cell_bounds();
    room.fills_box = tiles->count() == number_in(e.tile_box());
    if (solids.any()) add_solids(room, e, solids, time);
    if (solids.any() && centres) find_centres(room, e, solids, time);
    find_plain_tiles(room, e);
    room.full.assign(tiles->count(), 1);
    for_each_tile(*tiles, [&](Slot slot) {
        std::uint8_t& full = room.full[static_cast<std::size_t>(slot)];
        for (int n = 0; n < kTileCells<Dim> && full != 0; ++n) full = counts_as_gas(room, e, slot, n) ? 1 : 0;
    });
    for (auto& parts : room.gradient) parts = Field<std::uint8_t, Dim>::unfilled(tiles);
    for_each_tile(*tiles, [&](Slot slot) {
        if (room.plain[static_cast<std::size_t>(slot)] == 0) find_gradient_parts(room, e, slot);
    });
    return room;
}

template <int Dim>
void hold_at_walls(FaceField<Dim>& velocity, const GasRoom<Dim>& room, const GasEnclosure<Dim>& e, double time) {
    for (int a = 0; a < Dim; ++a) {
        const Lattice<Dim> lattice = velocity_lattice(e, a, time);
        for_each_tile(*room.tiles, [&](Slot slot) {
            if (room.plain[static_cast<std::size_t>(slot)] != 0) return;
            float* u = velocity[a].tile(slot);
            const Index<Dim> origin = room.tiles->origin(slot);
            if (room.has_solids()) {
                const float* open = room.open[a].tile(slot);
                for (int n = 0; n < kTileCells<Dim>; ++n)
                    if (open[n] == 0) u[n] = room.moves() ? room.solid_velocity[a].tile(slot)[n] : 0.0F;
            }
            for (int b = 0; b < Dim; ++b)
                for (int c = 0; c < kTileSide && !e.is_periodic(b); ++c) {
                    const int at = origin[b] + c;
                    const bool on_side = b == a && (at == e.box.lo[b] || at == e.box.hi[b]);
                    const bool outside = at < e.box.lo[b] || at >= e.box.hi[b];
                    if (!outside && !on_side) continue;
                    if (on_side && !is_wall(e.side(b, at == e.box.hi[b]))) {
                        if (!outside) continue;
                    }
                    IndexBox<Dim> layer{Index<Dim>(0), Index<Dim>(kTileSide)};
                    layer.lo[b] = c;
                    layer.hi[b] = c + 1;
                    const bool wall = on_side && is_wall(e.side(b, at == e.box.hi[b]));
                    for_each_index(layer, [&](const Index<Dim>& cell) {
                        u[offset_in_tile(cell)] = wall ? lattice.fold(origin + cell, a).offset : 0.0F;
                    });
                }
        });
        // Along an open upper side the outermost layer follows the one inside it where gas leaves; what comes in was
        // at rest outside.
        for (int b = 0; b < Dim; ++b) {
            if (b == a || e.side(b, true).kind != GasSideKind::open) continue;
            Field<float, Dim>& u = velocity[a];
            for_each_tile(*room.tiles, [&](Slot slot) {
                const int last = e.box.hi[b] - 1 - room.tiles->origin(slot)[b];
                if (last < 0 || last >= kTileSide) return;
                const Slot below = room.tiles->neighbour(slot, side_neighbour<Dim>(b, false));
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
void extend_into_solids(Field<float, Dim>& field, const GasRoom<Dim>& room, const GasEnclosure<Dim>& e) {
    if (!room.has_solids()) return;
    Field<std::uint8_t, Dim> known(room.tiles);
    for_each_tile(*room.tiles, [&](Slot slot) {
        for (int n = 0; n < kTileCells<Dim>; ++n) known.tile(slot)[n] = room.cells.tile(slot)[n] != kWall;
    });
    for (int layer = 0; layer < kLayersIntoSolids; ++layer) {
        Field<float, Dim> next = field;
        Field<std::uint8_t, Dim> known_next = known;
        for_each_tile(*room.tiles, [&](Slot slot) {
            const std::uint8_t* own = known.tile(slot);
            if (std::all_of(own, own + kTileCells<Dim>, [](std::uint8_t k) { return k != 0; })) return;
            const HaloBlock<std::uint8_t, Dim, 1> is_known(known, slot);
            const HaloBlock<float, Dim, 1> value(field, slot);
            const Index<Dim> origin = room.tiles->origin(slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const Index<Dim> c = cell_in_tile<Dim>(n);
                if (own[n] != 0 || !e.box.contains(origin + c)) continue;
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

#define INSTANTIATE(Dim)                                                                                           \
    template GasRoom<Dim> make_room(const TilesPtr<Dim>&, const GasEnclosure<Dim>&, const GasSolids<Dim>&, double, \
                                    bool);                                                                         \
    template void hold_at_walls(FaceField<Dim>&, const GasRoom<Dim>&, const GasEnclosure<Dim>&, double);           \
    template void extend_into_solids(Field<float, Dim>&, const GasRoom<Dim>&, const GasEnclosure<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

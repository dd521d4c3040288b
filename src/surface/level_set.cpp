// SPDX-License-Identifier: Apache-2.0
#include "surface/level_set.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "grid/activation.h"
#include "grid/halo.h"
#include "grid/plane_fraction.h"
#include "grid/refit.h"
#include "grid/regions.h"
#include "surface/local_box.h"

namespace spindrift {
namespace {

// A tile as the kernels see it.  Kernels work on cells with |φ| below `limit`, or beyond it.
template <int Dim>
struct LevelSetTile {
    const float* phi;  // the whole field
    const Slot* neighbours;
    Slot slot;
    float background;
    LocalBox box;
    float dx;
    float limit;
};

}  // namespace
}  // namespace spindrift

#define SPINDRIFT_KERNEL_FILE "surface/level_set.inl"
#include "base/each_instruction_set.h"

namespace spindrift {
namespace {

// Pseudo-time steps of half a cell: the surface's neighbours stay nearly a distance from step to step, and two cells of
// fresh information keep up with that.
constexpr int kRedistanceSteps = 4;
constexpr float kRedistanceStep = 0.5F;

template <int Dim>
LevelSetTile<Dim> tile_view(const Field<float, Dim>& phi, Slot slot, const LevelSetGrid<Dim>& grid,
                            double limit_cells) {
    return {phi.tile(0),
            phi.tiles().neighbours(),
            slot,
            phi.background(),
            local_box(grid.box, phi.tiles().origin(slot)),
            static_cast<float>(grid.dx),
            static_cast<float>(limit_cells * grid.dx)};
}

// Tiles with a cell nearer to the surface than `edge`, m.
template <int Dim>
std::vector<Slot> tiles_within(const Field<float, Dim>& phi, float edge) {
    std::vector<std::uint8_t> marked(phi.tiles().count(), 0);
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float* values = phi.tile(slot);
        int near = 0;
        for (int n = 0; n < kTileCells<Dim>; ++n) near += std::abs(values[n]) < edge ? 1 : 0;
        marked[static_cast<std::size_t>(slot)] = near > 0 ? 1 : 0;
    });
    std::vector<Slot> slots;
    for (std::size_t n = 0; n < marked.size(); ++n)
        if (marked[n] != 0) slots.push_back(static_cast<Slot>(n));
    return slots;
}

// These tiles and all around them, in the order of their slots.
template <int Dim>
std::vector<Slot> with_neighbours(const Tiles<Dim>& tiles, const std::vector<Slot>& slots) {
    std::vector<std::uint8_t> marked(tiles.count(), 0);
    for (const Slot slot : slots)
        for (int n = 0; n < kNeighbours<Dim>; ++n)
            if (const Slot beside = tiles.neighbour(slot, n); beside != kNoTile)
                marked[static_cast<std::size_t>(beside)] = 1;
    std::vector<Slot> wider;
    for (std::size_t n = 0; n < marked.size(); ++n)
        if (marked[n] != 0) wider.push_back(static_cast<Slot>(n));
    return wider;
}

template <int Dim>
void copy_values(Field<float, Dim>& to, const Field<float, Dim>& from) {
    for_each_tile(to.tiles(), [&](Slot slot) { std::copy_n(from.tile(slot), kTileCells<Dim>, to.tile(slot)); });
}

template <int Dim, class F>
void for_each_slot(const std::vector<Slot>& slots, F&& f) {
    parallel_ranges(slots.size(), kTilesPerBlock<Dim> / 2, [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) f(slots[n]);
    });
}

}  // namespace

template <int Dim>
void redistance(Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid) {
    const auto band = static_cast<float>(grid.band * grid.dx), limit = static_cast<float>(kAccurateCells * grid.dx);
    // Only tiles near the surface, and those within the band of them, have anything to do; in the others φ is ± band
    // already.
    const std::vector<Slot> near = tiles_within(phi, limit);
    std::vector<Slot> around = with_neighbours(phi.tiles(), near);
    for (double reached = kAccurateCells + kTileSide; !(grid.band < reached); reached += kTileSide)
        around = with_neighbours(phi.tiles(), around);

    // Where the surface crosses between cells, to be kept.
    auto held = Field<float, Dim>::unfilled(phi.tiles_ptr());  // of the tiles around alone
    for_each_slot<Dim>(around, [&](Slot slot) {
        SPINDRIFT_PICK(hold_tile<Dim>)(tile_view(phi, slot, grid, 0), held.tile(slot));
    });

    // A few cells around it: φ_τ = S(φ)(1 − |∇φ|), in pseudo-time, from what φ was.
    Field<float, Dim> first = phi, second = phi;
    const auto stage = [&](Field<float, Dim>& out, const Field<float, Dim>& in, const Field<float, Dim>& start,
                           float keep) {
        for_each_slot<Dim>(near, [&](Slot slot) {
            SPINDRIFT_PICK(redistance_tile<Dim>)
            (tile_view(in, slot, grid, kAccurateCells), out.tile(slot), start.tile(slot), held.tile(slot), keep,
             kRedistanceStep * static_cast<float>(grid.dx));
        });
    };
    for (int n = 0; n < kRedistanceSteps; ++n) {
        stage(first, phi, phi, 0.0F);
        stage(second, first, phi, 0.5F);
        std::swap(phi, second);
    }

    // The rest of the band, outwards from there, a cell at a time.
    transform_values(phi, [=](float v) { return v >= limit ? band : v <= -limit ? -band : v; });
    copy_values(second, phi);
    for (int n = static_cast<int>(kAccurateCells) - 1; n < grid.band; ++n) {
        for_each_slot<Dim>(around, [&](Slot slot) {
            SPINDRIFT_PICK(spread_tile<Dim>)
            (tile_view(phi, slot, grid, kAccurateCells), second.tile(slot), held.tile(slot), band);
        });
        std::swap(phi, second);
    }
}

template <int Dim>
TilesPtr<Dim> tiles_for(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid) {
    // A tile is needed where φ is below the band's edge, or reaches it across one of its sides.
    const Tiles<Dim>& tiles = phi.tiles();
    const auto edge = static_cast<float>((grid.band - 0.5) * grid.dx);
    constexpr int kSides = 2 * Dim;
    std::vector<std::uint8_t> reach(tiles.count(), 0);  // a bit per side, and one for the tile itself
    static_assert(kSides < 8);
    for_each_tile(tiles, [&](Slot slot) {
        const float* values = phi.tile(slot);
        unsigned bits = 0;
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            if (!(values[n] < edge)) continue;
            bits |= 1U << kSides;
            const Index<Dim> at = cell_in_tile<Dim>(n);
            for (int axis = 0; axis < Dim; ++axis) {
                if (at[axis] == 0) bits |= 1U << (2 * axis);
                if (at[axis] == kTileSide - 1) bits |= 1U << (2 * axis + 1);
            }
        }
        reach[static_cast<std::size_t>(slot)] = static_cast<std::uint8_t>(bits);
    });
    bool same = true;
    std::vector<Index<Dim>> wanted;
    for (std::size_t n = 0; n < reach.size(); ++n) {
        if (reach[n] == 0) {
            same = false;
            continue;
        }
        const Index<Dim> here = tiles.coordinate(static_cast<Slot>(n));
        wanted.push_back(here);
        for (int side = 0; side < kSides; ++side) {
            if ((reach[n] >> side & 1U) == 0) continue;
            const Index<Dim> next = here + unit<Dim>(side / 2) * (side % 2 == 0 ? -1 : 1);
            const Index<Dim> origin = first_cell(next);
            if (intersection(grid.box, IndexBox<Dim>{origin, origin + Index<Dim>(kTileSide)}).empty()) continue;
            const Slot there = tiles.find(next);
            if (there != kNoTile && reach[static_cast<std::size_t>(there)] != 0) continue;
            wanted.push_back(next);
            if (there == kNoTile) same = false;
        }
    }
    if (same) return phi.tiles_ptr();
    TilesPtr<Dim> result = Tiles<Dim>::from_coordinates(std::move(wanted), tiles.period());
    return same_tiles(*result, tiles) ? phi.tiles_ptr() : result;
}

namespace {

// The part of a cell that is both liquid and room, given the parts that are each, and the cosine of the angle between
// the directions in which φ and room grow.  At right angles they have nothing to do with each other; liquid that lies
// on a solid fills the cell from the solid's side; liquid that has let go of it has no more than the room.
double part_of_both(double liquid, double room, double cosine) {
    const double apart = liquid * room;
    const double together = cosine > 0 ? std::max(0.0, liquid + room - 1) : std::min(liquid, room);
    return apart + std::abs(cosine) * (together - apart);
}

// Calls add(cell, part) for the cells of a tile that hold liquid, with the part of them that does; or add(0,
// kTileCells) where all are full.
template <int Dim, class F>
void for_each_liquid_part(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid, const Field<float, Dim>* room,
                          Slot slot, F&& add) {
    const auto cell_size = static_cast<float>(grid.dx);
    const float* values = phi.tile(slot);
    const Index<Dim> origin = phi.tiles().origin(slot);
    const auto [least, most] = std::minmax_element(values, values + kTileCells<Dim>);
    if (*least > 1.01F * cell_size) return;
    const bool whole = intersection(grid.box, {origin, origin + Index<Dim>(kTileSide)}).size() == Index<Dim>(kTileSide);
    if (whole && room == nullptr && *most < -1.01F * cell_size) return add(0, static_cast<double>(kTileCells<Dim>));
    const HaloBlock<float, Dim, 1> around(phi, slot);
    std::optional<HaloBlock<float, Dim, 1>> room_around;
    for (int n = 0; n < kTileCells<Dim>; ++n) {
        const double here = values[n] / grid.dx;
        if (here >= 1) continue;
        const double part = room == nullptr ? 1 : static_cast<double>(room->tile(slot)[n]);
        if (part == 0) continue;
        const Index<Dim> local = cell_in_tile<Dim>(n), cell = origin + local;
        if (!whole && !grid.box.contains(cell)) continue;
        if (!(here > -1)) {
            add(n, part);
            continue;
        }
        const Vec<double, Dim> gradient = distance_gradient(
            here, cell, grid.box, [&](const Index<Dim>& step) { return around(local + step) / grid.dx; });
        const double fraction = fraction_below(here, gradient);
        if (part == 1) {
            add(n, fraction);
            continue;
        }
        if (!room_around) room_around.emplace(*room, slot);
        Vec<double, Dim> to_room;
        const auto room_at = [&](const Index<Dim>& step) {
            return grid.box.contains(cell + step) ? double{(*room_around)(local + step)} : part;
        };
        for (int a = 0; a < Dim; ++a) to_room[a] = room_at(unit<Dim>(a)) - room_at(Index<Dim>(0) - unit<Dim>(a));
        const double slope = length(to_room);
        add(n, part_of_both(fraction, part, slope > 0 ? dot(gradient, to_room) / slope : 0));
    }
}

}  // namespace

template <int Dim>
double liquid_cells(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid, const Field<float, Dim>* room) {
    if (room != nullptr) check_same_tiles("liquid_cells", "phi", phi.tiles(), "room", room->tiles());
    return sum_over_tiles(phi.tiles(), 0.0, [&](Slot slot) {
        double sum = 0;
        for_each_liquid_part(phi, grid, room, slot, [&](int, double part) { sum += part; });
        return sum;
    });
}

template <int Dim>
Field<float, Dim> liquid_parts(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid,
                               const Field<float, Dim>* room) {
    Field<float, Dim> parts(phi.tiles_ptr());
    for_each_tile(phi.tiles(), [&](Slot slot) {
        float* to = parts.tile(slot);
        for_each_liquid_part(phi, grid, room, slot, [&](int n, double part) {
            if (part > 1) return static_cast<void>(std::fill_n(to, kTileCells<Dim>, 1.0F));
            to[n] = static_cast<float>(part);
        });
    });
    return parts;
}

template <int Dim>
std::vector<double> liquid_cells_by_label(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid,
                                          const Field<float, Dim>* room, const Field<float, Dim>& label,
                                          std::size_t count) {
    check_same_tiles("liquid_cells_by_label", "phi", phi.tiles(), "label", label.tiles());
    return sums_by_label(phi.tiles(), count + 1, [&](Slot slot, auto&& add) {
        for_each_liquid_part(phi, grid, room, slot, [&](int n, double part) {
            add(static_cast<std::size_t>(std::abs(label.tile(slot)[n])), part);
        });
    });
}

#define INSTANTIATE(Dim)                                                                                        \
    template void redistance(Field<float, Dim>&, const LevelSetGrid<Dim>&);                                     \
    template TilesPtr<Dim> tiles_for(const Field<float, Dim>&, const LevelSetGrid<Dim>&);                       \
    template double liquid_cells(const Field<float, Dim>&, const LevelSetGrid<Dim>&, const Field<float, Dim>*); \
    template Field<float, Dim> liquid_parts(const Field<float, Dim>&, const LevelSetGrid<Dim>&,                 \
                                            const Field<float, Dim>*);                                          \
    template std::vector<double> liquid_cells_by_label(const Field<float, Dim>&, const LevelSetGrid<Dim>&,      \
                                                       const Field<float, Dim>*, const Field<float, Dim>&,      \
                                                       std::size_t);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

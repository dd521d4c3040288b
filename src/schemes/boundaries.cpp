// SPDX-License-Identifier: Apache-2.0
#include "schemes/boundaries.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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

// A face that solids leave open by less than this part is closed: what is pressed through such a slit is faster than
// anything else, and hardly any of it.
constexpr float kSlit = 0.1F;

// What solids leave open of each face; the container's walls close theirs besides.
template <int Dim>
FaceField<Dim> open_parts(const TilesPtr<Dim>& tiles, const Boundaries<Dim>& b,
                          const std::function<double(const Vec<double, Dim>&)>& solid) {
    return open_fractions<Dim>(tiles, b.grid, solid, {.slit = kSlit});
}

// In cells: farther away a solid does not matter to what is near it.
constexpr double kFarFromSolids = 16;

// The part of a cell outside the solids, their surface taken as a plane through it.
template <int Dim>
float room_in_cell(const Index<Dim>& cell, const GridTransform<Dim>& grid,
                   const std::function<double(const Vec<double, Dim>&)>& solid, double at_centre) {
    const Vec<double, Dim> centre = grid.world_of_centre(cell);
    const double here = at_centre / grid.dx;
    if (here >= 1) return 1;
    if (here <= -1) return 0;
    Vec<double, Dim> slope;
    for (int axis = 0; axis < Dim; ++axis) {
        Vec<double, Dim> side = centre;
        side[axis] += 0.5 * grid.dx;
        const double above = solid(side);
        side[axis] -= grid.dx;
        slope[axis] = (above - solid(side)) / grid.dx;
    }
    return static_cast<float>(1 - fraction_below<Dim>(here, slope));
}

// Both, of the cells of a tile: the room in them and the distance at their centres.
template <int Dim>
void fill_tile(float* room, float* distance, const Index<Dim>& origin, const GridTransform<Dim>& grid,
               const std::function<double(const Vec<double, Dim>&)>& solid) {
    const double far = kFarFromSolids * grid.dx;
    for (int n = 0; n < kTileCells<Dim>; ++n) {
        const Index<Dim> cell = origin + cell_in_tile<Dim>(n);
        const double here = solid(grid.world_of_centre(cell));
        room[n] = room_in_cell(cell, grid, solid, here);
        distance[n] = static_cast<float>(std::clamp(here, -far, far));
    }
}

}  // namespace

template <int Dim>
Domain<Dim> domain_of(const Boundaries<Dim>& b) {
    Domain<Dim> domain{.grid = b.grid, .box = b.box};
    for (int axis = 0; axis < Dim; ++axis)
        for (const int end : {0, 1}) {
            const Wall wall = b.walls[static_cast<std::size_t>(axis)][static_cast<std::size_t>(end)];
            domain.sides[static_cast<std::size_t>(axis)][static_cast<std::size_t>(end)].kind =
                b.open.tiles().period()[axis] > 0 ? SideKind::periodic
                : wall == Wall::open              ? SideKind::open
                : wall == Wall::no_slip           ? SideKind::prescribed
                                                  : SideKind::slip;
        }
    return domain;
}

template <int Dim>
void refit(Boundaries<Dim>& b, const TilesPtr<Dim>& tiles) {
    if (b.open.component[0].tiles_ptr() == tiles) return;
    const bool first = b.open.component[0].empty();
    if (!b.solid_distance) {
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
    FaceField<Dim> fresh_open = open_parts(fresh, b, b.solid_distance);
    close_walls(fresh_open, b);
    auto fresh_room = Field<float, Dim>::unfilled(fresh), fresh_solid = Field<float, Dim>::unfilled(fresh);
    for_each_tile(*fresh, [&](Slot slot) {
        fill_tile(fresh_room.tile(slot), fresh_solid.tile(slot), fresh->origin(slot), b.grid, b.solid_distance);
    });
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
    merge(b.solid, fresh_solid, static_cast<float>(kFarFromSolids * b.grid.dx));
}

namespace {

// The tiles that a part may touch: a face, or half a cell around it.
template <int Dim>
TilesPtr<Dim> tiles_near(const Tiles<Dim>& tiles, const std::vector<MovingPart<Dim>>& parts,
                         const GridTransform<Dim>& grid, double time) {
    const double reach = (0.5 * kTileSide * std::sqrt(double{Dim}) + 2) * grid.dx;
    std::vector<Index<Dim>> near;
    for (std::size_t n = 0; n < tiles.count(); ++n) {
        const Vec<double, Dim> middle = grid.world_from_cell(Vec<double, Dim>(tiles.origin(static_cast<Slot>(n))) +
                                                             Vec<double, Dim>(0.5 * kTileSide));
        for (const MovingPart<Dim>& part : parts)
            if (part.distance(middle, time) < reach) {
                near.push_back(tiles.coordinate(static_cast<Slot>(n)));
                break;
            }
    }
    return Tiles<Dim>::from_coordinates(std::move(near));
}

// All solids, moving ones where they are at this time.
template <int Dim>
std::function<double(const Vec<double, Dim>&)> all_solids(const Boundaries<Dim>& b,
                                                          const std::vector<MovingPart<Dim>>& parts, double time) {
    return [&, time](const Vec<double, Dim>& p) {
        double nearest = b.solid_distance ? b.solid_distance(p) : std::numeric_limits<double>::infinity();
        for (const MovingPart<Dim>& part : parts)
            if (part.is_solid) nearest = std::min(nearest, part.distance(p, time));
        return nearest;
    };
}

// The velocity of the solid nearest to a place; those that stand still count too.
template <int Dim>
Vec<double, Dim> solid_velocity(const Vec<double, Dim>& p, const Boundaries<Dim>& b,
                                const std::vector<MovingPart<Dim>>& parts, double time) {
    double nearest = b.solid_distance ? b.solid_distance(p) : std::numeric_limits<double>::infinity();
    const MovingPart<Dim>* mover = nullptr;
    for (const MovingPart<Dim>& part : parts) {
        if (!part.is_solid) continue;
        if (const double d = part.distance(p, time); d < nearest) nearest = d, mover = &part;
    }
    return mover == nullptr ? Vec<double, Dim>(0.0) : mover->velocity(p, time);
}

template <int Dim>
void place_solids(Boundaries<Dim>& b, const TilesPtr<Dim>& near, const std::vector<MovingPart<Dim>>& parts,
                  double time) {
    const auto solids = all_solids(b, parts, time);
    const FaceField<Dim> past_solids = open_parts(near, b, solids);
    FaceField<Dim> open = past_solids;
    close_walls(open, b);
    const Tiles<Dim>& tiles = b.open.tiles();
    for_each_tile(*near, [&](Slot from) {
        const Slot slot = tiles.find(near->coordinate(from));
        const Index<Dim> origin = tiles.origin(slot);
        fill_tile(b.room.tile(slot), b.solid.tile(slot), origin, b.grid, solids);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> cell = origin + cell_in_tile<Dim>(n);
            for (int axis = 0; axis < Dim; ++axis) {
                const float part = open[axis].tile(from)[n];
                b.open[axis].tile(slot)[n] = part;
                // A solid that passes through a wall of the container brings its part of the face; the rest is at rest.
                const float closed = 1 - past_solids[axis].tile(from)[n];
                if (!(closed > 0) || !(b.box.contains(cell) || b.box.contains(cell - unit<Dim>(axis)))) continue;
                const double u = solid_velocity(b.grid.world_of_face(axis, cell), b, parts, time)[axis];
                b.wall_velocity[axis].tile(slot)[n] = static_cast<float>(u) * closed / (1 - part);
            }
        }
    });
}

// Closes the faces of cells in mouths and gives them their velocity; where solids are, they stay.  All faces of such a
// cell: none may be left to itself in a step in which the cell is empty for a moment.
template <int Dim>
void place_mouths(Boundaries<Dim>& b, const Tiles<Dim>& near, const std::vector<MovingPart<Dim>>& parts, double time) {
    std::vector<const MovingPart<Dim>*> mouths;
    for (const MovingPart<Dim>& part : parts)
        if (!part.is_solid) mouths.push_back(&part);
    if (mouths.empty()) return;
    const Tiles<Dim>& tiles = b.open.tiles();
    std::vector<std::vector<GivenFace<Dim>>> given(near.count());
    const auto place = [&](const MovingPart<Dim>& mouth, Slot slot, int n, std::vector<GivenFace<Dim>>& faces) {
        const Index<Dim> cell = tiles.origin(slot) + cell_in_tile<Dim>(n);
        const double here = mouth.distance(b.grid.world_of_centre(cell), time);
        if (here > b.grid.dx) return;  // so far away are the cells below
        for (int axis = 0; axis < Dim; ++axis) {
            float& open = b.open[axis].tile(slot)[n];
            if (!(open > 0)) continue;
            const Vec<double, Dim> face = b.grid.world_of_face(axis, cell);
            if (!(here < 0 || mouth.distance(face, time) < 0 ||
                  mouth.distance(b.grid.world_of_centre(cell - unit<Dim>(axis)), time) < 0))
                continue;
            const auto u = static_cast<float>(mouth.velocity(face, time)[axis]);
            faces.push_back({axis, slot, n, u});
            b.wall_velocity[axis].tile(slot)[n] = u;
            open = 0;
        }
    };
    for_each_tile(near, [&](Slot from) {
        const Slot slot = tiles.find(near.coordinate(from));
        for (int n = 0; n < kTileCells<Dim>; ++n)
            for (const MovingPart<Dim>* mouth : mouths) place(*mouth, slot, n, given[static_cast<std::size_t>(from)]);
    });
    for (const auto& faces : given) b.given.insert(b.given.end(), faces.begin(), faces.end());
}

}  // namespace

template <int Dim>
void refit(Boundaries<Dim>& b, const TilesPtr<Dim>& tiles, const std::vector<MovingPart<Dim>>& parts, double time) {
    b.given.clear();
    if (parts.empty()) {
        if (b.anything_moves()) {  // it did, and has ended
            b.open = std::exchange(b.still_open, {});
            b.room = std::exchange(b.still_room, {});
            b.solid = std::exchange(b.still_solid, {});
            b.wall_velocity = {};
        }
        return refit(b, tiles);
    }
    if (b.anything_moves()) {
        b.open = std::move(b.still_open);
        b.room = std::move(b.still_room);
        b.solid = std::move(b.still_solid);
    }
    refit(b, tiles);
    b.still_open = b.open;
    b.still_room = b.room;
    b.still_solid = b.solid;
    b.wall_velocity = FaceField<Dim>(tiles);
    const TilesPtr<Dim> near = tiles_near(*tiles, parts, b.grid, time);
    if (std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.is_solid; })) {
        if (b.room.empty()) {
            b.room = Field<float, Dim>(tiles, 1.0F);
            b.room.fill(1);
            const auto far = static_cast<float>(kFarFromSolids * b.grid.dx);
            b.solid = Field<float, Dim>(tiles, far);
            b.solid.fill(far);
        }
        place_solids(b, near, parts, time);
    }
    place_mouths(b, *near, parts, time);
}

template <int Dim>
void stop_at_walls(FaceField<Dim>& velocity, const Boundaries<Dim>& b) {
    for (int axis = 0; axis < Dim; ++axis) {
        check_same_tiles("stop_at_walls", "velocity", velocity[axis].tiles(), "boundaries", b.open[axis].tiles());
        for_each_tile(velocity.tiles(), [&](Slot slot) {
            float* u = velocity[axis].tile(slot);
            const float* open = b.open[axis].tile(slot);
            if (b.anything_moves()) {
                const float* wall = b.wall_velocity[axis].tile(slot);
                for (int n = 0; n < kTileCells<Dim>; ++n) u[n] = open[n] > 0 ? u[n] : wall[n];
            } else {
                for (int n = 0; n < kTileCells<Dim>; ++n) u[n] = open[n] > 0 ? u[n] : 0;
            }
        });
    }
}

template <int Dim>
void set_given_faces(FaceField<Dim>& velocity, const Boundaries<Dim>& b) {
    for (const GivenFace<Dim>& face : b.given) velocity[face.axis].tile(face.slot)[face.cell] = face.velocity;
}

#define INSTANTIATE(Dim)                                                                                      \
    template Domain<Dim> domain_of(const Boundaries<Dim>&);                                                   \
    template void refit(Boundaries<Dim>&, const TilesPtr<Dim>&);                                              \
    template void refit(Boundaries<Dim>&, const TilesPtr<Dim>&, const std::vector<MovingPart<Dim>>&, double); \
    template void stop_at_walls(FaceField<Dim>&, const Boundaries<Dim>&);                                     \
    template void set_given_faces(FaceField<Dim>&, const Boundaries<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

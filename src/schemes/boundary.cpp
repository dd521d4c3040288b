// SPDX-License-Identifier: Apache-2.0
#include "schemes/boundary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geometry/face_fractions.h"
#include "grid/plane_fraction.h"

namespace spindrift {
namespace {

// In cells: farther away a solid does not matter to what is near it.
constexpr double kFarFromSolids = 16;
// In cells: what a solid does to points within this distance depends on which one it is and how it moves.
constexpr double kBesideSolids = 2;

// Closes the faces of the domain's walls; open sides stay open.
template <int Dim>
void close_walls(FaceField<Dim>& open, const Domain<Dim>& domain) {
    for (int axis = 0; axis < Dim; ++axis)
        for_each_tile(open.tiles(), [&](Slot slot) {
            const Index<Dim> origin = open.tiles().origin(slot);
            if (domain.contains(origin) && domain.contains(origin + Index<Dim>(kTileSide - 1)) &&
                domain.contains(origin - unit<Dim>(axis)))
                return;  // nowhere near a wall
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const Index<Dim> above = origin + cell_in_tile<Dim>(n);
                const bool in_above = domain.contains(above), in_below = domain.contains(above - unit<Dim>(axis));
                if (in_above && in_below) continue;
                const bool through_open_side = (in_above && domain.side(axis, false).kind == SideKind::open) ||
                                               (in_below && domain.side(axis, true).kind == SideKind::open);
                if (!through_open_side) open[axis].tile(slot)[n] = 0;
            }
        });
}

// The part of a cell outside the solids, their surface taken as a plane through it.
template <int Dim>
float open_volume(const Vec<double, Dim>& centre, double dx, const DistanceFunction<Dim>& solid, double at_centre) {
    const double here = at_centre / dx;
    if (here >= 1) return 1;
    if (here <= -1) return 0;
    Vec<double, Dim> slope;
    for (int axis = 0; axis < Dim; ++axis) {
        Vec<double, Dim> side = centre;
        side[axis] += 0.5 * dx;
        const double above = solid(side);
        side[axis] -= dx;
        slope[axis] = (above - solid(side)) / dx;
    }
    return static_cast<float>(1 - fraction_below<Dim>(here, slope));
}

float in_cells(double distance, double dx) {
    return static_cast<float>(std::clamp(distance / dx, -kFarFromSolids, kFarFromSolids));
}

// What these solids leave open on tiles, but for the sides of the domain.
template <int Dim>
OpenParts<Dim> open_parts(const TilesPtr<Dim>& tiles, const Boundary<Dim>& b, const DistanceFunction<Dim>& solid,
                          double time) {
    const GridTransform<Dim>& grid = b.domain.grid;
    OpenParts<Dim> parts{.open = open_fractions<Dim>(tiles, grid, solid, {.slit = b.slit}),
                         .volume = Field<float, Dim>::unfilled(tiles),
                         .centre_distance = Field<float, Dim>::unfilled(tiles)};
    if (b.number_at) parts.nearest_solid = Field<std::uint16_t, Dim>(tiles);
    for (int axis = 0; b.wants_face_distance && axis < Dim; ++axis)
        parts.distance[axis] = Field<float, Dim>::unfilled(tiles);
    for_each_tile(*tiles, [&](Slot slot) {
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> cell = tiles->origin(slot) + cell_in_tile<Dim>(n);
            const Vec<double, Dim> centre = grid.world_of_centre(cell);
            const double here = solid(centre);
            parts.volume.tile(slot)[n] = open_volume(centre, grid.dx, solid, here);
            parts.centre_distance.tile(slot)[n] = in_cells(here, grid.dx);
            if (b.number_at && std::abs(here) < kBesideSolids * grid.dx)
                parts.nearest_solid.tile(slot)[n] = static_cast<std::uint16_t>(b.number_at(centre, time));
            for (int axis = 0; b.wants_face_distance && axis < Dim; ++axis)
                parts.distance[axis].tile(slot)[n] = in_cells(solid(grid.world_of_face(axis, cell)), grid.dx);
        }
    });
    return parts;
}

// Calls f(field of one, field of the other, value far from solids) for all fields that both may have.
template <class One, class Other, class F>
void for_each_pair(One& one, Other& other, F&& f) {
    constexpr auto kFar = static_cast<float>(kFarFromSolids);
    for (std::size_t axis = 0; axis < one.open.component.size(); ++axis) {
        f(one.open.component[axis], other.open.component[axis], 0.0F);
        f(one.distance.component[axis], other.distance.component[axis], kFar);
    }
    f(one.volume, other.volume, 1.0F);
    f(one.centre_distance, other.centre_distance, kFar);
    f(one.nearest_solid, other.nearest_solid, std::uint16_t{0});
}

// Copies what is known of the tiles of `from`.
template <class T, int Dim>
void copy_tiles(Field<T, Dim>& to, const Field<T, Dim>& from) {
    for_each_tile(from.tiles(), [&](Slot slot) {
        std::copy_n(from.tile(slot), kTileCells<Dim>, to.tile(to.tiles().find(from.tiles().coordinate(slot))));
    });
}

}  // namespace

template <int Dim>
void refit(Boundary<Dim>& b, const TilesPtr<Dim>& tiles) {
    b.solids_now = b.solid_distance;
    if (std::exchange(b.tiles, tiles) == tiles) return;
    if (!b.solid_distance) {
        b.open = FaceField<Dim>(tiles, 0.0F);
        for (auto& c : b.open.component) c.fill(1);
        return close_walls(b.open, b.domain);
    }
    // Solids are measured on new tiles alone.
    std::vector<Index<Dim>> fresh_coordinates;
    for (std::size_t n = 0; n < tiles->count(); ++n) {
        const Index<Dim>& c = tiles->coordinate(static_cast<Slot>(n));
        if (b.open[0].empty() || b.open.tiles().find(c) == kNoTile) fresh_coordinates.push_back(c);
    }
    const TilesPtr<Dim> fresh = Tiles<Dim>::from_coordinates(std::move(fresh_coordinates));
    OpenParts<Dim> added = open_parts(fresh, b, b.solid_distance, 0);
    close_walls(added.open, b.domain);
    for_each_pair(static_cast<OpenParts<Dim>&>(b), added, [&](auto& field, const auto& more, auto background) {
        if (more.empty() && field.empty()) return;
        auto all = std::remove_reference_t<decltype(field)>::unfilled(tiles, background);
        for_each_tile(*tiles, [&](Slot slot) {
            const Slot is_new = fresh->find(tiles->coordinate(slot));
            const auto* from =
                is_new != kNoTile ? more.tile(is_new) : field.tile(field.tiles().find(tiles->coordinate(slot)));
            std::copy_n(from, kTileCells<Dim>, all.tile(slot));
        });
        field = std::move(all);
    });
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
DistanceFunction<Dim> all_solids(const Boundary<Dim>& b, const std::vector<MovingPart<Dim>>& parts, double time) {
    std::vector<std::function<double(const Vec<double, Dim>&, double)>> moving;
    for (const MovingPart<Dim>& part : parts)
        if (part.is_solid) moving.push_back(part.distance);
    if (moving.empty()) return b.solid_distance;
    return [still = b.solid_distance, moving = std::move(moving), time](const Vec<double, Dim>& p) {
        double nearest = still ? still(p) : std::numeric_limits<double>::infinity();
        for (const auto& distance : moving) nearest = std::min(nearest, distance(p, time));
        return nearest;
    };
}

// The velocity of the solid nearest to a place; those that stand still count too.
template <int Dim>
Vec<double, Dim> solid_velocity(const Vec<double, Dim>& p, const Boundary<Dim>& b,
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
void place_solids(Boundary<Dim>& b, const TilesPtr<Dim>& near, const std::vector<MovingPart<Dim>>& parts, double time) {
    OpenParts<Dim> now = open_parts<Dim>(near, b, b.solids_now, time);
    const FaceField<Dim> past_solids = now.open;
    close_walls(now.open, b.domain);
    for_each_pair(static_cast<OpenParts<Dim>&>(b), now, [&](auto& field, const auto& placed, auto far) {
        if (placed.empty()) return;
        if (field.empty()) {
            field = std::remove_reference_t<decltype(field)>(b.tiles, far);
            field.fill(far);
        }
        copy_tiles(field, placed);
    });
    for_each_tile(*near, [&](Slot from) {
        const Slot slot = b.tiles->find(near->coordinate(from));
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> cell = near->origin(from) + cell_in_tile<Dim>(n);
            for (int axis = 0; axis < Dim; ++axis) {
                // A solid that passes through a wall of the container brings its part of the face; the rest is at rest.
                const float part = now.open[axis].tile(from)[n], closed = 1 - past_solids[axis].tile(from)[n];
                const bool is_beside = b.wants_face_distance && now.distance[axis].tile(from)[n] < kBesideSolids;
                if (!(closed > 0 || is_beside)) continue;
                if (!b.domain.contains(cell) && !b.domain.contains(cell - unit<Dim>(axis))) continue;
                const double u = solid_velocity(b.domain.grid.world_of_face(axis, cell), b, parts, time)[axis];
                b.wall_velocity[axis].tile(slot)[n] = static_cast<float>(u) * (closed > 0 ? closed / (1 - part) : 1.0F);
            }
        }
    });
}

// Closes the faces of cells in mouths and gives them their velocity; where solids are, they stay.  All faces of such a
// cell: none may be left to itself in a step in which the cell is empty for a moment.
template <int Dim>
void place_mouths(Boundary<Dim>& b, const Tiles<Dim>& near, const std::vector<MovingPart<Dim>>& parts, double time) {
    std::vector<const MovingPart<Dim>*> mouths;
    for (const MovingPart<Dim>& part : parts)
        if (!part.is_solid) mouths.push_back(&part);
    if (mouths.empty()) return;
    const Tiles<Dim>& tiles = b.open.tiles();
    std::vector<std::vector<GivenFace<Dim>>> given(near.count());
    const auto place = [&](const MovingPart<Dim>& mouth, Slot slot, int n, std::vector<GivenFace<Dim>>& faces) {
        const Index<Dim> cell = tiles.origin(slot) + cell_in_tile<Dim>(n);
        const double here = mouth.distance(b.domain.grid.world_of_centre(cell), time);
        if (here > b.domain.grid.dx) return;  // so far away are the cells below
        for (int axis = 0; axis < Dim; ++axis) {
            float& open = b.open[axis].tile(slot)[n];
            if (!(open > 0)) continue;
            const Vec<double, Dim> face = b.domain.grid.world_of_face(axis, cell);
            if (!(here < 0 || mouth.distance(face, time) < 0 ||
                  mouth.distance(b.domain.grid.world_of_centre(cell - unit<Dim>(axis)), time) < 0))
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
void refit(Boundary<Dim>& b, const TilesPtr<Dim>& tiles, const std::vector<MovingPart<Dim>>& parts, double time) {
    b.given.clear();
    if (!b.still.open[0].empty()) static_cast<OpenParts<Dim>&>(b) = std::exchange(b.still, {});
    refit(b, tiles);
    b.wall_velocity = {};
    if (parts.empty()) return;
    b.solids_now = all_solids(b, parts, time);
    b.still = b;
    b.wall_velocity = FaceField<Dim>(tiles);
    const TilesPtr<Dim> near = tiles_near(*tiles, parts, b.domain.grid, time);
    if (std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.is_solid; }))
        place_solids(b, near, parts, time);
    place_mouths(b, *near, parts, time);
}

template <int Dim>
void set_side_velocity(Boundary<Dim>& b, double time) {
    for (int axis = 0; axis < Dim; ++axis)
        for (const bool above : {false, true}) {
            const DomainSide<Dim>& side = b.domain.side(axis, above);
            if (side.kind != SideKind::prescribed || !side.velocity || side.is_lid) continue;
            if (!b.anything_moves()) b.wall_velocity = FaceField<Dim>(b.tiles);
            const int plane = above ? b.domain.box.hi[axis] : b.domain.box.lo[axis];
            const float uniform = side.is_uniform ? static_cast<float>(side.velocity({}, time)[axis]) : 0.0F;
            for_each_tile(*b.tiles, [&](Slot slot) {
                const Index<Dim> origin = b.tiles->origin(slot);
                if (plane < origin[axis] || plane >= origin[axis] + kTileSide) return;
                for (int n = 0; n < kTileCells<Dim>; ++n) {
                    const Index<Dim> face = origin + cell_in_tile<Dim>(n);
                    const Index<Dim> inside = above ? face - unit<Dim>(axis) : face;
                    if (face[axis] != plane || !b.domain.contains(inside)) continue;
                    const float velocity =
                        side.is_uniform
                            ? uniform
                            : static_cast<float>(side.velocity(b.domain.grid.world_of_face(axis, face), time)[axis]);
                    // A solid that reaches to the side covers as much of it as of the next face inside.
                    const float part = b.has_solids() ? b.open[axis].at(above ? inside : inside + unit<Dim>(axis)) : 1;
                    b.wall_velocity[axis].tile(slot)[n] = part * velocity;
                }
            });
        }
}

template <int Dim>
float open_past_solids(const Boundary<Dim>& b, int axis, const Index<Dim>& face) {
    if (b.domain.contains(face) == b.domain.contains(face - unit<Dim>(axis))) return b.open[axis].at(face);
    const auto at = [&](const Index<Dim>& corner) {
        return b.solids_now(b.domain.grid.world_from_cell(Vec<double, Dim>(corner)));
    };
    const Index<Dim> u = unit<Dim>((axis + 1) % Dim);
    if constexpr (Dim == 2) {
        return static_cast<float>(open_fraction(std::array{at(face), at(face + u)}));
    } else {
        const Index<Dim> v = unit<Dim>((axis + 2) % Dim);
        return static_cast<float>(open_fraction(std::array{at(face), at(face + u), at(face + u + v), at(face + v)}));
    }
}

template <int Dim>
void stop_at_walls(FaceField<Dim>& velocity, const Boundary<Dim>& b, std::span<const std::uint8_t> plain) {
    for (int axis = 0; axis < Dim; ++axis) {
        check_same_tiles("stop_at_walls", "velocity", velocity[axis].tiles(), "boundary", b.open[axis].tiles());
        for_each_tile(velocity.tiles(), [&](Slot slot) {
            if (!plain.empty() && plain[static_cast<std::size_t>(slot)] != 0) return;
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
void set_given_faces(FaceField<Dim>& velocity, const Boundary<Dim>& b) {
    for (const GivenFace<Dim>& face : b.given) velocity[face.axis].tile(face.slot)[face.cell] = face.velocity;
}

#define INSTANTIATE(Dim)                                                                                    \
    template void refit(Boundary<Dim>&, const TilesPtr<Dim>&);                                              \
    template void refit(Boundary<Dim>&, const TilesPtr<Dim>&, const std::vector<MovingPart<Dim>>&, double); \
    template float open_past_solids(const Boundary<Dim>&, int, const Index<Dim>&);                          \
    template void set_side_velocity(Boundary<Dim>&, double);                                                \
    template void stop_at_walls(FaceField<Dim>&, const Boundary<Dim>&, std::span<const std::uint8_t>);      \
    template void set_given_faces(FaceField<Dim>&, const Boundary<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

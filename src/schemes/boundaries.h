// SPDX-License-Identifier: Apache-2.0
// Where the liquid cannot go: the container's walls and the solids in it, on the tiles of a step; and where its
// velocity is given: on solids that move, and in the mouths of sources.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "grid/field.h"
#include "grid/transform.h"
#include "schemes/domain.h"

namespace spindrift {

enum class Wall { slip, no_slip, open };

// Something whose velocity is given.
template <int Dim>
struct MovingPart {
    std::function<double(const Vec<double, Dim>&, double time)> distance;            // m, negative inside
    std::function<Vec<double, Dim>(const Vec<double, Dim>&, double time)> velocity;  // m/s
    // A solid takes up room and gives its velocity through the part of a face that it closes; a mouth is full of liquid
    // and gives the velocity of every face in it.
    bool is_solid = true;
};

// A face in a mouth.
template <int Dim>
struct GivenFace {
    int axis;
    Slot slot;
    int cell;
    float velocity;  // m/s
};

template <int Dim>
struct Boundaries {
    IndexBox<Dim> box;                             // the container, in cells
    std::array<std::array<Wall, 2>, Dim> walls{};  // below and above along each axis
    GridTransform<Dim> grid;                       // of the world
    std::function<double(const Vec<double, Dim>&)>
        solid_distance;      // m, negative inside; empty when no solid stands still
    bool solid_slip = true;  // all of them
    // Where some slip and others do not, and solid_slip is false: whether the one at this place does.
    std::function<bool(const Vec<double, Dim>&)> solid_slips_at;

    FaceField<Dim> open;           // open fraction of each face, walls included; closed where there is no tile
    Field<float, Dim> room;        // the part of each cell that is not solid; only where there are solids
    Field<float, Dim> solid;       // m, the distance to them at cell centres, as far as it matters; as room
    FaceField<Dim> wall_velocity;  // m/s, of what closes a face; only where something moves
    std::vector<GivenFace<Dim>> given;

    FaceField<Dim> still_open;  // the same without what moves; only where something does
    Field<float, Dim> still_room, still_solid;

    bool has_solids() const { return !room.empty(); }
    bool anything_moves() const { return !wall_velocity.component[0].empty(); }
};

// The container: what its sides mean to the flow.
template <int Dim>
Domain<Dim> domain_of(const Boundaries<Dim>& boundaries);

// Brings `open` and `room` to these tiles; what is known of tiles that stay is kept.
template <int Dim>
void refit(Boundaries<Dim>& boundaries, const TilesPtr<Dim>& tiles);

// The same with parts that move, where they are at this time.
template <int Dim>
void refit(Boundaries<Dim>& boundaries, const TilesPtr<Dim>& tiles, const std::vector<MovingPart<Dim>>& parts,
           double time);

// Closed faces move as what closes them does, or not at all; faces in mouths as given.
template <int Dim>
void stop_at_walls(FaceField<Dim>& velocity, const Boundaries<Dim>& boundaries);

// Faces in mouths alone.
template <int Dim>
void set_given_faces(FaceField<Dim>& velocity, const Boundaries<Dim>& boundaries);

}  // namespace spindrift

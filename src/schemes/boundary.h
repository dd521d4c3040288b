// SPDX-License-Identifier: Apache-2.0
// The boundary of a fluid on the tiles of a step: what the sides of the domain and the solids in it leave open of faces
// and cells, how fast what closes them moves, and where the velocity is given: in the mouths of sources.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "grid/field.h"
#include "schemes/domain.h"

namespace spindrift {

// Something whose velocity is given.  Functions are called by many threads at once.
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

// What is left open.
template <int Dim>
struct OpenParts {
    FaceField<Dim> open{};       // fraction of each face, sides of the domain included; closed where there is no tile
    Field<float, Dim> volume{};  // the part of each cell that is not solid; only where there are solids
    Field<float, Dim> centre_distance{};        // in cells, of centres from the solids, cut off far away; as volume
    FaceField<Dim> distance{};                  // the same of faces' centres; only where asked for
    Field<std::uint16_t, Dim> nearest_solid{};  // its number at centres beside solids; only where asked for
};

template <int Dim>
struct Boundary : OpenParts<Dim> {
    Domain<Dim> domain{};
    // Of solids that stand still: m, negative inside; none when there are none.
    std::function<double(const Vec<double, Dim>&)> solid_distance{};
    bool solid_slip = true;  // all solids, moving ones too
    // Where some slip and others do not, and solid_slip is false: whether the one at this place does.
    std::function<bool(const Vec<double, Dim>&)> solid_slips_at{};
    // The number of the solid whose wall counts at a place; with it, nearest_solid is filled in.
    std::function<int(const Vec<double, Dim>&, double time)> number_at{};
    bool wants_face_distance = false;
    // A face that solids leave open by less than this part is closed: what is pressed through such a slit is faster
    // than anything else, and hardly any of it.
    float slit = 0.1F;

    TilesPtr<Dim> tiles{};
    // To all solids, where they are at the time of the last refit; none when there are none.
    std::function<double(const Vec<double, Dim>&)> solids_now{};
    FaceField<Dim> wall_velocity{};  // m/s, of what closes a face, or is beside it; only where something moves
    std::vector<GivenFace<Dim>> given{};
    OpenParts<Dim> still{};  // the same without what moves; only where something does

    bool has_solids() const { return !this->volume.empty(); }
    bool anything_moves() const { return !wall_velocity.component[0].empty(); }
};

// Brings a boundary to these tiles; what is known of tiles that stay is kept.
template <int Dim>
void refit(Boundary<Dim>& boundary, const TilesPtr<Dim>& tiles);

// The same with parts that move, where they are at this time.
template <int Dim>
void refit(Boundary<Dim>& boundary, const TilesPtr<Dim>& tiles, const std::vector<MovingPart<Dim>>& parts, double time);

// Brings the velocity of the domain's sides to a time.
template <int Dim>
void set_side_velocity(Boundary<Dim>& boundary, double time);

// The part of a face that solids leave open, whatever the sides of the domain do.
template <int Dim>
float open_past_solids(const Boundary<Dim>& boundary, int axis, const Index<Dim>& face);

// Closed faces move as what closes them does, or not at all; faces in mouths as given.  In `plain` tiles all faces are
// known to be open.
template <int Dim>
void stop_at_walls(FaceField<Dim>& velocity, const Boundary<Dim>& boundary, std::span<const std::uint8_t> plain = {});

// Faces in mouths alone.
template <int Dim>
void set_given_faces(FaceField<Dim>& velocity, const Boundary<Dim>& boundary);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Where the liquid cannot go: the container's walls and the solids in it, on the tiles of a step.
#pragma once

#include <array>
#include <functional>

#include "grid/field.h"
#include "grid/transform.h"

namespace spindrift {

enum class Wall { slip, no_slip, open };

template <int Dim>
struct Boundaries {
    IndexBox<Dim> box;                             // the container, in cells
    std::array<std::array<Wall, 2>, Dim> walls{};  // below and above along each axis
    GridTransform<Dim> grid;                       // of the world
    std::function<double(const Vec<double, Dim>&)>
        solid_distance;  // m, negative inside; empty when there are no solids
    bool solid_slip = true;

    FaceField<Dim> open;     // open fraction of each face, walls included; closed where there is no tile
    Field<float, Dim> room;  // the part of each cell that is not solid; only where there are solids

    bool has_solids() const { return static_cast<bool>(solid_distance); }
};

// Brings `open` and `room` to these tiles; what is known of tiles that stay is kept.
template <int Dim>
void refit(Boundaries<Dim>& boundaries, const TilesPtr<Dim>& tiles);

// No flow through closed faces: zero there.
template <int Dim>
void stop_at_walls(FaceField<Dim>& velocity, const Boundaries<Dim>& boundaries);

}  // namespace spindrift

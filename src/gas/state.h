// SPDX-License-Identifier: Apache-2.0
// All that a checkpoint of a gas needs.
#pragma once

#include <cstdint>
#include <vector>

#include "grid/field.h"

namespace spindrift {

template <int Dim>
struct GasState {
    double time = 0;  // s
    std::int64_t step = 0;
    FaceField<Dim> velocity;                    // m/s
    Field<float, Dim> pressure;                 // over density, times pressure_dt / dx
    double pressure_dt = 0;                     // s: the step that it was found in
    std::vector<Field<float, Dim>> substances;  // in the order of the world's list
    std::vector<Field<float, Dim>> texture;     // m: see gas/texture.h; none when there is none

    const Tiles<Dim>& tiles() const { return velocity.tiles(); }
    const TilesPtr<Dim>& tiles_ptr() const { return velocity.tiles_ptr(); }
};

}  // namespace spindrift

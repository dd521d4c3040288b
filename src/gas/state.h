// SPDX-License-Identifier: Apache-2.0
// All that a checkpoint of a gas needs.
#pragma once

#include <cstdint>
#include <vector>

#include "grid/field.h"

namespace spindrift {

// How much there is of a substance, as ∫ (a − ambient), in its unit times m³ (m²).
struct AmountLedger {
    double expected = 0;  // at the start and from sources, less what has faded and what has left
    double found = 0;     // at the end of the last step
    double largest = 0;   // ∫ |a − ambient| at its highest so far

    // Relative to the largest amount so far, so that it means something when most has left or faded.
    double error() const { return largest > 0 ? (found - expected) / largest : 0; }
};

template <int Dim>
struct GasState {
    double time = 0;  // s
    std::int64_t step = 0;
    FaceField<Dim> velocity;                    // m/s
    Field<float, Dim> pressure;                 // over density, times pressure_dt / dx
    double pressure_dt = 0;                     // s: the step that it was found in
    std::vector<Field<float, Dim>> substances;  // in the order of the world's list
    std::vector<AmountLedger> amounts;          // of the substances
    std::vector<Field<float, Dim>> texture;     // m: see gas/texture.h; none when there is none

    const Tiles<Dim>& tiles() const { return velocity.tiles(); }
    const TilesPtr<Dim>& tiles_ptr() const { return velocity.tiles_ptr(); }
};

}  // namespace spindrift

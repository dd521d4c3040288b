// SPDX-License-Identifier: Apache-2.0
// A liquid between two steps: all that a checkpoint needs.
#pragma once

#include <cstdint>
#include <vector>

#include "grid/field.h"
#include "grid/transform.h"
#include "liquid/air_cells.h"
#include "liquid/bodies.h"
#include "liquid/spray.h"
#include "particles/particle_set.h"

namespace spindrift {

// What was put in and let out, in m³ (m² in 2D), against which the volume is checked.
struct VolumeLedger {
    double initial = 0;
    double flowed_in = 0;
    double flowed_out = 0;
    double overflowed = 0;     // flowed in where there was no room, and left out
    double poured_until = -1;  // s: sources that were on then have been filled before

    double expected() const { return initial + flowed_in - flowed_out - overflowed; }
};

// What the liquid consists of where it is a mixture: see mixture.h.  All is empty where there is but one liquid.
template <int Dim>
struct Mixture {
    // Of each component but the first, the part that it has in the volume of a cell's liquid, 0 to 1.
    std::vector<Field<float, Dim>> parts;
    // By component, m³ (m²): put in and not let out, together what the ledger expects;
    std::vector<double> expected;
    // and what drops hold of that, in flight or landed and pending.
    std::vector<double> in_drops;

    bool is_there() const { return !parts.empty(); }
};

template <int Dim>
struct LiquidState {
    double time = 0;           // s
    std::int64_t step = 0;     // steps taken since the beginning
    Field<float, Dim> phi;     // m, signed distance to the surface, negative in the liquid
    FaceField<Dim> velocity;   // m/s, half a step ahead of the rest: see ParticleLevelSet2002::step
    double velocity_time = 0;  // s, of the velocity
    // m/s², in the last step of the velocity: of the liquid that was here in its middle, and of the liquid that ended
    // here, see advance_velocity.h; empty before the first step, and in steps of first order.
    FaceField<Dim> acceleration, path_acceleration;
    Field<float, Dim> pressure;  // m²/s², pressure over density of the last step: the next one's first guess
    ParticleSet<Dim> particles;  // on both sides of the surface; empty for a level set alone
    Spray<Dim> spray;
    std::vector<Absorbed<Dim>> absorbed;
    AirCells air;  // enclosed by the liquid, in the last pressure solve
    VolumeLedger ledger;
    // By body, m³/s (m²/s): inflow for which there is no open volume, as the last pressure solve found.  It is entered
    // in the ledger while the surface moves with the velocity of that solve.
    std::vector<double> overflow;
    Mixture<Dim> mixture;
    LiquidBodies<Dim> bodies;  // of which the liquid consists, each with its share of what the ledger expects

    const Tiles<Dim>& tiles() const { return phi.tiles(); }
};

}  // namespace spindrift

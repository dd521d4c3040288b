// SPDX-License-Identifier: Apache-2.0
// How a liquid is computed.
#pragma once

#include "schemes/advection.h"
#include "surface/particle_level_set.h"

namespace spindrift {

struct LiquidSettings {
    AdvectionScheme advection = AdvectionScheme::maccormack;
    int time_order = 2;           // of the steps of the velocity: 1 or 2, see advance_velocity.h
    double cfl = 4;               // cells that the fastest liquid may cross in a step
    bool volume_control = false;  // see volume_control.h
    bool enclosed_air = true;     // has a pressure of its own; else it is empty, see schemes/enclosed_air.h
    // Pa, of the open air: enclosed air is as stiff, see compressed_air.h; infinite when it keeps its volume.
    double air_pressure = 101325;
    double pressure_tolerance = 1e-6;
    int max_pressure_iterations = 200;
    ParticleLevelSetSettings particles{.sides = ParticleSides::none};
    double largest_drop = 0.005;  // m, radius; see DropSizes
};

}  // namespace spindrift

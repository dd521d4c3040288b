// SPDX-License-Identifier: Apache-2.0
// What happened in a step.
#pragma once

#include <cstddef>
#include <string>

#include "linear/solve_report.h"

namespace spindrift {

struct StepReport {
    double dt = 0;                  // s
    double max_speed = 0;           // m/s, in the liquid
    double divergence = 0;          // the largest in a liquid cell, 1/s
    double volume = 0;              // m³ (m²)
    double volume_error = 0;        // (volume − expected) / expected, against the ledger
    double largest_body_error = 0;  // |volume − expected| of the body that is off most, over what all should have
    std::size_t bodies = 0;         // connected bodies of liquid
    double lost = 0;                // m³ (m²) since the beginning: what became too thin for the grid, and vanished
    double overflowed = 0;          // m³ (m²) since the beginning: what flowed in where there was no room
    std::size_t cells = 0;          // liquid cells solved for
    std::size_t tiles = 0;
    int surface_steps = 0;  // sub-steps of the surface
    std::size_t particles = 0;
    std::size_t drops = 0;    // of spray, in flight
    double spray_volume = 0;  // m³ (m²), in flight or just landed; part of volume
    SolveReport pressure{};
    SolveReport viscosity{};
    SolveReport air{};      // the velocity beyond the surface made free of divergence
    std::string failure{};  // why the step must be taken again with a smaller dt; empty when all is well
};

}  // namespace spindrift

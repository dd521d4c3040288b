// SPDX-License-Identifier: Apache-2.0
// What happened in a step, of a liquid or of a gas.  What a phase does not have stays zero.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "linear/solve_report.h"
#include "schemes/solid_force.h"

namespace spindrift {

struct [[nodiscard]] StepReport {
    double dt = 0;          // s
    double max_speed = 0;   // m/s, in the fluid
    double divergence = 0;  // the largest left in a cell, 1/s
    std::size_t cells = 0;  // whose pressure was solved for
    std::size_t tiles = 0;

    // Solves: all of one kind merged into one report (see merge), converged when there was none.
    SolveReport pressure{.converged = true};
    SolveReport viscosity{.converged = true};      // the components of the velocity
    SolveReport diffusion{.converged = true};      // the substances of a gas
    SolveReport extrapolation{.converged = true};  // the velocity beyond a free surface made divergence-free
    bool direct = false;                           // the pressure was found by a direct solve

    // Volume of a liquid, m³ (m²).
    double volume = 0;
    double volume_error = 0;        // (volume − expected) / expected, against the ledger
    double largest_body_error = 0;  // |volume − expected| of the body that is off most, over what all should have
    std::size_t bodies = 0;         // connected bodies of liquid
    double lost = 0;                // since the beginning: what became too thin for the grid, and vanished
    double overflowed = 0;          // since the beginning: what flowed in where there was no open volume
    double spray_volume = 0;        // in flight, or absorbed and not yet part of the surface; counts in `volume`
    double control_energy = 0;      // J (J/m): kinetic energy that controls put in; negative where they took it out

    // Surface, particles, spray and air of a liquid.
    int surface_steps = 0;          // sub-steps of the surface
    std::size_t particles = 0;      // after the step
    std::size_t corrections = 0;    // particles that corrected φ, summed over the corrections of the step
    std::size_t escaped = 0;        // particles that were removed as escaped
    std::size_t seeded = 0;         // particles added by reseeding
    std::size_t removed = 0;        // particles taken out by reseeding
    std::size_t drops = 0;          // of spray, in flight after the step
    std::size_t bubbles = 0;        // regions of enclosed air
    std::size_t separating = 0;     // cells that separated from solids
    std::size_t clamped_faces = 0;  // whose velocity was limited after the pressure solve

    std::vector<SolidForce> solids{};  // of the fluid on each solid, at the end of the step

    std::string failure{};  // why the step must be taken again with a smaller dt; empty when all is well
};

// Adds a solve to those of its kind: all their iterations, and the worst of what they left.
void merge(SolveReport& all, const SolveReport& solve);

// Why the step that gave this report failed: a solve that failed or did not converge, or a velocity that is not finite.
// Empty when all is well.  A failure that stands in the report already comes first.
std::string failure_of(const StepReport& report);

}  // namespace spindrift

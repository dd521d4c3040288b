// SPDX-License-Identifier: Apache-2.0
// What the steps of all methods of a liquid have in common.
#pragma once

#include <vector>

#include "linear/poisson_solver.h"
#include "liquid/accounts.h"
#include "liquid/domain.h"
#include "liquid/step_limit.h"
#include "schemes/step_report.h"

namespace spindrift {

// Brings solids and sources to the time; in the first step, the velocity to the middle of the step.  False when the
// step cannot be taken.
template <int Dim>
bool begin_step(LiquidState<Dim>& liquid, LiquidDomain<Dim>& domain, double dt, PoissonSolver<Dim>& solver,
                StepReport& report);

// Says so in the report if not: what is not finite cannot be advected.
template <int Dim>
bool is_finite(const FaceField<Dim>& velocity, StepReport& report);

// The velocity that moves the surface: divergence-free beyond it, as far as a step of dt looks.  The velocity of liquid
// that gets there is not made so: air pressed out of a gap is faster than anything that presses it.
template <int Dim>
FaceField<Dim> surface_velocity(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double dt,
                                StepReport& report);

// Escaped particles become spray and absorbed air; the accounts of the bodies of liquid say who has lost or gained
// what.  Returns the volumes of the bodies.
template <int Dim>
std::vector<double> account_for_escaped(LiquidState<Dim>& liquid, std::vector<Particle<Dim>> escaped,
                                        BodyMove<Dim> move, const LiquidDomain<Dim>& domain);

// How long the velocity has to go on to the middle of the next step, which is hardly going to be longer than this one.
// After a step much longer than those that follow, it waits for the surface.
template <int Dim>
double time_to_middle(const LiquidState<Dim>& liquid, double dt, double next);

// Enters what the state holds.
template <int Dim>
void measure(StepReport& report, const LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain);

// The longest step, s, that keeps the fastest liquid within `cfl` cells and resolves the waves of the grid.  What
// changes in time by itself (sources, gravity) is looked at 24 times a second at least.
template <int Dim>
StepLimit step_limit(const LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain);

}  // namespace spindrift

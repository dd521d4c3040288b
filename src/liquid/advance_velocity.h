// SPDX-License-Identifier: Apache-2.0
// A step of the velocity of a liquid.
//
//   u_t + (u·∇)u = a,   a = ν∇²u + g + f − ∇p/ρ,   ∇·u = 0                                           [FF01] §6–9
//
// Along the path that liquid takes in dt, from x_d to x, u_new(x) = u(x_d) + dt (a(x_d) + a(x)) / 2 to second order.
// The acceleration of a step is found where the liquid arrives, by the pressure solve; how it changes along the path is
// taken from the last step, with its acceleration ã:
//
//   u_new(x) = [u + dt ã / 2](x_d) − dt ã(x) / 2 + dt a(x).
//
// Without ã the method is of first order: each step of a swirl moves it straight on and lets the pressure bend it back,
// at the cost of its energy [Zehnder18].  Where nothing moves ã cancels, and still water stays still.
#pragma once

#include "linear/poisson_solver.h"
#include "liquid/domain.h"
#include "schemes/step_report.h"

namespace spindrift {

// Extrapolates velocity and acceleration beyond the surface, as far as a step of dt looks.  [EMF02] §3.3
template <int Dim>
void extrapolate_velocity(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double dt);

// Advances the velocity, which must be extrapolated, by dt.  The surface is going to move with it for surface_dt.
template <int Dim>
void advance_velocity(LiquidState<Dim>& liquid, LiquidDomain<Dim>& domain, double dt, double surface_dt,
                      PoissonSolver<Dim>& solver, StepReport& report);

// Brings the velocity, which must be extrapolated, to the time of the surface: what a frame shows.
template <int Dim>
void synchronise_velocity(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// A step of the velocity of a liquid.
//
//   u_t + (u·∇)u = a,   a = ν∇²u + g + f − ∇p/ρ,   ∇·u = 0                                           [FF01] §6–9
//
// What a path that ends in x gains in dt is, to second order, dt times the acceleration A in its middle, half a step
// upstream.  The pressure solve finds the acceleration a where the path ends, for the surface of the middle of the
// step. How far the two differ is taken from where the path begins, x_d, as the last step left it:
//
//   u_new(x) = [u + dt c](x_d) + dt a(x),   A(x) = a(x) + c(x_d),   h = u dt / 2
//   c(x) = [a(x − h) − a(x)] / 2 + [A(x) − A(x + h)] / 2
//
// The brackets say the same twice.  With the first alone, errors of a that have a divergence would come back up to
// twice as large: the next pressure takes them off again.  With the second alone, those of A that have none would.
//
// Without c the method is of first order: each step of a swirl moves it straight on and lets the pressure bend it back,
// at the cost of its energy [Zehnder18], and waves that a current takes along feel the weight of where they will be, a
// quarter of their length off, and grow.  Where nothing moves c is zero, and still water stays still.
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

// SPDX-License-Identifier: Apache-2.0
// Force and torque of a fluid on each solid.
//
// Pressure acts on the surface of the solid in each cell:  F = Σ p (open_lower − open_upper) dx^(Dim−1).  Its area
// vector, out of the fluid, is what the open parts of opposite faces differ by, as in the projection [Batty07]; the
// pressure is that on the surface, which may be most of a cell away from the centre.
//
// Friction is μ ∂(u − U)/∂n over the same surface, where U is the rigid motion of the solid: a fluid that turns with a
// solid is not sheared.
#pragma once

#include <string>
#include <vector>

#include "schemes/boundary.h"
#include "schemes/diffusion.h"
#include "schemes/solid_force.h"

namespace spindrift {

// Of the fluid: density in kg/m³, kinematic viscosity in m²/s, at which time.
struct FluidForces {
    double density = 1;
    double viscosity = 0;
    double time = 0;
};

// Of a fluid where the level is negative: a liquid's φ, or the cells of a domain that a gas fills.  Friction acts at
// no-slip solids.  `pressure` is over density, m²/s².
template <int Dim>
std::vector<SolidForce> solid_forces(const NamedSolids<Dim>& solids, const FaceField<Dim>& velocity,
                                     const Field<float, Dim>& pressure, const Field<float, Dim>& level,
                                     const Boundary<Dim>& boundary, const FluidForces& fluid);

// What diffuses out of each solid, per second: κ ∂a/∂n over its surface where `walls` give the value a of a substance
// there, and the flux where they give that.
template <int Dim>
std::vector<double> solid_fluxes(const NamedSolids<Dim>& solids, const Field<float, Dim>& substance,
                                 const Field<float, Dim>& level, const Boundary<Dim>& boundary,
                                 const DiffusionWalls<Dim>& walls, double kappa);

}  // namespace spindrift

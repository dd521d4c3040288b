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

#include <functional>
#include <string>
#include <vector>

#include "schemes/boundaries.h"
#include "schemes/diffusion.h"
#include "schemes/solid_force.h"

namespace spindrift {

// Of the fluid: density in kg/m³, kinematic viscosity in m²/s, at which time.
struct FluidForces {
    double density = 1;
    double viscosity = 0;
    double time = 0;
};

// In a domain that it fills; friction acts where the boundary has no-slip solids.  `pressure` is over density, m²/s²;
// `distance` that to all solids, m.
template <int Dim>
std::vector<SolidForce> solid_forces(const NamedSolids<Dim>& solids, const FaceField<Dim>& velocity,
                                     const Field<float, Dim>& pressure, const DomainBoundary<Dim>& boundary,
                                     const Domain<Dim>& domain,
                                     const std::function<double(const Vec<double, Dim>&)>& distance,
                                     const FluidForces& fluid);

// What diffuses out of each solid into a domain, per second: κ ∂a/∂n over its surface where `walls` give the value a of
// a substance there, and the flux where they give that.  The boundary must have been made with centres.
template <int Dim>
std::vector<double> solid_fluxes(const NamedSolids<Dim>& solids, const Field<float, Dim>& substance,
                                 const DomainBoundary<Dim>& boundary, const Domain<Dim>& domain,
                                 const std::function<double(const Vec<double, Dim>&)>& distance,
                                 const DiffusionWalls<Dim>& walls, double kappa);

// Of a liquid, whose surface is where phi is zero.
template <int Dim>
std::vector<SolidForce> solid_forces(const NamedSolids<Dim>& solids, const FaceField<Dim>& velocity,
                                     const Field<float, Dim>& pressure, const Field<float, Dim>& phi,
                                     const Boundaries<Dim>& boundaries,
                                     const std::function<double(const Vec<double, Dim>&)>& distance,
                                     const FluidForces& fluid);

}  // namespace spindrift

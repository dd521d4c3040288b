// SPDX-License-Identifier: Apache-2.0
// Implicit diffusion, stable for any step:  (I − κ dt ∇²) a_new = a  [Stam99] §2.2.  No flux through walls, or the
// wall's own value on it, as the field's lattice says, to second order; velocity has that of solids that do not slip,
// where on the way to the next face they are met [Gibou02].
#pragma once

#include <algorithm>

#include "gas/lattice.h"
#include "gas/room.h"
#include "linear/poisson_solver.h"

namespace spindrift {

// κ in m²/s.  A field of cells, or a component of velocity with the lattice of its faces.
template <int Dim>
SolveReport diffuse(Field<float, Dim>& field, const Lattice<Dim>& lattice, const GasRoom<Dim>& room,
                    const GasEnclosure<Dim>& enclosure, bool solids_slip, double kappa, double dt,
                    PoissonSolver<Dim>& solver);

// The explicit step,  a += κ dt ∇²a,  with the same walls.  Not stable alone.
template <int Dim>
void add_diffusion(Field<float, Dim>& field, const Lattice<Dim>& lattice, const GasRoom<Dim>& room,
                   const GasEnclosure<Dim>& enclosure, bool solids_slip, double kappa, double dt);

// What part θ of a step is to be implicit, the rest explicit: a half, for second order [CrankNicolson47], or as much
// more as it takes for the explicit part to make no pattern on the grid larger than it was.  Advection comes between
// the two and makes smooth patterns of rough ones, so the implicit part cannot be relied on to damp these again.
template <int Dim>
double implicit_part(double kappa, double dt, double dx) {
    constexpr double kMostExplicit = 2;                    // turns the roughest pattern into its negative
    const double rate = 4 * Dim * kappa * dt / (dx * dx);  // at which that pattern fades, per step
    return std::max(0.5, 1 - kMostExplicit / rate);
}

}  // namespace spindrift

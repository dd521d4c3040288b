// SPDX-License-Identifier: Apache-2.0
// The explicit finite-difference step of [FM96], equation (2), on faces between two liquid cells:
//
//   ũ = u + dt { −∂(uu)/∂x − ∂(uv)/∂y − ∂(uw)/∂z + g − ∂p/∂x + ν ∇²u }
//
// Velocities needed off their faces are means of the nearest two.  By itself it is unstable for thin liquids: an
// explicit step of centred differences has a viscosity of −u² dt / 2.  A share of donor-cell differences makes up for
// it, as in [HirtNicholsRomero75]: `donor_cell` times the Courant number of the step.  0 gives equation (2) as it
// stands.
#pragma once

#include "grid/cell_flow.h"

namespace spindrift {

// Open sides of surface cells that are opposite each other follow the body force.
template <int Dim>
void advance_explicitly(CellFlow<Dim>& flow, const Vec<double, Dim>& gravity, double viscosity, double donor_cell,
                        double dt);

// The longest stable step, s: max |u| dt / dx < 1 (3), of which `courant` is taken, and the same share of the viscous
// limit 2 ν dt Σ 1 / dx² < 1.
double explicit_dt(double speed, double viscosity, double dx, int dim, double courant);

}  // namespace spindrift

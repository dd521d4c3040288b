// SPDX-License-Identifier: Apache-2.0
// Implicit diffusion, stable for any step:  (I − κ dt ∇²) a_new = a  [Stam99] §2.2.  No flux through walls, or the
// wall's own value on it, as the field's lattice says; velocity has that of solids that do not slip.
#pragma once

#include "gas/lattice.h"
#include "gas/room.h"
#include "linear/poisson_solver.h"

namespace spindrift {

// κ in m²/s.  A field of cells, or a component of velocity with the lattice of its faces.
template <int Dim>
SolveReport diffuse(Field<float, Dim>& field, const Lattice<Dim>& lattice, const GasRoom<Dim>& room,
                    const GasEnclosure<Dim>& enclosure, bool solids_slip, double kappa, double dt,
                    PoissonSolver<Dim>& solver);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Viscosity, implicit and so stable for any value: (I − ν dt ∇²) u_new = u for each component, on the faces of the
// liquid. No stress across the surface; walls hold the tangential velocity at zero where they do not let it slip.
#pragma once

#include "linear/poisson_solver.h"
#include "schemes/boundary.h"

namespace spindrift {

// `kinematic` is ν in m²/s.  Nothing is done where ν dt is far below dx².
template <int Dim>
SolveReport diffuse(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundary<Dim>& boundaries,
                    double kinematic, double dt, double tolerance = 1e-6);

}  // namespace spindrift

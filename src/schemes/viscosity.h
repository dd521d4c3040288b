// SPDX-License-Identifier: Apache-2.0
// Viscosity of a liquid.  Where it matters in a step, by the full stress, implicitly: see viscous_stress.h.  Where it
// hardly does, explicitly, u += ν dt ∇²u for each component on the faces of the liquid, which is the same where the
// velocity is divergence-free: no stress across the surface; walls hold the tangential velocity where they do not let
// it slip.
#pragma once

#include "linear/solve_report.h"
#include "schemes/boundary.h"

namespace spindrift {

// `kinematic` is ν in m²/s.  Nothing is done where ν dt is far below dx².  Closed faces have the velocity of what
// closes them.
template <int Dim>
SolveReport diffuse(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundary<Dim>& boundaries,
                    double kinematic, double dt);

}  // namespace spindrift

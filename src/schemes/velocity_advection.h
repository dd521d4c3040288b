// SPDX-License-Identifier: Apache-2.0
// Velocity carried by itself, u_t = −(u·∇)u, along characteristics: stable for any step [Stam99].
//
// Semi-Lagrangian: u_new(x) = u(x_d), x_d traced back over dt by the midpoint rule; first order, smooths.
// MacCormack [Selle08]: the same carried back again shows the error; half of it is taken off, and the result kept
// within the values around x_d; second order where the flow is smooth.
#pragma once

#include "schemes/boundaries.h"

namespace spindrift {

enum class VelocityAdvection { semi_lagrangian, maccormack };

// The velocity must be known (extrapolated) as far beyond the surface as a step reaches.  Faces farther than a cell or
// two from the liquid keep their values.
template <int Dim>
void advect(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundaries<Dim>& boundaries, double dt,
            VelocityAdvection scheme);

}  // namespace spindrift

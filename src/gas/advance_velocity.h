// SPDX-License-Identifier: Apache-2.0
// The velocity of a gas goes on by dt:  u_t = −(u·∇)u − ∇p/ρ + ν∇²u + f,  ∇·u = what the gas swells by.  Sources fill
// along with the forces.  Both functions return the part of the step's pressure that balances forces, as
// GasState::pressure.
#pragma once

#include "gas/domain.h"
#include "schemes/step_report.h"

namespace spindrift {

// w0 → add force → w1 → advect → w2 → diffuse → w3 → project → w4   [Stam99] §2.2;  w1 is projected as well.
template <int Dim>
Field<float, Dim> advance_velocity(GasState<Dim>& gas, GasDomain<Dim>& domain, double dt, StepReport& report);

// The same terms, but pressure and friction act on the gas along all of its path: for a part 1 − θ of the step where it
// comes from, with the pressure of the last step, and for the rest where it arrives  [SpiegelmanKatz06].  What is then
// left to project is the pressure's change [VanKan86].
//   w1 = w0 + dt Pf + (1 − θ) dt (ν∇²w0 − ∇p),  w2 = w1 advected by w½,  (1 − θ dt ν∇²) w3 = w2 − θ dt ∇p,  w4 = w3 −
//   ∇q
// p is what bends the flow, without what balances f, which P has taken out; w½ is w1 with half of dt Pf.
// With first-order splitting each step of a swirl advects it straight on and lets the pressure bend it back, at the
// cost of its energy  [Zehnder18].
// `before` is the velocity that the gas has.
template <int Dim>
Field<float, Dim> advance_velocity_second_order(GasState<Dim>& gas, const FaceField<Dim>& before,
                                                GasDomain<Dim>& domain, double dt, StepReport& report);

}  // namespace spindrift

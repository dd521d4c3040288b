// SPDX-License-Identifier: Apache-2.0
// What sets a gas in motion and what fills it:  w1 = w0 + dt f  [Stam99] §2.2, and sources of substances §2.3.
#pragma once

#include "gas/state.h"
#include "gas/world.h"

namespace spindrift {

// Buoyancy of warm and heavy substances, and the forces of the scene.
template <int Dim>
void add_forces(FaceField<Dim>& velocity, const GasState<Dim>& gas, const GasWorld<Dim>& world, double dt);

// Vorticity confinement  f = ε dx (N × ω),  N = ∇|ω| / |∇|ω||:  gives small swirls back what the grid smooths away
// [FSJ01] §5.
template <int Dim>
void confine_vorticity(FaceField<Dim>& velocity, const DomainBoundary<Dim>& boundary, double time, double strength,
                       double dt);

// Fills the sources that are on: a substance, and the velocity where they have one.  Adds what they give to the ledger.
template <int Dim>
void add_sources(GasState<Dim>& gas, const GasWorld<Dim>& world, const DomainBoundary<Dim>& boundary, double dt);

}  // namespace spindrift

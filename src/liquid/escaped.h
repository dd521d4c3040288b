// SPDX-License-Identifier: Apache-2.0
// What becomes of escaped particles: those of the liquid turn to drops of spray, those of the air to air that the
// liquid has absorbed.  Each body of liquid pays for its drops, and gets back what its absorbed air holds, from its
// account.
#pragma once

#include <vector>

#include "liquid/accounts.h"

namespace spindrift {

// Makes drops of the particles of the liquid among these; together they weigh what their body has lost.  `change` is
// what the bodies have gone through in the move that left the particles behind, if any.
template <int Dim>
void throw_spray(LiquidState<Dim>& liquid, std::vector<Particle<Dim>> escaped, const LiquidDomain<Dim>& domain,
                 BodyChange<Dim>* change = nullptr);

// Bodies that have vanished in the move and were no more than a drop go on as one.  Films that have become too thin for
// the grid break up: what they lack goes on as drops from where they were.  Without particles, both are lost.
template <int Dim>
void break_up(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, BodyChange<Dim>& change);

// The particles of air among these hold what their body has gained.
template <int Dim>
void absorb_air(LiquidState<Dim>& liquid, const std::vector<Particle<Dim>>& escaped, const LiquidDomain<Dim>& domain,
                const BodyChange<Dim>& change);

// Drops fly for dt, and those that land are absorbed.
template <int Dim>
void advance_spray(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double dt);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// The accounts of the volume that each body of liquid should have (bodies.h), kept through a step.
#pragma once

#include <vector>

#include "liquid/domain.h"

namespace spindrift {

// What the bodies of liquid go through when the surface moves.
template <int Dim>
struct BodyChange {
    BodyMove<Dim> move;
    BodyLabels<Dim> before{};
    BodyMatch match{};
    std::vector<double> volumes{};  // by body, m³ (m²): what lies within the surface that has moved
};

// By body, m³ (m²): what lies within the surface.
template <int Dim>
std::vector<double> body_volumes(const LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain);

// By body, m³ (m²): volumes within the surface, and what is still pending of what each body has absorbed.
template <int Dim>
std::vector<double> with_pending(std::vector<double> volumes, const LiquidState<Dim>& liquid);
template <int Dim>
std::vector<double> final_volumes(const LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain) {
    return with_pending(body_volumes(liquid, domain), liquid);
}

// Adds a volume, m³ (m²), to the account of a body, by number; what is in no body counts as lost, or found again.
template <int Dim>
void add_to_account(LiquidBodies<Dim>& bodies, std::size_t body, double volume);

// Makes a body, with this volume on its account, of the liquid that is in none.
template <int Dim>
void open_account(LiquidState<Dim>& liquid, double volume);

// Matches the bodies of liquid with those before the move.
template <int Dim>
void match_bodies(LiquidState<Dim>& liquid, BodyChange<Dim>& change, const LiquidDomain<Dim>& domain);

// What no drop has taken from bodies that vanished or shrank is lost.
template <int Dim>
void close_accounts(LiquidState<Dim>& liquid, const BodyChange<Dim>& change, const LiquidDomain<Dim>& domain);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// What sources give to a liquid in a step and sinks take from it, entered in the ledger against which its volume is
// checked.
#pragma once

#include "liquid/accounts.h"
#include "schemes/step_report.h"

namespace spindrift {

// The largest speed in the sources that are on, m/s.
template <int Dim>
double fastest_source(const LiquidDomain<Dim>& domain, double time);

// Gives the sources that are on the tiles they need, their liquid and its velocity.  What leaves them is entered in the
// ledger as it flows; what fills them at first, here.
template <int Dim>
void open_sources(LiquidState<Dim>& liquid, LiquidDomain<Dim>& domain, StepReport& report);

// Enters what the sources let out in dt in the ledger, without what finds no open volume.
template <int Dim>
void enter_inflow(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double dt);

// Fills the sources that are on at the liquid's time where they are at the given one; returns the largest change of φ,
// in cells.
template <int Dim>
double fill_sources(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double time);

// Empties the sinks, and enters what they took in the ledger.
template <int Dim>
void drain_sinks(LiquidState<Dim>& liquid, const BodyMove<Dim>& move, const LiquidDomain<Dim>& domain);

}  // namespace spindrift

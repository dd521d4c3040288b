// SPDX-License-Identifier: Apache-2.0
// What happens to substances in a step:  a_t = −u·∇a + κ∇²a − α a,  once sources have been added  [Stam99] §2.3.
#pragma once

#include <optional>

#include "gas/domain.h"
#include "schemes/step_report.h"

namespace spindrift {

// Advects substances and textures, with the velocity of a time; diffuses and dissipates.
template <int Dim>
void advance_substances(GasState<Dim>& gas, GasDomain<Dim>& domain, const FaceField<Dim>& advecting, double flow_time,
                        double dt, StepReport& report);

// Takes what there is now as what there should be, but for the error that there was before.
template <int Dim>
void recount(GasState<Dim>& gas, const GasDomain<Dim>& domain);

// By which a gas swells, 1/s; none when it does not.
template <int Dim>
std::optional<Field<float, Dim>> wanted_divergence(const GasState<Dim>& gas, const GasWorld<Dim>& world);

// What a substance meets at sides and solids.
template <int Dim>
DiffusionWalls<Dim> substance_walls(const Substance<Dim>& s, double time);

}  // namespace spindrift

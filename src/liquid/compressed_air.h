// SPDX-License-Identifier: Apache-2.0
// The pressure of enclosed air from step to step: it has the stiffness of air, adiabatic, p V^γ constant.
//
// A bubble is known again by the cells it shares with those of the step before.  Where bubbles and open air have
// joined, their energy p V / (γ − 1) adds up: the pressure of the whole is the mean of theirs by volume.  Parts of one
// that broke up keep its pressure.
#pragma once

#include <vector>

#include "liquid/domain.h"
#include "schemes/projection.h"

namespace spindrift {

// The regions of air that the liquid encloses; sinks let air out.  None where the settings leave enclosed air empty.
template <int Dim>
EnclosedAir enclosed_air(const Field<float, Dim>& phi, const LiquidDomain<Dim>& domain);

// What each bubble is to the pressure solve to come.  `pressure` is that of the last one, on the tiles of phi;
// `atmosphere` is the pressure of the open air over the liquid's density, m²/s²; velocities of the solve act for dt.
template <int Dim>
std::vector<BubbleGas> gas_of_bubbles(const EnclosedAir& air, const AirCells& before, const Field<float, Dim>& pressure,
                                      const Field<float, Dim>& phi, const Boundary<Dim>& boundaries, double atmosphere,
                                      double dt);

// The same for the liquid of a domain; empty where the air is to keep its volume.
template <int Dim>
std::vector<BubbleGas> gas_of_bubbles(const EnclosedAir& air, const LiquidState<Dim>& liquid,
                                      const LiquidDomain<Dim>& domain, double dt);

// The cells of the bubbles with the pressure that was found for them.
template <int Dim>
AirCells cells_of_bubbles(const std::vector<CellGroup>& bubbles, const Field<float, Dim>& pressure);

}  // namespace spindrift

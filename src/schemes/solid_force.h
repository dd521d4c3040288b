// SPDX-License-Identifier: Apache-2.0
// What a fluid does to a solid, and what is asked of solids to find it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/vec.h"

namespace spindrift {

// What diffuses out of a solid into the fluid: of a substance, in its unit times m³ (m²) a second.
struct SubstanceFlux {
    std::string substance{};
    double flux = 0;
};

// In N and N·m (N/m and N in 2D); torques are about the solid's pivot, in 2D along z.
struct SolidForce {
    std::string name{};
    Vec<double, 3> pressure{}, viscous{};
    Vec<double, 3> pressure_torque{}, viscous_torque{};
    std::vector<SubstanceFlux> fluxes{};  // of substances whose value or flux the solid gives

    Vec<double, 3> force() const { return pressure + viscous; }
    Vec<double, 3> torque() const { return pressure_torque + viscous_torque; }
};

// Which solid a place belongs to, and how each of them moves.  Called by many threads at once.
template <int Dim>
struct NamedSolids {
    std::vector<std::string> names{};
    std::vector<std::size_t> numbers{};  // among all solids of the world
    std::function<std::size_t(const Vec<double, Dim>& place, double time)> owner{};
    std::function<Vec<double, Dim>(std::size_t number, double time)> pivot{};
    // m/s, at any place: as if the solid reached there.
    std::function<Vec<double, Dim>(std::size_t number, const Vec<double, Dim>& place, double time)> velocity{};
};

}  // namespace spindrift

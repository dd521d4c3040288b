// SPDX-License-Identifier: Apache-2.0
// The longest time step that is safe, and what makes it so short.
#pragma once

#include <cmath>
#include <limits>
#include <string_view>

namespace spindrift {

struct StepLimit {
    double dt = std::numeric_limits<double>::infinity();  // s
    std::string_view cause{};                             // for messages; empty when nothing limits the step
};

// No step of a liquid is longer, s: what changes in time by itself (sources, solids, winds) is followed so far.
constexpr double kLongestStep = 1.0 / 24;

// Cells that a solid may move in a step.
constexpr double kSolidCfl = 2;

// The shortest capillary wave may not cross a cell in a step [Brackbill92]: s, infinite without surface tension.
// Density in kg/m³, surface tension in N/m, dx in m.
inline double capillary_dt(double density, double surface_tension, double dx) {
    return surface_tension > 0 ? std::sqrt(density * dx * dx * dx / (4 * M_PI * surface_tension))
                               : std::numeric_limits<double>::infinity();
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// How much a gas holds of a substance, or a liquid of a component of its mixture.
#pragma once

#include <string>

namespace spindrift {

struct SubstanceAmount {
    std::string name;
    // Above the ambient value, in the substance's unit times m³ (m²); of a component its volume, m³ (m²).
    double amount = 0;
    // Against start, sources, dissipation and outflow, relative to the largest amount so far; of a component to the
    // volume of all of the liquid.
    double error = 0;
};

}  // namespace spindrift

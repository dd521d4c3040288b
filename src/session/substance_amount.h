// SPDX-License-Identifier: Apache-2.0
// How much a gas holds of a substance.
#pragma once

#include <string>

namespace spindrift {

struct SubstanceAmount {
    std::string name;
    double amount = 0;  // above the ambient value, in the substance's unit times m³ (m²)
    double error = 0;   // against start, sources, dissipation and outflow, relative to the largest amount so far
};

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Enclosed air as a state: the cells of the last pressure solve, and the pressure in each.
#pragma once

#include <cstdint>
#include <vector>

namespace spindrift {

struct AirCells {
    std::vector<std::int64_t> place;  // Dim coordinates for each cell
    std::vector<float> pressure;      // m²/s², over the liquid's density and above that of the open air
};

}  // namespace spindrift

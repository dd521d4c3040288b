// SPDX-License-Identifier: Apache-2.0
// Sparse tiles: only those near smoke exist, so that cost is proportional to the smoke, not to the domain.
#pragma once

#include "gas/state.h"
#include "gas/world.h"

namespace spindrift {

// Kept are tiles with a substance further than `threshold` from its ambient value or under a source that is on, and all
// tiles beside these; where that is little more, a block of tiles without gaps, whose pressure is solved for directly.
template <int Dim>
void refit_to_smoke(GasState<Dim>& gas, const GasWorld<Dim>& world, double threshold);

}  // namespace spindrift

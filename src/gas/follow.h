// SPDX-License-Identifier: Apache-2.0
// Tiles that follow the smoke: cost goes with what is there, not with the box.
#pragma once

#include "gas/state.h"
#include "gas/world.h"

namespace spindrift {

// Kept are tiles with a substance further than `threshold` from its ambient value or under a source that is on, and all
// tiles beside these; where that is little more, a block of tiles without gaps, whose pressure is solved for directly.
template <int Dim>
void refit_to_smoke(GasState<Dim>& gas, const GasWorld<Dim>& world, double threshold);

}  // namespace spindrift

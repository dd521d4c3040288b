// SPDX-License-Identifier: Apache-2.0
// A speed beyond which something is wrong with a run.
#pragma once

#include "scene/description.h"

namespace spindrift {

// m/s.  Nothing in the scene explains more: three times the fastest velocity that it gives (of inflows, sources, winds,
// moving solids, what there is at the start) or that of a fall through the whole box, and what forces add to it; but at
// least 100 m/s, beyond which air is no longer incompressible, or twenty times along the longest side in a frame,
// whichever is less.
double plausible_speed(const SceneDescription& scene);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// What a run will need, told before its first step.
#pragma once

#include <cstdint>

#include "scene/description.h"

namespace spindrift {

// What one cell of liquid costs; each method knows its own.
struct CellCosts {
    double memory_bytes = 160;  // all fields and scratch of a step
    double volume_bytes = 8;    // of a frame's VDB, compressed
    double mesh_bytes = 0.5;    // of a frame's PLY
    double checkpoint_bytes = 32;
};

struct SceneEstimate {
    double cell_size = 0;     // m
    Vec<int, 3> cells{};      // along each axis
    double box_cells = 0;     // their product
    double liquid_cells = 0;  // filled at the start
    double active_cells = 0;  // those and the band around them
    bool is_complete = true;  // false if some shape is a mesh, which was not looked into, or liquid flows in
    double memory_bytes = 0;
    double disk_bytes = 0;  // of all frames
};

SceneEstimate estimate(const SceneDescription& scene, const CellCosts& costs = {});

}  // namespace spindrift

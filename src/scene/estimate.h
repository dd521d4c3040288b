// SPDX-License-Identifier: Apache-2.0
// What a run will need, told before its first step.  docs/estimates.md says how, and how well.
#pragma once

#include <cstdint>

#include "scene/description.h"

namespace spindrift {

// Measured on runs of the catalogue at several sizes; each method may give its own.
struct CellCosts {
    double program_bytes = 46 << 20;  // before the first cell: the program, its libraries and their tables
    double memory_bytes = 185;        // all fields and scratch of a step, per active cell
    double particle_bytes = 28;       // with what is kept of them for steps that fail
    double volume_bytes = 7;          // of a frame's VDB with two fields, compressed
    double mesh_bytes = 7;            // of a frame's PLY
    double checkpoint_bytes = 20;
    double program_seconds = 0.1;
    double step_seconds_2d = 0.4e-6, step_seconds_3d = 0.55e-6;  // of one core
    double file_seconds = 1e-6;
};

struct SceneEstimate {
    double cell_size = 0;        // m
    Vec<int, 3> cells{};         // along each axis
    double box_cells = 0;        // their product
    double liquid_cells = 0;     // filled at the start
    double active_cells = 0;     // in tiles around them, at the start
    double most_cells = 0;       // when it has splashed about
    double particles = 0;        // at the start
    double steps_per_frame = 1;  // in the mean
    bool is_complete = true;     // false if some shape is a mesh, which was not looked into, or liquid flows in
    double memory_bytes = 0;
    double disk_bytes = 0;    // of all frames
    double core_seconds = 0;  // of all frames, on one core
};

SceneEstimate estimate(const SceneDescription& scene, const CellCosts& costs = {});

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// What a run will need, told before its first step.  docs/estimates.md says how, and how well.
#pragma once

#include <cstdint>

#include "scene/description.h"
#include "scene/estimate_picture.h"

namespace spindrift {

// Measured on runs of the catalogue at several sizes; docs/estimates.md has the measurements.
struct CellCosts {
    double program_bytes = 60 << 20;                      // before the first cell: the program and its libraries
    double memory_bytes_2d = 130, memory_bytes_3d = 195;  // all fields and scratch of a step, per active cell
    double solid_bytes = 80;                              // besides, per active cell, where there are solids in 3D
    double particle_bytes = 33;                           // with what is kept of them for steps that fail
    double volume_bytes = 7;                              // of a frame's VDB with two fields, compressed
    double mesh_bytes = 7;                                // of a frame's PLY
    double checkpoint_bytes = 20;
    double program_seconds = 0.1;
    double setup_seconds = 1e-6;  // of one core, per active cell, before the first step: where is liquid, how fast
    double setup_expression_seconds = 3e-6;                     // besides, where expressions say so
    double step_seconds_2d = 0.2e-6, step_seconds_3d = 0.3e-6;  // of one core, per active cell
    double solid_seconds = 0.3e-6;                              // besides, where there are solids
    double surface_seconds = 0.12e-6;                           // besides, per cell that the surface crosses in a step
    double particle_seconds_2d = 0.1e-6, particle_seconds_3d = 0.16e-6;
    double path_seconds = 0.03e-6;  // per particle and cell that it crosses
    double file_seconds = 1e-6;
};

struct SceneEstimate {
    double cell_size = 0;        // m
    Vec<int, 3> cells{};         // along each axis
    double box_cells = 0;        // their product
    double liquid_cells = 0;     // filled at the start
    double poured_cells = 0;     // that sources and inflows add by the end, as far as there is room
    double active_cells = 0;     // in tiles around them, at the start
    double most_cells = 0;       // in tiles, when it has splashed about and all is poured
    double mean_cells = 0;       // in tiles, over the run
    double particles = 0;        // at the start
    double most_particles = 0;   // at any time
    double steps_per_frame = 1;  // in the mean
    double splash = 0;           // how much of the liquid splashes about, from 0 to 1
    PictureShares shown{};       // what of a 3D picture shows liquid and glass
    bool is_complete = true;     // false if some shape is a mesh, which was not looked into, or tiles follow the smoke
    double field_bytes = 0;      // of fields and particles, the most at any time
    double memory_bytes = 0;     // with program and pictures
    double disk_bytes = 0;       // of all frames
    double picture_seconds = 0;  // of all pictures, on one core
    double core_seconds = 0;     // of all frames with their files and pictures, on one core
};

SceneEstimate estimate(const SceneDescription& scene, const CellCosts& costs = {});

namespace detail {

// Fills in cells, particles, steps, field_bytes and the seconds of steps as core_seconds.
void estimate_liquid(SceneEstimate& e, const SceneDescription& scene, const CellCosts& costs);
void estimate_foster_metaxas(SceneEstimate& e, const SceneDescription& scene, const CellCosts& costs);
void estimate_gas(SceneEstimate& e, const SceneDescription& scene, const CellCosts& costs);

}  // namespace detail

}  // namespace spindrift

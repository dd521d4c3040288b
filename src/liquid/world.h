// SPDX-License-Identifier: Apache-2.0
// What surrounds a liquid: the container, solids, forces and the fluid's constants.  Read-only during a run.
#pragma once

#include <array>
#include <functional>

#include "grid/transform.h"
#include "liquid/sources.h"
#include "schemes/boundaries.h"

namespace spindrift {

template <int Dim>
struct World {
    GridTransform<Dim> grid;                       // origin and cell size, m
    IndexBox<Dim> box;                             // the container, in cells
    std::array<std::array<Wall, 2>, Dim> walls{};  // below and above along each axis

    // Signed distance to the solids in the container, m, negative inside; empty when there are none.
    std::function<double(const Vec<double, Dim>&)> solid_distance;
    bool solid_slip = true;

    std::vector<LiquidSource<Dim>> sources;

    std::function<Vec<double, Dim>(double time)> gravity;  // m/s²
    double density = 1000;                                 // kg/m³
    double viscosity = 0;                                  // Pa·s
    double surface_tension = 0;                            // N/m
};

}  // namespace spindrift

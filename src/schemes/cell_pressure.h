// SPDX-License-Identifier: Apache-2.0
// Makes the velocity of full cells divergence-free by changes of their pressure, and those of the velocity on their
// faces that go with it [FM96 §3.1].  Faces of solids and inflows stay as they are; the pressure of surface cells and
// beyond outflows is given.
//
//   D = −∇·u,   δp = β D,   β = β0 / (2 dt Σ 1 / dx²),   u ± (dt / dx) δp on the cell's faces,   p + δp        (5)–(9)
//
// Sweeps go over the cells by two colours.  The colouring is its own mirror image about the middle of the box, so that
// a mirrored problem has the mirrored solution, bit by bit.  Neighbours of one colour, which then lie on both sides of
// the middle of an even number of cells, are changed together, and by less: by 2 Dim / (2 Dim + 1) for each of them,
// or else the sweeps would not converge.
//
// Full cells that no surface and no outflow borders can only be divergence-free if as much flows in as out.  What flows
// in beyond that is spread over them, and counted.
#pragma once

#include "grid/cell_flow.h"
#include "linear/solve_report.h"

namespace spindrift {

enum class CellPressure { relaxation, multigrid };

struct CellPressureSettings {
    CellPressure method = CellPressure::relaxation;
    double tolerance = 1e-4;       // ε, 1/s: the largest divergence that is left
    double over_relaxation = 1.7;  // β0
    int max_sweeps = 5000;         // or iterations of the multigrid solver
};

struct CellPressureReport {
    SolveReport solve{.converged = true};  // iterations are sweeps
    double divergence = 0;                 // the largest left in a full cell, 1/s
    double overflow = 0;                   // m³/s (m²/s) that flows in where there is no way out
    std::size_t cells = 0;                 // full ones
};

template <int Dim>
CellPressureReport solve_cell_pressure(CellFlow<Dim>& flow, double dt, const CellPressureSettings& settings);

}  // namespace spindrift

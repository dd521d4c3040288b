// SPDX-License-Identifier: Apache-2.0
// Pressure projection.  Solves ∇·(dt/ρ ∇p) = ∇·u in the liquid, p = 0 on its surface (ghost fluid, second order
// [Gibou02]), no flow through the closed part of faces (area-weighted [Batty07, Ng09]).  In terms of q = p dt / (ρ dx),
// a velocity:
//
//   Σ open (q_i − q_neighbour) + Σ_surface open q_i / θ = −Σ ± (open u + (1 − open) u_wall),
//   u −= q_i − q_below,   or ± q_i / θ at the surface.
//
// With a pressure on the surface, q_i − q_surface stands for q_i there.
//
// Where the density varies, each face has its own: its part of the sum and of the change is multiplied by ρ₀/ρ, with
// one density ρ₀ in q.
//
// Air that liquid encloses weighs nothing and keeps its volume: a bubble has one pressure, and as much flows out of all
// its cells together as flows in.  [Goldade20]  It is an unknown as that of a liquid cell is, beside which the surface
// lies θ away: the conductance of the faces between them is open / θ.  Where the bubble's gas is given, its volume
// yields to the pressure instead: what flows out of it in all is −C (q − q_before), C = V dx² / (γP dt²) with V in
// cells.
#pragma once

#include "linear/poisson_solver.h"
#include "schemes/boundary.h"
#include "schemes/enclosed_air.h"
#include "schemes/separation.h"

namespace spindrift {

struct [[nodiscard]] ProjectionReport {
    SolveReport solve{};
    double divergence = 0;  // the largest left in a liquid cell, 1/s
    std::size_t cells = 0;  // unknowns
    // What flows into regions that have no room for it, full and closed on all sides: it is left out.  m³/s (m²/s), by
    // body; empty where there are no such regions.
    std::vector<double> overflow{};
};

// The gas of a bubble at the beginning of a step; pressures are over the liquid's density.
struct BubbleGas {
    double volume = 0;     // cells
    double pressure = 0;   // m²/s², above that of the open air
    double stiffness = 0;  // m²/s², −V dp/dV: of air, γ times its absolute pressure
    double dt = 0;         // s, for which the velocity that is found moves the surface
};

template <int Dim>
struct ProjectionSettings {
    double tolerance = 1e-6;  // of the pressure solve
    int max_iterations = 200;
    // At the surface, over density, m²/s², given at the cells on both sides of it: surface tension.  None means zero.
    const Field<float, Dim>* surface_pressure = nullptr;
    // The divergence wanted in each cell, 1/s: for what falls into it, or what a volume control asks for.
    const Field<float, Dim>* expansion = nullptr;
    // Of enclosed air, the cells of each.  All other air is empty.
    const std::vector<CellGroup>* bubbles = nullptr;
    // Of each of them; none when they keep their volume.
    const std::vector<BubbleGas>* gas = nullptr;
    // The numbers of bodies of liquid, from 1, by which overflow is told apart, or negative in cells beside them; none
    // or an empty field when there is at most one.
    const Field<float, Dim>* bodies = nullptr;
    std::size_t body_count = 1;
    // ρ₀/ρ at faces, where the density varies: that of the pressure and all else here is ρ₀.  None: it is uniform.
    const FaceField<Dim>* lightness = nullptr;
    // Receives the cells that separate from solids; without it, liquid sticks to them.
    CellSet<Dim>* separating = nullptr;
};

// `pressure` (over density, m²/s²) holds the first guess and receives the solution.
template <int Dim>
ProjectionReport project(FaceField<Dim>& velocity, Field<float, Dim>& pressure, const Field<float, Dim>& phi,
                         const Boundary<Dim>& boundaries, double dt, const ProjectionSettings<Dim>& settings,
                         PoissonSolver<Dim>& solver);

// Takes the divergence out of the velocity that was extrapolated beyond the surface, as far as the surface gets in a
// step of dt: where water closes in on water or on a wall it is not pressed into less room.  [Rasmussen04]  Faces of
// liquid cells keep their velocity; beyond the way of the step, and outside `box`, nothing resists.
template <int Dim>
SolveReport project_air(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundary<Dim>& boundaries,
                        const IndexBox<Dim>& box, double dt);

}  // namespace spindrift

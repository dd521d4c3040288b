// SPDX-License-Identifier: Apache-2.0
// The linear system of implicit diffusion,  (I − κ dt ∇²) a_new = a,  for the points of any field.  A Problem knows
// what surrounds the points of one tile at a time:
//
//   load(slot), value(c)              values, ghost cells included
//   is_unknown(c)                     the system is solved for it
//   extents(c), open_volume(c)        what the point stands for, in cells
//   inflow(c)                         what comes in by itself
//   conductance(c, axis, above)       of the face towards another unknown
//   area(extents, axis, next)         of that face in the matrix; own_area() on the right-hand side
//   tie(c, axis, above)               Dirichlet value and flux towards anything else
//
// Plain tiles are those where nothing but unknowns surrounds any point.
#pragma once

#include "grid/halo.h"
#include "linear/poisson_solver.h"

namespace spindrift {

// What a value is tied to on one side: how firmly, to which value, and what comes in besides.
struct Tie {
    float strength = 0, value = 0, inflow = 0;
};

// Below this κ dt / dx² nothing would change that single precision could show.
constexpr double kNegligibleDiffusion = 1e-7;

// A plain tile's  Σ (a_next − a).
template <int Dim>
void sum_differences(float* to, const Field<float, Dim>& field, Slot slot) {
    const HaloBlock<float, Dim, 1> from(field, slot);
    for (int n = 0; n < kTileCells<Dim>; ++n) {
        const Index<Dim> c = cell_in_tile<Dim>(n);
        float around = 0;
        for (int axis = 0; axis < Dim; ++axis)
            around += (from(c - unit<Dim>(axis)) - from(c)) + (from(c + unit<Dim>(axis)) - from(c));
        to[n] = around;
    }
}

// The system of a tile for the change that the step makes, and its right-hand side: what flows into each cell before
// it.
template <int Dim, class Problem>
void fill_diffusion_tile(TileSystem<Dim>& system, float* right, const Problem& problem, float mass) {
    for (int n = 0; n < kTileCells<Dim>; ++n) {
        const Index<Dim> c = cell_in_tile<Dim>(n);
        if (!problem.is_unknown(c)) continue;
        const Vec<float, Dim> extents = problem.extents(c);
        const float size = product(extents);
        system.ground[n] = mass * size * problem.open_volume(c);
        right[n] = size * problem.inflow(c);
        for (int axis = 0; axis < Dim; ++axis)
            for (const bool above : {false, true}) {
                const Index<Dim> next = above ? c + unit<Dim>(axis) : c - unit<Dim>(axis);
                float open = problem.is_unknown(next) ? problem.conductance(c, axis, above) : 0;
                if (open > 0) {
                    right[n] += open * problem.own_area(extents, axis, next) * (problem.value(next) - problem.value(c));
                    open *= problem.area(extents, axis, next);
                    if (!above) system.lower[axis][n] = open;
                    if (above && c[axis] == kTileSide - 1) system.upper[axis][number_in_layer<Dim>(axis, n)] = open;
                    continue;
                }
                const float area = size / extents[axis];
                const Tie tie = problem.tie(c, axis, above);
                system.ground[n] += area * tie.strength;
                right[n] += area * (tie.strength * (tie.value - problem.value(c)) + tie.inflow);
            }
    }
}

// Takes an implicit step of number = κ dt / dx².  The tolerance is relative to the change that the step makes.
template <int Dim, class MakeProblem, class IsPlain>
SolveReport solve_diffusion(Field<float, Dim>& field, MakeProblem&& make_problem, IsPlain&& is_plain, double number,
                            double tolerance, PoissonSolver<Dim>& solver) {
    const auto mass = static_cast<float>(1 / number);
    const TilesPtr<Dim>& tiles = field.tiles_ptr();

    // Solve for the change: beside a large value, such as a temperature, a small one would drown.
    Field<float, Dim> right(tiles);
    const PoissonOperator<Dim> a(tiles, mass, [&](Slot slot, TileSystem<Dim>& system) {
        system.clear();
        if (is_plain(slot)) {
            std::fill_n(&system.lower[0][0], Dim * kTileCells<Dim>, 1.0F);
            std::fill_n(&system.upper[0][0], Dim * TileSystem<Dim>::kSideCells, 1.0F);
            std::fill_n(system.ground, kTileCells<Dim>, mass);
            return sum_differences(right.tile(slot), field, slot);
        }
        auto problem = make_problem();
        problem.load(slot);
        fill_diffusion_tile(system, right.tile(slot), problem, mass);
    });
    // Where a cell is tied to itself more firmly than to all others together, conjugate gradients need no help.
    constexpr float kFirmMass = 1;
    Field<float, Dim> change(tiles);
    SolveReport report =
        solver.solve(change, right, a,
                     {.tolerance = tolerance,
                      .preconditioner = mass > kFirmMass ? Preconditioner::none : Preconditioner::multigrid});
    // Where nothing was solved for, the change is zero.
    for_each_tile(*tiles, [&](Slot slot) {
        for (int n = 0; n < kTileCells<Dim>; ++n) field.tile(slot)[n] += change.tile(slot)[n];
    });
    return report;
}

// The explicit step,  a += κ dt ∇²a,  of the same system.  Not stable alone.
template <int Dim, class MakeProblem, class IsPlain>
void step_diffusion(Field<float, Dim>& field, MakeProblem&& make_problem, IsPlain&& is_plain, float number) {
    Field<float, Dim> result = field;
    for_each_tile(field.tiles(), [&](Slot slot) {
        float* to = result.tile(slot);
        float around[kTileCells<Dim>] = {};
        if (is_plain(slot)) {
            sum_differences(around, field, slot);
            for (int n = 0; n < kTileCells<Dim>; ++n) to[n] += number * around[n];
            return;
        }
        auto problem = make_problem();
        problem.load(slot);
        TileSystem<Dim> system;
        system.clear();
        fill_diffusion_tile(system, around, problem, 1.0F);
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> c = cell_in_tile<Dim>(n);
            if (!problem.is_unknown(c)) continue;
            to[n] += number * around[n] / (product(problem.extents(c)) * problem.open_volume(c));
        }
    });
    field = std::move(result);
}

}  // namespace spindrift

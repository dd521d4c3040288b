// SPDX-License-Identifier: Apache-2.0
// The marker-and-cell verbs of [FM96]: free surface, explicit step, pressure.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "schemes/cell_boundary.h"
#include "schemes/cell_pressure.h"
#include "schemes/explicit_step.h"

namespace spindrift {
namespace {

template <int Dim>
using Sides = std::array<std::array<double, 2>, Dim>;
template <int Dim>
using Open = std::array<std::array<bool, 2>, Dim>;

template <int Dim>
Open<Dim> pattern(unsigned bits) {
    Open<Dim> open;
    for (std::size_t a = 0; a < Dim; ++a) open[a] = {(bits >> (2 * a) & 1U) != 0, (bits >> (2 * a + 1) & 1U) != 0};
    return open;
}
template <int Dim>
Sides<Dim> velocities() {
    Sides<Dim> u;
    for (std::size_t a = 0; a < Dim; ++a)
        u[a] = {0.3 + 0.7 * static_cast<double>(a), -1.1 + 0.4 * static_cast<double>(a)};
    return u;
}

// All 16 patterns of open sides in 2D, all 64 in 3D.
template <int Dim>
void walk_patterns() {
    for (unsigned bits = 0; bits < 1U << (2 * Dim); ++bits) {
        const Open<Dim> open = pattern<Dim>(bits);
        const Sides<Dim> before = velocities<Dim>();
        Sides<Dim> after = before;
        balance_open_sides<Dim>(after, open);
        double divergence = 0, of_pairs = 0;
        int pairs = 0, single = 0;
        for (std::size_t a = 0; a < Dim; ++a) {
            const double across = after[a][1] - after[a][0];
            divergence += across;
            if (open[a][0] && open[a][1]) of_pairs += across, ++pairs;
            if (open[a][0] != open[a][1]) ++single;
            // Closed sides stay, and so do open ones opposite each other.
            for (std::size_t side : {0U, 1U})
                if (!open[a][side] || (open[a][0] && open[a][1])) {
                    EXPECT_EQ(after[a][side], before[a][side]) << bits;
                }
        }
        // Nothing is left over where some side can take it, but for what open pairs have by themselves.
        if (single > 0) {
            EXPECT_NEAR(divergence - of_pairs, 0, 1e-12) << bits;
        }
        // Equation (10).
        if (single == 1 && pairs == 0) {
            EXPECT_NEAR(divergence, 0, 1e-12) << bits;
        }
        // All but closed axes are open on one side: the opposite velocity as it is.
        for (std::size_t a = 0; a < Dim && single == Dim; ++a) EXPECT_EQ(after[a][0], after[a][1]) << bits;

        // The mirror image along an axis has the mirrored result, and so has the exchange of two axes.
        for (std::size_t a = 0; a < Dim; ++a) {
            Sides<Dim> mirrored = before;
            Open<Dim> mirrored_open = open;
            mirrored[a] = {-before[a][1], -before[a][0]};
            std::swap(mirrored_open[a][0], mirrored_open[a][1]);
            balance_open_sides<Dim>(mirrored, mirrored_open);
            for (std::size_t b = 0; b < Dim; ++b)
                for (std::size_t side : {0U, 1U})
                    EXPECT_EQ(mirrored[b][side], b == a ? -after[b][1 - side] : after[b][side]) << bits;
        }
        Sides<Dim> exchanged = before;
        Open<Dim> exchanged_open = open;
        std::swap(exchanged[0], exchanged[1]);
        std::swap(exchanged_open[0], exchanged_open[1]);
        balance_open_sides<Dim>(exchanged, exchanged_open);
        for (std::size_t side : {0U, 1U}) {
            EXPECT_NEAR(exchanged[0][side], after[1][side], 1e-15) << bits;
            EXPECT_NEAR(exchanged[1][side], after[0][side], 1e-15) << bits;
        }
    }
}
TEST(CellBoundary, AllPatternsOfOpenSides2D) { walk_patterns<2>(); }
TEST(CellBoundary, AllPatternsOfOpenSides3D) { walk_patterns<3>(); }

template <int Dim>
CellFlow<Dim> full_box(int cells, double dx = 0.1) {
    CellFlow<Dim> flow({Index<Dim>(0), Index<Dim>(cells)}, dx);
    for_each_index(flow.box, [&](const Index<Dim>& cell) { flow.kind[cell] = CellContent::full; });
    return flow;
}

double no_inflow(int, const Index<2>&) { return 0; }

TEST(CellBoundary, WallsMirrorTheVelocityAlongThem) {
    for (const CellContent wall : {CellContent::solid, CellContent::no_slip}) {
        CellFlow<2> flow = full_box<2>(4);
        for_each_index(flow.kind.box(), [&](const Index<2>& cell) {
            if (!flow.box.contains(cell)) flow.kind[cell] = wall;
            flow.velocity[0][cell] = 1 + cell[1];
        });
        set_closed_faces<2>(flow, no_inflow);
        set_faces_beyond(flow);
        EXPECT_EQ(flow.velocity[0][Index<2>(0, 2)], 0);
        EXPECT_EQ(flow.velocity[0][Index<2>(4, 2)], 0);
        EXPECT_EQ(flow.velocity[0][Index<2>(2, -1)], wall == CellContent::solid ? 1 : -1);
        EXPECT_EQ(flow.velocity[0][Index<2>(2, 4)], wall == CellContent::solid ? 4 : -4);
    }
}

// A uniform flow through a channel of full cells, with inflow and outflow, stays as it is.
TEST(ExplicitStep, AUniformFlowStaysUniform) {
    CellFlow<3> flow = full_box<3>(6);
    const Vec<double, 3> u(0.8, 0.0, 0.0);
    for_each_index(flow.kind.box(), [&](const Index<3>& cell) {
        if (cell[0] == -1) flow.kind[cell] = CellContent::inflow;
        if (cell[0] == 6) flow.kind[cell] = CellContent::outflow;
        flow.velocity[0][cell] = u[0];
    });
    for (int step = 0; step < 5; ++step) {
        set_closed_faces<3>(flow, [&](int axis, const Index<3>&) { return u[axis]; });
        set_faces_beyond(flow);
        advance_explicitly<3>(flow, {}, 1e-3, 1.5, 0.05);
        set_outflow_faces(flow);
        const CellPressureReport solved = solve_cell_pressure(flow, 0.05, {});
        EXPECT_TRUE(solved.solve.converged);
    }
    for_each_index(flow.faces(0), [&](const Index<3>& face) { EXPECT_NEAR(flow.velocity[0][face], u[0], 1e-6); });
}

// A shear wave between free-slip walls decays by viscosity alone: u = cos(π y / L) exp(−ν π² t / L²).
TEST(ExplicitStep, AShearWaveDecaysByViscosity) {
    constexpr int kCells = 32;
    const double dx = 1.0 / kCells, viscosity = 0.01, dt = 0.01;
    CellFlow<2> flow = full_box<2>(kCells, dx);
    for_each_index(flow.kind.box(), [&](const Index<2>& cell) {
        if (cell[0] == -1) flow.kind[cell] = CellContent::inflow;
        if (cell[0] == kCells) flow.kind[cell] = CellContent::outflow;
        flow.velocity[0][cell] = std::cos(std::numbers::pi * (cell[1] + 0.5) * dx);
    });
    double time = 0;
    const auto exact = [&](const Index<2>& face) {
        return std::cos(std::numbers::pi * (face[1] + 0.5) * dx) *
               std::exp(-viscosity * std::numbers::pi * std::numbers::pi * time);
    };
    for (int step = 0; step < 50; ++step) {
        set_closed_faces<2>(flow, [&](int axis, const Index<2>& face) { return axis == 0 ? exact(face) : 0; });
        set_faces_beyond(flow);
        advance_explicitly<2>(flow, {}, viscosity, 0, dt);
        set_outflow_faces(flow);
        time += dt;
    }
    // Measured 2e-4: first order in time at the inflow, and the error of second order in space.
    for_each_index(flow.box, [&](const Index<2>& face) {
        if (face[0] > 0) {
            EXPECT_NEAR(flow.velocity[0][face], exact(face), 1e-3);
        }
    });
}

// Without the donor cells' share grid-scale noise grows in a thin liquid, with it it dies away.
TEST(ExplicitStep, DonorCellsKeepThinLiquidsSmooth) {
    double roughness[2];
    for (const int with : {0, 1}) {
        CellFlow<2> flow = full_box<2>(32, 1);
        const auto start = [](const Index<2>& face) { return 1 + 0.01 * std::sin(2 * std::numbers::pi * face[0] / 4); };
        for_each_index(flow.kind.box(), [&](const Index<2>& cell) {
            if (cell[0] == -1) flow.kind[cell] = CellContent::inflow;
            if (cell[0] == 32) flow.kind[cell] = CellContent::outflow;
            flow.velocity[0][cell] = 1;
            flow.velocity[1][cell] = 0.01 * std::sin(2 * std::numbers::pi * cell[0] / 4);
        });
        for (int step = 0; step < 40; ++step) {
            set_closed_faces<2>(flow, [&](int axis, const Index<2>&) { return axis == 0 ? 1.0 : 0.0; });
            set_faces_beyond(flow);
            advance_explicitly<2>(flow, {}, 0, with != 0 ? 1.5 : 0, 0.4);
            set_outflow_faces(flow);
        }
        double most = 0;
        for (int i = 20; i < 30; ++i) most = std::max(most, std::abs(flow.velocity[1][Index<2>(i, 16)]));
        roughness[with] = most;
        EXPECT_GT(start({1, 0}), 1);
    }
    EXPECT_GT(roughness[0], 0.01);
    EXPECT_LT(roughness[1], 0.5 * roughness[0]);
}

// A pool of full cells below a layer of surface cells, with velocities without order.
template <int Dim>
CellFlow<Dim> disordered_pool(int cells) {
    CellFlow<Dim> flow({Index<Dim>(0), Index<Dim>(cells)}, 0.1);
    for_each_index(flow.box, [&](const Index<Dim>& cell) {
        flow.kind[cell] = cell[1] < cells / 2 ? CellContent::full : CellContent::empty;
    });
    label_surface(flow);
    for (int a = 0; a < Dim; ++a)
        for_each_index(flow.faces(a), [&](const Index<Dim>& face) {
            flow.velocity[static_cast<std::size_t>(a)][face] = std::sin(1.7 * face[0] + 2.9 * face[1] + 5 * a);
        });
    set_closed_faces<Dim>(flow, [](int, const Index<Dim>&) { return 0.0; });
    return flow;
}

template <int Dim>
void both_solvers_agree() {
    const double dt = 0.02;
    CellFlow<Dim> relaxed = disordered_pool<Dim>(12), fast = relaxed;
    const CellPressureReport sweeps = solve_cell_pressure(relaxed, dt, {.tolerance = 1e-6});
    const CellPressureReport cycles =
        solve_cell_pressure(fast, dt, {.method = CellPressure::multigrid, .tolerance = 1e-4});
    EXPECT_TRUE(sweeps.solve.converged);
    EXPECT_TRUE(cycles.solve.converged);
    EXPECT_LT(sweeps.divergence, 1e-6);
    EXPECT_LT(cycles.divergence, 1e-4);
    EXPECT_GT(sweeps.solve.iterations, cycles.solve.iterations);
    for (int a = 0; a < Dim; ++a)
        for_each_index(relaxed.faces(a), [&](const Index<Dim>& face) {
            const auto axis = static_cast<std::size_t>(a);
            EXPECT_NEAR(relaxed.velocity[axis][face], fast.velocity[axis][face], 1e-4);
        });
}
TEST(CellPressure, RelaxationAndMultigridAgree2D) { both_solvers_agree<2>(); }
TEST(CellPressure, RelaxationAndMultigridAgree3D) { both_solvers_agree<3>(); }

// Sweeps converge whatever the numbers of cells, also where neighbours of one colour meet in the middle.
TEST(CellPressure, SweepsConvergeForEvenAndOddBoxes) {
    for (const int cells : {7, 8, 19, 20, 40})
        for (const double beta0 : {1.0, 1.7, 1.9}) {
            CellFlow<2> flow = disordered_pool<2>(cells);
            const CellPressureReport solved = solve_cell_pressure(flow, 0.02, {.over_relaxation = beta0});
            EXPECT_TRUE(solved.solve.converged) << cells << " cells, " << beta0;
            EXPECT_LT(solved.divergence, 1e-4);
        }
}

TEST(CellPressure, AMirroredProblemHasTheMirroredSolution) {
    constexpr int kCells = 10;
    CellFlow<2> flow = disordered_pool<2>(kCells), mirror = flow;
    for_each_index(flow.faces(0), [&](const Index<2>& face) {
        mirror.velocity[0][Index<2>(kCells - face[0], face[1])] = -flow.velocity[0][face];
    });
    for_each_index(flow.faces(1), [&](const Index<2>& face) {
        mirror.velocity[1][Index<2>(kCells - 1 - face[0], face[1])] = flow.velocity[1][face];
    });
    EXPECT_TRUE(solve_cell_pressure(flow, 0.02, {}).solve.converged);
    EXPECT_TRUE(solve_cell_pressure(mirror, 0.02, {}).solve.converged);
    for_each_index(flow.box, [&](const Index<2>& cell) {
        const Index<2> other(kCells - 1 - cell[0], cell[1]);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(flow.pressure[cell]),
                  std::bit_cast<std::uint64_t>(mirror.pressure[other]));
    });
}

// A full tank without a way out takes what flows in as overflow, and still converges.
TEST(CellPressure, ClosedRegionsCountWhatFindsNoRoom) {
    CellFlow<2> flow = full_box<2>(8);
    for_each_index(flow.kind.box(), [&](const Index<2>& cell) {
        if (cell[0] == -1) flow.kind[cell] = CellContent::inflow;
    });
    set_closed_faces<2>(flow, [](int axis, const Index<2>&) { return axis == 0 ? 0.5 : 0.0; });
    const CellPressureReport solved = solve_cell_pressure(flow, 0.02, {});
    EXPECT_TRUE(solved.solve.converged);
    EXPECT_NEAR(solved.overflow, 0.5 * 0.8, 1e-12);
}

}  // namespace
}  // namespace spindrift

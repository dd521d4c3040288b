// SPDX-License-Identifier: Apache-2.0
// Problems of the shape that animation meets: how many iterations, how much memory, and whether all solvers agree.
#include "linear/poisson_solver.h"

#include <cmath>

#include <gtest/gtest.h>

#include "grid/measure.h"
#include "linear/fourier.h"
#include "linear/model_problems.h"
#include "linear/test_support.h"
#include "linear/tile_vectors.h"

namespace spindrift {
namespace {

template <class T>
class PoissonSolving : public ::testing::Test {};
TYPED_TEST_SUITE(PoissonSolving, Dimensions);

template <int Dim>
struct Solved {
    SolveReport report;
    Field<float, Dim> x;
    std::size_t unknowns;
    std::size_t bytes;
};

template <int Dim>
Solved<Dim> solved(const ModelProblem<Dim>& problem, const SolveOptions& options = {}) {
    const PoissonOperator<Dim> a = free_surface_operator(problem.level, problem.open);
    PoissonSolver<Dim> solver;
    Field<float, Dim> x(a.tiles_ptr());
    const SolveReport report = solver.solve(x, problem.right_side, a, options);
    EXPECT_TRUE(report.converged) << report.failure;
    EXPECT_EQ(report.failure, "");
    EXPECT_LE(report.residual, options.tolerance);
    return {report, std::move(x), a.unknown_count(), solver.bytes()};
}

template <int Dim>
int iterations(const ModelProblem<Dim>& problem) {
    const Solved<Dim> s = solved(problem);
    // Single precision alone keeps x as stored from solving the system: 4 Dim bounds ‖A‖, but for the few cells that
    // touch the surface.
    const double floor = 0x1p-24 * 4 * Dim * l2_norm(s.x) / l2_norm(problem.right_side);
    EXPECT_LE(s.report.measured_residual, floor + s.report.residual);
    return s.report.iterations;
}

TEST(PoissonIterations, Dam64) {
    EXPECT_LE(iterations(dam_problem<3>(64)), 9);
    EXPECT_LE(iterations(dam_problem<3>(64, Obstacle::none, false)), 10);
}

TEST(PoissonIterations, GrowLittleWithTheGrid3D) {
    const int at_64 = iterations(dam_problem<3>(64));
    EXPECT_LE(iterations(dam_problem<3>(128)), at_64 + 2);
    EXPECT_LE(iterations(dam_problem<3>(256)), at_64 + 3);
    EXPECT_LE(iterations(dam_problem<3>(128, Obstacle::none, false)), 11);
    for (const int n : {32, 64, 128}) {
        EXPECT_LE(iterations(closed_problem<3>(n)), 9) << n;
        EXPECT_LE(iterations(full_problem<3>(n)), 9) << n;
    }
}

TEST(PoissonIterations, GrowLittleWithTheGrid2D) {
    for (const int n : {64, 256, 1024}) {
        EXPECT_LE(iterations(dam_problem<2>(n)), 11) << n;
        EXPECT_LE(iterations(dam_problem<2>(n, Obstacle::none, false)), 11) << n;
        EXPECT_LE(iterations(closed_problem<2>(n)), 8) << n;
        EXPECT_LE(iterations(full_problem<2>(n)), 9) << n;
    }
}

// What is left of a velocity that has come to rest may be smaller than any normal float.
TEST(PoissonIterations, RightSidesOfAnySizeConverge) {
    for (const ModelProblem<2>& problem : {dam_problem<2>(32), closed_problem<2>(32)}) {
        const Field<float, 2> expected = solved(problem).x;
        for (int exponent = 0; exponent <= 150; exponent += 2) {
            ModelProblem<2> small = problem;
            transform_values(small.right_side, [&](float v) { return std::ldexp(v, -exponent); });
            Solved<2> s = solved(small);
            EXPECT_LE(s.report.iterations, 11) << "right side of 2^-" << exponent;
            if (exponent > 70)
                continue;  // further down, the squares of the right side are zero, and so is the solution
            transform_values(s.x, [&](float v) { return std::ldexp(v, exponent); });
            axpby(s.x, -1.0F, expected, 1.0F);
            EXPECT_LE(l2_norm(s.x), 1e-4 * l2_norm(expected)) << "right side of 2^-" << exponent;
        }
        // Of a single value the square may be there while its product with the solution is not.
        for (int exponent = 60; exponent <= 80; ++exponent) {
            ModelProblem<2> single = problem;
            assign(single.right_side, [&](const Index<2>& cell) {
                return cell == Index<2>{5, 5} ? std::ldexp(1.0F, -exponent) : 0.0F;
            });
            EXPECT_LE(solved(single).report.iterations, 11) << "a value of 2^-" << exponent;
        }
    }
}

TEST(PoissonIterations, SidesThatAreNoPowerOfTwoCostNoMore) {
    for (const int n : {63, 65, 71, 97}) EXPECT_LE(iterations(dam_problem<3>(n)), 10) << n;
    for (const int n : {63, 65, 251, 257, 1000}) EXPECT_LE(iterations(dam_problem<2>(n)), 11) << n;
}

// What the solver says it holds is what it held: blocks are counted as they are made and given back.
TYPED_TEST(PoissonSolving, MemoryIsSmallAndHonest) {
    constexpr int Dim = TypeParam::kDim;
    for (const int n : Dim == 2 ? std::vector<int>{256, 1024} : std::vector<int>{64, 128})
        for (const bool closed : {false, true}) {
            const ModelProblem<Dim> problem = closed ? closed_problem<Dim>(n) : dam_problem<Dim>(n);
            const std::size_t before = memory_use().bytes;
            reset_peak_memory();
            const PoissonOperator<Dim> a = free_surface_operator(problem.level, problem.open);
            Field<float, Dim> x(a.tiles_ptr());
            const Field<float, Dim> b = problem.right_side;
            PoissonSolver<Dim> solver;
            EXPECT_TRUE(solver.solve(x, b, a).converged);
            const double said = static_cast<double>(solver.bytes()) / static_cast<double>(a.unknown_count());
            const double held =
                static_cast<double>(memory_use().peak - before) / static_cast<double>(a.unknown_count());
            EXPECT_LE(said, 60) << n;
            // Tables of tiles are said but not held in blocks; constants that levels share are said once for each.
            EXPECT_LE(held, said) << n;
            EXPECT_GE(held, 0.75 * said) << n;
        }
}

// Every way to solve the same small system, against elimination in double.
TYPED_TEST(PoissonSolving, EverySolverAgreesWithElimination) {
    constexpr int Dim = TypeParam::kDim;
    for (const unsigned seed : {1U, 2U, 3U, 4U})
        for (const float mass : {0.0F, 0.3F}) {
            const System<Dim> system = small_random_system<Dim>(seed, mass);
            const PoissonOperator<Dim> a = system.make_operator();
            const Field<float, Dim> b = random_field<Dim>(system.tiles(), seed);
            const Field<double, Dim> exact = dense_solution(system, b);
            double size = 0;
            for (const double v : exact.values()) size = std::max(size, std::abs(v));
            const auto expect_solution = [&](const char* solver, const Field<float, Dim>& x,
                                             const SolveReport& report) {
                const auto worst = difference(x, [&](const Index<Dim>& cell) { return exact.at(cell); });
                EXPECT_EQ(report.regions_made_compatible, free_regions(system).size());
                EXPECT_LT(worst.largest, 1e-4 * size)
                    << solver << ", seed " << seed << ", mass " << mass << ": " << worst;
            };
            for (const auto& [name, preconditioner] : {std::pair{"multigrid", Preconditioner::multigrid},
                                                       std::pair{"cholesky", Preconditioner::incomplete_cholesky},
                                                       std::pair{"none", Preconditioner::none}}) {
                Field<float, Dim> x = random_field<Dim>(system.tiles(), 99);
                const SolveReport report = solve_poisson(
                    x, b, a, {.tolerance = 1e-7, .max_iterations = 1000, .preconditioner = preconditioner});
                EXPECT_TRUE(report.converged) << name << ", seed " << seed << ", mass " << mass;
                expect_solution(name, x, report);
            }
            // Relaxation measures its residual on x as stored, which rounding keeps above some 1e-6 here.
            for (const float weight : {1.0F, 1.7F}) {
                Field<float, Dim> x = random_field<Dim>(system.tiles(), 99);
                const SolveReport report = solve_by_relaxation(x, b, a, {.max_iterations = 5000, .weight = weight});
                EXPECT_LT(report.residual, 1e-5) << "seed " << seed << ", mass " << mass;
                expect_solution("relaxation", x, report);
            }
        }
}

// No x in single precision has a smaller residual than the exact one rounded, but for luck.
TYPED_TEST(PoissonSolving, MeasuredResidualIsNearTheFloorOfRounding) {
    constexpr int Dim = TypeParam::kDim;
    // Held ever more weakly: x grows, and with it the rounding of differences between its values.
    const IndexBox<Dim> box{Index<Dim>(-3), Index<Dim>(Dim == 2 ? 18 : 5)};
    for (const float held : {1.0F, 1e-2F, 1e-4F}) {
        System<Dim> system = closed_box(box);
        system.ground.ref(Index<Dim>(1)) = held;
        const PoissonOperator<Dim> a = system.make_operator();
        const Field<float, Dim> b = random_field<Dim>(system.tiles(), 1);
        Field<float, Dim> x(system.tiles()), rounded(system.tiles()), r(system.tiles()), kept = b;
        const SolveReport report = solve_poisson(x, b, a);
        EXPECT_TRUE(report.converged);

        const Field<double, Dim> exact = dense_solution(system, b);
        assign(rounded, [&](const Index<Dim>& cell) { return static_cast<float>(exact.at(cell)); });
        a.keep_unknowns(kept);
        const double floor = std::sqrt(a.residual(r, b, rounded)) / l2_norm(kept);
        EXPECT_LE(report.measured_residual, 4 * floor + 1e-6) << "held by " << held << ", floor " << floor;
        EXPECT_GE(report.measured_residual, 0.1 * floor) << "held by " << held << ", floor " << floor;
    }
}

// A box whose surface lies at the next centres, and a closed one, as the direct solver sees them.
TYPED_TEST(PoissonSolving, FourierAgreesOnBoxes) {
    constexpr int Dim = TypeParam::kDim;
    if (!FourierSolver<Dim>::available()) GTEST_SKIP() << "this build lacks FFTW";
    const int n = Dim == 2 ? 100 : 40;
    for (const bool closed : {false, true}) {
        const ModelProblem<Dim> problem = closed ? closed_problem<Dim>(n, Obstacle::none) : full_problem<Dim>(n);
        const Solved<Dim> ours = solved(problem);
        typename FourierSolver<Dim>::Sides sides;
        sides.fill(closed ? std::array{FourierSide::closed, FourierSide::closed}
                          : std::array{FourierSide::fixed_centre, FourierSide::fixed_centre});
        Field<float, Dim> direct(problem.right_side.tiles_ptr());
        EXPECT_TRUE(FourierSolver<Dim>(problem.box, sides).solve(direct, problem.right_side).converged);
        const auto worst = difference(
            ours.x, [&](const Index<Dim>& cell) { return problem.box.contains(cell) ? double{direct.at(cell)} : 0.0; });
        EXPECT_LT(worst.largest, 1e-4 * max_abs(direct)) << (closed ? "closed " : "full ") << worst;
    }
}

TYPED_TEST(PoissonSolving, PreconditionersAgreeOnTheDam) {
    constexpr int Dim = TypeParam::kDim;
    const ModelProblem<Dim> problem = dam_problem<Dim>(32);
    const Solved<Dim> multigrid = solved(problem);
    for (const Preconditioner other : {Preconditioner::incomplete_cholesky, Preconditioner::none}) {
        const Solved<Dim> x = solved(problem, {.max_iterations = 2000, .preconditioner = other});
        EXPECT_GT(x.report.iterations, multigrid.report.iterations);
        const auto worst = difference(x.x, [&](const Index<Dim>& cell) { return multigrid.x.at(cell); });
        EXPECT_LT(worst.largest, 1e-4 * max_abs(multigrid.x)) << worst;
    }
}

// Units do not matter: powers of two scale the solution to the bit.
TYPED_TEST(PoissonSolving, SolutionScalesWithTheRightSide) {
    constexpr int Dim = TypeParam::kDim;
    ModelProblem<Dim> problem = dam_problem<Dim>(24);
    const Solved<Dim> one = solved(problem);
    for (const float scale : {0x1p-40F, 0x1p40F}) {
        ModelProblem<Dim> scaled = problem;
        for (float& v : scaled.right_side.values()) v *= scale;
        const Solved<Dim> other = solved(scaled);
        EXPECT_EQ(other.report.iterations, one.report.iterations) << scale;
        const auto worst = difference(other.x, [&](const Index<Dim>& cell) { return double{one.x.at(cell)} * scale; });
        EXPECT_EQ(worst.largest, 0) << scale << ": " << worst;
    }
}

}  // namespace
}  // namespace spindrift

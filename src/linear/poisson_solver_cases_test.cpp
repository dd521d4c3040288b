// SPDX-License-Identifier: Apache-2.0
// The edges of what a solver is given: nothing, single cells, long chains, far cells, numbers that are none.
#include <limits>

#include <gtest/gtest.h>

#include "grid/measure.h"
#include "linear/model_problems.h"
#include "linear/poisson_solver.h"
#include "linear/test_support.h"

namespace spindrift {
namespace {

template <class T>
class PoissonCases : public ::testing::Test {};
TYPED_TEST_SUITE(PoissonCases, Dimensions);

constexpr Preconditioner kAll[] = {Preconditioner::multigrid, Preconditioner::incomplete_cholesky,
                                   Preconditioner::none};
constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();

// Solves with each preconditioner and by relaxation, from zero, and hands x and the report to check.
template <int Dim, class Check>
void with_each_solver(const System<Dim>& system, const Field<float, Dim>& b, Check&& check) {
    const PoissonOperator<Dim> a = system.make_operator();
    for (const Preconditioner preconditioner : kAll) {
        Field<float, Dim> x(system.tiles());
        check(x, solve_poisson(x, b, a, {.preconditioner = preconditioner}));
    }
    Field<float, Dim> x(system.tiles());
    check(x, solve_by_relaxation(x, b, a));
}

template <int Dim>
void expect_zero_at_once(const System<Dim>& system, const Field<float, Dim>& b) {
    with_each_solver(system, b, [](const Field<float, Dim>& x, const SolveReport& report) {
        EXPECT_TRUE(report.converged);
        EXPECT_EQ(report.failure, "");
        EXPECT_EQ(report.iterations, 0);
        EXPECT_EQ(report.residual, 0);
        EXPECT_EQ(report.measured_residual, 0);
        EXPECT_EQ(max_abs(x), 0);
    });
}

// Cells that share a value have the one they get where next to nothing resists between them, and faces inside conduct
// what they may.
TYPED_TEST(PoissonCases, SharedValuesAreThoseOfAShortCircuit) {
    constexpr int Dim = TypeParam::kDim;
    const IndexBox<Dim> box{Index<Dim>(-6), Index<Dim>(6)}, first{Index<Dim>(-2), Index<Dim>(2)},
        second{Index<Dim>(3), Index<Dim>(5)};
    System<Dim> system = closed_box<Dim>(box);
    for_each_index(box, [&](const Index<Dim>& cell) {
        if (cell[0] == -6) system.ground.ref(cell) = 2;
    });
    const Field<float, Dim> b = random_field<Dim>(system.tiles(), 5);
    const auto conducting = [&](float inside) {
        System<Dim> other = system;
        for (const IndexBox<Dim>& group : {first, second})
            for_each_index(group, [&](const Index<Dim>& cell) {
                for (int axis = 0; axis < Dim; ++axis)
                    if (group.contains(cell - unit<Dim>(axis))) other.conductance[axis].ref(cell) = inside;
            });
        return other;
    };
    const Field<double, Dim> expected = dense_solution(conducting(1e7F), b);
    std::vector<CellGroup> shared;
    for (const IndexBox<Dim>& group : {first, second}) {
        shared.emplace_back();
        for_each_index(group, [&](const Index<Dim>& cell) {
            shared.back().push_back({system.tiles()->find(tile_of_cell(cell)), offset_in_tile(cell)});
        });
    }
    for (const float inside : {1.0F, 100.0F})
        for (const Preconditioner preconditioner : kAll) {
            Field<float, Dim> x = random_field<Dim>(system.tiles(), 6);
            const SolveReport report = solve_poisson(x, b, conducting(inside).make_operator(),
                                                     {.tolerance = 1e-6,
                                                      .max_iterations = 2000,
                                                      .preconditioner = preconditioner,
                                                      .multigrid = {},
                                                      .shared = &shared});
            EXPECT_TRUE(report.converged) << report.iterations;
            EXPECT_LT(report.measured_residual, 1e-5);
            double largest = 0, error = 0;
            for_each_index(box, [&](const Index<Dim>& cell) {
                largest = std::max(largest, std::abs(expected.at(cell)));
                error = std::max(error, std::abs(double{x.at(cell)} - expected.at(cell)));
            });
            EXPECT_LT(error, 1e-4 * largest);
            for_each_index(first, [&](const Index<Dim>& cell) { EXPECT_EQ(x.at(cell), x.at(first.lo)); });
        }
}

// A guess that is far too large for the right side: the pressure of the last step where the velocity has no divergence
// left but rounding.  Long thin boxes with nothing that holds the pressure are the hardest.
TYPED_TEST(PoissonCases, AGuessWorseThanZeroIsNotStartedFrom) {
    constexpr int Dim = TypeParam::kDim;
    for (int axis = 0; axis < Dim; ++axis)
        for (int thick = 1; thick <= 3; ++thick)
            for (const int length : {2, 7, 9, 17}) {
                IndexBox<Dim> box{Index<Dim>(0), Index<Dim>(thick)};
                box.hi[axis] = length;
                const System<Dim> system = closed_box<Dim>(box);
                Field<float, Dim> b = random_field<Dim>(system.tiles(), 3), x = random_field<Dim>(system.tiles(), 4);
                for (float& value : b.values()) value *= 1e-7F;
                const SolveReport report = solve_poisson(x, b, system.make_operator());
                EXPECT_TRUE(report.converged) << thick << " x " << length << " along " << axis;
                EXPECT_EQ(report.failure, "") << thick << " x " << length << " along " << axis;
                EXPECT_LT(max_abs(x), 1e-4F);
            }
}

TYPED_TEST(PoissonCases, NothingToSolve) {
    constexpr int Dim = TypeParam::kDim;
    // No tiles; tiles without unknowns, whatever b holds there; a sealed cell; no right side.
    const TilesPtr<Dim> none = Tiles<Dim>::from_coordinates({});
    expect_zero_at_once(System<Dim>(none), Field<float, Dim>(none));
    const TilesPtr<Dim> some = Tiles<Dim>::covering({Index<Dim>(-8), Index<Dim>(8)});
    Field<float, Dim> b = random_field<Dim>(some, 1);
    b.values()[3] = kNan;
    expect_zero_at_once(System<Dim>(some), b);
    const System<Dim> cell = closed_box<Dim>({Index<Dim>(3), Index<Dim>(4)});
    expect_zero_at_once(cell, random_field<Dim>(cell.tiles(), 1));
    const System<Dim> box = closed_box<Dim>({Index<Dim>(-3), Index<Dim>(12)}, 0.1F);
    expect_zero_at_once(box, Field<float, Dim>(box.tiles()));
}

TYPED_TEST(PoissonCases, NoRightSideHasNoSolutionButZeroWhateverTheFirstGuess) {
    constexpr int Dim = TypeParam::kDim;
    const PoissonOperator<Dim> a = closed_box<Dim>({Index<Dim>(-3), Index<Dim>(12)}, 0.1F).make_operator();
    const Field<float, Dim> b(a.tiles_ptr());
    Field<float, Dim> x = random_field<Dim>(a.tiles_ptr(), 1), y = x;
    for (const SolveReport& report : {solve_poisson(x, b, a), solve_by_relaxation(y, b, a)}) {
        EXPECT_TRUE(report.converged);
        EXPECT_EQ(report.failure, "");
    }
    EXPECT_EQ(max_abs(x), 0);
    EXPECT_EQ(max_abs(y), 0);
}

TYPED_TEST(PoissonCases, SingleOpenCell) {
    constexpr int Dim = TypeParam::kDim;
    for (const int at : {-1, 0, 5}) {
        System<Dim> system = closed_box<Dim>({Index<Dim>(at), Index<Dim>(at + 1)});
        system.ground.ref(Index<Dim>(at)) = 4;
        Field<float, Dim> b(system.tiles());
        b.fill(7);
        with_each_solver(system, b, [&](const Field<float, Dim>& x, const SolveReport& report) {
            EXPECT_TRUE(report.converged);
            EXPECT_NEAR(x.at(Index<Dim>(at)), 1.75, 1e-5);
            EXPECT_NEAR(sum(x), 1.75, 1e-5);  // zero everywhere else
        });
    }
}

// x along a chain of cells held at its lower end by 1: b = 1 at the far end alone gives x = 1, 2, 3, …
TYPED_TEST(PoissonCases, Chains) {
    constexpr int Dim = TypeParam::kDim;
    for (int axis = 0; axis < Dim; ++axis)
        for (const int length : {2, 3, 9, 100, 1000}) {
            IndexBox<Dim> box{Index<Dim>(-3), Index<Dim>(-2)};
            box.hi[axis] += length - 1;
            System<Dim> system = closed_box(box);
            system.ground.ref(box.lo) = 1;
            Field<float, Dim> b(system.tiles()), x(system.tiles());
            b.ref(box.hi - Index<Dim>(1)) = 1;
            const SolveReport report = solve_poisson(x, b, system.make_operator());
            EXPECT_TRUE(report.converged) << length;
            EXPECT_LE(report.iterations, 10) << length << " along axis " << axis;
            const auto worst = difference(
                x, [&](const Index<Dim>& cell) { return box.contains(cell) ? cell[axis] - box.lo[axis] + 1.0 : 0.0; });
            EXPECT_LT(worst.largest, 1e-4 * length) << worst << ", " << length << " along axis " << axis;
        }
}

TYPED_TEST(PoissonCases, CellsFarApart) {
    constexpr int Dim = TypeParam::kDim;
    std::vector<Index<Dim>> cells;
    for_each_index(IndexBox<Dim>{Index<Dim>(-2), Index<Dim>(2)}, [&](const Index<Dim>& c) {
        cells.push_back(map([](int i) { return i < -1 ? -300'000 : i > 0 ? 500'000 : i; }, c));
    });
    std::vector<Index<Dim>> coordinates;
    for (const Index<Dim>& cell : cells) coordinates.push_back(tile_of_cell(cell));
    System<Dim> system(Tiles<Dim>::from_coordinates(coordinates));
    Field<float, Dim> b(system.tiles());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        system.unknown.ref(cells[i]) = 1;  // those at -1 and 0 are neighbours in space, in tiles that are too
        system.ground.ref(cells[i]) = static_cast<float>(i + 1);
        b.ref(cells[i]) = static_cast<float>(i + 1);
    }
    // No face conducts, so each cell is on its own: x = 1.
    with_each_solver(system, b, [&](const Field<float, Dim>& x, const SolveReport& report) {
        EXPECT_TRUE(report.converged);
        for (const Index<Dim>& cell : cells) EXPECT_NEAR(x.at(cell), 1, 1e-5) << text(cell);
    });
    // Now those that touch are connected; all are still pulled to 1.
    for (int axis = 0; axis < Dim; ++axis) system.conductance[axis].fill(1);
    with_each_solver(system, b, [&](const Field<float, Dim>& x, const SolveReport& report) {
        EXPECT_TRUE(report.converged);
        for (const Index<Dim>& cell : cells) EXPECT_NEAR(x.at(cell), 1, 1e-5) << text(cell);
    });
}

TYPED_TEST(PoissonCases, WarmStartAtTheSolutionTakesNoIteration) {
    constexpr int Dim = TypeParam::kDim;
    const System<Dim> system = closed_box<Dim>({Index<Dim>(-5), Index<Dim>(14)}, 0.5F);
    const PoissonOperator<Dim> a = system.make_operator();
    const Field<float, Dim> b = random_field<Dim>(system.tiles(), 1);
    Field<float, Dim> x(system.tiles());
    PoissonSolver<Dim> solver;
    const SolveReport cold = solver.solve(x, b, a);
    EXPECT_GT(cold.iterations, 2);
    EXPECT_LT(cold.measured_residual, 1e-6);
    const std::uint64_t before = state_hash(x);
    const SolveReport warm = solver.solve(x, b, a);
    EXPECT_TRUE(warm.converged);
    EXPECT_EQ(warm.iterations, 0);
    EXPECT_EQ(state_hash(x), before);
    // Near the solution fewer are needed than from nothing.
    for (float& v : x.values()) v *= 1.001F;
    const SolveReport near = solver.solve(x, b, a);
    EXPECT_GT(near.iterations, 0);
    EXPECT_LT(near.iterations, cold.iterations);
}

// What x holds where there is no unknown is neither used nor kept.
TYPED_TEST(PoissonCases, FirstGuessOutsideTheUnknownsDoesNotMatter) {
    constexpr int Dim = TypeParam::kDim;
    const System<Dim> system = small_random_system<Dim>(1, 0.1F);
    const PoissonOperator<Dim> a = system.make_operator();
    Field<float, Dim> b = random_field<Dim>(system.tiles(), 1);
    for_each_cell(*system.tiles(), [&](const Index<Dim>& cell) {
        if (!(system.diagonal(cell) > 0)) b.ref(cell) = kInf;
    });
    Field<float, Dim> x(system.tiles()), y(system.tiles());
    assign(y, [&](const Index<Dim>& cell) { return system.diagonal(cell) > 0 ? 0 : kNan; });
    EXPECT_TRUE(solve_poisson(x, b, a).converged);
    EXPECT_TRUE(solve_poisson(y, b, a).converged);
    EXPECT_EQ(state_hash(x), state_hash(y));
}

// From almost Poisson to almost the identity.
TYPED_TEST(PoissonCases, HelmholtzWithAnyMass) {
    constexpr int Dim = TypeParam::kDim;
    for (const float mass : {1e-4F, 1e-2F, 1.0F, 1e2F, 1e6F, 1e12F})
        for (const bool ball : {false, true}) {
            const System<Dim> system = system_of<Dim>(
                Tiles<Dim>::covering({Index<Dim>(-16), Index<Dim>(16)}),
                [&](const Index<Dim>& cell) { return !ball || length(Vec<double, Dim>(cell)) < 13.3; }, mass);
            const PoissonOperator<Dim> a = system.make_operator();
            const Field<float, Dim> b = random_field<Dim>(system.tiles(), 1);
            Field<float, Dim> x(system.tiles());
            const SolveReport report = solve_poisson(x, b, a);
            EXPECT_TRUE(report.converged) << mass;
            EXPECT_LE(report.iterations, mass >= 1e2F ? 2 : 9) << mass;
            EXPECT_LE(report.measured_residual, 1e-6 + 1e-7 * 4 * Dim / mass) << mass;
            // Nothing leaves a closed vessel: mass × Σ x = Σ b.
            Field<float, Dim> kept = b;
            a.keep_unknowns(kept);
            EXPECT_NEAR(mass * sum(x), sum(kept), 1e-5 * l2_norm(b) * l2_norm(b)) << mass;
        }
}

TYPED_TEST(PoissonCases, NumbersThatAreNoneAreNamedWithTheirCell) {
    constexpr int Dim = TypeParam::kDim;
    Index<Dim> bad(-2), outside(7);
    bad[0] = 3;
    const System<Dim> system = closed_box<Dim>({Index<Dim>(-5), Index<Dim>(6)});
    const PoissonOperator<Dim> a = system.make_operator();
    const std::string place = " at cell " + text(bad);
    const auto expect_failure = [&](const SolveReport& report, const std::string& why) {
        EXPECT_FALSE(report.converged);
        EXPECT_EQ(report.failure, why);
        EXPECT_EQ(report.iterations, 0);
    };
    Field<float, Dim> fine = random_field<Dim>(system.tiles(), 1), b = fine, x(system.tiles());
    fine.ref(outside) = b.ref(outside) = kNan;  // no unknown: of no account
    for (const float value : {kNan, kInf, -kInf}) {
        b.ref(bad) = value;
        const std::string why = fmt::format("the right side is {}", value) + place;
        for (const Preconditioner p : kAll) expect_failure(solve_poisson(x, b, a, {.preconditioner = p}), why);
        expect_failure(solve_by_relaxation(x, b, a), why);

        Field<float, Dim> guess(system.tiles());
        guess.ref(bad) = value;
        const std::string guess_why = fmt::format("the first guess is {}", value) + place;
        for (const Preconditioner p : kAll) {
            Field<float, Dim> y = guess;
            expect_failure(solve_poisson(y, fine, a, {.preconditioner = p}), guess_why);
        }
        expect_failure(solve_by_relaxation(guess, fine, a), guess_why);
    }
    b.ref(bad) = 1e30F;  // finite, but not its square
    expect_failure(solve_poisson(x, b, a), "the right side is too large for its norm to be finite");
}

TYPED_TEST(PoissonCases, RunningOutOfIterationsIsSaid) {
    constexpr int Dim = TypeParam::kDim;
    const ModelProblem<Dim> problem = dam_problem<Dim>(32);
    const PoissonOperator<Dim> a = free_surface_operator(problem.level, problem.open);
    for (const Preconditioner preconditioner : kAll)
        for (const int limit : {0, 1, 3}) {
            Field<float, Dim> x(a.tiles_ptr());
            const SolveReport report =
                solve_poisson(x, problem.right_side, a, {.max_iterations = limit, .preconditioner = preconditioner});
            EXPECT_FALSE(report.converged);
            EXPECT_EQ(report.failure, "");
            EXPECT_EQ(report.iterations, limit);
            EXPECT_GT(report.residual, 1e-6);
            if (limit == 0) {
                EXPECT_NEAR(report.residual, 1, 1e-6);
            }
            EXPECT_NEAR(report.residual, report.measured_residual, 0.02 * report.residual + 1e-3);
        }
    Field<float, Dim> x(a.tiles_ptr());
    const SolveReport report = solve_by_relaxation(x, problem.right_side, a, {.max_iterations = 5});
    EXPECT_FALSE(report.converged);
    EXPECT_EQ(report.iterations, 5);
    EXPECT_GT(report.residual, 1e-6);
}

}  // namespace
}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "linear/incomplete_cholesky.h"

#include <gtest/gtest.h>

#include "grid/measure.h"
#include "linear/model_problems.h"
#include "linear/poisson_solver.h"
#include "linear/test_support.h"

namespace spindrift {
namespace {

template <class T>
class Cholesky : public ::testing::Test {};
TYPED_TEST_SUITE(Cholesky, Dimensions);

// The same factor and solves without tiles: one cell after the other in the order of their
// coordinates, in single precision because a pivot near the threshold of safety must fall on the same side.
template <int Dim>
Field<float, Dim> solved_in_order(const System<Dim>& system, const Field<float, Dim>& r) {
    constexpr float kModified = 0.97F, kSafety = 0.25F;
    const IndexBox<Dim> box = system.tiles()->cell_bounds();
    std::vector<Index<Dim>> cells;
    for_each_index(box, [&](const Index<Dim>& cell) {
        if (system.diagonal(cell) > 0) cells.push_back(cell);
    });
    const auto lower = [&](const Index<Dim>& cell, int axis) { return static_cast<float>(system.lower(cell, axis)); };
    const auto upper = [&](const Index<Dim>& cell, int axis) { return static_cast<float>(system.upper(cell, axis)); };

    Field<float, Dim> inverse_root(system.tiles()), z(system.tiles());
    for (const Index<Dim>& cell : cells) {
        float diagonal = static_cast<float>(system.hold(cell));
        for (int a = 0; a < Dim; ++a) diagonal += lower(cell, a) + upper(cell, a);
        float pivot = diagonal;
        for (int a = 0; a < Dim; ++a) {
            const Index<Dim> below = cell - unit<Dim>(a);
            const float entry = lower(cell, a) * inverse_root.at(below);
            float dropped = 0;
            for (int other = 0; other < Dim; ++other)
                if (other != a) dropped += upper(below, other);
            pivot -= entry * entry + kModified * entry * dropped * inverse_root.at(below);
        }
        if (pivot < kSafety * diagonal) pivot = diagonal;
        inverse_root.ref(cell) = 1 / std::sqrt(pivot);
    }
    for (const Index<Dim>& cell : cells) {
        float sum = r.at(cell);
        for (int a = 0; a < Dim; ++a) {
            const Index<Dim> below = cell - unit<Dim>(a);
            sum += lower(cell, a) * inverse_root.at(below) * z.at(below);
        }
        z.ref(cell) = sum * inverse_root.at(cell);
    }
    for (std::size_t i = cells.size(); i-- > 0;) {
        float sum = z.at(cells[i]);
        for (int a = 0; a < Dim; ++a)
            sum += upper(cells[i], a) * inverse_root.at(cells[i]) * z.at(cells[i] + unit<Dim>(a));
        z.ref(cells[i]) = sum * inverse_root.at(cells[i]);
    }
    return z;
}

TYPED_TEST(Cholesky, WavesOfTilesGiveTheSweepInOrder) {
    constexpr int Dim = TypeParam::kDim;
    for (const unsigned seed : {1U, 2U, 3U})
        for (const float mass : {0.0F, 0.2F}) {
            const System<Dim> system = random_system<Dim>(seed, mass);
            const PoissonOperator<Dim> a = system.make_operator();
            const Field<float, Dim> r = random_field<Dim>(system.tiles(), seed);
            Field<float, Dim> z(system.tiles());
            z.fill(99);  // what it held before must not matter
            IncompleteCholesky<Dim>(a).apply(z, r);
            const Field<float, Dim> expected = solved_in_order(system, r);
            const auto worst = difference(z, [&](const Index<Dim>& cell) { return expected.at(cell); });
            EXPECT_LT(worst.largest, 2e-5 * max_abs(expected)) << worst << ", seed " << seed << ", mass " << mass;
        }
}

TYPED_TEST(Cholesky, SymmetricAndPositive) {
    constexpr int Dim = TypeParam::kDim;
    for (const unsigned seed : {4U, 5U, 6U}) {
        const PoissonOperator<Dim> a = random_system<Dim>(seed).make_operator();
        const IncompleteCholesky<Dim> cholesky(a);
        Field<float, Dim> u = random_field<Dim>(a.tiles_ptr(), 1), v = random_field<Dim>(a.tiles_ptr(), 2);
        a.keep_unknowns(u);
        a.keep_unknowns(v);
        Field<float, Dim> mu(a.tiles_ptr()), mv(a.tiles_ptr());
        cholesky.apply(mu, u);
        cholesky.apply(mv, v);
        const double umu = inner_product(u, mu), vmv = inner_product(v, mv);
        EXPECT_GT(umu, 0);
        EXPECT_GT(vmv, 0);
        EXPECT_NEAR(inner_product(u, mv), inner_product(v, mu), 2e-6 * (umu + vmv));
    }
}

// On a chain nothing is dropped: L Lᵀ is A, and one step solves.
TYPED_TEST(Cholesky, ExactOnAChain) {
    constexpr int Dim = TypeParam::kDim;
    for (int axis = 0; axis < Dim; ++axis) {
        IndexBox<Dim> box{Index<Dim>(-3), Index<Dim>(-2)};
        box.hi[axis] = 27;
        const PoissonOperator<Dim> a = closed_box(box, 0.5F).make_operator();
        Field<float, Dim> b = random_field<Dim>(a.tiles_ptr(), 1), z(a.tiles_ptr()), r(a.tiles_ptr());
        a.keep_unknowns(b);
        IncompleteCholesky<Dim>(a).apply(z, b);
        EXPECT_LT(std::sqrt(a.residual(r, b, z)), 1e-6 * l2_norm(b)) << "axis " << axis;
    }
}

// On the dam at 64 cells a side: 1641 iterations without a preconditioner, 60 with this one; 331 and 43 in 2D.
TYPED_TEST(Cholesky, SavesMostIterations) {
    constexpr int Dim = TypeParam::kDim;
    const ModelProblem<Dim> problem = dam_problem<Dim>(64);
    const PoissonOperator<Dim> a = free_surface_operator(problem.level, problem.open);
    const auto iterations = [&](Preconditioner preconditioner) {
        Field<float, Dim> x(a.tiles_ptr());
        const SolveReport report =
            solve_poisson(x, problem.right_side, a, {.max_iterations = 3000, .preconditioner = preconditioner});
        EXPECT_TRUE(report.converged);
        return report.iterations;
    };
    const int with = iterations(Preconditioner::incomplete_cholesky), without = iterations(Preconditioner::none);
    EXPECT_LE(with, 75);
    EXPECT_LT(5 * with, without);
}

}  // namespace
}  // namespace spindrift

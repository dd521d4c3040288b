// SPDX-License-Identifier: Apache-2.0
// Poisson problems on tiles that repeat themselves.
#include <gtest/gtest.h>

#include "grid/measure.h"
#include "linear/fourier.h"
#include "linear/poisson_solver.h"
#include "linear/test_support.h"

namespace spindrift {
namespace {

template <class T>
class PeriodicPoisson : public ::testing::Test {};
TYPED_TEST_SUITE(PeriodicPoisson, Dimensions);

template <int Dim>
Index<Dim> along(std::initializer_list<int> axes, const Index<Dim>& value) {
    Index<Dim> out{};
    for (const int a : axes)
        if (a < Dim) out[a] = value[a];
    return out;
}

// A box of `tiles` tiles that repeats along all axes or the first alone; the rest is closed.
template <int Dim>
System<Dim> ring(const Index<Dim>& tiles, bool everywhere, float mass = 0) {
    const Index<Dim> period = everywhere ? tiles : along<Dim>({0}, tiles);
    const IndexBox<Dim> box{Index<Dim>(0), tiles * kTileSide};
    return system_of<Dim>(
        Tiles<Dim>::covering(box, period), [&](const Index<Dim>&) { return true; }, mass);
}

TYPED_TEST(PeriodicPoisson, OperatorIsItsDefinition) {
    constexpr int Dim = TypeParam::kDim;
    for (const bool everywhere : {false, true})
        for (const int n : {1, 2, 3}) {
            System<Dim> system = ring<Dim>(Index<Dim>(n), everywhere, 0.1F);
            // A few faces of other conductance, some of them across the end of the period.
            for (int a = 0; a < Dim; ++a) {
                system.conductance[a].ref(Index<Dim>(0)) = 0.25F;
                system.conductance[a].ref(Index<Dim>(3)) = 0.5F;
            }
            const PoissonOperator<Dim> op = system.make_operator();
            const Field<float, Dim> x = random_field<Dim>(system.tiles(), 5);
            Field<float, Dim> y(system.tiles());
            op.apply(y, x);
            const auto worst = difference(y, [&](const Index<Dim>& cell) { return system.applied(cell, x); });
            EXPECT_LT(worst.largest, 1e-5) << worst << ", " << n << " tiles";
        }
}

// Fourier and conjugate gradients solve the same discrete system.
TYPED_TEST(PeriodicPoisson, AgreesWithFourier) {
    constexpr int Dim = TypeParam::kDim;
    if (!FourierSolver<Dim>::available()) GTEST_SKIP() << "built without FFTW";
    for (const bool everywhere : {false, true}) {
        const Index<Dim> tiles(4);
        const System<Dim> system = ring<Dim>(tiles, everywhere);
        const PoissonOperator<Dim> op = system.make_operator();
        EXPECT_EQ(op.general_tile_count(), 0U);
        Field<float, Dim> b = random_field<Dim>(system.tiles(), 6), x(system.tiles()), y(system.tiles());
        typename FourierSolver<Dim>::Sides sides{};
        for (int a = 0; a < Dim; ++a)
            sides[static_cast<std::size_t>(a)].fill(everywhere || a == 0 ? FourierSide::periodic : FourierSide::closed);
        FourierSolver<Dim> fourier({Index<Dim>(0), tiles * kTileSide}, sides);
        ASSERT_TRUE(fourier.solve(x, b).converged);
        ASSERT_TRUE(solve_poisson(y, b, op, {.tolerance = 1e-6}).converged);
        const auto worst = difference(y, [&](const Index<Dim>& cell) { return double{x.at(cell)}; });
        EXPECT_LT(worst.largest, 2e-5 * max_abs(x)) << worst;
    }
}

// Levels go round while the number of tiles can be halved; where it is odd, coarser ones do not, and the count rises.
TYPED_TEST(PeriodicPoisson, IterationsStayFew) {
    constexpr int Dim = TypeParam::kDim;
    for (const bool everywhere : {false, true})
        for (const int n : {1, 2, 3, 4, 5, 6, 7, 8, 13}) {
            if (Dim == 3 && n > 8) continue;
            const System<Dim> system = ring<Dim>(Index<Dim>(n), everywhere);
            const PoissonOperator<Dim> op = system.make_operator();
            const Field<float, Dim> b = random_field<Dim>(system.tiles(), 7);
            for (const Preconditioner kind : {Preconditioner::multigrid, Preconditioner::incomplete_cholesky}) {
                Field<float, Dim> x(system.tiles());
                const SolveReport report =
                    solve_poisson(x, b, op, {.tolerance = 1e-6, .max_iterations = 400, .preconditioner = kind});
                EXPECT_TRUE(report.converged) << n << " tiles";
                EXPECT_EQ(report.regions_made_compatible, 1U);
                if (kind == Preconditioner::multigrid) {
                    const bool halves = (n & (n - 1)) == 0;
                    EXPECT_LE(report.iterations, halves ? 8 : 24) << n << " tiles";
                }
            }
        }
}

}  // namespace
}  // namespace spindrift

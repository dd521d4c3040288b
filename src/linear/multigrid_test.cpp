// SPDX-License-Identifier: Apache-2.0
#include "linear/multigrid.h"

#include <gtest/gtest.h>

#include "grid/measure.h"
#include "linear/model_problems.h"
#include "linear/null_space.h"
#include "linear/test_support.h"
#include "linear/tile_vectors.h"

namespace spindrift {
namespace {

template <class T>
class MultigridCycle : public ::testing::Test {};
TYPED_TEST_SUITE(MultigridCycle, Dimensions);

// Conjugate gradients need a preconditioner that is symmetric and positive.
template <int Dim>
void expect_symmetric_and_positive(const PoissonOperator<Dim>& a, MultigridOptions options) {
    Multigrid<Dim> multigrid(a, options);
    Field<float, Dim> u = random_field<Dim>(a.tiles_ptr(), 1), v = random_field<Dim>(a.tiles_ptr(), 2);
    a.keep_unknowns(u);
    a.keep_unknowns(v);
    Field<float, Dim> mu(a.tiles_ptr()), mv(a.tiles_ptr()), scratch(a.tiles_ptr());
    multigrid.apply(mu, u, scratch);
    multigrid.apply(mv, v, scratch);
    const double umu = inner_product(u, mu), vmv = inner_product(v, mv);
    EXPECT_GT(umu, 0);
    EXPECT_GT(vmv, 0);
    EXPECT_NEAR(inner_product(u, mv), inner_product(v, mu), 2e-6 * (umu + vmv));
}

TYPED_TEST(MultigridCycle, SymmetricAndPositive) {
    constexpr int Dim = TypeParam::kDim;
    for (const MultigridOptions& options :
         {MultigridOptions{}, MultigridOptions{2, 2, 2}, MultigridOptions{4, 3, 5}, MultigridOptions{3, 2, 7}}) {
        for (const unsigned seed : {1U, 2U, 3U})
            expect_symmetric_and_positive(random_system<Dim>(seed, 0.01F).make_operator(), options);
        const ModelProblem<Dim> dam = dam_problem<Dim>(Dim == 2 ? 64 : 32);
        expect_symmetric_and_positive(free_surface_operator(dam.level, dam.open), options);
    }
}

TYPED_TEST(MultigridCycle, CycleIsLinear) {
    constexpr int Dim = TypeParam::kDim;
    const PoissonOperator<Dim> a = random_system<Dim>(4, 0.01F).make_operator();
    Multigrid<Dim> multigrid(a);
    const Field<float, Dim> u = random_field<Dim>(a.tiles_ptr(), 1), v = random_field<Dim>(a.tiles_ptr(), 2);
    Field<float, Dim> w = u, mu(a.tiles_ptr()), mv(a.tiles_ptr()), mw(a.tiles_ptr()), scratch(a.tiles_ptr());
    axpby(w, 2.0F, v, -3.0F);  // w = 2 v − 3 u
    multigrid.apply(mu, u, scratch);
    multigrid.apply(mv, v, scratch);
    multigrid.apply(mw, w, scratch);
    const auto worst = difference(mw, [&](const Index<Dim>& cell) { return 2.0 * mv.at(cell) - 3.0 * mu.at(cell); });
    EXPECT_LT(worst.largest, 1e-5 * max_abs(mw)) << worst;
}

// Where nothing varies, no level stores coefficients.
TYPED_TEST(MultigridCycle, UniformTilesCoarsenToUniformTiles) {
    constexpr int Dim = TypeParam::kDim;
    for (const float mass : {0.0F, 0.25F}) {
        const PoissonOperator<Dim> a = closed_box<Dim>({Index<Dim>(-32), Index<Dim>(32)}, mass).make_operator();
        const Multigrid<Dim> multigrid(a);
        ASSERT_GE(multigrid.level_count(), 4U);
        for (std::size_t n = 0; n < 3; ++n) {  // 8, 4 and 2 tiles a side
            const PoissonOperator<Dim>& level = multigrid.level(n);
            EXPECT_EQ(level.general_tile_count(), 0U) << "level " << n;
            EXPECT_EQ(level.unknown_count() << (Dim * n), a.unknown_count()) << "level " << n;
            EXPECT_EQ(level.mass(), mass * std::pow(4.0F, static_cast<float>(n))) << "level " << n;
        }
    }
}

// Σ ground is what holds a body as a whole: coarse levels keep the mass of every shape, in units of their own cells.
TYPED_TEST(MultigridCycle, CoarseLevelsKeepTheMassOfABody) {
    constexpr int Dim = TypeParam::kDim;
    const System<Dim> ball = system_of<Dim>(
        Tiles<Dim>::covering({Index<Dim>(-24), Index<Dim>(24)}),
        [](const Index<Dim>& cell) { return length(Vec<double, Dim>(cell) - Vec<double, Dim>(1.3)) < 17.2; }, 0.125F);
    const PoissonOperator<Dim> a = ball.make_operator();
    const Multigrid<Dim> multigrid(a);
    double expected = 0.125 * static_cast<double>(a.unknown_count());
    for (std::size_t n = 0; n < multigrid.level_count(); ++n) {
        const PoissonOperator<Dim>& level = multigrid.level(n);
        double held = 0;
        TileSystem<Dim> system;
        for (std::size_t slot = 0; slot < level.tiles().count(); ++slot) {
            level.expand(static_cast<Slot>(slot), system);
            for (const float g : system.ground) held += g;
        }
        EXPECT_NEAR(held, expected, 1e-5 * expected) << "level " << n;
        expected *= Dim == 2 ? 1 : 0.5;
    }
}

// Relaxation hardly moves a constant that a small mass holds; the levels must carry it down and up at its full size.
// This holds the scale of restriction and prolongation, which symmetry alone does not.
TYPED_TEST(MultigridCycle, ConstantsPassThroughTheLevelsUnchanged) {
    constexpr int Dim = TypeParam::kDim;
    constexpr float kMass = 1e-3F;
    for (const bool ball : {false, true}) {
        const System<Dim> system = system_of<Dim>(
            Tiles<Dim>::covering({Index<Dim>(-32), Index<Dim>(32)}),
            [&](const Index<Dim>& cell) { return !ball || length(Vec<double, Dim>(cell)) < 29.4; }, kMass);
        const PoissonOperator<Dim> a = system.make_operator();
        Multigrid<Dim> multigrid(a);
        Field<float, Dim> b(a.tiles_ptr()), z(a.tiles_ptr()), scratch(a.tiles_ptr());
        b.fill(kMass);
        multigrid.apply(z, b, scratch);
        const auto worst = difference(z, [&](const Index<Dim>& cell) { return system.unknown.at(cell) ? 1.0 : 0.0; });
        EXPECT_LT(worst.largest, 0.05) << worst << (ball ? ", ball" : ", box");
    }
}

// How much of the residual one cycle leaves, used on its own.
template <int Dim>
double contraction(const PoissonOperator<Dim>& a, Field<float, Dim> b) {
    const NullSpace<Dim> null_space(a);
    Multigrid<Dim> multigrid(a);
    Field<float, Dim> x(a.tiles_ptr()), r(a.tiles_ptr()), z(a.tiles_ptr()), scratch(a.tiles_ptr());
    a.keep_unknowns(b);
    null_space.remove_means(b);
    constexpr int kSkipped = 2, kCycles = 5;
    double first = 0, last = 0;
    for (int cycle = 0; cycle <= kSkipped + kCycles; ++cycle) {
        last = std::sqrt(a.residual(r, b, x));
        if (cycle == kSkipped) first = last;
        null_space.remove_means(r);
        multigrid.apply(z, r, scratch);
        null_space.remove_means(z);
        axpby(x, 1.0F, z, 1.0F);
    }
    return std::pow(last / first, 1.0 / kCycles);
}

TYPED_TEST(MultigridCycle, CyclesAloneConverge) {
    constexpr int Dim = TypeParam::kDim;
    const int n = Dim == 2 ? 128 : 32;
    const auto expect_contraction = [&](const char* what, const PoissonOperator<Dim>& a, double bound) {
        const double factor = contraction(a, random_field<Dim>(a.tiles_ptr(), 1));
        EXPECT_LT(factor, bound) << what;
    };
    expect_contraction("closed box", closed_box<Dim>({Index<Dim>(0), Index<Dim>(n)}).make_operator(), 0.3);
    const ModelProblem<Dim> full = full_problem<Dim>(n), dam = dam_problem<Dim>(n);
    expect_contraction("full", free_surface_operator(full.level, full.open), 0.3);
    expect_contraction("dam", free_surface_operator(dam.level, dam.open), 0.6);
}

TEST(MultigridDeathTest, BothColoursMustBeRelaxed) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const PoissonOperator<2> a = closed_box<2>({Index<2>(0), Index<2>(16)}).make_operator();
    EXPECT_DEATH(Multigrid<2>(a, {.fine_half_sweeps = 1}), "both colours");
}

}  // namespace
}  // namespace spindrift

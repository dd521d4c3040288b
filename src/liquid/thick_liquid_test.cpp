// SPDX-License-Identifier: Apache-2.0
// What thick liquids do: they creep at their own rate whatever the step, rest where nothing pulls, and turn as a whole.
#include <vector>

#include "liquid/test_support.h"

namespace spindrift {
namespace {

template <int Dim>
World<Dim> honey(const Index<Dim>& cells, double dx, double viscosity) {
    World<Dim> world = tank<Dim>(cells, dx);
    world.viscosity = viscosity;
    for (auto& sides : world.sides) sides[0] = sides[1] = SideKind::prescribed;
    return world;
}

// A current on a floor that it sticks to spreads as 1.411 (g q³ / 3ν)^(1/5) t^(1/5), q what lies beside the wall
// [Huppert82], in steps as long as frames as well as in short ones.  (With friction before weight and pressure the long
// steps went 15 % too far at 1 s, and 28 % of the way of 64 steps a frame at 2 s.)
TEST(ThickLiquid, ACurrentSpreadsAsHuppertFoundInAnySteps) {
    constexpr double kViscosity = 100, kWide = 0.4, kHigh = 0.2, kDx = 1.0 / 32;
    for (const auto sides : {ParticleSides::none, ParticleSides::both}) {
        std::vector<std::vector<double>> fronts;
        for (const int per_frame : {1, 4}) {
            World<2> world = honey<2>({64, 16}, kDx, kViscosity);
            world.sides[0] = {SideKind::slip, SideKind::slip};
            ParticleLevelSet2002<2> method(
                world, {.volume_control = true, .pressure_tolerance = 1e-4, .particles = {.sides = sides}});
            LiquidState<2> liquid =
                method.initial_state([](const Vec<double, 2>& p) { return dam_distance(p, kWide, kHigh); }, at_rest<2>);
            fronts.emplace_back();
            for (const double end : {1.0, 2.0}) {
                run(method, liquid, end, kFrame / per_frame);
                fronts.back().push_back(last_crossing(liquid, world, {0, 0}, 0));
            }
        }
        for (const std::size_t n : {0, 1}) {
            const double nu = kViscosity / 1000, t = n == 0 ? 1 : 2;
            const double reach = 1.411 * std::pow(kGravity * std::pow(kWide * kHigh, 3) / (3 * nu) * t, 0.2);
            EXPECT_NEAR(fronts[0][n] / reach, 1, 0.03) << t << " s";
            EXPECT_NEAR(fronts[0][n] / fronts[1][n], 1, 0.02) << t << " s";
        }
    }
}

template <class D>
class ThickLiquidTest : public ::testing::Test {};
TYPED_TEST_SUITE(ThickLiquidTest, Dimensions);

// However thick, it rests: on a floor that holds it, beside a slope, with its surface anywhere in a cell.
TYPED_TEST(ThickLiquidTest, RestsWhereNothingPulls) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kDx = 1.0 / 24;
    World<Dim> world = honey<Dim>(Index<Dim>(24), kDx, 1000);
    world.solid_slip = false;
    world.solid_distance = [](const Vec<double, Dim>& p) { return 0.8 * p[1] - 0.6 * p[0] + 0.13; };
    ParticleLevelSet2002<Dim> method(world, {.volume_control = true});
    LiquidState<Dim> liquid =
        method.initial_state([](const Vec<double, Dim>& p) { return p[1] - 0.523; }, at_rest<Dim>);
    double fastest = 0;
    for (int n = 0; n < 8; ++n) {
        const StepReport report = method.step(liquid, method.stable_dt(liquid));
        ASSERT_EQ(report.failure, "");
        fastest = std::max(fastest, report.max_speed);
    }
    EXPECT_LT(fastest, 1e-6 * std::sqrt(kGravity * 0.523));
}

// A drop of honey in flight falls as far as anything does, and keeps what it turns by but for what advection takes:
// 4 % in a quarter turn of a drop of 22 cells, of water 3 %.  (The Laplacian of each component stopped it at once.)
TEST(ThickLiquid, ADropFliesAndTurnsAsAWhole) {
    constexpr double kDx = 1.0 / 24, kTurn = 2;
    for (const double viscosity : {0.0, 1000.0}) {
        World<2> world = honey<2>(Index<2>(64), kDx, viscosity);
        world.gravity = [](double) { return Vec<double, 2>(0.0, -1.0); };
        ParticleLevelSet2002<2> method(world, {.volume_control = true});
        const Vec<double, 2> start{1.33, 1.97}, flight{0.2, 0.3};
        LiquidState<2> liquid = method.initial_state(
            [&](const Vec<double, 2>& p) { return length(p - start) - 0.45; },
            [&](const Vec<double, 2>& p) { return flight + Vec<double, 2>(start[1] - p[1], p[0] - start[0]) * kTurn; });
        const auto spin = [&] {
            const Totals<2> t = totals(liquid, world);
            const VectorField<2> u = collocated(liquid.velocity);
            double turning = 0, inertia = 0;
            for_each_index(intersection(world.box, liquid.tiles().cell_bounds()), [&](const Index<2>& c) {
                const double part = wet_part(liquid, c, kDx);
                const Vec<double, 2> r = world.grid.world_of_centre(c) - t.centre;
                turning += part * (r[0] * u[1].at(c) - r[1] * u[0].at(c));
                inertia += part * dot(r, r);
            });
            return turning / inertia;
        };
        const double before = spin(), end = 0.25 * M_PI;
        run(method, liquid, end);
        const Vec<double, 2> centre = totals(liquid, world).centre;
        EXPECT_NEAR(centre[0], start[0] + flight[0] * end, 0.1 * kDx) << viscosity;
        EXPECT_NEAR(centre[1], start[1] + flight[1] * end - 0.5 * end * end, 0.1 * kDx) << viscosity;
        EXPECT_NEAR(spin() / before, 1, 0.05) << viscosity;
    }
}

}  // namespace
}  // namespace spindrift

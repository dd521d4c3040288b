// SPDX-License-Identifier: Apache-2.0
#include "gas/stable_fluids_1999.h"

#include <gtest/gtest.h>

#include "gas/test_support.h"

namespace spindrift {
namespace {

template <class T>
class StableFluids : public ::testing::Test {};
TYPED_TEST_SUITE(StableFluids, Dimensions);

constexpr std::array kAllSides{TestSides::periodic, TestSides::closed, TestSides::no_slip, TestSides::open_top,
                               TestSides::mixed};

// [Stam99]: no step is too long.  Under random forces, at any CFL number, all stays finite and nothing that is carried
// leaves the range it began with.
TYPED_TEST(StableFluids, StableAtAnyStep) {
    constexpr int Dim = TypeParam::kDim;
    const int n = Dim == 2 ? 24 : 16, steps = Dim == 2 ? 500 : 60;
    for (const double cfl : {0.5, 5.0, 50.0})
        for (const GasSettings& settings :
             {GasSettings{}, GasSettings{.scheme = AdvectionScheme::maccormack},
              GasSettings{.splitting = Splitting::second_order, .scheme = AdvectionScheme::cubic}}) {
            GasWorld<Dim> w = gas_box<Dim>(n, TestSides::mixed);
            w.viscosity = settings.splitting == Splitting::second_order ? 1e-3 : 0.0;
            add_substance<Dim>(w, "dye", [](const Vec<double, Dim>& x) { return x[0] < 0.5 ? 1.0 : 0.0; });
            add_random_force(w, 100);
            StableFluids1999<Dim> method(std::move(w), settings);
            GasState<Dim> gas = method.initial_state();
            Vec<float, 2> before{0, 1};
            for (int step = 0; step < steps; ++step) {
                const double speed = std::max(largest_speed(gas), 0.1);
                const StepReport report = method.step(gas, cfl / n / speed);
                ASSERT_TRUE(report.failure.empty()) << report.failure << " in step " << step << ", CFL " << cfl;
                const Vec<float, 2> range = range_in_box(gas.substances[0], method.world().domain.box);
                ASSERT_GE(range[0], before[0]) << "step " << step << ", CFL " << cfl;
                ASSERT_LE(range[1], before[1]) << "step " << step << ", CFL " << cfl;
            }
            EXPECT_TRUE(std::isfinite(largest_speed(gas)));
        }
}

TYPED_TEST(StableFluids, EverySolverTakesTheDivergenceOutAndAllAgree) {
    constexpr int Dim = TypeParam::kDim;
    const int n = Dim == 2 ? 48 : 24;
    for (const TestSides sides : kAllSides) {
        std::vector<GasState<Dim>> results;
        for (const PressureSolver solver : {PressureSolver::fourier, PressureSolver::multigrid}) {
            if (solver == PressureSolver::fourier && !FourierSolver<Dim>::available()) continue;
            GasWorld<Dim> w = gas_box<Dim>(n, sides);
            w.viscosity = 1e-3;
            add_random_force(w, 30);
            StableFluids1999<Dim> method(std::move(w), {.solver = solver, .pressure_tolerance = 1e-7});
            GasState<Dim> gas = method.initial_state();
            for (int step = 0; step < 4; ++step) {
                const StepReport report = method.step(gas, 0.05);
                EXPECT_TRUE(report.failure.empty()) << report.failure;
                EXPECT_EQ(report.direct, solver == PressureSolver::fourier);
                EXPECT_LT(report.divergence / n, 1e-5 * report.max_speed) << "sides " << static_cast<int>(sides);
            }
            results.push_back(std::move(gas));
        }
        if (results.size() < 2) continue;
        const IndexBox<Dim> box{Index<Dim>(0), Index<Dim>(n)};
        EXPECT_LT(largest_difference(results[0].velocity, results[1].velocity, box), 1e-4 * largest_speed(results[0]))
            << "sides " << static_cast<int>(sides);
    }
}

// What the sides are cannot matter where nothing happens; a uniform wind in a periodic box stays as it is.
TYPED_TEST(StableFluids, StillAirStaysStillAndWindBlowsOn) {
    constexpr int Dim = TypeParam::kDim;
    for (const TestSides sides : kAllSides) {
        GasWorld<Dim> w = gas_box<Dim>(16, sides);
        const bool blows = sides == TestSides::periodic;
        Vec<double, Dim> wind{};
        for (int a = 0; blows && a < Dim; ++a) wind[a] = 1 + a;
        w.velocity_at_start = [wind](const Vec<double, Dim>&) { return wind; };
        StableFluids1999<Dim> method(std::move(w), {.scheme = AdvectionScheme::maccormack, .vorticity = 0.5});
        GasState<Dim> gas = method.initial_state();
        for (int step = 0; step < 5; ++step) EXPECT_EQ(method.step(gas, 0.04).failure, "");
        for (int a = 0; a < Dim; ++a) {
            const Vec<float, 2> range = range_in_box(gas.velocity[a], method.world().domain.box);
            EXPECT_NEAR(range[0], wind[a], 1e-5);
            EXPECT_NEAR(range[1], wind[a], 1e-5);
        }
    }
}

const GasSettings kAsIn1999{};
const GasSettings kSharper{.splitting = Splitting::second_order, .scheme = AdvectionScheme::cubic};

// Swirls that reach open sides leave or fade: air from outside, at rest there, gives them nothing, however long the
// steps.  Air that came in with their own speed made them several times as fast.
TYPED_TEST(StableFluids, SwirlsGainNothingAtOpenSides) {
    constexpr int Dim = TypeParam::kDim;
    const int n = Dim == 2 ? 40 : 20;
    for (const GasSettings& settings : {kAsIn1999, kSharper})
        for (const double crossed : {0.4, 1.0, 2.0, 8.0}) {
            GasWorld<Dim> w = gas_box<Dim>(n, TestSides::closed);
            for (auto& ends : w.domain.sides)
                for (DomainSide<Dim>& side : ends) side.kind = SideKind::open;
            w.velocity_at_start = [](const Vec<double, Dim>& x) { return vector_noise<Dim>(x * 5.0, 0, 2); };
            StableFluids1999<Dim> method(std::move(w), settings);
            GasState<Dim> gas = method.initial_state();
            const IndexBox<Dim>& box = method.world().domain.box;
            const double speed = largest_speed(gas), energy = sum_of_squares(gas.velocity, box);
            while (gas.time < 4) {
                EXPECT_EQ(method.step(gas, crossed / n).failure, "");
                ASSERT_LT(sum_of_squares(gas.velocity, box), 1.01 * energy) << "s " << gas.time << ", " << crossed;
                ASSERT_LT(largest_speed(gas), 1.2 * speed) << "s " << gas.time << ", " << crossed;
            }
            EXPECT_LT(largest_speed(gas), 0.6 * speed) << crossed;
        }
}

// A swirl that turns faster than the wind that pushes it out through an open side, so that air has to come in there:
// nothing gets faster, and what is left is the wind.
TYPED_TEST(StableFluids, SwirlsLeaveThroughOpenSides) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kWind = 0.5, kRadius = 0.12;
    const int n = Dim == 2 ? 40 : 24;
    for (const GasSettings& settings : {kAsIn1999, kSharper})
        for (const double crossed : {0.5, 3.0})
            for (const bool upwards : {false, true}) {
                GasWorld<Dim> w = gas_box<Dim>(n, TestSides::periodic);
                const Vec<double, Dim> wind = Vec<double, Dim>(unit<Dim>(0)) * (upwards ? kWind : -kWind);
                w.domain.sides[0][upwards ? 0 : 1] = {SideKind::prescribed,
                                                      [wind](const Vec<double, Dim>&, double) { return wind; }, true};
                w.domain.sides[0][upwards ? 1 : 0] = {SideKind::open, {}};
                w.velocity_at_start = [wind](const Vec<double, Dim>& x) {
                    const double along = (x[0] - 0.5) / kRadius, across = (x[1] - 0.5) / kRadius;
                    const double turn = std::exp(0.5 * (1 - along * along - across * across));
                    Vec<double, Dim> u = wind;
                    u[0] -= turn * across;
                    u[1] += turn * along;
                    return u;
                };
                StableFluids1999<Dim> method(std::move(w), settings);
                GasState<Dim> gas = method.initial_state();
                const double at_first = largest_speed(gas);
                const auto which = [&] {
                    return ::testing::Message() << "s " << gas.time << ", cells " << crossed << ", up " << upwards;
                };
                while (gas.time < 5) {
                    EXPECT_EQ(method.step(gas, crossed / n).failure, "");
                    ASSERT_LT(largest_speed(gas), 1.01 * at_first) << which();
                }
                EXPECT_NEAR(largest_speed(gas), kWind, 0.02) << which();
            }
}

// A pattern carried once around a periodic box comes back; MacCormack keeps more of it, cubics still more.
TYPED_TEST(StableFluids, CarriedOnceAround) {
    constexpr int Dim = TypeParam::kDim;
    const int n = 32;
    std::vector<double> left;
    for (const AdvectionScheme scheme :
         {AdvectionScheme::semi_lagrangian, AdvectionScheme::maccormack, AdvectionScheme::cubic}) {
        GasWorld<Dim> w = gas_box<Dim>(n, TestSides::periodic);
        w.velocity_at_start = [](const Vec<double, Dim>&) { return Vec<double, Dim>(1.0); };
        const auto wave = [](const Vec<double, Dim>& x) { return std::sin(2 * std::numbers::pi * (x[0] + x[1])); };
        add_substance<Dim>(w, "wave", wave);
        StableFluids1999<Dim> method(std::move(w), {.scheme = scheme});
        GasState<Dim> gas = method.initial_state();
        const int steps = 45;
        for (int step = 0; step < steps; ++step) EXPECT_EQ(method.step(gas, 1.0 / steps).failure, "");
        double inner = 0, whole = 0;
        for_each_index(method.world().domain.box, [&](const Index<Dim>& c) {
            const double start = wave(method.world().domain.grid.world_of_centre(c));
            inner += start * double{gas.substances[0].at(c)};
            whole += start * start;
        });
        left.push_back(inner / whole);
    }
    EXPECT_GT(left[0], 0.5);
    EXPECT_GT(left[1], 0.97);
    EXPECT_LT(left[1], 1.001);
    EXPECT_GT(left[1], left[0]);
    EXPECT_GT(left[2], left[1]);
    EXPECT_LT(left[2], 1.001);
}

TYPED_TEST(StableFluids, SubstancesDiffuseFadeAndFill) {
    constexpr int Dim = TypeParam::kDim;
    const int n = 16;
    const double pi = std::numbers::pi;
    GasWorld<Dim> w = gas_box<Dim>(n, TestSides::closed);
    // cos(πx) decays with κ π² where nothing goes through the walls.
    add_substance<Dim>(w, "spreads", [=](const Vec<double, Dim>& x) { return std::cos(pi * x[0]); });
    w.substances.back().diffusion = 0.05;
    add_substance<Dim>(w, "fades", [](const Vec<double, Dim>&) { return 1.0; });
    w.substances.back().dissipation = 2;
    add_substance<Dim>(w, "fills", {});
    GasSource<Dim>& source = w.sources.emplace_back();
    source.distance = [](const Vec<double, Dim>& x, double) { return length(x - Vec<double, Dim>(0.5)) - 0.25; };
    source.substance = 2;
    source.rate = [](const Vec<double, Dim>&, double) { return 3.0; };
    source.end = 0.5;
    StableFluids1999<Dim> method(std::move(w), {});
    GasState<Dim> gas = method.initial_state();
    const int steps = 100;
    for (int step = 0; step < steps; ++step) EXPECT_EQ(method.step(gas, 1.0 / steps).failure, "");
    const double decay = std::exp(-0.05 * pi * pi);
    for (const int i : {0, 4, n - 1}) {
        Index<Dim> c(n / 2);
        c[0] = i;
        EXPECT_NEAR(gas.substances[0].at(c), decay * std::cos(pi * (i + 0.5) / n), 0.01);
    }
    EXPECT_NEAR(gas.substances[1].at(Index<Dim>(3)), std::exp(-2.0), 0.01);
    EXPECT_NEAR(gas.substances[2].at(Index<Dim>(n / 2)), 1.5, 0.05);
    EXPECT_NEAR(gas.substances[2].at(Index<Dim>(0)), 0, 1e-30);  // but for rounding: amounts are kept
}

// Flow along a channel, in 3D a square duct, under a push that makes it a parabola across each of the other axes.  The
// walls, half a cell away from the nearest velocities, are exact for that: in the midst of them and in corners.
TYPED_TEST(StableFluids, ChannelFlowIsAParabola) {
    constexpr int Dim = TypeParam::kDim;
    const int n = 16;
    const double viscosity = 0.5;
    const auto across = [](double y) { return y * (1 - y); };
    for (const Splitting splitting : {Splitting::first_order, Splitting::second_order}) {
        GasWorld<Dim> w = gas_box<Dim>(n, TestSides::no_slip);
        for (auto& side : w.domain.sides[0]) side.kind = SideKind::periodic;
        w.viscosity = viscosity;
        w.forces.emplace_back().acceleration = [=](const Vec<double, Dim>& x, double) {
            Vec<double, Dim> f{};
            f[0] = 2 * viscosity * (Dim == 2 ? 1 : across(x[1]) + across(x[Dim - 1]));
            return f;
        };
        StableFluids1999<Dim> method(std::move(w), {.splitting = splitting});
        GasState<Dim> gas = method.initial_state();
        for (int step = 0; step < 60; ++step) EXPECT_EQ(method.step(gas, 0.05).failure, "");
        for_each_index(method.world().domain.box, [&](const Index<Dim>& c) {
            const Vec<double, Dim> x = method.world().domain.grid.world_of_face(0, c);
            const double exact = across(x[1]) * (Dim == 2 ? 1 : across(x[Dim - 1]));
            EXPECT_NEAR(gas.velocity[0].at(c), exact, 1e-5) << "at y = " << x[1];
        });
    }
}

// A swirl in a wind, half a second later.
template <int Dim>
FaceField<Dim> swirl_in_a_wind(int cells, Splitting splitting, int steps) {
    GasWorld<Dim> w = gas_box<Dim>(cells, TestSides::periodic);
    w.velocity_at_start = [](const Vec<double, Dim>& x) {
        constexpr double tau = 2 * std::numbers::pi;
        Vec<double, Dim> u{};
        u[0] = 0.5 + std::sin(tau * x[0]) * std::cos(tau * x[1]);
        u[1] = -std::cos(tau * x[0]) * std::sin(tau * x[1]) + 0.3 * std::cos(tau * x[0]);
        return u;
    };
    StableFluids1999<Dim> method(std::move(w), {.splitting = splitting, .scheme = AdvectionScheme::maccormack});
    GasState<Dim> gas = method.initial_state();
    for (int step = 0; step < steps; ++step) EXPECT_EQ(method.step(gas, 0.5 / steps).failure, "");
    return gas.velocity;
}

// With second-order splitting the error falls by four when the step is halved, with first-order by two.
TYPED_TEST(StableFluids, StepsInHalvesAreSecondOrder) {
    constexpr int Dim = TypeParam::kDim;
    const int n = 32;
    const IndexBox<Dim> box{Index<Dim>(0), Index<Dim>(n)};
    const auto order = [&](Splitting splitting) {
        const auto coarse = swirl_in_a_wind<Dim>(n, splitting, 8), middle = swirl_in_a_wind<Dim>(n, splitting, 16),
                   fine = swirl_in_a_wind<Dim>(n, splitting, 32);
        return std::log2(largest_difference(coarse, middle, box) / largest_difference(middle, fine, box));
    };
    EXPECT_GT(order(Splitting::second_order), 1.5);
    EXPECT_LT(order(Splitting::first_order), 1.3);
}

// A steady push makes the wind faster and faster; dye in it goes half as far as with the last speed all the time.
TYPED_TEST(StableFluids, StepsInHalvesCarryByTheSpeedHalfWay) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kTau = 2 * std::numbers::pi, kPush = 0.5;
    GasWorld<Dim> w = gas_box<Dim>(32, TestSides::periodic);
    add_substance<Dim>(w, "dye", [](const Vec<double, Dim>& x) { return std::sin(kTau * x[0]); });
    Force<Dim>& push = w.forces.emplace_back();
    push.is_uniform = true;
    push.acceleration = [](const Vec<double, Dim>&, double) { return Vec<double, Dim>(unit<Dim>(0)) * kPush; };
    StableFluids1999<Dim> method(std::move(w),
                                 {.splitting = Splitting::second_order, .scheme = AdvectionScheme::cubic});
    GasState<Dim> gas = method.initial_state();
    for (int step = 0; step < 4; ++step) EXPECT_EQ(method.step(gas, 0.25).failure, "");
    const double way = 0.5 * kPush;
    for_each_index(method.world().domain.box, [&](const Index<Dim>& cell) {
        const double x = method.world().domain.grid.world_of_centre(cell)[0];
        ASSERT_NEAR(double{gas.substances[0].at(cell)}, std::sin(kTau * (x - way)), 0.02);
    });
}

// A sphere in a wind: nothing flows into it, the divergence is gone beside it, and smoke goes around.
TYPED_TEST(StableFluids, SolidsStandInTheWay) {
    constexpr int Dim = TypeParam::kDim;
    const int n = Dim == 2 ? 48 : 24;
    GasWorld<Dim> w = gas_box<Dim>(n, TestSides::periodic);
    w.domain.sides[0][0] = {SideKind::prescribed, [](const Vec<double, Dim>&, double) {
                                Vec<double, Dim> u{};
                                u[0] = 1;
                                return u;
                            }};
    w.domain.sides[0][1] = {SideKind::open, {}};
    w.solids.distance = [](const Vec<double, Dim>& x, double) { return length(x - Vec<double, Dim>(0.4)) - 0.15; };
    add_substance<Dim>(w, "smoke", [](const Vec<double, Dim>& x) { return x[0] < 0.2 ? 1.0 : 0.0; });
    StableFluids1999<Dim> method(std::move(w), {.pressure_tolerance = 1e-7});
    GasState<Dim> gas = method.initial_state();
    for (int step = 0; step < 20; ++step) {
        const StepReport report = method.step(gas, 0.04);
        ASSERT_TRUE(report.failure.empty()) << report.failure;
        EXPECT_FALSE(report.direct);
        EXPECT_LT(report.divergence / n, 2e-5);
    }
    const Index<Dim> middle(static_cast<int>(0.4 * n));
    for (int a = 0; a < Dim; ++a) EXPECT_EQ(gas.velocity[a].at(middle), 0);
    Index<Dim> beside = middle;
    beside[1] = static_cast<int>(0.65 * n);
    EXPECT_GT(gas.velocity[0].at(beside), 0.9F);
    EXPECT_EQ(gas.substances[0].at(middle), 0);
}

// Between two plates that lie across cells, pushed by f:  u = f (h²/4 − y²) / 2ν,  wherever in a cell the plates are.
TYPED_TEST(StableFluids, SolidsHoldTheGasWhereTheyAre) {
    constexpr int Dim = TypeParam::kDim;
    constexpr int n = 16;
    for (const double apart : {10.1, 10.7, 11.4}) {
        const double half = 0.5 * apart / n;
        GasWorld<Dim> w = gas_box<Dim>(n, TestSides::periodic);
        w.solids.distance = [half](const Vec<double, Dim>& x, double) { return half - std::abs(x[1] - 0.5); };
        w.viscosity = 1;
        Force<Dim>& push = w.forces.emplace_back();
        push.acceleration = [half](const Vec<double, Dim>&, double) {
            Vec<double, Dim> f{};
            f[0] = 2 / (half * half);
            return f;
        };
        push.is_uniform = true;
        StableFluids1999<Dim> method(std::move(w), {});
        GasState<Dim> gas = method.initial_state();
        for (int step = 0; step < 12; ++step) ASSERT_TRUE(method.step(gas, 0.2).failure.empty());
        for (int y = 0; y < n; ++y) {
            Index<Dim> cell(4);
            cell[1] = y;
            const double from_middle = ((y + 0.5) / n - 0.5) / half;
            // Where the centre of a face lies in a plate but a part of it is open, the flow is drawn on in a line.
            const bool inside = std::abs(from_middle) < 1, open = std::abs(y + 0.5 - 0.5 * n) - 0.5 < 0.5 * apart;
            EXPECT_NEAR(gas.velocity[0].at(cell), open ? 1 - from_middle * from_middle : 0, inside ? 0.02 : 0.03)
                << apart << " cells apart, row " << y;
        }
    }
}

// A piston that moves drives the gas before it out of the open end at its own speed.
TYPED_TEST(StableFluids, AMovingSolidPushesTheGas) {
    constexpr int Dim = TypeParam::kDim;
    GasWorld<Dim> w = gas_box<Dim>(24, TestSides::closed);
    w.domain.sides[0][1].kind = SideKind::open;
    w.solids.distance = [](const Vec<double, Dim>& x, double t) { return x[0] - 0.2 - 0.5 * t; };
    w.solids.velocity = [](const Vec<double, Dim>&, double) {
        Vec<double, Dim> u{};
        u[0] = 0.5;
        return u;
    };
    w.solids.slip = true;
    w.solids_move = true;
    StableFluids1999<Dim> method(std::move(w), {.pressure_tolerance = 1e-6});
    GasState<Dim> gas = method.initial_state();
    for (int step = 0; step < 8; ++step) ASSERT_TRUE(method.step(gas, 0.05).failure.empty());
    Index<Dim> ahead(12);
    ahead[0] = 18;
    EXPECT_NEAR(gas.velocity[0].at(ahead), 0.5, 0.01);
}

// The adaptive tracer ends nearer to the truth where the flow turns within a step.
TYPED_TEST(StableFluids, AdaptiveTracingFollowsATurn) {
    constexpr int Dim = TypeParam::kDim;
    const int n = 32;
    std::array<double, 2> error{};
    for (const TraceRule trace_rule : {TraceRule::midpoint, TraceRule::adaptive}) {
        const GasWorld<Dim> w = gas_box<Dim>(n, TestSides::closed);
        FaceField<Dim> turning(w.domain.all_tiles());
        for (int a = 0; a < 2; ++a)
            assign(turning[a], [&](const Index<Dim>& c) {
                const Vec<double, Dim> x = w.domain.grid.world_of_face(a, c) - Vec<double, Dim>(0.5);
                return static_cast<float>(a == 0 ? -x[1] : x[0]);
            });
        // Its own place as the substance: what arrives says where it came from.
        Field<float, Dim> from(turning.tiles_ptr()), to(turning.tiles_ptr());
        assign(from, [&](const Index<Dim>& c) { return static_cast<float>(w.domain.grid.world_of_centre(c)[0]); });
        FieldLayout<Dim> layout{.face_axis = -1, .box = w.domain.box, .grid = w.domain.grid, .sides = {}};
        const AdvectedField<Dim> one{&from, &to, &layout};
        const double angle = 1.2;
        advect<Dim>({&one, 1}, Flow<Dim>(turning, w.domain, 0), angle, {trace_rule, AdvectionScheme::semi_lagrangian});
        for_each_index(w.domain.box, [&](const Index<Dim>& c) {
            const Vec<double, Dim> x = w.domain.grid.world_of_centre(c) - Vec<double, Dim>(0.5);
            if (x[0] * x[0] + x[1] * x[1] > 0.04) return;
            const double truth = 0.5 + x[0] * std::cos(angle) + x[1] * std::sin(angle);
            double& worst = error[trace_rule == TraceRule::midpoint ? 0 : 1];
            worst = std::max(worst, std::abs(truth - double{to.at(c)}));
        });
    }
    EXPECT_GT(error[0], 0.03);
    EXPECT_LT(error[1], 0.003);
}

// Tiles that follow the smoke: few at first, more as it rises; what is seen is what the whole box shows.
TYPED_TEST(StableFluids, TilesFollowTheSmoke) {
    constexpr int Dim = TypeParam::kDim;
    const auto run = [](std::optional<double> follow, PressureSolver solver = PressureSolver::automatic) {
        GasWorld<Dim> w = gas_box<Dim>(Dim == 2 ? 96 : 48, TestSides::open_top);
        add_substance<Dim>(w, "smoke", {});
        w.substances.back().buoyancy = 4;
        GasSource<Dim>& source = w.sources.emplace_back();
        source.distance = [](const Vec<double, Dim>& x, double) {
            Vec<double, Dim> centre(0.5);
            centre[1] = 0.15;
            return length(x - centre) - 0.08;
        };
        source.substance = 0;
        source.value = [](const Vec<double, Dim>&, double) { return 1.0; };
        StableFluids1999<Dim> method(std::move(w), {.solver = solver, .sparse_threshold = follow});
        GasState<Dim> gas = method.initial_state();
        const std::size_t first = gas.tiles().count();
        for (int step = 0; step < 14; ++step) EXPECT_TRUE(method.step(gas, 1.0 / 24).failure.empty());
        return std::pair(std::move(gas), first);
    };
    const auto [whole, all] = run({});
    const auto [some, first] = run(1e-3);
    EXPECT_LT(first, all / 4);
    EXPECT_GT(some.tiles().count(), first);
    EXPECT_LT(some.tiles().count(), all);
    // Heights of the smoke agree.
    const auto centre = [](const Field<float, Dim>& a) {
        double weight = 0, height = 0;
        for (std::size_t s = 0; s < a.tiles().count(); ++s)
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const double v = a.tile(static_cast<Slot>(s))[n];
                weight += v;
                height += v * (a.tiles().origin(static_cast<Slot>(s)) + cell_in_tile<Dim>(n))[1];
            }
        return height / weight;
    };
    EXPECT_NEAR(centre(some.substances[0]) / centre(whole.substances[0]), 1, 0.15);
    // A block of tiles is solved directly, with the same result.
    const auto [same, same_first] = run(1e-3, PressureSolver::multigrid);
    ASSERT_EQ(same.tiles().count(), some.tiles().count());
    double most = 0, off = 0;
    for (int a = 0; a < Dim; ++a)
        for (std::size_t n = 0; n < some.velocity[a].values().size(); ++n) {
            most = std::max(most, double{std::abs(some.velocity[a].values()[n])});
            off = std::max(off, double{std::abs(some.velocity[a].values()[n] - same.velocity[a].values()[n])});
        }
    EXPECT_LT(off, 1e-3 * most);
    EXPECT_GT(most, 0.1);
}

TYPED_TEST(StableFluids, SameBitsOnAnyThreads) {
    constexpr int Dim = TypeParam::kDim;
    for (const PressureSolver solver : {PressureSolver::automatic, PressureSolver::multigrid})
        expect_same_on_any_threads([solver] {
            GasWorld<Dim> w = gas_box<Dim>(Dim == 2 ? 40 : 24, TestSides::mixed);
            w.viscosity = 1e-3;
            add_substance<Dim>(w, "dye", [](const Vec<double, Dim>& x) { return x[0]; });
            w.substances.back().buoyancy = 1;
            add_random_force(w, 20);
            StableFluids1999<Dim> method(std::move(w),
                                         {.scheme = AdvectionScheme::maccormack, .vorticity = 0.3, .solver = solver});
            GasState<Dim> gas = method.initial_state();
            for (int step = 0; step < 3; ++step) EXPECT_EQ(method.step(gas, 0.05).failure, "");
            return hash_of(gas);
        });
}

// Warm gas at a wall-held temperature and a hot swelling spot: what expansion asks for comes out of the open top.
TYPED_TEST(StableFluids, HotGasExpands) {
    constexpr int Dim = TypeParam::kDim;
    const int n = 24;
    GasWorld<Dim> w = gas_box<Dim>(n, TestSides::open_top);
    add_substance<Dim>(w, "heat",
                       [](const Vec<double, Dim>& x) { return length(x - Vec<double, Dim>(0.5)) < 0.2 ? 1.0 : 0.0; });
    w.substances.back().expansion = 0.5;
    StableFluids1999<Dim> method(std::move(w), {});
    GasState<Dim> gas = method.initial_state();
    double swelling = 0;
    for_each_index(method.world().domain.box, [&](const Index<Dim>& c) {
        if (c[1] < n - 1) swelling += 0.5 * double{gas.substances[0].at(c)};
    });
    EXPECT_TRUE(method.step(gas, 0.01).failure.empty());
    double out = 0;
    for_each_index(method.world().domain.box, [&](const Index<Dim>& c) {
        if (c[1] == n - 1) out += double{gas.velocity[1].at(c)} * n;
    });
    EXPECT_NEAR(out / swelling, 1, 0.01);
}

}  // namespace
}  // namespace spindrift

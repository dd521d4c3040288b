// SPDX-License-Identifier: Apache-2.0
// Forces of the scene on a liquid: what they do to its motion as a whole, at rest and in time.
#include <gtest/gtest.h>

#include "liquid/speeds.h"
#include "liquid/test_support.h"

namespace spindrift {
namespace {

template <class T>
class LiquidForces : public ::testing::Test {};
TYPED_TEST_SUITE(LiquidForces, Dimensions);

const LiquidSettings kSettings{.volume_control = true, .pressure_tolerance = 1e-6};

template <int Dim>
World<Dim> weightless_tank(const Index<Dim>& cells, double dx) {
    World<Dim> world = tank<Dim>(cells, dx);
    world.gravity = [](double) { return Vec<double, Dim>(0.0); };
    return world;
}

template <int Dim>
Force<Dim> uniform_force(const Vec<double, Dim>& acceleration) {
    Force<Dim> force;
    force.acceleration = [acceleration](const Vec<double, Dim>&, double) { return acceleration; };
    force.is_uniform = true;
    return force;
}

template <int Dim>
double ball(const Vec<double, Dim>& p, double radius) {
    return length(p - Vec<double, Dim>(0.35)) - radius;
}

// Where the ball is after some time in the air, and how fast, from its centre of mass.
template <int Dim>
struct Flight {
    Vec<double, Dim> way, velocity;
};
template <int Dim>
Flight<Dim> flight(const std::vector<Force<Dim>>& forces, double end, double longest,
                   const Vec<double, Dim>& velocity = {}) {
    World<Dim> world = weightless_tank<Dim>(Index<Dim>(24), 1.0 / 24);
    world.forces = forces;
    ParticleLevelSet2002<Dim> method(world, kSettings);
    LiquidState<Dim> liquid = method.initial_state([](const Vec<double, Dim>& p) { return ball(p, 0.17); },
                                                   [=](const Vec<double, Dim>&) { return velocity; });
    const Vec<double, Dim> from = totals(liquid, world).centre;
    run(method, liquid, end, longest);
    EXPECT_EQ(method.show(liquid, 0).failure, "");
    const Totals<Dim> now = totals(liquid, world);
    return {now.centre - from, now.momentum / now.volume};
}

// x = a t²/2, v = a t, however long the steps are.
TYPED_TEST(LiquidForces, AcceleratesAFreeDropAsGravityWould) {
    constexpr int Dim = TypeParam::kDim;
    Vec<double, Dim> a;
    a[0] = 3, a[1] = 1;
    constexpr double kEnd = 0.3;
    for (const double longest : {1.0 / 24, 0.01}) {
        const Flight<Dim> fell = flight<Dim>({uniform_force(a)}, kEnd, longest);
        for (int axis = 0; axis < Dim; ++axis) {
            EXPECT_NEAR(fell.velocity[axis], a[axis] * kEnd, 1e-4) << "steps of " << longest;
            // A part of a cell: the surface's own errors.
            EXPECT_NEAR(fell.way[axis], 0.5 * a[axis] * kEnd * kEnd, 0.04 / 24) << "steps of " << longest;
        }
    }
}

// A force acts from its start to its end, wherever these lie in a step.
TYPED_TEST(LiquidForces, ActsFromItsStartToItsEnd) {
    constexpr int Dim = TypeParam::kDim;
    Force<Dim> force = uniform_force(Vec<double, Dim>(unit<Dim>(0)) * 8.0);
    force.start = 0.053;
    force.end = 0.127;
    const Flight<Dim> pushed = flight<Dim>({force}, 0.3, kFrame);
    EXPECT_NEAR(pushed.velocity[0], 8 * (0.127 - 0.053), 1e-3);
}

// Under a force that swings the drop swings: of second order, four times as near with half the step.
TYPED_TEST(LiquidForces, IsOfSecondOrderInTime) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kOmega = 20, kPush = 8, kEnd = 0.25;
    Force<Dim> force;
    force.is_uniform = true;
    force.acceleration = [](const Vec<double, Dim>&, double t) {
        return Vec<double, Dim>(unit<Dim>(0)) * (kPush * std::cos(kOmega * t));
    };
    const double exact = kPush / kOmega * std::sin(kOmega * kEnd);
    const auto error = [&](int steps) {
        return std::abs(flight<Dim>({force}, kEnd, kEnd / steps).velocity[0] - exact);
    };
    const double coarse = error(8), fine = error(16);
    EXPECT_LT(coarse, 0.2 * std::abs(exact));
    EXPECT_LT(fine, coarse / 3.5);
}

// A drop against drag and a push: v = a/k (1 − exp(−k t)), to second order.
TYPED_TEST(LiquidForces, DragSlowsTowardsTheTerminalSpeed) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kPush = 8, kDrag = 12, kEnd = 0.3;
    Force<Dim> drag;
    drag.drag = [](double) { return kDrag; };
    const Flight<Dim> pushed =
        flight<Dim>({drag, uniform_force(Vec<double, Dim>(unit<Dim>(0)) * kPush)}, kEnd, 1.0 / 48);
    const double exact = kPush / kDrag * (1 - std::exp(-kDrag * kEnd));
    EXPECT_NEAR(pushed.velocity[0], exact, 0.004 * exact);
    Vec<double, Dim> along;
    along[1] = 0.5;
    EXPECT_NEAR(flight<Dim>({drag}, 0.1, 1.0 / 48, along).velocity[1], 0.5 * std::exp(-kDrag * 0.1), 1e-3);
}

// A force that is a gradient moves nothing in a full box: pressure balances it.
TYPED_TEST(LiquidForces, GradientsAreBalancedInAFullBox) {
    constexpr int Dim = TypeParam::kDim;
    const int n = Dim == 2 ? 24 : 16;
    constexpr double kPush = 10;
    for (const bool is_uniform : {true, false}) {
        World<Dim> world = tank<Dim>(Index<Dim>(n), 1.0 / n);
        Force<Dim> force = uniform_force(Vec<double, Dim>(kPush));
        if (!is_uniform) {
            force.is_uniform = false;
            force.acceleration = [](const Vec<double, Dim>& x, double) {
                // ∇ of sin(2x + 3y) cos(x − y) / 3, times the push.
                const double a = 2 * x[0] + 3 * x[1], b = x[0] - x[1];
                Vec<double, Dim> f;
                f[0] = kPush / 3 * (2 * std::cos(a) * std::cos(b) - std::sin(a) * std::sin(b));
                f[1] = kPush / 3 * (3 * std::cos(a) * std::cos(b) + std::sin(a) * std::sin(b));
                return f;
            };
        }
        world.forces = {force};
        ParticleLevelSet2002<Dim> method(world, kSettings);
        LiquidState<Dim> liquid = method.initial_state([](const Vec<double, Dim>&) { return -1.0; }, at_rest<Dim>);
        run(method, liquid, 0.3, kFrame, [&](const StepReport& report) {
            // The potential's fourth derivatives show on the grid.
            ASSERT_LT(report.max_speed, (is_uniform ? 5e-6 : 1e-4) * kPush);
        });
    }
}

// Still water under a push sideways: its surface lies across the pull, at the slope a/g, and stays there.
TYPED_TEST(LiquidForces, WaterIsAtRestAcrossThePull) {
    constexpr int Dim = TypeParam::kDim;
    const int n = Dim == 2 ? 32 : 16;
    constexpr double kSlope = 0.25;
    Index<Dim> cells(n / 2);
    cells[0] = cells[1] = n;
    World<Dim> world = tank<Dim>(cells, 1.0 / n);
    world.forces = {uniform_force(Vec<double, Dim>(unit<Dim>(0)) * (kSlope * kGravity))};
    ParticleLevelSet2002<Dim> method(world, kSettings);
    const auto level = [](double x) { return 0.45 + kSlope * (x - 0.5); };
    LiquidState<Dim> liquid = method.initial_state(
        [&](const Vec<double, Dim>& p) { return (p[1] - level(p[0])) / std::hypot(1, kSlope); }, at_rest<Dim>);
    run(method, liquid, 0.5, kFrame);
    EXPECT_LT(largest_speed(liquid.velocity, liquid.phi), 0.02);  // against √(2 a) = 2.2 m/s of a fall along the tank
    for (const int i : {n / 8, n / 3, n - n / 4}) {
        Index<Dim> column(n / 4);
        column[0] = i;
        const double x = world.grid.world_of_centre(column)[0];
        EXPECT_NEAR(last_crossing(liquid, world, column, 1), level(x), 0.1 / n) << "at " << x;
    }
}

// Without walls, what a push gives to the liquid is its mass times its acceleration times how long it acts.
TYPED_TEST(LiquidForces, ImpulseIsMassTimesAccelerationTimesTime) {
    constexpr int Dim = TypeParam::kDim;
    World<Dim> world = weightless_tank<Dim>(Index<Dim>(16), 1.0 / 16);
    for (int axis = 0; axis < Dim; ++axis) world.period[axis] = 2;
    world.forces = {uniform_force(Vec<double, Dim>(unit<Dim>(0)) * 2.0)};
    world.forces[0].end = 0.2;
    ParticleLevelSet2002<Dim> method(world, kSettings);
    LiquidState<Dim> liquid = method.initial_state([](const Vec<double, Dim>&) { return -1.0; }, at_rest<Dim>);
    run(method, liquid, 0.4, kFrame);
    const Totals<Dim> now = totals(liquid, world);
    EXPECT_NEAR(now.momentum[0] / now.volume, 0.4, 1e-4);
}

// Of all kinds, in steps that any number of threads takes.
TYPED_TEST(LiquidForces, AreTheSameOnAnyNumberOfThreads) {
    constexpr int Dim = TypeParam::kDim;
    const auto hash = [] {
        World<Dim> world = tank<Dim>(Index<Dim>(Dim == 2 ? 32 : 16), Dim == 2 ? 1.0 / 32 : 1.0 / 16);
        Force<Dim>& turbulence = world.forces.emplace_back();
        turbulence.turbulence =
            Turbulence{.size = 0.2, .frequency = 5, .seed = 3, .strength = [](double) { return 20.0; }};
        Force<Dim>& pull = world.forces.emplace_back();
        pull.acceleration = [](const Vec<double, Dim>& x, double t) { return x * std::sin(20 * t); };
        pull.start = 0.02;
        world.forces.emplace_back().drag = [](double t) { return t; };
        ParticleLevelSet2002<Dim> method(world, kSettings);
        LiquidState<Dim> liquid =
            method.initial_state([](const Vec<double, Dim>& p) { return dam_distance(p, 0.4, 0.6); }, at_rest<Dim>);
        run(method, liquid, 0.15);
        return state_hash(liquid.velocity);
    };
    std::uint64_t first = 0;
    for (const int threads : {1, 2, 3, 7}) {
        set_thread_count(threads);
        const std::uint64_t now = hash();
        if (threads == 1) first = now;
        EXPECT_EQ(now, first) << threads << " threads";
    }
    set_thread_count(0);
}

}  // namespace
}  // namespace spindrift

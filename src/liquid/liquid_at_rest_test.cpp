// SPDX-License-Identifier: Apache-2.0
// What must not matter to a step: threads, instruction sets, who takes it, frames.  What water does is in
// session/liquid_physics_test.cpp.
#include "base/simd.h"
#include "liquid/particle_level_set_2002.h"
#include "liquid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class AtRestTest : public ::testing::Test {};
TYPED_TEST_SUITE(AtRestTest, Dimensions);

TYPED_TEST(AtRestTest, BitsDoNotDependOnThreadsOrInstructionSet) {
    constexpr int Dim = TypeParam::kDim;
    constexpr int kCells = Dim == 2 ? 144 : 32;
    constexpr double kDx = 1.0 / kCells;
    World<Dim> world = tank<Dim>(Index<Dim>(kCells), kDx);
    world.viscosity = 1;
    world.solid_distance = [](const Vec<double, Dim>& p) { return length(p - Vec<double, Dim>(0.55)) - 0.15; };
    const auto hashes = [&] {
        ParticleLevelSet2002<Dim> method(
            world, {.volume_control = true, .particles = {.sides = ParticleSides::both, .per_cell = 8}});
        LiquidState<Dim> liquid =
            method.initial_state([](const Vec<double, Dim>& p) { return dam_distance(p, 0.62, 0.71); }, at_rest<Dim>);
        double sum = 0;
        for (int n = 0; n < 10; ++n) {
            const StepReport report = method.step(liquid, method.stable_dt(liquid));
            sum += report.volume + report.divergence + report.max_speed;
        }
        return std::vector{state_hash(liquid.phi), state_hash(liquid.velocity), state_hash(liquid.pressure),
                           state_hash(liquid.particles), std::bit_cast<std::uint64_t>(sum)};
    };
    expect_same_on_any_threads(hashes);
    const InstructionSet best = instruction_set();
    const auto expected = hashes();
    set_instruction_set(InstructionSet::baseline);
    EXPECT_EQ(hashes(), expected);
    set_instruction_set(best);
}

// A step depends on the state alone: a method that has never seen it goes on with the same bits.
TYPED_TEST(AtRestTest, AnotherMethodObjectGoesOnWithTheSameBits) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kDx = 1.0 / 24;
    World<Dim> world = tank<Dim>(Index<Dim>(24), kDx);
    world.solid_distance = [](const Vec<double, Dim>& p) { return length(p - Vec<double, Dim>(0.55)) - 0.15; };
    const auto dam = [](const Vec<double, Dim>& p) { return dam_distance(p, 0.5, 0.7); };
    const LiquidSettings settings{.particles = {.sides = ParticleSides::both, .per_cell = 8}};
    ParticleLevelSet2002<Dim> method(world, settings);
    LiquidState<Dim> liquid = method.initial_state(dam, at_rest<Dim>);
    for (int n = 0; n < 6; ++n) EXPECT_EQ(method.step(liquid, 0.03).failure, "");
    ParticleLevelSet2002<Dim> fresh(world, settings);
    LiquidState<Dim> copy = liquid;
    for (int n = 0; n < 4; ++n) {
        const double dt = method.stable_dt(liquid);
        EXPECT_EQ(fresh.stable_dt(copy), dt);
        EXPECT_EQ(method.step(liquid, dt).failure, "");
        EXPECT_EQ(fresh.step(copy, dt).failure, "");
    }
    EXPECT_EQ(state_hash(copy.phi), state_hash(liquid.phi));
    EXPECT_EQ(state_hash(copy.velocity), state_hash(liquid.velocity));
    EXPECT_EQ(state_hash(copy.pressure), state_hash(liquid.pressure));
    EXPECT_EQ(state_hash(copy.particles), state_hash(liquid.particles));
    EXPECT_GT(liquid.particles.count(), 0U);
}

TYPED_TEST(AtRestTest, StepsAreAsLongAsIsStable) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kDx = 0.01, kLongest = 1.0 / 24;
    World<Dim> world = tank<Dim>(Index<Dim>(16), kDx);
    world.gravity = [](double) { return Vec<double, Dim>(0.0); };
    ParticleLevelSet2002<Dim> method(world, {});
    const auto pool = [](const Vec<double, Dim>& p) { return p[1] - 0.07; };
    const LiquidState<Dim> still = method.initial_state(pool, at_rest<Dim>);
    EXPECT_EQ(method.stable_dt(still), kLongest) << "what depends on time alone is looked at";

    // At one speed the step covers cfl cells; under gravity, the shortest wave has ω dt = √π.
    Vec<double, Dim> stream(0.0);
    stream[0] = 3;
    const LiquidState<Dim> moving = method.initial_state(pool, [&](const Vec<double, Dim>&) { return stream; });
    EXPECT_NEAR(method.stable_dt(moving) * 3, 4 * kDx, 1e-6);
    world.gravity = tank<Dim>(Index<Dim>(16), kDx).gravity;
    ParticleLevelSet2002<Dim> pulled(world, {.cfl = 2});
    const double dt = pulled.stable_dt(pulled.initial_state(pool, at_rest<Dim>));
    EXPECT_NEAR(kGravity * dt * dt, kDx, 1e-7);
}

// What a frame between two steps shows lies on the way of the step, and leaves the state and the steps alone.
TYPED_TEST(AtRestTest, ShownBetweenStepsItIsOnTheWay) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kDx = 0.05, kRadius = 6 * kDx, kStep = kFrame / 2;
    Index<Dim> cells(24);
    cells[1] = 40;
    const World<Dim> world = tank<Dim>(cells, kDx);
    Vec<double, Dim> centre(12.2 * kDx);
    centre[1] = 30.4 * kDx;
    const LiquidSettings settings{.particles = {.sides = ParticleSides::both, .per_cell = 8}};
    ParticleLevelSet2002<Dim> method(world, settings);
    const auto ball = [&](const Vec<double, Dim>& p) { return length(p - centre) - kRadius; };
    LiquidState<Dim> liquid = method.initial_state(ball, at_rest<Dim>), undisturbed = liquid;
    for (int n = 0; n < 6; ++n) {
        for (const double part : {0.25, 0.5, 0.9}) {
            LiquidState<Dim> shown = liquid;
            const StepReport report = method.show(shown, part * kStep);
            EXPECT_EQ(report.failure, "");
            const double time = liquid.time + part * kStep;
            EXPECT_NEAR(shown.time, time, 1e-12);
            // Between two places of a parabola that steps hit exactly it goes straight.
            const double fallen = centre[1] - totals(shown, world).centre[1];
            EXPECT_NEAR(fallen, 0.5 * kGravity * time * time, kGravity * kStep * kStep / 8 + 0.02 * kDx) << n;
            EXPECT_NEAR(report.volume_error, 0, 5e-3);
        }
        EXPECT_EQ(method.step(liquid, kStep).failure, "");
    }
    for (int n = 0; n < 6; ++n) EXPECT_EQ(method.step(undisturbed, kStep).failure, "");
    EXPECT_EQ(state_hash(liquid.phi), state_hash(undisturbed.phi));
    EXPECT_EQ(state_hash(liquid.velocity), state_hash(undisturbed.velocity));
    EXPECT_EQ(state_hash(liquid.particles), state_hash(undisturbed.particles));
}

}  // namespace
}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Water at rest, in free fall, and what must not matter: mirrors, slices, threads.
#include "base/simd.h"
#include "liquid/particle_level_set_2002.h"
#include "liquid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class AtRestTest : public ::testing::Test {};
TYPED_TEST_SUITE(AtRestTest, Dimensions);

constexpr double kStillness = 1e-5;  // of √(g depth); a wave would move at about one

// Fills the world to `depth` along y, lets it stand and expects it to stay as it is.
template <int Dim>
void expect_still_water(const World<Dim>& world, double depth, double seconds) {
    for (const ParticleSides sides : {ParticleSides::none, ParticleSides::both}) {
        SCOPED_TRACE("depth " + std::to_string(depth) + " m" +
                     (sides == ParticleSides::both ? ", with particles" : ""));
        ParticleLevelSet2002<Dim> method(world, {.particles = {.sides = sides}});
        LiquidState<Dim> liquid =
            method.initial_state([&](const Vec<double, Dim>& p) { return p[1] - depth; }, at_rest<Dim>);
        double fastest = 0, largest_error = 0;
        run(method, liquid, seconds, kFrame, [&](const StepReport& report) {
            fastest = std::max(fastest, report.max_speed);
            largest_error = std::max(largest_error, std::abs(report.volume_error));
        });
        EXPECT_LT(fastest, kStillness * std::sqrt(kGravity * depth));
        EXPECT_LT(largest_error, 1e-5);
        const std::string name = std::to_string(depth) + (sides == ParticleSides::both ? "_particles" : "");
        ::testing::Test::RecordProperty("speed_" + name, fmt::format("{:.2e}", fastest));
        ::testing::Test::RecordProperty("error_" + name, fmt::format("{:.2e}", largest_error));
    }
}

// Anywhere within a cell, also just above and below its centre, where θ is smallest and largest.
TEST(StillWater, StaysStillForTenSecondsAtAnyHeight) {
    constexpr double kDx = 1.0 / 32;
    for (const double height : {12.0, 12.25, 12.499, 12.501, 12.9, 17.37})
        expect_still_water<2>(tank<2>({32, 24}, kDx), height * kDx, 10);
}

TEST(StillWater, StaysStillInThreeDimensions) {
    constexpr double kDx = 1.0 / 16;
    for (const double height : {8.1, 9.73}) expect_still_water<3>(tank<3>({16, 16, 12}, kDx), height * kDx, 2);
}

// A floor that rises through the surface: faces cut by the solid at every fraction, and a shore.
TEST(StillWater, StaysStillOverASlopedFloor) {
    constexpr double kDx = 1.0 / 32;
    World<2> world = tank<2>({32, 24}, kDx);
    world.solid_distance = [](const Vec<double, 2>& p) { return (p[1] - 0.1 - 0.35 * p[0]) / std::hypot(1, 0.35); };
    for (const double height : {8.3, 12.62}) expect_still_water(world, height * kDx, 10);
    world.viscosity = 0.1;  // a hundred times that of water
    expect_still_water(world, 12.62 * kDx, 10);

    World<3> world3 = tank<3>({16, 16, 16}, 1.0 / 16);
    world3.solid_distance = [](const Vec<double, 3>& p) {
        return (p[1] - 0.1 - 0.3 * p[0] - 0.2 * p[2]) / std::sqrt(1 + 0.09 + 0.04);
    };
    expect_still_water(world3, 0.52, 2);
}

// All of it falls as fast as a stone, so it keeps its shape.
TYPED_TEST(AtRestTest, ABlobFallsFreely) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kDx = 0.05, kRadius = 8 * kDx, kStep = kFrame / 4, kTime = 36 * kStep;
    Index<Dim> cells(28);
    cells[1] = 48;
    const World<Dim> world = tank<Dim>(cells, kDx);
    Vec<double, Dim> centre(14.2 * kDx);
    centre[1] = 36.4 * kDx;
    ParticleLevelSet2002<Dim> method(world, {});
    LiquidState<Dim> liquid =
        method.initial_state([&](const Vec<double, Dim>& p) { return length(p - centre) - kRadius; }, at_rest<Dim>);
    const double volume = liquid.ledger.initial;
    double error = 0;
    run(method, liquid, kTime, kStep,
        [&](const StepReport& report) { error = std::max(error, std::abs(report.volume_error)); });

    // Every face of the liquid, not the mean alone; the velocity is half a step ahead.
    double slip = 0;
    for_each_index(world.box, [&](const Index<Dim>& cell) {
        if (!(liquid.phi.at(cell) < 0)) return;
        for (int a = 0; a < Dim; ++a) {
            const double expected = a == 1 ? -kGravity * (kTime + kStep / 2) : 0;
            slip = std::max(slip, std::abs(liquid.velocity[a].at(cell) - expected));
        }
    });
    EXPECT_LT(slip, 2e-5 * kGravity * kTime);

    // ½ g t² down, whatever the step.
    const Totals<Dim> end = totals(liquid, world);
    const double fallen = centre[1] - end.centre[1], exact = 0.5 * kGravity * kTime * kTime;
    EXPECT_NEAR(fallen, exact, 0.02 * kDx);
    EXPECT_NEAR(end.centre[0], centre[0], 0.02 * kDx);
    EXPECT_LT(error, 1e-3);

    // Still a ball around its centre.
    double dent = 0;
    for_each_index(world.box, [&](const Index<Dim>& cell) {
        const double phi = liquid.phi.at(cell);
        if (std::abs(phi) > 1.5 * kDx) return;
        dent = std::max(dent, std::abs(length(world.grid.world_of_centre(cell) - end.centre) - kRadius - phi));
    });
    EXPECT_LT(dent, 0.03 * kDx);
    this->RecordProperty("slip", std::to_string(slip));
    this->RecordProperty("volume_error", std::to_string(error));
    this->RecordProperty("dent_cells", std::to_string(dent / kDx));
    this->RecordProperty("fallen", std::to_string(fallen / exact));
    EXPECT_NEAR(volume, Dim == 2 ? M_PI * kRadius * kRadius : 4.0 / 3 * M_PI * std::pow(kRadius, 3), 5e-3 * volume);
}

// Relabelled axes, relabelled result: gravity along x instead of y.
TYPED_TEST(AtRestTest, NoAxisIsSpecial) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kDx = 1.0 / 16;
    const auto relabelled = [](auto v) {
        std::swap(v[0], v[1]);
        return v;
    };
    Index<Dim> cells(12);
    cells[0] = 24;
    const World<Dim> world = tank<Dim>(cells, kDx);
    World<Dim> turned = world;
    turned.box.hi = relabelled(cells);
    turned.gravity = [&](double t) { return relabelled(world.gravity(t)); };
    const auto dam = [](const Vec<double, Dim>& p) { return dam_distance(p, 0.47, 0.53); };
    ParticleLevelSet2002<Dim> method(world, {}), method_turned(turned, {});
    LiquidState<Dim> liquid = method.initial_state(dam, at_rest<Dim>);
    LiquidState<Dim> other =
        method_turned.initial_state([&](const Vec<double, Dim>& p) { return dam(relabelled(p)); }, at_rest<Dim>);
    for (int n = 0; n < 8; ++n) {
        EXPECT_EQ(method.step(liquid, 0.03).failure, "");
        EXPECT_EQ(method_turned.step(other, 0.03).failure, "");
    }
    double apart = 0;
    for_each_index(world.box, [&](const Index<Dim>& cell) {
        apart = std::max(apart, std::abs(double{liquid.phi.at(cell)} - other.phi.at(relabelled(cell))));
    });
    EXPECT_GT(liquid.step, 0);
    EXPECT_LT(apart, 1e-3 * kDx);
    this->RecordProperty("apart_cells", fmt::format("{:.2e}", apart / kDx));
}

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

// SPDX-License-Identifier: Apache-2.0
// Liquid that comes in and goes out, solids that move through it, and drops held together by their surface.
#include <limits>
#include <numbers>
#include <vector>

#include "liquid/given_flow.h"
#include "liquid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class FlowThroughTest : public ::testing::Test {};
TYPED_TEST_SUITE(FlowThroughTest, Dimensions);

template <int Dim>
World<Dim> weightless(World<Dim> world) {
    world.gravity = [](double) { return Vec<double, Dim>(0.0); };
    return world;
}

// A block of water in a tank whose walls are gone on two sides: all but a film runs off the floor, and the ledger knows
// where it went.
TYPED_TEST(FlowThroughTest, WaterLeavesThroughOpenSides) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kDx = 1.0 / 24;
    Index<Dim> cells(24);
    if (Dim == 3) cells[2] = 8;
    World<Dim> world = tank<Dim>(cells, kDx);
    open_side(world, 0, false);
    open_side(world, 0, true);
    open_side(world, 1, true);
    ParticleLevelSet2002<Dim> method(world, {});
    LiquidState<Dim> liquid = method.initial_state(
        [](const Vec<double, Dim>& p) {
            return std::max({p[0] - 0.7, 0.3 - p[0], p[1] - 0.6});
        },
        at_rest<Dim>);
    double error = 0, left = 0;
    run(method, liquid, 2.0, kFrame, [&](const StepReport& report) {
        left = report.volume;
        // Of the film that is left, thinner than a cell, a large part may be missing.
        const double expected = liquid.ledger.expected(), width = Dim == 3 ? 8 * kDx : 1;
        if (expected > kDx * width) error = std::max(error, std::abs(report.volume - expected) / liquid.ledger.initial);
    });
    EXPECT_LT(left, 0.1 * liquid.ledger.initial);
    EXPECT_LT(error, 0.035);  // 3.1 %
    this->RecordProperty("left", std::to_string(left / liquid.ledger.initial));
    this->RecordProperty("error", std::to_string(error));
    // No liquid stands in the margins.
    for_each_index(world.box, [&](const Index<Dim>& cell) {
        const Vec<double, Dim> p = world.grid.world_of_centre(cell);
        const bool outside = p[0] < 0 || p[0] > 1 || p[1] > 1;
        EXPECT_TRUE(!outside || liquid.phi.at(cell) >= 0) << "at " << p[0] << ", " << p[1];
    });
}

// A pipe that comes in through an open side pours what one inside does: what of it lies beyond neither pours nor
// drains.
TEST(FlowThrough, APipeThroughAnOpenSidePoursAsOneInside) {
    constexpr int kCells = 32;
    constexpr double kDx = 1.0 / kCells, kSpeed = 1.5, kWidth = 0.2;
    for (const double top : {0.95, 1.3}) {
        World<2> world = tank<2>({kCells, kCells}, kDx);
        open_side(world, 1, true);
        LiquidSource<2>& pipe = world.sources.emplace_back();
        pipe.distance = [=](const Vec<double, 2>& p, double) {
            return std::max({std::abs(p[0] - 0.5) - kWidth / 2, 0.8 - p[1], p[1] - top});
        };
        pipe.velocity = [](const Vec<double, 2>&, double) { return Vec<double, 2>{0, -kSpeed}; };
        ParticleLevelSet2002<2> method(world, {});
        LiquidState<2> liquid = method.initial_state([](const Vec<double, 2>& p) { return p[1] - 0.1; }, at_rest<2>);
        double error = 0;
        run(method, liquid, 0.4, kFrame, [&](const StepReport& report) {
            error = std::max(error, std::abs(report.volume - liquid.ledger.expected()));
        });
        EXPECT_LT(liquid.ledger.flowed_out, 0.01 * kDx * kDx) << top;
        EXPECT_NEAR(liquid.ledger.flowed_in, kWidth * (0.4 * kSpeed + std::min(top, 1.0) - 0.8), 0.01) << top;
        EXPECT_LT(error, 0.02) << top;
    }
}

// A river: in through one side below a level, out through the other.  What comes in is speed times section, and the
// level stays what it is where the flow is uniform.
TYPED_TEST(FlowThroughTest, ARiverRunsThrough) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kDx = 1.0 / 24, kLevel = 0.42, kSpeed = 0.9, kTime = 1.5;
    Index<Dim> cells(20);
    cells[0] = 36;
    if (Dim == 3) cells[2] = 8;
    World<Dim> world = tank<Dim>(cells, kDx);
    const double width = Dim == 3 ? 8 * kDx : 1;
    const auto stream = [](const Vec<double, Dim>&, double) {
        Vec<double, Dim> u(0.0);
        u[0] = kSpeed;
        return u;
    };
    let_in<Dim>(
        world, 0, false, stream, [](double) { return kLevel; }, 1);
    open_side(world, 0, true);
    ParticleLevelSet2002<Dim> method(world, {});
    constexpr double kBefore = 0.35;
    LiquidState<Dim> liquid = method.initial_state([](const Vec<double, Dim>& p) { return p[1] - kBefore; },
                                                   [&](const Vec<double, Dim>& p) { return stream(p, 0); });
    double error = 0;
    run(method, liquid, kTime, kFrame / 2,
        [&](const StepReport& report) { error = std::max(error, std::abs(report.volume_error)); });
    const double section = std::floor(kLevel / kDx + 0.5) * kDx;  // faces are in or out as a whole
    const double margin = (kLevel - kBefore) * 8 * kDx;           // filled up once, at the beginning
    EXPECT_NEAR(liquid.ledger.flowed_in, (section * kSpeed * kTime + margin) * width, 0.04 * kLevel * kTime * width);
    EXPECT_GT(liquid.ledger.flowed_out, 0);
    EXPECT_LT(error, 0.05);
    this->RecordProperty("error", std::to_string(error));
    this->RecordProperty("flowed_in", std::to_string(liquid.ledger.flowed_in / width));
    this->RecordProperty("flowed_out", std::to_string(liquid.ledger.flowed_out / width));
}

// A closed tank that is filled up and beyond: what finds no room is left out and told, and nothing bursts.
TYPED_TEST(FlowThroughTest, WhatFindsNoRoomIsLeftOut) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kDx = 1.0 / 16, kSpeed = 0.5, kTime = 2;
    World<Dim> world = tank<Dim>(Index<Dim>(16), kDx);
    const auto stream = [](const Vec<double, Dim>&, double) {
        Vec<double, Dim> u(0.0);
        u[0] = kSpeed;
        return u;
    };
    let_in<Dim>(world, 0, false, stream, {}, 1);
    ParticleLevelSet2002<Dim> method(world, {.volume_control = true});
    LiquidState<Dim> liquid = method.initial_state([](const Vec<double, Dim>& p) { return p[1] - 0.7; }, at_rest<Dim>);
    StepReport last;
    run(method, liquid, kTime, kFrame, [&](const StepReport& report) { last = report; });
    // 0.7 were there and 1.0 flowed in.
    EXPECT_NEAR(last.overflowed, 0.7, 0.05);
    EXPECT_LT(std::abs(last.volume_error), 0.01);
    EXPECT_LT(last.max_speed, 2 * kSpeed);
}

// A velocity that is not a number fails the step instead of carrying anything to nowhere.
TYPED_TEST(FlowThroughTest, AVelocityThatIsNotANumberFailsTheStep) {
    constexpr int Dim = TypeParam::kDim;
    ParticleLevelSet2002<Dim> method(tank<Dim>(Index<Dim>(16), 1.0 / 16),
                                     {.particles = {.sides = ParticleSides::both, .per_cell = 4}});
    LiquidState<Dim> liquid = method.initial_state([](const Vec<double, Dim>& p) { return p[1] - 0.5; }, at_rest<Dim>);
    transform_values(liquid.velocity[1], [](float) { return std::numeric_limits<float>::quiet_NaN(); });
    EXPECT_NE(method.step(liquid, 0.01).failure, "");
}

// Nor may a wind without a strength do nothing, or a given flow be waited for that has no speed for a while.
TYPED_TEST(FlowThroughTest, WindsAndGivenFlowsThatAreNotNumbersFailTheStep) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    World<Dim> world = tank<Dim>(Index<Dim>(16), 1.0 / 16);
    const auto level = [](const Vec<double, Dim>& p) { return p[1] - 0.5; };
    const GivenFlow<Dim> flow(world,
                              [](FaceField<Dim>& u, double time) {
                                  for (auto& component : u.component)
                                      component.fill(time > 0 ? static_cast<float>(kNaN) : 0.1F);
                              },
                              {});
    LiquidState<Dim> carried = flow.initial_state(level);
    EXPECT_NE(flow.step(carried, 0.01).failure, "");

    world.winds.push_back({.strength = [](const Vec<double, Dim>&, double) { return kNaN; },
                           .velocity = [](const Vec<double, Dim>&, double) { return Vec<double, Dim>(1.0); },
                           .region = nullptr});
    ParticleLevelSet2002<Dim> method(world, {});
    LiquidState<Dim> liquid = method.initial_state(level, at_rest<Dim>);
    EXPECT_NE(method.step(liquid, 0.01).failure, "");
}

// A given flow without any liquid in it has lost nothing.
TYPED_TEST(FlowThroughTest, AGivenFlowWithoutLiquidHasNoVolumeError) {
    constexpr int Dim = TypeParam::kDim;
    const GivenFlow<Dim> flow(tank<Dim>(Index<Dim>(8), 1.0 / 8),
                              [](FaceField<Dim>& u, double) {
                                  for (auto& component : u.component) component.fill(0.1F);
                              },
                              {});
    LiquidState<Dim> nothing = flow.initial_state([](const Vec<double, Dim>&) { return 1.0; });
    const StepReport report = flow.step(nothing, 0.01);
    EXPECT_EQ(report.failure, "");
    EXPECT_EQ(report.volume, 0);
    EXPECT_EQ(report.volume_error, 0);
}

// Where space repeats itself a drop goes out at one side, comes in at the other, and after a round is where it was.
TYPED_TEST(FlowThroughTest, ADropGoesRoundAPeriodicTank) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kDx = 1.0 / 32, kRadius = 0.2;
    World<Dim> world = weightless(tank<Dim>(Index<Dim>(32), kDx));
    world.period[0] = world.period[1] = 4;
    Vec<double, Dim> centre(0.5), stream(0.0);
    centre[0] = 0.7;
    stream[0] = 1, stream[1] = -1;
    ParticleLevelSet2002<Dim> method(world, {});
    const auto drop = [&](const Vec<double, Dim>& p) { return length(p - centre) - kRadius; };
    LiquidState<Dim> liquid = method.initial_state(drop, [&](const Vec<double, Dim>&) { return stream; });
    double error = 0;
    run(method, liquid, 1.0, kFrame,
        [&](const StepReport& report) { error = std::max(error, std::abs(report.volume_error)); });
    double dent = 0;
    std::size_t seen = 0;
    for_each_index(world.box, [&](const Index<Dim>& cell) {
        const double exact = drop(world.grid.world_of_centre(cell));
        if (std::abs(exact) > 1.5 * kDx) return;
        dent = std::max(dent, std::abs(liquid.phi.at(cell) - exact));
        for (int a = 0; a < 2; ++a) EXPECT_NEAR(liquid.velocity[a].at(cell), stream[a], 1e-4);
        ++seen;
    });
    EXPECT_GT(seen, 50U);
    EXPECT_LT(dent, 0.1 * kDx);
    EXPECT_LT(error, 0.003);
    this->RecordProperty("dent_cells", std::to_string(dent / kDx));
}

// A jet without gravity goes straight on at the speed it was given and keeps its width.
TYPED_TEST(FlowThroughTest, ASourceMakesACleanJet) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kDx = 1.0 / 32, kRadius = 5.2 / 32, kSpeed = 1.5, kTime = 0.4;
    Index<Dim> cells(24);
    cells[0] = 48;
    World<Dim> world = weightless(tank<Dim>(cells, kDx));
    const Vec<double, Dim> axis(12 * kDx);
    const auto off_axis = [axis](Vec<double, Dim> p) {
        p -= axis;
        p[0] = 0;
        return length(p);
    };
    LiquidSource<Dim> source;
    source.distance = [=](const Vec<double, Dim>& p, double) {
        return std::max({off_axis(p) - kRadius, p[0] - 0.25, 0.05 - p[0]});
    };
    source.velocity = [](const Vec<double, Dim>&, double) {
        Vec<double, Dim> u(0.0);
        u[0] = kSpeed;
        return u;
    };
    world.sources.push_back(source);
    ParticleLevelSet2002<Dim> method(world, {});
    LiquidState<Dim> liquid = method.initial_state([](const Vec<double, Dim>&) { return 1.0; }, at_rest<Dim>);
    EXPECT_LE(method.stable_dt(liquid), 1.001 * 4 * kDx / kSpeed) << "before anything has left it";
    double error = 0;
    run(method, liquid, kTime, kFrame / 4, [&](const StepReport& report) { error = report.volume_error; });
    EXPECT_LT(std::abs(error), 0.02);

    double fastest = 0, slowest = 10, sideways = 0, widest = 0, tip = 0;
    for_each_index(world.box, [&](const Index<Dim>& cell) {
        if (!(liquid.phi.at(cell) < 0)) return;
        const Vec<double, Dim> p = world.grid.world_of_centre(cell);
        tip = std::max(tip, p[0] - liquid.phi.at(cell));
        widest = std::max(widest, off_axis(p) - liquid.phi.at(cell));
        if (p[0] < 0.1 || off_axis(p) > kRadius - kDx) return;
        fastest = std::max(fastest, double{liquid.velocity[0].at(cell)});
        slowest = std::min(slowest, double{liquid.velocity[0].at(cell)});
        sideways = std::max(sideways, std::abs(double{liquid.velocity[1].at(cell)}));
    });
    EXPECT_NEAR(tip, 0.25 + kSpeed * kTime, 1.5 * kDx);
    EXPECT_LT(widest, kRadius + kDx);
    EXPECT_LT(fastest, 1.05 * kSpeed);
    EXPECT_GT(slowest, 0.95 * kSpeed);
    EXPECT_LT(sideways, 0.05 * kSpeed);
    for (const auto& [name, value] : std::vector<std::pair<std::string, double>>{
             {"fastest", fastest}, {"slowest", slowest}, {"sideways", sideways}, {"tip", tip}, {"error", error}})
        this->RecordProperty(name, std::to_string(value));
}

// Water that hangs under a slab falls as a stone does, and leaves nothing hanging: by how far it falls, and by which
// part of its volume is off in the end, for one seed of the particles.
struct Fall {
    double way, error;
};
template <int Dim>
Fall fall_from_slab(std::uint64_t seed) {
    constexpr double kDx = 1.0 / 32, kSlab = 0.822, kTime = 0.25;
    World<Dim> world = tank<Dim>(Index<Dim>(32), kDx);
    world.solid_distance = [](const Vec<double, Dim>& p) { return kSlab - p[1]; };
    ParticleLevelSet2002<Dim> method(world, {.particles = {.sides = ParticleSides::both, .seed = seed}});
    LiquidState<Dim> liquid = method.initial_state(
        [](const Vec<double, Dim>& p) {
            double d = 0.55 - p[1];
            for (int a = 0; a < Dim; ++a)
                if (a != 1) d = std::max(d, std::abs(p[a] - 0.5) - 0.22);
            return d;
        },
        at_rest<Dim>);
    // Half its volume lies above this height.
    const auto middle = [&] {
        double sum = 0, moment = 0;
        for_each_index(world.box, [&](const Index<Dim>& cell) {
            const double y = world.grid.world_of_centre(cell)[1];
            if (y > kSlab) return;
            const double part = std::clamp(0.5 - liquid.phi.at(cell) / kDx, 0.0, 1.0);
            sum += part, moment += part * y;
        });
        return moment / sum;
    };
    const double before = middle();
    double error = 0;
    run(method, liquid, kTime, kFrame / 4, [&](const StepReport& report) { error = report.volume_error; });
    EXPECT_NEAR(before - middle(), 0.5 * kGravity * kTime * kTime, kDx / 2);
    for_each_index(world.box, [&](const Index<Dim>& cell) {
        const double y = world.grid.world_of_centre(cell)[1];
        if (y > kSlab || y < kSlab - 0.2) return;
        EXPECT_GT(liquid.phi.at(cell), 0) << y;
    });
    return {before - middle(), error};
}

// Without control.  In 2D the block has 14.1 × 8.7 cells and four corners, which a grid can hold only as round as a
// cell: each may lack 1 − π/4 of one, 0.7 % together.  Where the last of a corner goes is for the seed to say; over
// twelve of them −0.26 % in the mean and 0.6 % at most.  In 3D edges are rounded off too as it begins to fall, 1 %
// within 0.04 s and 3 % in the end.
TYPED_TEST(FlowThroughTest, WaterUnderASlabFallsFreely) {
    constexpr int Dim = TypeParam::kDim;
    constexpr std::uint64_t kSeeds = Dim == 2 ? 6 : 1;
    double sum = 0;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const Fall fall = fall_from_slab<Dim>(seed);
        EXPECT_LT(std::abs(fall.error), Dim == 2 ? 4 * (1 - std::numbers::pi / 4) / (14.1 * 8.7) : 0.035) << seed;
        this->RecordProperty(fmt::format("seed_{}", seed), fmt::format("{:.5f} {:.5f}", fall.way, fall.error));
        sum += fall.error;
    }
    EXPECT_LT(std::abs(sum) / kSeeds, Dim == 2 ? 0.003 : 0.035);
}

// A ball is lowered into a basin: the water rises by what it displaces and keeps its volume, and when the ball has
// stopped the water comes to rest.
TYPED_TEST(FlowThroughTest, ABallDisplacesItsVolume) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kDx = 1.0 / 24, kRadius = 0.2, kDepth = 0.5, kStop = 2.5;
    Index<Dim> cells(24);
    cells[1] = 28;
    World<Dim> world = tank<Dim>(cells, kDx);
    world.viscosity = 20;  // so that waves die
    const auto height = [](double t) { return 0.85 - 0.55 * std::min(t / kStop, 1.0); };
    MovingSolid<Dim> ball;
    ball.distance = [=](const Vec<double, Dim>& p, double t) {
        Vec<double, Dim> centre(0.5);
        centre[1] = height(t);
        return length(p - centre) - kRadius;
    };
    ball.velocity = [=](const Vec<double, Dim>&, double t) {
        Vec<double, Dim> u(0.0);
        u[1] = t < kStop ? -0.55 / kStop : 0;
        return u;
    };
    ball.fastest = [](double) { return 0.55 / kStop; };
    world.moving_solids.push_back(ball);
    ParticleLevelSet2002<Dim> method(world, {});
    LiquidState<Dim> liquid =
        method.initial_state([](const Vec<double, Dim>& p) { return p[1] - kDepth; }, at_rest<Dim>);
    double error = 0, speed = 0;
    run(method, liquid, Dim == 2 ? 6.0 : 4.0, kFrame, [&](const StepReport& report) {
        error = std::max(error, std::abs(report.volume_error));
        speed = report.max_speed;
    });
    const double ball_volume = Dim == 2 ? M_PI * kRadius * kRadius : 4.0 / 3 * M_PI * std::pow(kRadius, 3);
    Index<Dim> corner(1);
    const double level = last_crossing(liquid, world, corner, 1);
    EXPECT_NEAR(level, kDepth + ball_volume, 0.5 * kDx);
    EXPECT_LT(error, 0.03);
    EXPECT_LT(speed, 0.2);
    this->RecordProperty("rise", std::to_string((level - kDepth) / ball_volume));
    this->RecordProperty("error", std::to_string(error));
    this->RecordProperty("speed", std::to_string(speed));
}

// A drop out of shape swings about its round form: in 2D ω² = n(n² − 1) σ/(ρR³), in 3D n(n − 1)(n + 2) σ/(ρR³).
// [Rayleigh1879, Lamb32]
TYPED_TEST(FlowThroughTest, ADropSwingsAtItsFrequency) {
    constexpr int Dim = TypeParam::kDim;
    constexpr int kCells = Dim == 2 ? 48 : 32;
    constexpr double kDx = 1.0 / kCells, kRadius = 0.3, kSwing = 0.03;
    World<Dim> world = weightless(tank<Dim>(Index<Dim>(kCells), kDx));
    world.density = 1;
    world.surface_tension = 1;
    ParticleLevelSet2002<Dim> method(world, {});
    // Longer along the first axis: the second mode, about an axis of symmetry in 3D.
    const auto shape = [&](const Vec<double, Dim>& p) {
        const Vec<double, Dim> r = p - Vec<double, Dim>(0.5);
        const double distance = length(r), cosine = distance > 0 ? r[0] / distance : 0;
        const double mode = Dim == 2 ? 2 * cosine * cosine - 1 : 1.5 * cosine * cosine - 0.5;
        return distance - kRadius - kSwing * mode;
    };
    LiquidState<Dim> liquid = method.initial_state(shape, at_rest<Dim>);
    const double factor = Dim == 2 ? 6 : 8, period = 2 * M_PI / std::sqrt(factor / std::pow(kRadius, 3));
    const auto length_along = [&](int axis) {
        Index<Dim> cell(kCells / 2);
        return last_crossing(liquid, world, cell, axis) - 0.5;
    };
    std::vector<double> time{0}, swing{length_along(0) - length_along(1)};
    double error = 0;
    run(method, liquid, 1.3 * period, period / 60, [&](const StepReport& report) {
        time.push_back(liquid.time);
        swing.push_back(length_along(0) - length_along(1));
        error = std::max(error, std::abs(report.volume_error));
    });
    // From one passage through the round form to the next is half a period.
    std::vector<double> round;
    for (std::size_t n = 1; n < swing.size(); ++n)
        if ((swing[n - 1] > 0) != (swing[n] > 0))
            round.push_back(time[n - 1] + (time[n] - time[n - 1]) * swing[n - 1] / (swing[n - 1] - swing[n]));
    ASSERT_GE(round.size(), 2U);
    const double measured = 2 * (round[1] - round[0]);
    EXPECT_NEAR(measured / period, 1, 0.04);
    const double back = *std::max_element(swing.begin() + static_cast<std::ptrdiff_t>(swing.size() / 2), swing.end());
    EXPECT_GT(back, 0.6 * swing[0]);
    EXPECT_LT(error, 0.01);
    this->RecordProperty("period", std::to_string(measured / period));
    this->RecordProperty("back", std::to_string(back / swing[0]));
    this->RecordProperty("error", std::to_string(error));
}

}  // namespace
}  // namespace spindrift

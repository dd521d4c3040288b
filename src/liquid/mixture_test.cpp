// SPDX-License-Identifier: Apache-2.0
// Mixtures: each component is kept, what is pure stays pure, and what rests stays as it is.
#include "liquid/mixture.h"

#include "liquid/test_support.h"

namespace spindrift {
namespace {

LiquidSettings scene_defaults(bool particles = true) {
    LiquidSettings settings{.cfl = 3, .volume_control = true, .pressure_tolerance = 1e-4};
    if (particles) settings.particles.sides = ParticleSides::both;
    return settings;
}

template <int Dim>
World<Dim> tank_of(std::size_t components, const Index<Dim>& cells, double dx) {
    World<Dim> world = tank<Dim>(cells, dx);
    for (std::size_t i = 0; i < components; ++i) world.components.push_back({fmt::format("liquid {}", i)});
    return world;
}

// The largest error of a component, relative to what is expected of it.
double worst_error(const ComponentVolumes& volumes) {
    double worst = 0;
    for (std::size_t i = 0; i < volumes.has.size(); ++i)
        worst = std::max(worst, std::abs(volumes.has[i] - volumes.expected[i]) / volumes.expected[i]);
    return worst;
}

// Least and largest part in liquid cells.
template <int Dim>
std::pair<float, float> range_of(const LiquidState<Dim>& liquid, std::size_t part) {
    std::pair<float, float> range{1e9F, -1e9F};
    for_each_index(liquid.tiles().cell_bounds(), [&](const Index<Dim>& cell) {
        if (!(liquid.phi.at(cell) < 0)) return;
        const float c = liquid.mixture.parts[part].at(cell);
        range.first = std::min(range.first, c);
        range.second = std::max(range.second, c);
    });
    return range;
}

// A dam that breaks, with spray.
template <int Dim>
void expect_dam_keeps(std::size_t components, double limit) {
    constexpr int kCells = Dim == 2 ? 64 : 24;
    Index<Dim> cells(kCells / 4);
    cells[0] = kCells, cells[1] = kCells * 3 / 4;
    const World<Dim> world = tank_of<Dim>(components, cells, 1.0 / kCells);
    ParticleLevelSet2002<Dim> method(world, scene_defaults());
    LiquidState<Dim> liquid = method.initial_state(
        [](const Vec<double, Dim>& p) { return dam_distance(p, 0.4, 0.5); }, at_rest<Dim>,
        [&](const Vec<double, Dim>& p) {
            std::vector<double> parts{p[1] > 0.25 ? 1.0 : 0.0, p[1] <= 0.25 && p[0] > 0.2 ? 1.0 : 0.0};
            parts.resize(components - 1);
            return parts;
        });
    EXPECT_NEAR(liquid.mixture.expected[1] / liquid.ledger.initial, 0.5, 0.01);
    double worst = 0, drops = 0;
    run(method, liquid, 2.0, kFrame, [&](const StepReport& report) {
        // What the liquid itself has lost is lost to all of them.
        const double own = worst_error(method.components(liquid)) - std::abs(report.volume_error);
        worst = std::max(worst, own);
        drops = std::max(drops, report.spray_volume);
    });
    double expected = 0;
    for (const double volume : liquid.mixture.expected) expected += volume;
    EXPECT_NEAR(expected, liquid.ledger.expected(), 1e-6 * expected);
    EXPECT_GT(drops, 0);
    testing::Test::RecordProperty("worst", std::to_string(worst));
    EXPECT_LT(worst, limit);
    for (std::size_t part = 0; part + 1 < components; ++part) {
        EXPECT_GE(range_of(liquid, part).first, 0);
        EXPECT_LE(range_of(liquid, part).second, 1);
        // It mixes, but not all at once.
        EXPECT_GT(range_of(liquid, part).second, 0.5);
    }
}
TEST(Mixture, ADamThatBreaksKeepsItsComponents2D) { expect_dam_keeps<2>(2, 1e-4); }
TEST(Mixture, ADamThatBreaksKeepsItsComponents3D) { expect_dam_keeps<3>(2, 3e-4); }
TEST(Mixture, ADamOfThreeKeepsThemNearly2D) { expect_dam_keeps<2>(3, 1e-3); }
TEST(Mixture, ADamOfThreeKeepsThemNearly3D) { expect_dam_keeps<3>(3, 1e-2); }

// What is pure stays so whatever it does.
TEST(Mixture, WhatIsPureStaysPure) {
    const World<2> world = tank_of<2>(2, {64, 48}, 1.0 / 64);
    ParticleLevelSet2002<2> method(world, scene_defaults());
    LiquidState<2> liquid =
        method.initial_state([](const Vec<double, 2>& p) { return dam_distance(p, 0.4, 0.5); }, at_rest<2>,
                             [](const Vec<double, 2>&) { return std::vector<double>{1.0}; });
    run(method, liquid, 1.0);
    EXPECT_EQ(range_of(liquid, 0), (std::pair{1.0F, 1.0F}));
}

// Of one component more or less, the liquid itself knows nothing.
TEST(Mixture, ALiquidMovesTheSameMixedOrNot) {
    const auto hash_of = [](std::size_t components) {
        const World<2> world = tank_of<2>(components, {48, 48}, 1.0 / 48);
        ParticleLevelSet2002<2> method(world, scene_defaults());
        LiquidState<2> liquid =
            method.initial_state([](const Vec<double, 2>& p) { return dam_distance(p, 0.4, 0.5); }, at_rest<2>,
                                 [](const Vec<double, 2>& p) { return std::vector<double>{p[1] > 0.25 ? 1.0 : 0.0}; });
        run(method, liquid, 0.5);
        return state_hash(liquid.phi) ^ state_hash(liquid.velocity);
    };
    EXPECT_EQ(hash_of(0), hash_of(2));
}

// A source lets out its own liquid, a sink takes what comes to it.
TEST(Mixture, SourcesAndSinksKeepAccounts) {
    World<2> world = tank_of<2>(2, {48, 48}, 1.0 / 48);
    LiquidSource<2> source;
    source.distance = [](const Vec<double, 2>& p, double) { return length(p - Vec<double, 2>{0.25, 0.7}) - 0.07; };
    source.velocity = [](const Vec<double, 2>&, double) { return Vec<double, 2>{0.6, -0.5}; };
    source.component = 1;
    source.start = 0.1;
    source.end = 0.8;
    world.sources.push_back(source);
    world.sinks.push_back({.distance = [](const Vec<double, 2>& p) {
        return length(p - Vec<double, 2>{0.8, 0.05}) - 0.08;
    }});
    ParticleLevelSet2002<2> method(world, scene_defaults());
    LiquidState<2> liquid = method.initial_state([](const Vec<double, 2>& p) { return p[1] - 0.3; }, at_rest<2>,
                                                 [](const Vec<double, 2>&) { return std::vector<double>{0.0}; });
    EXPECT_EQ(liquid.mixture.expected[1], 0);
    double worst = 0, off = 0;
    run(method, liquid, 1.0, kFrame, [&](const StepReport& report) {
        off = std::max(off, std::abs(report.volume_error));
        const ComponentVolumes volumes = method.components(liquid);
        worst = std::max(worst, std::abs(volumes.has[1] - volumes.expected[1]) / report.volume);
    });
    EXPECT_GT(liquid.ledger.flowed_out, 0.05);
    EXPECT_GT(liquid.mixture.expected[1], 0.3 * liquid.ledger.flowed_in);
    EXPECT_LE(liquid.mixture.expected[1], liquid.ledger.flowed_in);
    EXPECT_LT(worst, 1.5e-3 + off);  // a stream in the air has nothing to mix with that could give it back
    EXPECT_NEAR(liquid.mixture.expected[0] + liquid.mixture.expected[1], liquid.ledger.expected(),
                1e-5 * liquid.ledger.expected());
}

// Still layers stay where they are.
TEST(Mixture, StillLayersStay) {
    const World<2> world = tank_of<2>(2, {48, 48}, 1.0 / 48);
    ParticleLevelSet2002<2> method(world, scene_defaults());
    LiquidState<2> liquid =
        method.initial_state([](const Vec<double, 2>& p) { return p[1] - 0.51; }, at_rest<2>,
                             [](const Vec<double, 2>& p) { return std::vector<double>{p[1] > 0.25 ? 1.0 : 0.0}; });
    const Field<float, 2> before = liquid.mixture.parts[0];
    run(method, liquid, 2.0);
    float change = 0;
    for_each_index(IndexBox<2>{{0, 0}, {48, 24}}, [&](const Index<2>& cell) {
        change = std::max(change, std::abs(liquid.mixture.parts[0].at(cell) - before.at(cell)));
    });
    EXPECT_LT(change, 1e-4);
}

}  // namespace
}  // namespace spindrift

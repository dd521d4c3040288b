// SPDX-License-Identifier: Apache-2.0
// [[force]] of a scene, on a liquid and on a gas.
#include "session/probes/probe.h"
#include "session/scene_run.h"
#include "setup/plausible_speed.h"

namespace spindrift {
namespace {

const std::string kDam =
    "spindrift = 1\n[domain]\nsize = [1, 1]\nresolution = 32\n[[liquid]]\nshape = 'box'\nmin = [0, 0]\n"
    "max = [0.5, 0.5]\n";
const std::string kAir =
    "spindrift = 1\nmethod = 'gas'\n[domain]\nsize = [1, 1]\nresolution = 32\n[[substance]]\nname = 'smoke'\n"
    "initial = 'y < 0.3 ? 1 : 0'\n";
// One of each kind.
const std::string kForces =
    "[[force]]\nkind = 'constant'\nacceleration = ['3 * sin(9 * t)', 'x * y']\nend = 0.09\n"
    "[[force]]\nkind = 'vortex'\ncenter = ['0.3 + t', 0.3]\nradius = 0.3\nstrength = 30\nstart = 0.04\n"
    "[[force]]\nkind = 'attractor'\ncenter = [0.5, 0.5]\nradius = 0.4\nstrength = '20 * t'\n"
    "[[force]]\nkind = 'turbulence'\nradius = 0.2\nfrequency = 9\nstrength = 20\n"
    "[[force]]\nkind = 'drag'\nstrength = '3 * t'\n";

double advance(Simulation& simulation, int steps) {
    for (int n = 0; n < steps; ++n) EXPECT_EQ(simulation.advance(0.01).failure, "");
    return simulation.time();
}

TEST(Forces, GoOnFromACheckpointWithTheSameBits) {
    for (const std::string& text : {kDam + kForces, kAir + kForces}) expect_same_from_checkpoint(text, 6, 6, advance);
}

TEST(Forces, AreTheSameOnAnyThreads) {
    for (const std::string& text : {kDam + kForces, kAir + kForces}) expect_same_on_any_threads(text, 12, advance);
}

// Each kind changes the motion of either phase.
TEST(Forces, EachKindMovesLiquidAndGas) {
    for (const std::string& fluid : {kDam, kAir}) {
        const auto state = [&](const std::string& force) {
            const auto simulation = simulation_of(fluid + force);
            advance(*simulation, 12);
            return bits_of(*simulation);
        };
        const std::string push = "[[force]]\nkind = 'constant'\nacceleration = ['y', 0]\n", still = state("");
        EXPECT_NE(state(push), still);
        EXPECT_NE(state("[[force]]\nkind = 'vortex'\ncenter = [0.3, 0.3]\nradius = 0.3\n"), still);
        EXPECT_NE(state("[[force]]\nkind = 'attractor'\ncenter = ['t', 0.6]\nradius = 0.6\n"), still);
        EXPECT_NE(state("[[force]]\nkind = 'turbulence'\nradius = 0.3\n"), still);
        EXPECT_NE(state(push + "[[force]]\nkind = 'drag'\nstrength = 5\n"), state(push));
    }
}

// What the probe of totals measures in a periodic box: force times mass times time.
TEST(Forces, ImpulseShowsInTheMomentumOfAProbe) {
    const std::string text =
        "spindrift = 1\ngravity = 0\n[domain]\nsize = [1, 1]\nresolution = 16\nsides = {all = 'periodic'}\n"
        "[[liquid]]\nshape = 'box'\nmin = [-9, -9]\nmax = [9, 9]\n"
        "[[force]]\nkind = 'constant'\nacceleration = [2, '-3 * t']\nstart = 0.033\nend = 0.241\n"
        "[[probe]]\nname = 'all'\nkind = 'total'\n";
    const auto simulation = simulation_of(text);
    while (simulation->time() < 0.3) ASSERT_EQ(simulation->advance(simulation->stable_dt()).failure, "");
    const StepReport shown = simulation->show(simulation->time());
    ASSERT_EQ(shown.failure, "");
    const auto scene = parse_scene(text, "forces.toml").value();
    const Probe probe = make_probes(scene)[0];
    const std::vector<double> row = probe.measure(*simulation, shown);
    const auto measured = [&](const char* name) {
        for (std::size_t c = 0; c < probe.columns.size(); ++c)
            if (probe.columns[c].name == name) return row[c];
        return std::nan("");
    };
    const double mass = scene.fluid.density;
    EXPECT_NEAR(measured("mass"), mass, 1e-6 * mass);
    EXPECT_NEAR(measured("momentum_x"), mass * 2 * (0.241 - 0.033), 1e-4 * mass);
    EXPECT_NEAR(measured("momentum_y"), mass * -1.5 * (0.241 * 0.241 - 0.033 * 0.033), 1e-4 * mass);
}

// What forces explain is no cause for alarm.
TEST(Forces, PlausibleSpeedsKnowThem) {
    const auto speed = [](const std::string& force) {
        return plausible_speed(parse_scene(kDam + force, "forces.toml").value());
    };
    const double alone = speed("");
    EXPECT_GT(speed("[[force]]\nkind = 'constant'\nacceleration = [9000, 0]\n"), 3 * std::sqrt(2 * 9000));
    EXPECT_GT(speed("[[force]]\nkind = 'vortex'\nstrength = 1000\n"), alone);
    EXPECT_EQ(speed("[[force]]\nkind = 'drag'\nstrength = 1000\n"), alone);
}

}  // namespace
}  // namespace spindrift

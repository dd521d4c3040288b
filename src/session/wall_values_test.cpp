// SPDX-License-Identifier: Apache-2.0
// Gas between walls that its scene gives values to.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scene/read_scene.h"
#include "session/gas_simulation.h"
#include "setup/gas_scene.h"

namespace spindrift {
namespace {

GasSimulation<2> gas_of(const std::string& text) {
    auto scene = parse_scene(text, "walls.toml");
    EXPECT_TRUE(scene) << scene.errors().text();
    auto world = gas_scene<2>(scene.value());
    EXPECT_TRUE(world) << world.errors().text();
    return GasSimulation<2>(scene.value(), std::move(world).value());
}

// A slab across the box, warmer than one wall and cooler than the other: two straight lines.  Another solid, which has
// a hollow cut into it, has a value of its own, and a third has none.
TEST(GasWalls, EverySideAndSolidHasItsOwn) {
    GasSimulation<2> gas = gas_of(
        "spindrift = 1\nmethod = \"gas\"\n[domain]\nsize = [1, 1]\nresolution = 32\n"
        "sides = {bottom = {kind = \"no-slip\", wall_values = {heat = 0}}, "
        "top = {kind = \"no-slip\", wall_values = {heat = {flux = 2}}}}\n"
        "[[substance]]\nname = \"heat\"\ndiffusion = 1\ninitial = 4\n"
        "[[solid]]\nname = \"slab\"\nshape = \"box\"\nmin = [-1, 0.413]\nmax = [2, 0.527]\nwall = \"no-slip\"\n"
        "wall_values = {heat = 10}\n");
    for (int step = 0; step < 30; ++step) ASSERT_EQ(gas.advance(0.5).failure, "");
    for (int j = 0; j < 32; ++j) {
        const double y = (j + 0.5) / 32;
        if (y > 0.413 && y < 0.527) continue;
        const double exact = y < 0.413 ? 10 * y / 0.413 : 10 + 2 * (y - 0.527);
        EXPECT_NEAR(gas.state().substances[0].at({7, j}), exact, 0.02) << y;
    }
}

TEST(GasWalls, ValuesOfSolidsDoNotMix) {
    GasSimulation<2> gas = gas_of(
        "spindrift = 1\nmethod = \"gas\"\n[domain]\nsize = [1, 1]\nresolution = 32\n"
        "[[substance]]\nname = \"heat\"\ndiffusion = 0.01\ninitial = 4\n"
        "[[solid]]\nshape = \"box\"\nmin = [0.1, 0.1]\nmax = [0.3, 0.9]\nwall_values = {heat = 8}\n"
        "[[solid]]\nshape = \"box\"\nmin = [0.15, 0.3]\nmax = [0.5, 0.7]\nop = \"subtract\"\n"
        "[[solid]]\nshape = \"box\"\nmin = [0.7, 0.1]\nmax = [0.9, 0.9]\nwall_values = {heat = -8}\n");
    for (int step = 0; step < 4; ++step) ASSERT_EQ(gas.advance(0.05).failure, "");
    const Field<float, 2>& heat = gas.state().substances[0];
    const auto at = [&](double x, double y) {
        return double{heat.at({static_cast<int>(x * 32), static_cast<int>(y * 32)})};
    };
    EXPECT_GT(at(0.32, 0.2), 5);  // beside the first
    EXPECT_GT(at(0.18, 0.5), 5);  // in the hollow that was cut into it
    EXPECT_LT(at(0.67, 0.5), 0);  // beside the other
    EXPECT_NEAR(at(0.5, 0.03), 4, 0.1);
}

// A force along a channel whose lower wall holds the gas and whose upper one lets it slip: half a parabola, steepest at
// the lower wall, and the friction there is all of the force.
TEST(GasWalls, OneSolidSlipsAndAnotherDoesNot) {
    constexpr double kFloor = 0.213, kRoof = 0.787, kForce = 0.1, kDensity = 1.2;
    GasSimulation<2> gas = gas_of(
        fmt::format("spindrift = 1\nmethod = \"gas\"\n[domain]\nsize = [1, 1]\nresolution = 32\nsides = {{left = "
                    "\"periodic\", right = \"periodic\"}}\n"
                    "[gas]\nviscosity = 0.1\n[[force]]\nkind = \"constant\"\nacceleration = [{}, 0]\n"
                    "[[solid]]\nname = \"floor\"\nshape = \"box\"\nmin = [-1, -1]\nmax = [2, {}]\nwall = \"no-slip\"\n"
                    "[[solid]]\nname = \"roof\"\nshape = \"box\"\nmin = [-1, {}]\nmax = [2, 2]\nwall = \"slip\"\n",
                    kForce, kFloor, kRoof));
    StepReport report;
    for (int step = 0; step < 40; ++step) report = gas.advance(1);
    ASSERT_EQ(report.failure, "");
    constexpr double kHeight = kRoof - kFloor, kMost = kForce / 0.1 * kHeight * kHeight / 2;
    for (int j = 7; j < 25; ++j) {
        const double y = (j + 0.5) / 32 - kFloor;
        EXPECT_NEAR(gas.state().velocity[0].at({7, j}) / kMost, y * (2 * kHeight - y) / (kHeight * kHeight), 0.01) << y;
    }
    ASSERT_EQ(report.solids.size(), 2U);
    EXPECT_NEAR(report.solids[0].viscous[0] / (kDensity * kForce * kHeight), 1, 0.02);
    EXPECT_EQ(report.solids[1].viscous[0], 0);
}

// Air above a hot floor begins to move; above one of its own temperature, or a cold one, it does not.
TEST(GasWalls, AHotFloorStartsConvection) {
    const auto speed_over = [](double floor) {
        GasSimulation<2> gas = gas_of(fmt::format(
            "spindrift = 1\nmethod = \"gas\"\n[domain]\nsize = [1, 1]\nresolution = 32\n"
            "sides = {{all = \"no-slip\", bottom = {{kind = \"no-slip\", wall_values = {{temperature = {}}}}}}}\n"
            "[gas]\nviscosity = 1e-4\n"
            "[[substance]]\nname = \"temperature\"\nambient = 300\ninitial = \"300 + 0.1 * sin(2 * pi * x)\"\n"
            "diffusion = 1e-3\nbuoyancy = 0.03\n",
            floor));
        StepReport report;
        for (int step = 0; step < 100; ++step) report = gas.advance(0.1);
        EXPECT_EQ(report.failure, "");
        return report.max_speed;
    };
    EXPECT_GT(speed_over(350), 0.1);
    // The tenth of a degree at the start pulls by up to 0.003 m/s² for 10 s.
    EXPECT_LT(speed_over(300), 0.03);
    EXPECT_LT(speed_over(280), 0.03);
}

// A floor whose temperature rises goes on as it was after a snapshot.
TEST(GasWalls, ValuesThatVaryContinueFromASnapshot) {
    const std::string text =
        "spindrift = 1\nmethod = \"gas\"\n[domain]\nsize = [1, 1]\nresolution = 16\n"
        "sides = {bottom = {kind = \"slip\", wall_values = {heat = \"t * sin(pi * x)\"}}}\n"
        "[[substance]]\nname = \"heat\"\ndiffusion = 0.1\nbuoyancy = 1\n";
    GasSimulation<2> straight = gas_of(text), resumed = gas_of(text);
    for (int step = 0; step < 4; ++step) EXPECT_EQ(straight.advance(0.1).failure, "");
    ASSERT_TRUE(resumed.load(straight.snapshot()));
    for (int step = 0; step < 4; ++step) {
        EXPECT_EQ(straight.advance(0.1).failure, "");
        EXPECT_EQ(resumed.advance(0.1).failure, "");
    }
    EXPECT_EQ(hex(straight.snapshot().hash()), hex(resumed.snapshot().hash()));
    EXPECT_GT(straight.state().substances[0].at({8, 0}), 0.4F);
}

}  // namespace
}  // namespace spindrift

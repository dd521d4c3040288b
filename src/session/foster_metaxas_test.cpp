// SPDX-License-Identifier: Apache-2.0
// The method foster-metaxas-1996 in scenes: what the paper's pictures must show, and what any liquid must do.
#include <cmath>
#include <map>

#include "session/catalogue.h"
#include "session/foster_metaxas_simulation.h"
#include "session/scene_run.h"

namespace spindrift {
namespace {

std::unique_ptr<Simulation> catalogue_scene(const std::string& name, const std::vector<std::string>& changes = {}) {
    const auto file = find_scene(name);
    EXPECT_TRUE(file) << file.errors().text();
    const auto scene = read_scene(file.value(), changes);
    EXPECT_TRUE(scene) << scene.errors().text();
    auto made = make_simulation(scene.value());
    EXPECT_TRUE(made) << made.errors().text();
    return std::move(made).value();
}

// Steps of the length that a run would take, up to a time.
StepReport advance_to(Simulation& simulation, double end, const std::function<void(const StepReport&)>& watch = {}) {
    StepReport last = simulation.measures();
    while (simulation.time() < end - 1e-9) {
        last = simulation.advance(std::min(simulation.stable_dt(), end - simulation.time()));
        EXPECT_EQ(last.failure, "");
        EXPECT_TRUE(last.pressure.converged) << "at " << simulation.time() << " s";
        if (watch) watch(last);
        if (::testing::Test::HasFailure()) break;
    }
    (void)simulation.show(simulation.time());
    return last;
}

template <int Dim>
const LiquidState<Dim>& state_of(const Simulation& simulation) {
    return dynamic_cast<const SurfaceSimulation<Dim>&>(simulation).state();
}

template <int Dim>
void still_water() {
    const std::string text = fmt::format(
        "spindrift = 1\nmethod = \"foster-metaxas-1996\"\n[domain]\nsize = {}\nresolution = 16\n"
        "[foster-metaxas]\nmarkers_across = 2\n[[liquid]]\nshape = \"plane\"\npoint = {}\nnormal = {}\n",
        Dim == 2 ? "[0.5, 1]" : "[0.5, 1, 0.5]", Dim == 2 ? "[0, 0.53125]" : "[0, 0.53125, 0]",
        Dim == 2 ? "[0, 1]" : "[0, 1, 0]");
    const auto simulation = simulation_of(text);
    const StepReport end = advance_to(*simulation, 0.5);
    EXPECT_LT(end.max_speed, 1e-4);
    EXPECT_NEAR(end.volume_error, 0, 1e-9);
    // The pressure is that of the surface cell, whose centre lies at 0.53125 m, and rises with depth.
    const LiquidState<Dim>& liquid = state_of<Dim>(*simulation);
    for (const int layer : {0, 3, 7}) {
        Index<Dim> cell(2);
        cell[1] = layer;
        EXPECT_NEAR(liquid.pressure.at(cell), 9.81 * (8 - layer) / 16, 2e-3) << layer;
    }
}
TEST(FosterMetaxas, StillWaterStaysStill2D) { still_water<2>(); }
TEST(FosterMetaxas, StillWaterStaysStill3D) { still_water<3>(); }

template <int Dim>
void falling_drop() {
    const std::string text = fmt::format(
        "spindrift = 1\nmethod = \"foster-metaxas-1996\"\n[domain]\nsize = {}\nresolution = 24\n"
        "[[liquid]]\nshape = \"sphere\"\ncenter = {}\nradius = 0.15\n",
        Dim == 2 ? "[0.6, 1.2]" : "[0.6, 1.2, 0.6]", Dim == 2 ? "[0.3, 0.9]" : "[0.3, 0.9, 0.3]");
    const auto simulation = simulation_of(text);
    const auto& method = dynamic_cast<const FosterMetaxasSimulation<Dim>&>(*simulation);
    const auto height = [&] {
        double sum = 0;
        for (const double y : method.markers().position[1]) sum += y;
        return sum / static_cast<double>(method.markers().count()) * 0.05;
    };
    const double before = height();
    // Markers move with the velocity of each step's end: ½ g t (t + dt).
    const double dt = 0.005, time = 0.3;
    for (int n = 0; n < 60; ++n) EXPECT_EQ(simulation->advance(dt).failure, "");
    EXPECT_NEAR(before - height(), 0.5 * 9.81 * time * (time + dt), 1e-5);
}
TEST(FosterMetaxas, ADropFallsFreely2D) { falling_drop<2>(); }
TEST(FosterMetaxas, ADropFallsFreely3D) { falling_drop<3>(); }

// The drop and its waves stay symmetric to the last bit, and the drop makes a jet where it fell.
TEST(FosterMetaxas, SplashDropStaysSymmetricAndRebounds) {
    const auto simulation = catalogue_scene("splash-drop");
    const auto& method = dynamic_cast<const FosterMetaxasSimulation<2>&>(*simulation);
    double jet = 0, hollow = 1;
    (void)advance_to(*simulation, 1.0, [&](const StepReport&) {
        double highest = 0;  // m, of the liquid in the middle
        for (std::size_t n = 0; n < method.markers().count(); ++n)
            if (const Vec<double, 2> place = method.markers().place(n); std::abs(place[0]) < 1)
                highest = std::max(highest, 0.01 * (place[1] + 20));
        if (simulation->time() > 0.1 && simulation->time() < 0.25) hollow = std::min(hollow, highest);
        if (simulation->time() > 0.25) jet = std::max(jet, highest);
    });
    EXPECT_LT(hollow, 0.095);
    EXPECT_GT(jet, 0.13);
    std::multimap<double, double> places;
    const auto& [x, y] = method.markers().position;
    for (std::size_t n = 0; n < x.size(); ++n) places.emplace(x[n], y[n]);
    for (std::size_t n = 0; n < x.size(); ++n) {
        const auto [from, to] = places.equal_range(-x[n]);
        EXPECT_TRUE(std::any_of(from, to, [&](const auto& place) { return place.second == y[n]; }));
    }
}

// A second of a jet of 0.05 m at 0.8 m/s; afterwards it calms down, and its level is that of what came in.
TEST(FosterMetaxas, JetTankFillsAndSettles) {
    const auto simulation = catalogue_scene("jet-tank", {"source.jet.end=1"});
    double fastest = 0;
    const StepReport filled =
        advance_to(*simulation, 1.0, [&](const StepReport& step) { fastest = std::max(fastest, step.max_speed); });
    EXPECT_GT(fastest, 1.2);  // it falls, and is thrown up at the far wall
    EXPECT_NEAR(filled.volume, 0.04, 0.08 * 0.04);
    const StepReport settled = advance_to(*simulation, 4.0);
    EXPECT_LT(settled.max_speed, 0.5 * fastest);
    // Markers spread into cells that they do not fill: measured +11 %.
    EXPECT_NEAR(settled.volume, 0.04, 0.15 * 0.04);
    EXPECT_EQ(state_of<2>(*simulation).ledger.flowed_out, 0);
}

// What comes in on one side leaves on the other, and the level in between is kept.
TEST(FosterMetaxas, AChannelKeepsItsLevel) {
    const auto simulation = simulation_of(R"toml(
spindrift = 1
method = "foster-metaxas-1996"
[domain]
size = [2, 0.5]
resolution = 40
sides = {left = {kind = "inflow", velocity = [0.5, 0], level = 0.25}, right = "open"}
[[liquid]]
shape = "box"
min = [-1, -1]
max = [3, 0.25]
velocity = [0.5, 0]
)toml");
    const StepReport end = advance_to(*simulation, 4.0);
    const LiquidState<2>& liquid = state_of<2>(*simulation);
    EXPECT_NEAR(liquid.ledger.flowed_in, 4 * 0.5 * 0.25, 1e-6);
    // Markers spread here as well: measured 0.44 m² and 0.55 m².
    EXPECT_NEAR(liquid.ledger.flowed_out, 4 * 0.5 * 0.25, 0.08);
    EXPECT_NEAR(end.volume, 0.5, 0.08);
}

// An inflow that becomes an outflow lets out again what it brought.
TEST(FosterMetaxas, ASideTurnsFromInflowToOutflow) {
    const auto simulation = simulation_of(R"toml(
spindrift = 1
method = "foster-metaxas-1996"
[domain]
size = [1, 0.5]
resolution = 20
sides = {left = {kind = "inflow", velocity = ["0.2 + 0.1 * cos(2*pi*t)", 0], level = 0.2, outflow_after = 1}}
[[liquid]]
shape = "box"
min = [-1, -1]
max = [3, 0.2]
)toml");
    (void)advance_to(*simulation, 1.0);
    const double brought = state_of<2>(*simulation).ledger.flowed_in;
    EXPECT_NEAR(brought, 0.2 * 0.2, 0.02 * 0.04);
    EXPECT_EQ(state_of<2>(*simulation).ledger.flowed_out, 0);
    (void)advance_to(*simulation, 3.0);
    EXPECT_EQ(state_of<2>(*simulation).ledger.flowed_in, brought);
    EXPECT_GT(state_of<2>(*simulation).ledger.flowed_out, 0.2 * brought);
}

constexpr const char* kSmallDam = R"toml(
spindrift = 1
method = "foster-metaxas-1996"
[domain]
size = [0.8, 0.4, 0.2]
resolution = 16
[foster-metaxas]
markers_across = 2
[[solid]]
shape = "box"
min = [0.45, -1, -1]
max = [0.55, 0.1, 0.1]
wall = "no-slip"
[[liquid]]
shape = "box"
min = [-1, -1, -1]
max = [0.25, 0.3, 1]
[[source]]
shape = "box"
min = [-1, 0.3, 0.05]
max = [0.05, 0.35, 0.15]
velocity = [0.5, 0, 0]
)toml";

std::size_t take_steps(Simulation& simulation, int steps) {
    for (int n = 0; n < steps; ++n) EXPECT_EQ(simulation.advance(0.01).failure, "");
    return simulation.particle_count();
}

TEST(FosterMetaxas, GoesOnFromACheckpointWithTheSameBits) {
    expect_same_from_checkpoint(kSmallDam, 10, 10, take_steps);
}
TEST(FosterMetaxas, HasTheSameBitsOnAnyThreads) { expect_same_on_any_threads(kSmallDam, 12, take_steps); }

}  // namespace
}  // namespace spindrift

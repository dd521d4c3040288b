// SPDX-License-Identifier: Apache-2.0
// Probes against closed forms, and their files after a kill.
#include "session/probes/probe.h"

#include <array>
#include <cmath>
#include <fstream>
#include <numbers>

#include <gtest/gtest.h>

#include "base/test_folder.h"
#include "grid/test_support.h"
#include "io/whole_file.h"
#include "scene/read_scene.h"
#include "session/make_run.h"
#include "session/output/verify.h"
#include "session/probes/probe_log.h"
#include "session/probes/totals.h"

namespace spindrift {
namespace {

namespace fs = std::filesystem;

class Probes : public TestFolder {
  protected:
    void run(const std::string& text, const char* folder = "run", RunObserver observer = {}, bool resume = false) {
        const auto scene = parse_scene(text + kNoPictures, "probes.toml");
        ASSERT_TRUE(scene) << scene.errors().text();
        RunSettings settings = run_settings(scene.value());
        settings.folder = folder_ / folder;
        settings.resume = resume;
        const auto outcome = run_scene(scene.value(), settings, observer);
        ASSERT_TRUE(outcome) << outcome.errors().text();
        ASSERT_EQ(outcome.value().failure, "");
    }
    std::string file(const char* folder, const std::string& name) const {
        return read_text_file(folder_ / folder / "probes" / (name + ".csv")).value();
    }
    void expect_same_after_resume(const std::string& text, const std::string& phase);
    // The last value of a column.
    double last(const std::string& name, const std::string& column) const {
        const auto table = read_probe_file(folder_ / "run/probes" / (name + ".csv"));
        for (std::size_t c = 0; table && c < table.value().names.size(); ++c)
            if (table.value().names[c] == column) return table.value().columns[c].back();
        ADD_FAILURE() << name << " has no column " << column;
        return NAN;
    }

    static constexpr const char* kNoPictures =
        "[output]\nimages = false\nfilm = false\nmesh = false\nvolumes = false\ncheckpoint_every = 2\n";
};

constexpr const char* kTank = R"(spindrift = 1
[domain]
size = [1, 1]
resolution = 32
[time]
frames = 6
[[liquid]]
shape = "box"
min = [0, 0]
max = [1, 0.61]
)";

TEST_F(Probes, PressureOfStillWaterIsHydrostaticUpToTheWalls) {
    run(std::string(kTank) +
        "[[probe]]\nname = 'deep'\nkind = 'point'\nposition = [0.4, 0.13]\n"
        "[[probe]]\nname = 'floor'\nkind = 'point'\nposition = [1, 0]\n"
        "[[probe]]\nname = 'air'\nkind = 'point'\nposition = [0.5, 0.8]\n"
        "[[probe]]\nname = 'gauge'\nkind = 'height'\nfrom = [0.3, 0]\nto = [0.3, 1]\n");
    const double rho = 998.2, g = 9.81;
    const double density = parse_scene(kTank, "t").value().fluid.density;
    EXPECT_NEAR(density, rho, 3);
    EXPECT_NEAR(last("deep", "pressure [Pa]"), density * g * (0.61 - 0.13), 0.003 * density * g * 0.48);
    EXPECT_NEAR(last("floor", "pressure [Pa]"), density * g * 0.61, 0.003 * density * g * 0.61);
    EXPECT_TRUE(std::isnan(last("air", "pressure [Pa]")));
    EXPECT_NEAR(last("gauge", "height [m]"), 0.61, 0.002);
}

TEST_F(Probes, FluxOfAUniformFlowIsItsVelocityTimesTheArea) {
    run(R"(spindrift = 1
method = "gas"
[domain]
size = [2, 1, 1]
resolution = 16
sides = {left = {kind = "inflow", velocity = [0.7, 0, 0]}, right = "open"}
[time]
frames = 4
[gas]
velocity = [0.7, 0, 0]
[[substance]]
name = "dye"
initial = 2
ambient = 2
[[probe]]
name = "gate"
kind = "flux"
min = [1.03, 0.25, 0.1]
max = [1.03, 0.85, 0.6]
[[probe]]
name = "exit"
kind = "flux"
min = [2, 0, 0]
max = [2, 1, 1]
)");
    EXPECT_NEAR(last("gate", "volume_flux [m3/s]"), 0.7 * 0.6 * 0.5, 1e-4);
    EXPECT_NEAR(last("gate", "dye_flux [m3/s]"), 2 * 0.7 * 0.6 * 0.5, 2e-4);
    EXPECT_NEAR(last("exit", "volume_flux [m3/s]"), 0.7, 1e-3);
}

// Heat conduction between a hot floor and a cold lid.
TEST_F(Probes, HeatThroughAWallIsThatOfConduction) {
    run(R"(spindrift = 1
method = "gas"
[domain]
size = [2, 0.5]
resolution = 64
sides = {bottom = {kind = "no-slip", wall_values = {heat = 3}}, top = {kind = "no-slip", wall_values = {heat = 1}}}
[time]
frames = 24
[[substance]]
name = "heat"
diffusion = 0.5
initial = 2
[[probe]]
name = "floor"
kind = "wall_flux"
side = "bottom"
substance = "heat"
[[probe]]
name = "lid"
kind = "wall_flux"
side = "y_max"
substance = "heat"
)");
    EXPECT_NEAR(last("floor", "heat_flux [m2/s]"), 0.5 * (3 - 1) / 0.5 * 2, 0.02);
    EXPECT_NEAR(last("lid", "heat_flux [m2/s]"), -0.5 * (3 - 1) / 0.5 * 2, 0.02);
}

// Out of a warm pipe in the middle of a cold one: 2πκ ΔT / log(R₂/R₁) per length.  Measured: −0.45 and −0.19 %.
TEST_F(Probes, HeatOutOfASolidIsThatOfConduction) {
    run(R"(spindrift = 1
method = "gas"
[domain]
size = [1, 1]
resolution = 48
[time]
frames = 24
[[substance]]
name = "heat"
diffusion = 0.2
initial = 1
[[solid]]
name = "shell"
shape = "box"
min = [-1, -1]
max = [2, 2]
wall_values = {heat = 1}
[[solid]]
shape = "sphere"
center = [0.51, 0.49]
radius = 0.43
op = "subtract"
[[solid]]
name = "pipe"
shape = "sphere"
center = [0.51, 0.49]
radius = 0.15
wall_values = {heat = 3}
[[probe]]
name = "out of the pipe"
kind = "wall_flux"
solid = "pipe"
substance = "heat"
[[probe]]
name = "out of the shell"
kind = "wall_flux"
solid = "shell"
substance = "heat"
)");
    const double exact = 2 * std::numbers::pi * 0.2 * (3 - 1) / std::log(0.43 / 0.15);
    EXPECT_NEAR(last("out of the pipe", "heat_flux [m2/s]") / exact, 1, 0.007);
    EXPECT_NEAR(last("out of the shell", "heat_flux [m2/s]") / -exact, 1, 0.007);
}

// A box at rest under water, its pivot off its middle: buoyancy, and the torque of that.
TEST_F(Probes, ForceOnASolidIsThatOfBuoyancy) {
    run(std::string(kTank) +
        "[[solid]]\nname = 'crate'\nshape = 'box'\nmin = [0.313, 0.11]\nmax = [0.6, 0.4]\npivot = [0.1, 0.1]\n"
        "[[probe]]\nname = 'lift'\nkind = 'force'\nsolid = 'crate'\n");
    const double weight = parse_scene(kTank, "t").value().fluid.density * 9.81 * 0.287 * 0.29;
    EXPECT_NEAR(last("lift", "force_y [N/m]") / weight, 1, 0.005);
    EXPECT_NEAR(last("lift", "force_x [N/m]") / weight, 0, 0.005);
    EXPECT_NEAR(last("lift", "torque_z [N m/m]") / (weight * (0.4565 - 0.1)), 1, 0.005);
    EXPECT_NEAR(last("lift", "viscous_force_y [N/m]") / weight, 0, 1e-3);
    EXPECT_EQ(file("run", "lift").substr(0, file("run", "lift").find('\n')),
              "time [s],force_x [N/m],force_y [N/m],torque_z [N m/m],viscous_force_x [N/m],viscous_force_y [N/m],"
              "viscous_torque_z [N m/m]");
}

template <int Dim>
FluidTotals<Dim> totals_of_rotation(int cells, double omega, const Vec<double, Dim>& centre) {
    FluidFields<Dim> fluid;
    fluid.grid = {.origin = Vec<double, Dim>(0.3), .dx = 1.0 / cells};
    fluid.domain = {Index<Dim>(0), Index<Dim>(cells)};
    const auto tiles = Tiles<Dim>::covering({Index<Dim>(0), Index<Dim>(cells + 1)});
    FaceField<Dim> u(tiles);
    for_each_tile(*tiles, [&](Slot slot) {
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> cell = tiles->origin(slot) + cell_in_tile<Dim>(n);
            u[0].tile(slot)[n] = static_cast<float>(-omega * (fluid.grid.world_of_face(0, cell)[1] - centre[1]));
            u[1].tile(slot)[n] = static_cast<float>(omega * (fluid.grid.world_of_face(1, cell)[0] - centre[0]));
        }
    });
    fluid.velocity = &u;
    return fluid_totals(fluid, centre);
}

// ∫ ω (x² + y²) over a unit square or cube about its middle is ω / 6; the enstrophy is ½ (2ω)².
TEST_F(Probes, TotalsOfARigidRotation) {
    const double omega = 1.7;
    const FluidTotals<2> flat = totals_of_rotation<2>(40, omega, {0.8, 0.8});
    EXPECT_NEAR(flat.volume, 1, 1e-6);
    EXPECT_NEAR(flat.angular_momentum[0], omega / 6, 2e-3 * omega / 6);
    EXPECT_NEAR(0.5 * flat.squared_speed, omega * omega / 12, 2e-3 * omega * omega / 12);
    EXPECT_NEAR(flat.enstrophy, 2 * omega * omega, 1e-4 * omega * omega);
    EXPECT_NEAR(flat.first_moment[0], 0.8, 1e-6);
    const FluidTotals<3> deep = totals_of_rotation<3>(24, omega, {0.8, 0.8, 0.8});
    EXPECT_NEAR(deep.angular_momentum[2], omega / 6, 5e-3 * omega / 6);
    EXPECT_NEAR(deep.angular_momentum[0], 0, 1e-5);
    EXPECT_NEAR(deep.enstrophy, 2 * omega * omega, 1e-4 * omega * omega);
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(deep.momentum[a], 0, 1e-5);
}

// A film on the floor of 0.8 cells, and a sheet of 1.3 in the air: cells beyond the floor hold nothing, and across a
// kink of φ the differences are small.
TEST_F(Probes, TotalsOfThinFilmsAreTheirVolumes) {
    constexpr int kSide = 32;
    constexpr double kDx = 0.05;
    FluidFields<2> fluid;
    fluid.grid = {.origin = Vec<double, 2>(0.0), .dx = kDx};
    fluid.domain = {Index<2>(0), Index<2>(kSide)};
    const auto tiles = Tiles<2>::covering({Index<2>(-1), Index<2>(kSide + 1)});
    FaceField<2> u(tiles);
    u[0].fill(2);
    fluid.velocity = &u;
    Field<float, 2> phi(tiles, static_cast<float>(7 * kDx));
    assign(phi, [&](const Index<2>& cell) {
        if (!fluid.domain.contains(cell)) return static_cast<float>(7 * kDx);
        const double y = cell[1] + 0.5;
        return static_cast<float>(kDx * std::min(y - 0.8, std::abs(y - 16.3) - 0.65));
    });
    fluid.surface = &phi;
    const FluidTotals<2> totals = fluid_totals(fluid, {0, 0});
    const double volume = (0.8 + 1.3) * kSide * kDx * kDx;
    EXPECT_NEAR(totals.volume, volume, 0.01 * volume);
    EXPECT_NEAR(totals.squared_speed, 4 * totals.volume, 1e-4 * volume);
}

TEST_F(Probes, MassAndEnergyOfAFallingDrop) {
    run(R"(spindrift = 1
[domain]
size = [1, 2]
resolution = 64
[time]
frames = 5
[[liquid]]
shape = "sphere"
center = [0.5, 1.5]
radius = 0.25
[[probe]]
name = "all"
kind = "total"
)");
    const double mass = parse_scene(kTank, "t").value().fluid.density * std::numbers::pi * 0.25 * 0.25;
    const double t = last("all", "time [s]"), g = 9.81;
    EXPECT_NEAR(last("all", "mass [kg/m]"), mass, 0.005 * mass);
    EXPECT_NEAR(last("all", "centre_of_mass_y [m]"), 1.5 - 0.5 * g * t * t, 0.005);
    EXPECT_NEAR(last("all", "centre_of_mass_x [m]"), 0.5, 1e-3);
}

const std::string kDomain = "[domain]\nsize = [1, 1]\nresolution = 24\n[time]\nframes = 8\n";
const std::string kProbes =
    "[[probe]]\nname = 'each step'\nkind = 'total'\n"
    "[[probe]]\nname = 'wall'\nkind = 'point'\nposition = [0.98, 0.1]\nrate = 130\n"
    "[[probe]]\nname = 'push'\nkind = 'force'\nsolid = 'paddle'\n"
    "[[probe]]\nname = 'push at a rate'\nsolid = 'paddle'\nrate = 70\n";
const std::string kSplash = "spindrift = 1\n" + kDomain +
                            "[[liquid]]\nshape = 'box'\nmin = [0, 0]\nmax = [0.4, 0.7]\n"
                            "[[solid]]\nname = 'paddle'\nshape = 'box'\nmin = [0.5, 0.1]\nmax = [0.8, 0.2]\n"
                            "rotation_degrees = '200 * t'\nwall = 'no-slip'\n" +
                            kProbes + "kind = 'force'\n";
const std::string kStirredGas = "spindrift = 1\nmethod = 'gas'\n" + kDomain +
                                "[gas]\nviscosity = 0.002\n"
                                "[[substance]]\nname = 'heat'\ndiffusion = 0.01\nbuoyancy = 1\n"
                                "[[solid]]\nname = 'paddle'\nshape = 'box'\nmin = [0.3, 0.4]\nmax = [0.7, 0.5]\n"
                                "pivot = [0.5, 0.45]\nrotation_degrees = '200 * t'\nwall = 'no-slip'\n"
                                "wall_values = {heat = 1}\n" +
                                kProbes + "kind = 'wall_flux'\nsubstance = 'heat'\n";
constexpr std::array kProbesOfBoth{"each step", "wall", "push", "push at a rate"};

// Killed between checkpoints, with a torn row; and stopped in the middle of a frame.
TEST_F(Probes, FilesAreTheSameAfterKillAndResume) {
    expect_same_after_resume(kSplash, "liquid ");
    expect_same_after_resume(kStirredGas, "gas ");
}

TEST_F(Probes, FilesAreTheSameOnAnyThreads) {
    int number = 0;
    for (const std::string& text : {kSplash, kStirredGas})
        expect_same_on_any_threads([&] {
            const std::string folder = fmt::format("threads {}", number++);
            run(text, folder.c_str());
            std::string all;
            for (const char* probe : kProbesOfBoth) all += file(folder.c_str(), probe);
            return all;
        });
}

void Probes::expect_same_after_resume(const std::string& text, const std::string& phase) {
    const std::string straight = phase + "straight";
    run(text, straight.c_str());
    for (const bool is_killed : {true, false}) {
        const std::string name = phase + (is_killed ? "killed" : "stopped");
        const char* folder = name.c_str();
        int frames = 0, steps = 0;
        const RunObserver watch{.step_done = [&](const StepRecord&) { ++steps; },
                                .frame_done = [&](const FrameRecord&) { ++frames; },
                                .stop_wanted = [&] { return is_killed ? frames > 5 : steps > 9; }};
        run(text, folder, watch);
        if (is_killed) {
            // As if the checkpoint of the end had not been written.
            for (const auto& entry : fs::directory_iterator(folder_ / folder / "checkpoints"))
                if (entry.path().filename() != "probes.0004.h5") fs::remove(entry.path());
            std::ofstream(folder_ / folder / "probes/wall.csv", std::ios::app) << "0.3,1";
        }
        run(text, folder, {}, true);
        for (const char* probe : kProbesOfBoth) EXPECT_EQ(file(straight.c_str(), probe), file(folder, probe)) << folder;
    }
    const auto verdict = verify_run(folder_ / (phase + "stopped"));
    ASSERT_TRUE(verdict);
    EXPECT_TRUE(verdict.value().faults.empty()) << verdict.value().faults.text();
}

TEST_F(Probes, AChangedProbeIsNotAppendedToTheOldOnesFile) {
    int frames = 0;
    run(kSplash, "run",
        {.frame_done = [&](const FrameRecord&) { ++frames; }, .stop_wanted = [&] { return frames > 3; }});
    std::string moved = kSplash;
    moved.replace(moved.find("0.98"), 4, "0.90");
    const auto scene = parse_scene(moved + kNoPictures, "probes.toml");
    RunSettings settings = run_settings(scene.value());
    settings.folder = folder_ / "run";
    settings.resume = true;
    const auto outcome = run_scene(scene.value(), settings);
    ASSERT_FALSE(outcome);
    EXPECT_NE(outcome.errors().text().find("another name"), std::string::npos) << outcome.errors().text();
}

// A value that rises linearly: its mean over an interval is that of its middle, whatever the steps.
class Rising : public Simulation {
  public:
    double now = 0;
    double time() const override { return now; }
    double stable_dt() const override { return 1; }
    std::string step_limit() const override { return ""; }
    StepReport advance(double dt) override { return now += dt, StepReport{}; }
    StepReport measures() const override { return {}; }
    std::vector<FieldView> fields() const override { return {}; }
    void keep() override {}
    void go_back() override {}
    Snapshot snapshot() const override { return {}; }
    Result<void> load(const Snapshot&) override { return {}; }
    std::vector<FrameOutput> outputs() const override { return {}; }
};

TEST_F(Probes, RowsAtARateHaveExactMeans) {
    ProbeLog log(
        folder_,
        {Probe{.name = "rising",
               .text = "",
               .rate = 10,
               .columns = {{"x", "m"}},
               .measure = [](const Simulation& s, const StepReport&) { return std::vector<double>{3 * s.time()}; }}});
    ASSERT_TRUE(log.begin());
    Rising rising;
    ASSERT_TRUE(log.add(rising, {}));
    for (const double dt : {0.03, 0.11, 0.27, 0.01}) {
        EXPECT_EQ(rising.advance(dt).failure, "");
        ASSERT_TRUE(log.add(rising, {}));
    }
    const ProbeTable table = read_probe_file(folder_ / "probes/rising.csv").value();
    EXPECT_EQ(table.names, (std::vector<std::string>{"time [s]", "x [m]", "x_mean [m]"}));
    ASSERT_EQ(table.columns[0].size(), 5U);
    for (std::size_t k = 1; k < 5; ++k) {
        EXPECT_NEAR(table.columns[0][k], 0.1 * static_cast<double>(k), 1e-12);
        EXPECT_NEAR(table.columns[1][k], 0.3 * static_cast<double>(k), 1e-12);
        EXPECT_NEAR(table.columns[2][k], 0.3 * (static_cast<double>(k) - 0.5), 1e-12);
    }
}

}  // namespace
}  // namespace spindrift

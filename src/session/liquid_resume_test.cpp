// SPDX-License-Identifier: Apache-2.0
// A liquid goes on from a checkpoint with the bits it would have had, the accounts of its bodies included.
#include "session/scene_run.h"
#include "session/surface_simulation.h"

namespace spindrift {
namespace {

constexpr const char* kScene = R"(
spindrift = 1
[domain]
size = [1, 1]
resolution = 48
[[solid]]
shape = "box"
min = [0.45, -1]
max = [0.55, 0.2]
[[liquid]]
shape = "box"
min = [-1, -1]
max = [0.25, 0.6]
[[liquid]]
shape = "box"
min = [0.55, -1]
max = [2, 0.1]
[[liquid]]
shape = "sphere"
center = [0.75, 0.6]
radius = 0.1
)";

TEST(LiquidResume, SeveralBodiesGoOnWithTheSameBits) {
    expect_same_from_checkpoint(kScene, 12, 12, [](Simulation& simulation, int steps) {
        for (int n = 0; n < steps; ++n) EXPECT_EQ(simulation.advance(0.01).failure, "");
        const auto& state = dynamic_cast<const SurfaceSimulation<2>&>(simulation).state();
        EXPECT_GT(state.bodies.labels.count, 2u);
        return state.bodies.labels.count;
    });
}

// How far a stretch of a control has travelled is no state: it follows from the time.
TEST(LiquidResume, ControlsGoOnWithTheSameBits) {
    const std::string controls = R"scene(
[[control]]
kind = "curve"
points = [[0.1, 0.1], [0.4, 0.7], [0.8, 0.6]]
speed = "1 + 0.5*sin(t)"
radius = 0.1
stretch = 0.2
[[control]]
kind = "volume"
shape = "sphere"
center = [0.75, 0.3]
radius = 0.3
velocity = ["0.3 - y", "x - 0.75"]
rate = 5
)scene";
    expect_same_from_checkpoint(kScene + controls, 12, 12, [](Simulation& simulation, int steps) {
        double energy = 0;
        for (int n = 0; n < steps; ++n) {
            const StepReport report = simulation.advance(0.01);
            EXPECT_EQ(report.failure, "");
            energy += report.control_energy;
        }
        EXPECT_GT(std::abs(energy), 0);
        return energy;
    });
}

constexpr const char* kMixture = R"(
spindrift = 1
[domain]
size = [1, 1]
resolution = 48
[[component]]
name = "ink"
color = [0.1, 0.1, 0.5]
[[component]]
name = "milk"
scattering = 1000
[[liquid]]
shape = "box"
min = [0, 0]
max = [0.4, 0.6]
[[liquid]]
shape = "box"
min = [0, 0]
max = [0.4, 0.3]
component = "ink"
[[source]]
shape = "sphere"
center = [0.7, 0.6]
radius = 0.07
velocity = [0, -1]
start = 0.05
component = "milk"
)";

TEST(LiquidResume, AMixtureGoesOnWithTheSameBits) {
    expect_same_from_checkpoint(kMixture, 12, 12, [](Simulation& simulation, int steps) {
        for (int n = 0; n < steps; ++n) EXPECT_EQ(simulation.advance(0.01).failure, "");
        const std::vector<SubstanceAmount> amounts = simulation.amounts();
        EXPECT_EQ(amounts.size(), 3u);
        EXPECT_GT(amounts.back().amount, 0.005);
        return amounts.back().amount;
    });
}

}  // namespace
}  // namespace spindrift

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

}  // namespace
}  // namespace spindrift

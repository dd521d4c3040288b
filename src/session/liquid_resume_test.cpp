// SPDX-License-Identifier: Apache-2.0
// A liquid goes on from a checkpoint with the bits it would have had, the accounts of its bodies included.
#include <gtest/gtest.h>

#include "io/snapshot.h"
#include "scene/read_scene.h"
#include "session/make_run.h"
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
    const auto scene = parse_scene(kScene, "bodies.toml");
    ASSERT_TRUE(scene) << scene.errors().text();
    auto straight = make_simulation(scene.value()), resumed = make_simulation(scene.value());
    ASSERT_TRUE(straight && resumed);
    const auto advance = [](Simulation& simulation, int steps) {
        for (int n = 0; n < steps; ++n) ASSERT_EQ(simulation.advance(0.01).failure, "");
    };
    advance(*straight.value(), 12);
    const auto& state = dynamic_cast<const SurfaceSimulation<2>&>(*straight.value()).state();
    ASSERT_GT(state.bodies.labels.count, 2u);
    ASSERT_TRUE(resumed.value()->load(straight.value()->snapshot()));
    advance(*straight.value(), 12);
    advance(*resumed.value(), 12);
    EXPECT_EQ(hex(straight.value()->snapshot().hash()), hex(resumed.value()->snapshot().hash()));
}

}  // namespace
}  // namespace spindrift

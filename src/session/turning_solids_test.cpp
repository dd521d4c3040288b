// SPDX-License-Identifier: Apache-2.0
// Solids that turn, in a liquid and in a gas: they move the fluid, and give the same bits on any number of threads and
// from a checkpoint.  What the fluid does to them is validated (validate/solids.cpp).
#include "session/scene_run.h"

namespace spindrift {
namespace {

constexpr const char* kPaddle = R"toml(
[[solid]]
shape = "box"
min = [0.2, 0.22]
max = [0.7, 0.3]
rotation_degrees = {keyframes = [[0, 0], [0.2, 30], [2, 900]], interpolation = "smooth"}
pivot = [0.5, 0.26]
offset = ["0.05 * sin(3 * t)", 0]
wall = "no-slip"
[[source]]
shape = "sphere"
center = [0.8, 0.8]
radius = 0.08
velocity = [0, -0.5]
rotation_degrees = "200 * t"
pivot = [0.5, 0.8]
)toml";
const std::string kLiquid =
    "spindrift = 1\n[domain]\nsize = [1, 1]\nresolution = 32\n[[liquid]]\nshape = 'box'\nmin = [0, 0]\n"
    "max = [1, 0.5]\n" +
    std::string(kPaddle);
const std::string kGas =
    "spindrift = 1\nmethod = 'gas'\n[domain]\nsize = [1, 1]\nresolution = 32\n[gas]\nviscosity = 0.001\n"
    "[[substance]]\nname = 'smoke'\n" +
    std::string(kPaddle) + "substance = 'smoke'\nvalue = 1\n";

// Returns what the last step reports of the solids, all digits.
std::string advance(Simulation& simulation, int steps) {
    std::string forces;
    for (int n = 0; n < steps; ++n) {
        const StepReport report = simulation.advance(0.01);
        EXPECT_EQ(report.failure, "");
        EXPECT_EQ(report.solids.size(), 1U);
        forces.clear();
        for (const SolidForce& s : report.solids)
            for (const Vec<double, 3>& v : {s.pressure, s.viscous, s.pressure_torque, s.viscous_torque})
                forces += fmt::format("{} {} {} ", v[0], v[1], v[2]);
    }
    return forces;
}

TEST(TurningSolids, GoOnFromACheckpointWithTheSameBits) {
    for (const std::string& text : {kLiquid, kGas}) expect_same_from_checkpoint(text, 10, 6, advance);
}

TEST(TurningSolids, AreTheSameOnAnyThreads) {
    for (const std::string& text : {kLiquid, kGas}) expect_same_on_any_threads(text, 5, advance);
}

}  // namespace
}  // namespace spindrift

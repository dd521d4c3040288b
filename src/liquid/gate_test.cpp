// SPDX-License-Identifier: Apache-2.0
// Gates: water on one side of a wall, and what happens when the wall is lifted.
#include "liquid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class GateTest : public ::testing::Test {};
TYPED_TEST_SUITE(GateTest, Dimensions);

template <int Dim>
World<Dim> square_tank(int cells) {
    Index<Dim> size(cells);
    if constexpr (Dim == 3) size[2] = 8;
    return tank<Dim>(size, 1.0 / cells);
}

// A wall from `left` on, so thick, m, that goes up without end and is lifted with 1 m/s; its foot is at `foot` at
// first.
template <int Dim>
MovingSolid<Dim> gate(double left, double thickness, double foot) {
    MovingSolid<Dim> solid;
    solid.distance = [=](const Vec<double, Dim>& p, double t) {
        const double beside = std::max(left - p[0], p[0] - left - thickness), below = foot + t - p[1];
        return beside > 0 && below > 0 ? std::hypot(beside, below) : std::max(beside, below);
    };
    solid.velocity = [](const Vec<double, Dim>&, double) {
        Vec<double, Dim> up(0.0);
        up[1] = 1;
        return up;
    };
    solid.fastest = [](double) { return 1.0; };
    return solid;
}

LiquidSettings settings_of(ParticleSides sides, bool volume_control) {
    return {.volume_control = volume_control, .particles = {.sides = sides, .per_cell = 8}};
}

// Water that ends on a wall has its volume, wherever the wall lies in its cells.
TYPED_TEST(GateTest, AWallThatIsWetOnOneSideHoldsTheWaterThatWasPutIn) {
    constexpr int Dim = TypeParam::kDim;
    constexpr int kCells = 24;
    constexpr double kDx = 1.0 / kCells, kDepth = 0.5;
    for (const double thickness : {1.5, 2.0, 2.5, 4.0, 7.0})
        for (const double place : {0.0, 0.25, 0.5, 0.75}) {
            World<Dim> world = square_tank<Dim>(kCells);
            const double left = (8 + place) * kDx, right = left + thickness * kDx;
            world.solid_distance = [=](const Vec<double, Dim>& p) { return std::max(left - p[0], p[0] - right); };
            const ParticleLevelSet2002<Dim> method(world, settings_of(ParticleSides::none, false));
            const LiquidState<Dim> liquid = method.initial_state(
                [=](const Vec<double, Dim>& p) { return dam_distance(p, left, kDepth); }, at_rest<Dim>);
            const double deep = Dim == 3 ? 8 * kDx : 1;
            EXPECT_NEAR(liquid.ledger.initial / (left * kDepth * deep), 1, 0.003) << thickness << " cells at " << place;
            // φ is a distance inside the wall as well.
            for_each_index(intersection(world.box, liquid.tiles().cell_bounds()), [&](const Index<Dim>& cell) {
                for (int axis = 0; axis < Dim; ++axis) {
                    const Index<Dim> above = cell + unit<Dim>(axis);
                    if (!world.box.contains(above)) continue;
                    EXPECT_LT(std::abs(liquid.phi.at(above) - liquid.phi.at(cell)), 1.2 * kDx)
                        << thickness << " cells at " << place;
                }
            });
        }
}

// A wall that slides through the tank's floor takes up as much room as before: water beside it stays where it is.
TYPED_TEST(GateTest, AWallThatPassesThroughTheFloorLeavesWaterAlone) {
    constexpr int Dim = TypeParam::kDim;
    constexpr int kCells = 24;
    constexpr double kDx = 1.0 / kCells;
    World<Dim> world = square_tank<Dim>(kCells);
    world.moving_solids.push_back(gate<Dim>(0.4, 2.7 * kDx, -1));
    ParticleLevelSet2002<Dim> method(world, settings_of(ParticleSides::none, false));
    LiquidState<Dim> liquid = method.initial_state([](const Vec<double, Dim>& p) { return p[1] - 0.5; }, at_rest<Dim>);
    double error = 0;
    run(method, liquid, 0.5, kFrame,
        [&](const StepReport& report) { error = std::max(error, std::abs(report.volume_error)); });
    EXPECT_LT(error, 1e-3);
    for_each_index(world.box, [&](const Index<Dim>& cell) {
        const double x = world.grid.world_of_face(0, cell)[0];
        if (!(liquid.phi.at(cell) < 0)) return;
        if (x > 0.38 && x < 0.42 + 2.7 * kDx) return;
        EXPECT_LT(std::abs(liquid.velocity[0].at(cell)), 0.05);
        if (x > 0.36 && x < 0.44 + 2.7 * kDx) return;
        EXPECT_LT(std::abs(liquid.velocity[1].at(cell)), 0.05);
    });
}

// A dam behind a gate that is lifted: the water keeps its volume at any thickness of the gate.  In the first step the
// gate's foot leaves the floor, and its place is full of water that could not flow there yet: as much as the gate is
// thick times its way, which control takes off in the next steps.  Control keeps all but what became too thin for the
// grid, and is said to be lost: 0.3 to 0.9 % in these runs, as roundings fall.  Without control both are left, and what
// a splash loses in thin sheets: with particles much less.
TYPED_TEST(GateTest, ALiftedGateKeepsTheVolume) {
    constexpr int Dim = TypeParam::kDim;
    constexpr int kCells = Dim == 2 ? 64 : 32;
    constexpr double kDx = 1.0 / kCells, kLeft = 0.4, kDepth = 0.5;
    for (const double thickness : {1.0, 2.0, 4.0})
        for (const ParticleSides sides : {ParticleSides::none, ParticleSides::both})
            for (const bool volume_control : {false, true}) {
                World<Dim> world = square_tank<Dim>(kCells);
                world.moving_solids.push_back(gate<Dim>(kLeft, thickness * kDx, 0));
                ParticleLevelSet2002<Dim> method(world, settings_of(sides, volume_control));
                LiquidState<Dim> liquid = method.initial_state(
                    [](const Vec<double, Dim>& p) { return dam_distance(p, kLeft, kDepth); }, at_rest<Dim>);
                double first = 0, most = 0, end = 0, lost = 0;
                run(method, liquid, 0.6, kFrame, [&](const StepReport& report) {
                    if (liquid.step == 1) first = thickness * kDx * report.dt / (kLeft * kDepth);
                    most = std::max(most, std::abs(report.volume_error)), end = report.volume_error;
                    lost = report.lost / (kLeft * kDepth);
                });
                const std::string name =
                    fmt::format("{}_cells_{}_{}", thickness, sides == ParticleSides::both ? "particles" : "level_set",
                                volume_control ? "controlled" : "free");
                this->RecordProperty(name, fmt::format("{:.5f} {:.5f} {:.5f} {:.5f}", first, most, end, lost));
                if (volume_control) {
                    EXPECT_LT(most, std::max(first, lost) + 0.001) << name;
                    EXPECT_LT(std::abs(end), lost + 0.002) << name;
                    EXPECT_LT(lost, 0.012) << name;
                } else {
                    // A splash is chaotic: 0.5 and 6.7 % are the largest of these runs.
                    EXPECT_LT(most, first + (sides == ParticleSides::both ? 0.045 : 0.08)) << name;
                    EXPECT_LT(std::abs(end), sides == ParticleSides::both ? 0.01 : 0.08) << name;
                }
            }
}

}  // namespace
}  // namespace spindrift

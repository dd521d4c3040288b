// SPDX-License-Identifier: Apache-2.0
// Breaking dams: what must be kept.  Held against the experiment in validate/.
#include "liquid/test_support.h"

namespace spindrift {
namespace {

// A floor that is a solid is a floor: water that falls on it spreads as on the tank's own, and loses no more where it
// gets thin.  Both lie on faces of cells, so that nothing else differs.
TEST(DamBreak, FallsOnASolidFloorAsOnTheTanksOwn) {
    constexpr int kCells = 96, kFloor = 8;
    constexpr double kDx = 1.0 / kCells;
    struct Spread {
        double width, volume_error;
    };
    const auto spread = [&](int floor) {
        World<2> world = tank<2>({kCells, 48 + floor}, kDx);
        if (floor > 0) world.solid_distance = [=](const Vec<double, 2>& p) { return p[1] - floor * kDx; };
        ParticleLevelSet2002<2> method(world, {.cfl = 1, .particles = {.sides = ParticleSides::both, .per_cell = 8}});
        LiquidState<2> liquid = method.initial_state(
            [&](const Vec<double, 2>& p) {
                return length(p - Vec<double, 2>{0.5, 0.12 + floor * kDx}) - 0.1;
            },
            [](const Vec<double, 2>&) {
                return Vec<double, 2>{0, -4};
            });
        Spread result{};
        run(method, liquid, 0.09, kFrame, [&](const StepReport& report) {
            result.volume_error = std::max(result.volume_error, std::abs(report.volume_error));
        });
        for (int x = 0; x < kCells; ++x) result.width += liquid.phi.at({x, floor}) < 0 ? kDx : 0;
        return result;
    };
    const Spread own = spread(0), solid = spread(kFloor);
    EXPECT_GT(own.width, 0.4);
    EXPECT_NEAR(solid.width, own.width, 0.1);
    EXPECT_LT(solid.volume_error, own.volume_error + 0.01);
    ::testing::Test::RecordProperty("width", fmt::format("{:.3f} {:.3f}", own.width, solid.width));
    ::testing::Test::RecordProperty("volume", fmt::format("{:.4f} {:.4f}", own.volume_error, solid.volume_error));
}

struct Outcome {
    double volume_error = 0;  // the largest
    double above_start = 0;   // of the energy, relative to what there was to release
    double growth = 0;        // of the energy over the least before, likewise
    double fastest = 0;
    double lost = 0;  // as a part of the volume
};

// A dam across two fifths of the tank, for a second.
template <int Dim>
Outcome dam(int cells, double longest, bool volume_control) {
    const World<Dim> world = tank<Dim>(Index<Dim>(cells), 1.0 / cells);
    ParticleLevelSet2002<Dim> method(world, {.volume_control = volume_control});
    LiquidState<Dim> liquid =
        method.initial_state([](const Vec<double, Dim>& p) { return dam_distance(p, 0.4, 0.6); }, at_rest<Dim>);
    const Totals<Dim> start = totals(liquid, world);
    // Level it would stand 0.24 m high.
    const double at_stake = start.potential - kGravity * start.volume * 0.12;
    Outcome result;
    double least = start.energy(), last_dt = 0;
    for (int frame = 1; frame <= 24; ++frame) {
        run(method, liquid, frame * kFrame, longest, [&](const StepReport& report) {
            result.volume_error = std::max(result.volume_error, std::abs(report.volume_error));
            result.fastest = std::max(result.fastest, report.max_speed);
            result.lost = report.lost / liquid.ledger.expected();
            last_dt = report.dt;
        });
        // The surface moves with the velocity of the step's beginning and so lags by half a step: where it would be.
        const Totals<Dim> now = totals(liquid, world);
        const double energy = now.energy() + 0.5 * last_dt * kGravity * now.momentum[1];
        result.above_start = std::max(result.above_start, (energy - start.energy()) / at_stake);
        result.growth = std::max(result.growth, (energy - least) / at_stake);
        least = std::min(least, energy);
    }
    const std::string name = fmt::format("{}d_{}_", Dim, volume_control ? "controlled" : "free");
    ::testing::Test::RecordProperty(name + "volume_error", std::to_string(result.volume_error));
    ::testing::Test::RecordProperty(name + "lost", std::to_string(result.lost));
    ::testing::Test::RecordProperty(name + "growth", std::to_string(result.growth));
    ::testing::Test::RecordProperty(name + "above_start", std::to_string(result.above_start));
    ::testing::Test::RecordProperty(name + "fastest", std::to_string(result.fastest));
    return result;
}

// In steps of one or two cells.  A sheet that thins out below a cell and swells again gives back some of the potential
// energy it took with it, but never more than there was.
TEST(DamBreak, VolumeIsKeptAndEnergyIsNotMade) {
    for (const bool volume_control : {false, true}) {
        const Outcome flat = dam<2>(64, kFrame / 4, volume_control), deep = dam<3>(32, kFrame / 4, volume_control);
        for (const Outcome& result : {flat, deep}) {
            // A splash is chaotic: with control 0.2 to 0.7 % over eight seeds in 2D, 0.9 % with this one.
            EXPECT_LT(result.volume_error, volume_control ? 0.01 : 0.05);
            // Control keeps all but what became too thin for the grid, and is said to be lost: 0.28 % in the
            // mean of the seeds.
            if (volume_control) {
                EXPECT_LT(result.volume_error, result.lost + 1e-3);
            }
            EXPECT_LT(result.above_start, 0.005);
            EXPECT_LT(result.growth, 0.15);
            // A jet up the wall may outrun a fall from the tank's top, but not by much: 4.7 to 5.8 m/s over eight
            // seeds with a scene's defaults, 6.4 with this one.
            EXPECT_LT(result.fastest, 1.5 * std::sqrt(2 * kGravity));
        }
    }
}

// Three seconds of splashing in steps as long as are stable: what the surface of a body loses, control gives back to
// that body.  What is left are bodies that became too thin for the grid and vanished: they are counted as lost.  A
// splash amplifies the least difference: with particles, runs with other seeds are off by 0.004 to 0.024 at worst
// without control, and by 0.0014 to 0.010 with it, 0.0043 in the mean of ten (0.0035 when only particles that have
// escaped by their radius correct the surface).
TEST(DamBreak, LongStepsKeepTheVolume) {
    for (const ParticleSides sides : {ParticleSides::none, ParticleSides::both})
        for (const bool volume_control : {false, true}) {
            const World<2> world = tank<2>(Index<2>(64), 1.0 / 64);
            ParticleLevelSet2002<2> method(
                world, {.cfl = 5, .volume_control = volume_control, .particles = {.sides = sides, .per_cell = 8}});
            LiquidState<2> liquid =
                method.initial_state([](const Vec<double, 2>& p) { return dam_distance(p, 0.4, 0.6); }, at_rest<2>);
            double error = 0, error_in_bodies = 0, lost = 0;
            run(method, liquid, 3.0, kFrame, [&](const StepReport& report) {
                error = std::max(error, std::abs(report.volume_error));
                error_in_bodies = std::max(error_in_bodies, report.largest_body_error);
                lost = std::max(lost, report.lost / liquid.ledger.expected());
            });
            const bool with_particles = sides == ParticleSides::both;
            ::testing::Test::RecordProperty(fmt::format("{}_{}", with_particles ? "particles" : "level_set",
                                                        volume_control ? "controlled" : "free"),
                                            fmt::format("{:.5f} {:.5f} {:.5f}", error, error_in_bodies, lost));
            // A level set alone loses thin bodies, 1.9 % here, that particles keep or make drops of, all but 0.4 %.
            // Control that gave to the rest of the water what they have lost would come to 0.2 %, and move water
            // between bodies that are not connected.
            EXPECT_LT(error, volume_control ? (with_particles ? 0.006 : 0.03) : with_particles ? 0.05 : 0.2);
            EXPECT_LT(error, (volume_control ? lost : 1) + error_in_bodies + 1e-3);
        }
}

// A dam of thick honey runs out and throws no drops; one of water, in the same tank, does.  Where the honey first
// meets the wall it is pressed up at 4 to 5 m/s; drops of a cell come off it from 12 m/s on (u dx / ν = 10).  At 10
// Pa·s these would be 5 to 9 and 4.8 m/s.
TEST(DamBreak, ThickLiquidsDoNotSplash) {
    for (const double viscosity : {0.001, 25.0}) {
        World<2> world = tank<2>(Index<2>(48), 1.0 / 48);
        world.viscosity = viscosity;
        ParticleLevelSet2002<2> method(
            world, {.volume_control = true, .particles = {.sides = ParticleSides::both, .per_cell = 8}});
        LiquidState<2> liquid =
            method.initial_state([](const Vec<double, 2>& p) { return dam_distance(p, 0.4, 0.6); }, at_rest<2>);
        std::size_t drops = 0;
        double error = 0;
        run(method, liquid, 0.6, kFrame / 2, [&](const StepReport& report) {
            drops = std::max(drops, report.drops);
            error = std::max(error, std::abs(totals(liquid, world).volume / liquid.ledger.expected() - 1));
        });
        if (viscosity < 1) {
            EXPECT_GT(drops, 0u);
        } else {
            EXPECT_EQ(drops, 0u);
            EXPECT_LT(error, 0.01);  // of what lies within the surface
        }
    }
}

}  // namespace
}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// What water does and what must not matter to it, in scenes as users run them: still water, free fall, mirror images,
// relabelled axes, slices.
#include "grid/test_support.h"
#include "session/probes/totals.h"
#include "session/scene_run.h"

namespace spindrift {
namespace {

constexpr double kGravity = 9.81;

template <class D>
class LiquidPhysicsTest : public ::testing::Test {};
TYPED_TEST_SUITE(LiquidPhysicsTest, Dimensions);

// "[x, y]", or "[x, y, z]" in 3D.
template <int Dim>
std::string vector(double x, double y, double z) {
    return Dim == 2 ? fmt::format("[{}, {}]", x, y) : fmt::format("[{}, {}, {}]", x, y, z);
}

template <int Dim>
std::string domain(double x, double y, double z, int resolution) {
    return fmt::format("spindrift = 1\n[domain]\nsize = {}\nresolution = {}\n", vector<Dim>(x, y, z), resolution);
}

std::string frames(int count) { return fmt::format("time.frames={}", count); }

// Water up to a height, and a solid behind a plane if there is one: nothing moves.
template <int Dim>
void expect_still(const std::string& tank, double depth, int seconds, const std::string& solid = "") {
    for (const char* method : {"level-set", "particle-level-set-2002"}) {
        const std::string liquid = fmt::format("[[liquid]]\nshape = 'plane'\npoint = {}\nnormal = {}\n",
                                               vector<Dim>(0, depth, 0), vector<Dim>(0, 1, 0));
        const SceneRun<Dim> run =
            run_text<Dim>(tank + liquid + solid, {frames(seconds), "time.fps=1", fmt::format("method='{}'", method)});
        // A wave would move at about √(g depth).  Measured: 5e-6 of that over the slope, 2e-6 elsewhere, and 1e-7.
        EXPECT_LT(run.fastest, (solid.empty() ? 3e-6 : 7e-6) * std::sqrt(kGravity * depth))
            << method << ", " << depth << " m";
        EXPECT_LT(run.volume_error, 1.5e-7) << method << ", " << depth << " m";
        EXPECT_GT(run.steps, 0);
        ::testing::Test::RecordProperty(fmt::format("{}_{}", method, depth),
                                        fmt::format("{:.2e} m/s {:.2e}", run.fastest, run.volume_error));
    }
}

// Anywhere within a cell, also just above and below its centre, where the surface's part of a cell is smallest and
// largest.
TEST(StillWater, StaysStillForTenSecondsAtAnyHeight) {
    for (const double height : {12.0, 12.25, 12.499, 12.501, 12.9, 17.37})
        expect_still<2>(domain<2>(1, 0.75, 0, 32), height / 32, 10);
}

TEST(StillWater, StaysStillInThreeDimensions) {
    for (const double height : {8.1, 9.73}) expect_still<3>(domain<3>(1, 1, 0.75, 16), height / 16, 2);
}

// A floor that rises through the surface: faces cut by the solid at every fraction, and a shore.
TEST(StillWater, StaysStillOverASlopedFloor) {
    const std::string slope = "[[solid]]\nshape = 'plane'\npoint = [0, 0.1]\nnormal = [-0.35, 1]\n";
    for (const double height : {8.3, 12.62}) expect_still<2>(domain<2>(1, 0.75, 0, 32), height / 32, 10, slope);
    expect_still<2>(domain<2>(1, 0.75, 0, 32), 12.62 / 32, 10, slope + "[fluid]\nviscosity = 0.1\n");
    expect_still<3>(domain<3>(1, 1, 1, 16), 0.52, 2,
                    "[[solid]]\nshape = 'plane'\npoint = [0, 0.1, 0]\nnormal = [-0.3, 1, -0.2]\n");
}

// All of a ball falls as fast as a stone, so it keeps its shape; ½ g t² whatever the steps.
TYPED_TEST(LiquidPhysicsTest, ABallFallsFreely) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kDx = 0.05, kRadius = 8 * kDx, kTime = 9.0 / 24;
    Vec<double, Dim> start(14.2 * kDx);
    start[1] = 36.4 * kDx;
    const SceneRun<Dim> run = run_text<Dim>(domain<Dim>(28 * kDx, 48 * kDx, 28 * kDx, 48) +
                                                fmt::format("[[liquid]]\nshape = 'sphere'\ncenter = {}\nradius = {}\n",
                                                            vector<Dim>(start[0], start[1], start[Dim - 1]), kRadius),
                                            {frames(9)});
    double slip = 0, dent = 0;
    const Vec<double, Dim> end = run.centre();
    for_each_index(run.box, [&](const Index<Dim>& cell) {
        const double phi = run.phi.at(cell);
        for (int a = 0; a < Dim && phi < 0; ++a)
            slip = std::max(slip, std::abs(run.velocity[a].at(cell) + (a == 1 ? kGravity * kTime : 0)));
        if (std::abs(phi) < 1.5 * kDx)
            dent = std::max(dent, std::abs(length(run.centre_of(cell) - end) - kRadius - phi));
    });
    // Measured: 8e-6 m/s, 0.006 cells, 0.018 cells, 2e-7; bounds are half as much again.
    EXPECT_LT(slip, 1.2e-5);
    EXPECT_LT(dent, 0.01 * kDx);
    EXPECT_NEAR(start[1] - end[1], 0.5 * kGravity * kTime * kTime, 0.027 * kDx);
    EXPECT_NEAR(end[0], start[0], 0.02 * kDx);
    EXPECT_LT(run.volume_error, 3e-7);
    this->RecordProperty("slip", fmt::format("{:.2e}", slip));
    this->RecordProperty("dent_cells", fmt::format("{:.4f}", dent / kDx));
    this->RecordProperty("fallen_off_cells",
                         fmt::format("{:.4f}", (start[1] - end[1]) / kDx - 0.5 * kGravity * kTime * kTime / kDx));
    this->RecordProperty("volume_error", fmt::format("{:.2e}", run.volume_error));
}

// A dam in a tank, from `min` to `max`.
std::string dam(const std::string& tank, const std::string& min, const std::string& max) {
    return fmt::format("{}[[liquid]]\nshape = 'box'\nmin = {}\nmax = {}\n", tank, min, max);
}

// How far apart the surfaces of two runs are, in cells, where a cell of one is there(cell) in the other.
struct Apart {
    double largest = 0;  // anywhere in the band
    double mean = 0;     // next to the surface
};
template <int Dim, int Other, class There>
Apart apart(const SceneRun<Dim>& run, const SceneRun<Other>& other, There&& there) {
    Apart result;
    int count = 0;
    for_each_index(run.box, [&](const Index<Dim>& cell) {
        const double here = run.phi.at(cell), off = std::abs(here - other.phi.at(there(cell))) / run.dx;
        result.largest = std::max(result.largest, off);
        if (std::abs(here) < run.dx) result.mean += off, ++count;
    });
    result.mean /= count;
    return result;
}

constexpr const char *kLevelSet = "method='level-set'", *kParticles = "method='particle-level-set-2002'";

// Without particles two runs differ by rounding alone.  Particles are seeded at random places, which no mirror maps
// onto each other: what they correct differs by part of a cell, most where the flow is thin and fast.
void expect_alike(const Apart& apart, const char* method, double largest, double mean) {
    ::testing::Test::RecordProperty(method,
                                    fmt::format("largest {:.2e}, mean {:.2e} cells", apart.largest, apart.mean));
    if (method == kLevelSet) {
        EXPECT_LT(apart.largest, largest);
    } else {
        EXPECT_LT(apart.mean, mean);
    }
}

// A dam at the right breaks as one at the left.
TYPED_TEST(LiquidPhysicsTest, AMirrorImageBreaksAlike) {
    constexpr int Dim = TypeParam::kDim;
    constexpr int kCells = Dim == 2 ? 48 : 24;
    const std::string tank = domain<Dim>(1, 1, 0.5, kCells);
    for (const char* method : {kLevelSet, kParticles}) {
        const auto left = run_text<Dim>(dam(tank, vector<Dim>(0, 0, 0), vector<Dim>(0.31, 0.62, 0.5)),
                                        {frames(7), method}),
                   right = run_text<Dim>(dam(tank, vector<Dim>(0.69, 0, 0), vector<Dim>(1, 0.62, 0.5)),
                                         {frames(7), method});
        EXPECT_EQ(left.steps, right.steps);
        EXPECT_GT(left.fastest, 1.5);
        const Apart found = apart(left, right, [](Index<Dim> cell) {
            cell[0] = kCells - 1 - cell[0];
            return cell;
        });
        expect_alike(found, method, 8e-4, 0.05);
    }
}

// Relabelled axes, relabelled result: gravity along x instead of y.
TYPED_TEST(LiquidPhysicsTest, NoAxisIsSpecial) {
    constexpr int Dim = TypeParam::kDim;
    for (const char* method : {kLevelSet, kParticles}) {
        const auto upright =
            run_text<Dim>(dam(domain<Dim>(1.5, 0.75, 0.75, 24), vector<Dim>(0, 0, 0), vector<Dim>(0.47, 0.53, 0.75)),
                          {frames(6), method, "gravity=" + vector<Dim>(0, -kGravity, 0)});
        const auto turned =
            run_text<Dim>(dam(domain<Dim>(0.75, 1.5, 0.75, 24), vector<Dim>(0, 0, 0), vector<Dim>(0.53, 0.47, 0.75)),
                          {frames(6), method, "gravity=" + vector<Dim>(-kGravity, 0, 0)});
        EXPECT_EQ(upright.steps, turned.steps);
        EXPECT_GT(upright.fastest, 1.5);
        const Apart found = apart(upright, turned, [](Index<Dim> cell) {
            std::swap(cell[0], cell[1]);
            return cell;
        });
        expect_alike(found, method, 4e-5, 3e-3);
    }
}

// A dam that does not vary along z breaks as its slice does.
TEST(LiquidPhysics, EverySliceOfAnExtrudedDamIsTheFlatOne) {
    for (const char* method : {kLevelSet, kParticles}) {
        const auto flat = run_text<2>(dam(domain<2>(1, 0.75, 0, 32), "[0, 0]", "[0.31, 0.62]"), {frames(6), method});
        const auto deep =
            run_text<3>(dam(domain<3>(1, 0.75, 0.375, 32), "[0, 0, 0]", "[0.31, 0.62, 0.375]"), {frames(6), method});
        EXPECT_EQ(flat.steps, deep.steps);
        const Apart found = apart(deep, flat, [](const Index<3>& cell) { return Index<2>(cell[0], cell[1]); });
        // Rounding grows at the tip of the wave, which a dozen of steps accelerate by several g, and no less with exact
        // solves.
        expect_alike(found, method, 4.5e-3, 0.02);
        double across = 0;
        for_each_index(deep.box, [&](const Index<3>& cell) {
            if (deep.phi.at(cell) < 0) across = std::max(across, std::abs(double{deep.velocity[2].at(cell)}));
        });
        // Particles do not lie alike in all slices: 0.005 to 0.051 m/s over six seeds, in the fastest cell at the tip
        // (0.005 to 0.027 while a sphere alone could bring a cell to its side); 0.031 with this one.
        EXPECT_LT(across, method == kLevelSet ? 5e-4 : 0.035);
        ::testing::Test::RecordProperty(std::string(method) + "_across",
                                        fmt::format("{:.2e} of {:.2f}", across, deep.fastest));
    }
}

// Kinetic and potential energy, per density, of what a frame would show now.
double energy_of(Simulation& simulation, double dx, const IndexBox<2>& box) {
    (void)simulation.show(simulation.time());
    const std::vector<FieldView> fields = simulation.fields();
    FluidFields<2> fluid;
    fluid.grid.dx = dx;
    fluid.domain = box;
    fluid.velocity = find_field<FaceField<2>>(fields, "velocity");
    fluid.surface = find_field<Field<float, 2>>(fields, "surface");
    const FluidTotals<2> totals = fluid_totals(fluid, {0, 0});
    return 0.5 * totals.squared_speed + kGravity * totals.first_moment[1];
}

// At default steps, until after the front has met the wall.  Four seeds gained at most 0.21 to 0.27 %, and 2.4 % when
// the pressure acted where the fast front would be half a step later.
TEST(DamBreak, GainsNoEnergy) {
    for (const int seed : {1, 2}) {
        const auto simulation =
            simulation_of(fmt::format("spindrift = 1\nseed = {}\n[domain]\nsize = [2, 1]\nresolution = 96\n"
                                      "[[liquid]]\nshape = 'box'\nmin = [-1, -1]\nmax = [0.5, 0.5]\n",
                                      seed));
        const auto energy = [&] { return energy_of(*simulation, 1.0 / 48, {Index<2>(0), {96, 48}}); };
        const double start = energy();
        double least = start, growth = 0;
        while (simulation->time() < 0.6) {
            ASSERT_EQ(simulation->advance(std::min(simulation->stable_dt(), 1.0 / 24)).failure, "");
            const double now = energy();
            least = std::min(least, now);
            growth = std::max(growth, (now - least) / start);
        }
        EXPECT_LT(growth, 0.004) << "seed " << seed;
        EXPECT_GT(least, 0.5 * start) << "the front has lost more than it can";
        ::testing::Test::RecordProperty(fmt::format("growth_{}", seed), fmt::format("{:.5f}", growth));
    }
}

}  // namespace
}  // namespace spindrift

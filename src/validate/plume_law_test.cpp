// SPDX-License-Identifier: Apache-2.0
#include "validate/plume_law.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "grid/test_support.h"

namespace spindrift {
namespace {

using std::numbers::pi;

// The plume of [MortonTaylorTurner56] from a virtual origin.
struct SimilarPlume {
    double entrainment = 0.12, flux = 3, origin = -2.5;

    double radius(double height) const { return 1.2 * entrainment * (height - origin); }
    double speed(double height) const {
        return 5 / (6 * entrainment) * std::cbrt(0.9 * entrainment * flux / pi / (height - origin));
    }
    double volume(double height) const { return pi * radius(height) * radius(height) * speed(height); }
};

TEST(PlumeLaw, FindsTheExponentsOfASimilarPlume) {
    const SimilarPlume plume;
    std::vector<PlumeLevel> levels;
    for (double z = 5; z < 30; z += 0.1)
        levels.push_back({z, plume.volume(z), plume.volume(z) * plume.speed(z), plume.flux});
    const PlumeLaw law = plume_law(levels);
    EXPECT_NEAR(law.origin, plume.origin, 1e-9);
    EXPECT_NEAR(law.radius, 1, 1e-9);
    EXPECT_NEAR(law.speed, -1.0 / 3, 1e-9);
    EXPECT_NEAR(law.buoyancy, -5.0 / 3, 1e-9);
    EXPECT_NEAR(law.buoyancy_flux, 0, 1e-9);
    EXPECT_NEAR(law.entrainment, plume.entrainment, 1e-5);
}

// Far from its origin a plume has the parameter 1 at every height, and one that is let out too slowly more.
TEST(PlumeLaw, TheParameterOfASimilarPlumeIsOne) {
    const SimilarPlume plume;
    for (const double z : {1.0, 7.0, 30.0}) {
        const PlumeLevel level{z, plume.volume(z), plume.volume(z) * plume.speed(z), plume.flux};
        EXPECT_NEAR(plume_parameter(level, plume.entrainment), 1, 1e-9);
        const PlumeLevel slow{z, 0.5 * level.volume, 0.25 * level.momentum, 0.5 * level.buoyancy};  // half as fast
        EXPECT_NEAR(plume_parameter(slow, plume.entrainment), 4, 1e-9);
    }
}

// In the length M^¾ / F^½ a buoyancy that lasts gives a jet of even momentum about as much as it has: dM/dz = F Q / M.
TEST(PlumeLaw, TheMomentumLengthGrowsWithTheSpeedOfTheOutlet) {
    const auto outlet = [](double speed) { return PlumeLevel{0, pi * speed, pi * speed * speed, pi * speed}; };
    EXPECT_NEAR(momentum_length(outlet(1)), std::pow(pi, 0.25), 1e-12);
    EXPECT_NEAR(momentum_length(outlet(3)), 3 * std::pow(pi, 0.25), 1e-12);
}

// Bell-shaped speeds that change in time: fluxes are of the mean speed, but of the buoyancy that is carried at each
// time.
TEST(PlumeLaw, MeansAreOverTimesAndAroundTheAxis) {
    constexpr int kCells = 48;
    constexpr double kWidth = 6;  // cells
    const GridTransform<3> grid{Vec<double, 3>(-2.0), 4.0 / kCells};
    const auto tiles = Tiles<3>::covering({Index<3>(0), Index<3>(kCells)});
    PlumeMean mean(grid, Index<3>(kCells));
    for (const double strength : {1.0, 3.0}) {
        GasState<3> gas;
        gas.velocity = FaceField<3>(tiles);
        gas.substances.emplace_back(tiles);
        const auto bell = [&](const Vec<double, 3>& x) {
            return std::exp(-(x[0] * x[0] + x[2] * x[2]) / (kWidth * kWidth * grid.dx * grid.dx));
        };
        assign(gas.velocity[1],
               [&](const Index<3>& c) { return static_cast<float>(strength * bell(grid.world_of_face(1, c))); });
        assign(gas.substances[0], [&](const Index<3>&) { return static_cast<float>(strength); });
        mean.add(gas);
    }
    const std::vector<PlumeLevel> levels = mean.levels(-1, 1);
    ASSERT_EQ(levels.size(), 24U);
    // GhostRule the edge is a 20th of the volume and a 400th of the momentum.
    const double area = pi * kWidth * kWidth * grid.dx * grid.dx;
    for (const PlumeLevel& level : levels) {
        EXPECT_NEAR(level.volume / area, 2 * 0.95, 0.05);
        EXPECT_NEAR(level.momentum / area, 4 * 0.5, 0.05);
        EXPECT_NEAR(level.buoyancy / area, 5 * 0.95, 0.12);
    }
}

}  // namespace
}  // namespace spindrift

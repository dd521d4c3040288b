// SPDX-License-Identifier: Apache-2.0
// Liquid whose initial shape ends on, in or just before solids and walls: it lies there at rest.
#include "liquid/initial_surface.h"

#include "geometry/shapes.h"
#include "liquid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class InitialSurfaceTest : public ::testing::Test {};
TYPED_TEST_SUITE(InitialSurfaceTest, Dimensions);

// As scenes have them unless they say otherwise.
LiquidSettings default_settings(ParticleSides sides) {
    return {.cfl = 3, .volume_control = true, .pressure_tolerance = 1e-4, .particles = {.sides = sides}};
}

// A basin of solid: walls of 2.6 cells around, a floor of 3.3.
template <int Dim>
struct Basin {
    static constexpr double kDx = 1.0 / 16;
    World<Dim> world = [] {
        Index<Dim> cells(16);
        if constexpr (Dim == 3) cells[2] = 12;
        return tank<Dim>(cells, kDx);
    }();
    Box<double, Dim> inside;
    Basin() {
        for (int a = 0; a < Dim; ++a) {
            inside.lo[a] = 2.6 * kDx;
            inside.hi[a] = (world.box.hi[a] - 2.6) * kDx;
        }
        inside.lo[1] = 3.3 * kDx;
        inside.hi[1] = 1.5;
        world.solid_distance = [box = inside](const Vec<double, Dim>& p) {
            return -signed_distance<Dim>(Shape<Dim>(box), p);
        };
    }
};

// The largest speed of the last quarter of `seconds`, over √(g depth).
template <int Dim>
double speed_at_rest(const World<Dim>& world, const std::function<double(const Vec<double, Dim>&)>& shape, double depth,
                     ParticleSides sides, double seconds) {
    ParticleLevelSet2002<Dim> method(world, default_settings(sides));
    LiquidState<Dim> liquid = method.initial_state(shape, at_rest<Dim>);
    double fastest = 0;
    run(method, liquid, seconds, kFrame, [&](const StepReport& report) {
        if (liquid.time > 0.75 * seconds) fastest = std::max(fastest, report.max_speed);
    });
    return fastest / std::sqrt(kGravity * depth);
}

TYPED_TEST(InitialSurfaceTest, WaterThatEndsOnSolidsIsAtRest) {
    constexpr int Dim = TypeParam::kDim;
    const Basin<Dim> basin;
    // Cells by which the shape reaches into the solid.
    for (const double reach : {0.0, -0.4, 0.3, 4.0})
        for (const ParticleSides sides : {ParticleSides::none, ParticleSides::both}) {
            Box<double, Dim> water = basin.inside;
            for (int a = 0; a < Dim; ++a) {
                water.lo[a] -= reach * basin.kDx;
                water.hi[a] += reach * basin.kDx;
            }
            water.hi[1] = 9.8 * basin.kDx;
            const double speed = speed_at_rest<Dim>(
                basin.world, [&](const Vec<double, Dim>& p) { return signed_distance<Dim>(Shape<Dim>(water), p); }, 0.4,
                sides, Dim == 2 ? 0.5 : 0.8);
            EXPECT_LT(speed, 1e-5) << "reaching " << reach << " cells into the solid"
                                   << (sides == ParticleSides::both ? ", with particles" : "");
        }
}

// The container's own walls.
TYPED_TEST(InitialSurfaceTest, WaterThatEndsOnWallsIsAtRest) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kDx = 1.0 / 16;
    const World<Dim> world = tank<Dim>(Index<Dim>(16), kDx);
    for (const double reach : {0.0, -0.4}) {
        Box<double, Dim> water{Vec<double, Dim>(-reach * kDx), Vec<double, Dim>(1 + reach * kDx)};
        water.hi[1] = 8.7 * kDx;
        const double speed = speed_at_rest<Dim>(
            world, [&](const Vec<double, Dim>& p) { return signed_distance<Dim>(Shape<Dim>(water), p); }, 0.54,
            ParticleSides::both, 0.5);
        EXPECT_LT(speed, 1e-5) << reach;
    }
}

// A slope that faces meet at every angle, and a shore.
TEST(InitialSurface, WaterThatEndsOnASlopeIsAtRest) {
    World<3> world = tank<3>({16, 16, 16}, 1.0 / 16);
    world.solid_distance = [](const Vec<double, 3>& p) {
        return (p[1] - 0.1 - 0.3 * p[0] - 0.2 * p[2]) / std::sqrt(1 + 0.09 + 0.04);
    };
    const auto cut_by_slope = [&](const Vec<double, 3>& p) { return std::max(p[1] - 0.52, -world.solid_distance(p)); };
    const auto box = [](const Vec<double, 3>& p) {
        return signed_distance<3>(Shape<3>(Box<double, 3>{{0, 0, 0}, {1, 0.52, 1}}), p);
    };
    for (const ParticleSides sides : {ParticleSides::none, ParticleSides::both}) {
        EXPECT_LT(speed_at_rest<3>(world, cut_by_slope, 0.4, sides, 1), 1e-5);
        EXPECT_LT(speed_at_rest<3>(world, box, 0.4, sides, 1), 1e-5);
    }
}

// A crate under water, so near the floor that no place between them is far from both: there is water there.
TEST(InitialSurface, WaterUnderACrateIsAtRest) {
    constexpr double kDx = 1.0 / 32;
    for (const double gap : {0.7, 1.5, 2.3, 3.5, 4.6, 6.2, 9.0}) {
        World<2> world = tank<2>({32, 32}, kDx);
        world.solid_distance = [&](const Vec<double, 2>& p) {
            return signed_distance<2>(Shape<2>(Box<double, 2>{{0.313, gap * kDx}, {0.6, gap * kDx + 0.25}}), p);
        };
        ParticleLevelSet2002<2> method(world, default_settings(ParticleSides::both));
        const auto box = [](const Vec<double, 2>& p) {
            return signed_distance<2>(Shape<2>(Box<double, 2>{{0, 0}, {1, 0.61}}), p);
        };
        const LiquidState<2> liquid = method.initial_state(box, at_rest<2>);
        for_each_index(world.box, [&](const Index<2>& cell) {
            const Vec<double, 2> place = world.grid.world_of_centre(cell);
            if (place[1] < 0.58 && world.solid_distance(place) > 0) {
                EXPECT_LT(liquid.phi.at(cell), 0) << "gap of " << gap << " cells, at " << place[0] << ", " << place[1];
            }
        });
        EXPECT_LT(speed_at_rest<2>(world, box, 0.61, ParticleSides::both, 0.3), 1e-5) << "gap of " << gap << " cells";
    }
}

// What does not touch a solid is left as it is.
TYPED_TEST(InitialSurfaceTest, ShapesAwayFromSolidsAreLeftAlone) {
    constexpr int Dim = TypeParam::kDim;
    const Basin<Dim> basin;
    const Vec<double, Dim> centre(0.375);
    // A ball 0.7 cells above the floor.
    const double radius = 0.375 - (3.3 + 0.7) * basin.kDx;
    const auto ball = [&](const Vec<double, Dim>& p) { return length(p - centre) - radius; };
    const auto distance = free_surface_distance<Dim>(basin.world, ball, basin.world.solid_distance);
    for_each_index(basin.world.box, [&](const Index<Dim>& cell) {
        const Vec<double, Dim> p = basin.world.grid.world_of_centre(cell);
        EXPECT_EQ(distance(p), ball(p));
    });
}

}  // namespace
}  // namespace spindrift

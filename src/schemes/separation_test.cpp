// SPDX-License-Identifier: Apache-2.0
#include "schemes/separation.h"

#include "schemes/projection.h"
#include "schemes/test_support.h"

namespace spindrift {
namespace {

template <class D>
class SeparationTest : public ::testing::Test {};
TYPED_TEST_SUITE(SeparationTest, Dimensions);

constexpr double kDt = 0.02;

template <int Dim>
Vec<double, Dim> down(double speed) {
    Vec<double, Dim> u(0.0);
    u[1] = -speed;
    return u;
}

template <int Dim>
ProjectionReport project_letting_go(FaceField<Dim>& u, const Basin<Dim>& b, CellSet<Dim>* separating) {
    Field<float, Dim> pressure(b.tiles());
    PoissonSolver<Dim> solver;
    ProjectionSettings<Dim> settings;
    settings.separating = separating;
    return project(u, pressure, b.phi, b.boundaries, kDt, settings, solver);
}

// A block of water that hangs under a slab, with air around it: a slab across the upper part of the box.
template <int Dim>
Basin<Dim> hanging_block() {
    const auto block = [](const Vec<double, Dim>& p) {
        double d = std::abs(p[1] - 1.2) - 0.42;
        for (int a = 0; a < Dim; ++a)
            if (a != 1) d = std::max(d, std::abs(p[a] - 1.2) - 0.42);
        return d;
    };
    return basin<Dim>(Index<Dim>(24), 0.1, block, [](const Vec<double, Dim>& p) { return 1.53 - p[1]; });
}

// Pulled down for a step it goes down as a whole; if it sticks it cannot.
TYPED_TEST(SeparationTest, WaterUnderASlabFallsAsAWhole) {
    constexpr int Dim = TypeParam::kDim;
    const Basin<Dim> b = hanging_block<Dim>();
    const double speed = 0.2;
    const auto deviation = [&](CellSet<Dim>* separating) {
        FaceField<Dim> u = velocity_of(b, [&](const Vec<double, Dim>&) { return down<Dim>(speed); });
        stop_at_walls(u, b.boundaries);
        EXPECT_TRUE(project_letting_go(u, b, separating).solve.converged);
        double most = 0;
        for_each_index(b.box(), [&](const Index<Dim>& cell) {
            if (b.wet(cell) && b.wet(cell - unit<Dim>(1)) && b.boundaries.open[1].at(cell) > 0)
                most = std::max(most, std::abs(u[1].at(cell) + speed));
        });
        return most / speed;
    };
    CellSet<Dim> separating;
    EXPECT_LT(deviation(&separating), 0.01);
    EXPECT_FALSE(separating.empty());
    EXPECT_GT(deviation(nullptr), 0.5);
}

// Pushed up against the slab it stays in touch.
TYPED_TEST(SeparationTest, WaterPushedAgainstASlabHolds) {
    constexpr int Dim = TypeParam::kDim;
    const Basin<Dim> b = hanging_block<Dim>();
    FaceField<Dim> u = velocity_of(b, [&](const Vec<double, Dim>&) { return down<Dim>(-0.2); }), same = u;
    for (FaceField<Dim>* some : {&u, &same}) stop_at_walls(*some, b.boundaries);
    CellSet<Dim> separating;
    EXPECT_TRUE(project_letting_go(u, b, &separating).solve.converged);
    EXPECT_TRUE(project_letting_go<Dim>(same, b, nullptr).solve.converged);
    EXPECT_TRUE(separating.empty());
    for (int axis = 0; axis < Dim; ++axis)
        EXPECT_TRUE(std::equal(u[axis].values().begin(), u[axis].values().end(), same[axis].values().begin()));
}

// A ball under water from which the flow pulls away: air does not get there, and nothing separates.
TYPED_TEST(SeparationTest, WithoutAirNothingLetsGo) {
    constexpr int Dim = TypeParam::kDim;
    const auto ball = [](const Vec<double, Dim>& p) { return length(p - Vec<double, Dim>(0.9)) - 0.35; };
    const Basin<Dim> b = basin<Dim>(
        Index<Dim>(22), 0.1, [](const Vec<double, Dim>& p) { return p[1] - 1.8; }, ball);
    FaceField<Dim> u = velocity_of(b, [](const Vec<double, Dim>& p) { return down<Dim>(p[1] > 0.9 ? -1 : 1); });
    stop_at_walls(u, b.boundaries);
    CellSet<Dim> separating;
    EXPECT_TRUE(project_letting_go(u, b, &separating).solve.converged);
    EXPECT_TRUE(separating.empty());
}

// Half under water in a flow that goes everywhere: cells that have let go are not pressed against the ball, and no
// others are left without their divergence taken out.
TYPED_TEST(SeparationTest, WhatHasLetGoMovesAway) {
    constexpr int Dim = TypeParam::kDim;
    const auto ball = [](const Vec<double, Dim>& p) { return length(p - Vec<double, Dim>(1.12)) - 0.42; };
    const Basin<Dim> b = basin<Dim>(
        Index<Dim>(22), 0.1, [](const Vec<double, Dim>& p) { return p[1] - 1.15; }, ball);
    FaceField<Dim> u = velocity_of(b, [](const Vec<double, Dim>& p) {
        Vec<double, Dim> v = down<Dim>(0.5);
        v[0] = std::sin(4 * p[0]);
        return v;
    });
    stop_at_walls(u, b.boundaries);
    CellSet<Dim> separating;
    const ProjectionReport report = project_letting_go(u, b, &separating);
    EXPECT_FALSE(separating.empty());
    EXPECT_LT(cells_that_press(separating, u, b.boundaries).size(), 1 + separating.size() / 10);
    EXPECT_LT(report.divergence, 1e-3);
}

// Air gets in where the water has let go and nowhere else: φ ends at the slab above the block's cells.
TYPED_TEST(SeparationTest, AirGetsInBehindWhatHasLetGo) {
    constexpr int Dim = TypeParam::kDim;
    Basin<Dim> b = hanging_block<Dim>();
    Index<Dim> beside(12);
    beside[1] = 14;  // cut by the slab at 1.53
    CellSet<Dim> separating{beside};
    const Field<float, Dim> before = b.phi;
    let_air_in(b.phi, separating, b.boundaries, 4);
    Index<Dim> inside = beside;
    inside[1] = 17;
    EXPECT_NEAR(b.phi.at(inside), b.centre(inside)[1] - 1.53, 1e-6);
    EXPECT_NEAR(b.phi.at(beside), b.centre(beside)[1] - 1.53, 1e-6);
    Index<Dim> elsewhere = inside;
    elsewhere[0] += 2;
    EXPECT_EQ(b.phi.at(elsewhere), before.at(elsewhere));
}

}  // namespace
}  // namespace spindrift

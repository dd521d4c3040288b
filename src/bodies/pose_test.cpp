// SPDX-License-Identifier: Apache-2.0
#include "bodies/pose.h"

#include <cmath>
#include <numbers>

#include "bodies/solids.h"
#include "grid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class PoseTest : public ::testing::Test {};
TYPED_TEST_SUITE(PoseTest, Dimensions);

// Swings, drifts and turns about a point that is not its middle; in 3D about all axes at once.
template <int Dim>
Pose<Dim> tumbling() {
    Pose<Dim> pose;
    pose.pivot = Vec<double, Dim>(0.3);
    pose.offset = [](double t) {
        WithRate<Vec<double, Dim>> offset;
        offset.value[0] = std::sin(2 * t);
        offset.rate[0] = 2 * std::cos(2 * t);
        offset.value[1] = offset.rate[1] = std::exp(t);
        return offset;
    };
    pose.rotation = [](double t) {
        if constexpr (Dim == 2) return rotation_by({t * t, 2 * t});
        if constexpr (Dim == 3)
            return rotation_by(WithRate<Vec<double, 3>>{{t, t * t, std::sin(t)}, {1, 2 * t, std::cos(t)}});
    };
    return pose;
}

// A point of the body moves with the velocity of the place that it is at.
TYPED_TEST(PoseTest, VelocityIsTheDerivativeOfTheMotion) {
    constexpr int Dim = TypeParam::kDim;
    const Pose<Dim> pose = tumbling<Dim>();
    Vec<double, Dim> point(0.7);
    point[0] = -0.2;
    for (const double t : {0.0, 0.4, 1.3}) {
        constexpr double kStep = 1e-5;
        const auto at = [&](double time) { return pose.at(time).world_from_body.world_from_local(point); };
        const Vec<double, Dim> moved = (at(t + kStep) - at(t - kStep)) / (2 * kStep);
        EXPECT_LT(length(moved - pose.at(t).velocity_at(at(t))), 1e-8) << t;
        EXPECT_LT(length(pose.at(t).body_from_world(at(t)) - point), 1e-12);
    }
}

TYPED_TEST(PoseTest, TurnsAboutThePivot) {
    constexpr int Dim = TypeParam::kDim;
    const Pose<Dim> pose = tumbling<Dim>();
    const Placement<Dim> placed = pose.at(0.8);
    EXPECT_LT(length(placed.world_from_body.world_from_local(pose.pivot) - placed.pivot), 1e-12);
    EXPECT_LT(length(placed.velocity_at(placed.pivot) - placed.velocity), 1e-12);
}

TEST(PoseTest, AnglesTurnAsAScrewDoes) {
    const Rotation<3> quarter = rotation_by({std::numbers::pi / 2, 0.0}, {0, 0, 5});
    EXPECT_NEAR(quarter.matrix[1][0], 1, 1e-12);  // x becomes y
    const Rotation<2> flat = rotation_by({std::numbers::pi / 2, 3.0});
    EXPECT_NEAR(flat.matrix[1][0], 1, 1e-12);
    EXPECT_NEAR(turning_velocity(flat.rate, Vec<double, 2>(2, 0))[1], 6, 1e-12);
}

TYPED_TEST(PoseTest, BoxesAreMovedWhole) {
    constexpr int Dim = TypeParam::kDim;
    const RigidTransform<Dim> to = tumbling<Dim>().at(0.9).world_from_body;
    const Box<double, Dim> box{Vec<double, Dim>(-0.4), Vec<double, Dim>(0.9)}, around = moved(box, to);
    for_each_index(IndexBox<Dim>{Index<Dim>(0), Index<Dim>(2)}, [&](const Index<Dim>& end) {
        Vec<double, Dim> corner;
        for (int a = 0; a < Dim; ++a) corner[a] = end[a] == 0 ? box.lo[a] : box.hi[a];
        EXPECT_TRUE(around.expanded(1e-12).contains(to.world_from_local(corner)));
    });
}

template <int Dim>
Solid<Dim> ball(const char* name, double radius) {
    Solid<Dim> solid;
    solid.name = name;
    solid.part.shape = Sphere<Dim>{{}, radius};
    return solid;
}

// Still ones, with something cut out, and one that moves: the nearest decides.
TYPED_TEST(PoseTest, SolidsAreDistancesAndVelocitiesTogether) {
    constexpr int Dim = TypeParam::kDim;
    const Vec<double, Dim> x = Vec<double, Dim>(unit<Dim>(0));
    SolidSet<Dim> solids;
    Solid<Dim> wall = ball<Dim>("wall", 2), hollow = ball<Dim>("hollow", 1), mover = ball<Dim>("ball", 0.5);
    wall.slip = false;
    hollow.part.how = Combine::subtract;
    mover.pose.offset = [](double t) {
        WithRate<Vec<double, Dim>> offset;
        offset.value[0] = 10 + t;
        offset.rate[0] = 1;
        return offset;
    };
    solids.add(wall);
    solids.add(hollow);
    solids.add(mover);
    const PlacedSolids<Dim>& now = solids.at(2);
    EXPECT_NEAR(now.distance({}), 1, 1e-12);
    EXPECT_NEAR(now.distance(x * 1.5), -0.5, 1e-12);
    EXPECT_NEAR(now.distance(x * 12.0), -0.5, 1e-12);
    EXPECT_EQ(now.owner(x * 1.1), 0U);
    EXPECT_EQ(now.owner(x * 11.0), 2U);
    EXPECT_FALSE(now.slips(x * 2.1));
    EXPECT_TRUE(now.slips(x * 0.9)) << "the wall of what is cut out";
    EXPECT_EQ(now.velocity(x * 3.0)[0], 0);
    EXPECT_EQ(now.velocity(x * 11.0)[0], 1);
    EXPECT_NEAR(solids.at(5).distance(x * 15.0), -0.5, 1e-12) << "another time";
    const SolidSet<Dim> some = those(solids, [](const Solid<Dim>& solid) { return solid.name == "wall"; });
    EXPECT_NEAR(some.at(2).distance(x * 12.0), 10, 1e-12);
    EXPECT_NEAR(some.at(2).distance({}), 1, 1e-12) << "what is cut out stays cut out";
}

}  // namespace
}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "schemes/boundary.h"

#include "grid/activation.h"
#include "schemes/test_support.h"

namespace spindrift {
namespace {

template <class D>
class BoundaryTest : public ::testing::Test {};
TYPED_TEST_SUITE(BoundaryTest, Dimensions);

// Whether the walls run along tile sides or through tiles.
TYPED_TEST(BoundaryTest, WallsAreClosedAndTheInsideIsOpen) {
    constexpr int Dim = TypeParam::kDim;
    for (const int size : {16, 21}) {
        const auto b = basin<Dim>(Index<Dim>(size), 0.1, full<Dim>);
        for (int axis = 0; axis < Dim; ++axis)
            for_each_index(b.box().expanded(2), [&](const Index<Dim>& cell) {
                const bool inside = b.box().contains(cell) && b.box().contains(cell - unit<Dim>(axis));
                EXPECT_EQ(b.boundaries.open[axis].at(cell), inside ? 1.0F : 0.0F);
            });
        EXPECT_FALSE(b.boundaries.has_solids());
    }
}

TYPED_TEST(BoundaryTest, OpenSidesLetThrough) {
    constexpr int Dim = TypeParam::kDim;
    Boundary<Dim> b;
    b.domain.box = {Index<Dim>(2), Index<Dim>(20)};
    b.domain.grid = {Vec<double, Dim>(0.0), 0.1};
    b.domain.sides[0][0].kind = SideKind::open;
    b.domain.sides[1][0].kind = SideKind::prescribed;
    b.domain.sides[1][1].kind = SideKind::open;
    refit(b, Tiles<Dim>::covering(b.domain.box));
    Index<Dim> middle(9);
    const auto at = [&](int axis, int n) {
        Index<Dim> cell = middle;
        cell[axis] = n;
        return b.open[axis].at(cell);
    };
    EXPECT_EQ(at(0, 2), 1);
    EXPECT_EQ(at(0, 20), 0);
    EXPECT_EQ(at(1, 2), 0);
    EXPECT_EQ(at(1, 20), 1);
    EXPECT_EQ(at(0, 1), 0) << "both cells lie outside";
}

// A level floor leaves the same part of every face beside it and of every cell on it.
TYPED_TEST(BoundaryTest, AFloorClosesWhatLiesBelowIt) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = basin<Dim>(Index<Dim>(16), 0.1, full<Dim>,
                              [](const Vec<double, Dim>& p) { return p[1] - 0.53; });  // 0.3 of cell 5
    for_each_index(b.box().expanded(-1), [&](const Index<Dim>& cell) {
        const float part = cell[1] < 5 ? 0.0F : cell[1] == 5 ? 0.7F : 1.0F;
        EXPECT_NEAR(b.boundaries.volume.at(cell), part, 1e-4);
        EXPECT_NEAR(b.boundaries.open[0].at(cell), part, 1e-4);
        EXPECT_NEAR(b.boundaries.open[1].at(cell), cell[1] <= 5 ? 0.0F : 1.0F, 1e-4);
    });
}

// Above a floor that leaves a fifth of a cell there is a way, above one that leaves a twentieth there is none.
TYPED_TEST(BoundaryTest, SlitsAreClosed) {
    constexpr int Dim = TypeParam::kDim;
    for (const float left : {0.05F, 0.2F}) {
        const auto b = basin<Dim>(Index<Dim>(16), 0.1, full<Dim>,
                                  [=](const Vec<double, Dim>& p) { return p[1] - 0.6 + 0.1 * double{left}; });
        EXPECT_NEAR(b.boundaries.volume.at(Index<Dim>(5)), left, 1e-4);
        EXPECT_NEAR(b.boundaries.open[0].at(Index<Dim>(5)), left < 0.1F ? 0 : left, 1e-4);
    }
}

TYPED_TEST(BoundaryTest, ASphereTakesItsVolume) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kRadius = 0.63;
    const auto b = basin<Dim>(Index<Dim>(20), 0.1, full<Dim>,
                              [](const Vec<double, Dim>& p) { return length(p - Vec<double, Dim>(1.02)) - kRadius; });
    double room = 0;
    for_each_index(b.box(), [&](const Index<Dim>& cell) { room += b.boundaries.volume.at(cell); });
    const double solid = std::pow(2.0, Dim) - room * std::pow(0.1, Dim);
    const double exact = Dim == 2 ? M_PI * kRadius * kRadius : 4.0 / 3 * M_PI * std::pow(kRadius, 3);
    EXPECT_NEAR(solid, exact, 0.01 * exact);
}

// Tiles come and go; what is known of those that stay is as good as new.
TYPED_TEST(BoundaryTest, RefittingEqualsBuildingAfresh) {
    constexpr int Dim = TypeParam::kDim;
    for (const bool with_solid : {false, true}) {
        Boundary<Dim> start;
        start.domain.box = {Index<Dim>(-13), Index<Dim>(21)};
        start.domain.grid = {Vec<double, Dim>(0.0), 0.1};
        if (with_solid)
            start.solid_distance = [](const Vec<double, Dim>& p) { return length(p - Vec<double, Dim>(0.31)) - 0.72; };
        Boundary<Dim> grown = start;
        for (const unsigned seed : {1U, 2U, 3U}) {
            const TilesPtr<Dim> tiles = clip(ragged_tiles<Dim>(2, 0.6, seed), start.domain.box);
            refit(grown, tiles);
            Boundary<Dim> fresh = start;
            refit(fresh, tiles);
            EXPECT_EQ(state_hash(grown.open), state_hash(fresh.open)) << "seed " << seed;
            if (!with_solid) continue;
            EXPECT_EQ(state_hash(grown.volume), state_hash(fresh.volume)) << "seed " << seed;
        }
    }
}

TYPED_TEST(BoundaryTest, NothingFlowsThroughClosedFaces) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = basin<Dim>(Index<Dim>(19), 0.1, full<Dim>,
                              [](const Vec<double, Dim>& p) { return length(p - Vec<double, Dim>(1.02)) - 0.4; });
    FaceField<Dim> u(b.tiles());
    for (int axis = 0; axis < Dim; ++axis) u[axis].fill(3);
    stop_at_walls(u, b.boundaries);
    int closed = 0;
    for (int axis = 0; axis < Dim; ++axis)
        for (std::size_t n = 0; n < u[axis].values().size(); ++n) {
            const bool open = b.boundaries.open[axis].values()[n] > 0;
            closed += open ? 0 : 1;
            EXPECT_EQ(u[axis].values()[n], open ? 3.0F : 0.0F);
        }
    EXPECT_GT(closed, 0);
}

// A solid that moves closes what one at rest in its place does, and is forgotten where it has left.
TYPED_TEST(BoundaryTest, AMovingSolidIsWhereItIs) {
    constexpr int Dim = TypeParam::kDim;
    const auto ball_at = [](double t) {
        return [t](const Vec<double, Dim>& p) { return length(p - Vec<double, Dim>(0.8 + t)) - 0.33; };
    };
    const MovingPart<Dim> mover{[&](const Vec<double, Dim>& p, double t) { return ball_at(t)(p); },
                                [](const Vec<double, Dim>&, double) { return Vec<double, Dim>(1.0); }};
    auto b = basin<Dim>(Index<Dim>(28), 0.1, full<Dim>);
    for (const double t : {0.0, 0.4, 1.1}) {
        refit(b.boundaries, b.tiles(), {mover}, t);
        const auto still = basin<Dim>(Index<Dim>(28), 0.1, full<Dim>, ball_at(t));
        for (int axis = 0; axis < Dim; ++axis)
            for_each_index(b.box().expanded(1), [&](const Index<Dim>& cell) {
                EXPECT_EQ(b.boundaries.open[axis].at(cell), still.boundaries.open[axis].at(cell));
                const bool inside = b.box().contains(cell) && b.box().contains(cell - unit<Dim>(axis));
                const float part = b.boundaries.open[axis].at(cell);
                EXPECT_EQ(b.boundaries.wall_velocity[axis].at(cell), inside && part < 1 ? 1.0F : 0.0F);
                EXPECT_EQ(b.boundaries.volume.at(cell), still.boundaries.volume.at(cell));
            });
    }
    refit(b.boundaries, b.tiles(), std::vector<MovingPart<Dim>>{}, 2);
    const auto empty = basin<Dim>(Index<Dim>(28), 0.1, full<Dim>);
    EXPECT_EQ(largest_difference(b.boundaries.open, empty.boundaries.open), 0);
    EXPECT_FALSE(b.boundaries.anything_moves());
    EXPECT_FALSE(b.boundaries.has_solids());
}

// Where a moving solid passes through a wall of the container, its part of the face moves and the rest does not: as
// much of it comes in through the wall as goes on above.
TYPED_TEST(BoundaryTest, AMovingSolidPassesThroughAWall) {
    constexpr int Dim = TypeParam::kDim;
    const MovingPart<Dim> post{[](const Vec<double, Dim>& p, double) { return std::abs(p[0] - 1.27) - 0.26; },
                               [](const Vec<double, Dim>&, double) {
                                   Vec<double, Dim> up(0.0);
                                   up[1] = 2;
                                   return up;
                               }};
    auto b = basin<Dim>(Index<Dim>(24), 0.1, full<Dim>);
    refit(b.boundaries, b.tiles(), {post}, 0);
    int partly = 0;
    for_each_index(b.box(), [&](const Index<Dim>& cell) {
        if (cell[1] != 0) return;
        const Index<Dim> above = cell + unit<Dim>(1);
        const float through_wall = b.boundaries.wall_velocity[1].at(cell);
        const float above_it = (1 - b.boundaries.open[1].at(above)) * b.boundaries.wall_velocity[1].at(above);
        EXPECT_EQ(b.boundaries.open[1].at(cell), 0);
        EXPECT_FLOAT_EQ(through_wall, above_it);
        partly += through_wall > 0 && through_wall < 2 ? 1 : 0;
    });
    EXPECT_GT(partly, 0);
}

// A mouth gives the velocity of all faces in it.
TYPED_TEST(BoundaryTest, AMouthGivesItsVelocity) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kDx = 0.1, kSpeed = 2;
    auto b = basin<Dim>(Index<Dim>(24), kDx, full<Dim>);
    // 8 cells a side along every axis but the first, and through the lower wall along that one.
    const MovingPart<Dim> mouth{[](const Vec<double, Dim>& p, double) {
                                    double d = p[0] - 0.42;
                                    for (int a = 1; a < Dim; ++a) d = std::max(d, std::abs(p[a] - 1.2) - 0.4001);
                                    return d;
                                },
                                [](const Vec<double, Dim>&, double) {
                                    Vec<double, Dim> u(0.0);
                                    u[0] = kSpeed;
                                    return u;
                                },
                                false};
    refit(b.boundaries, b.tiles(), {mouth}, 0);
    FaceField<Dim> u(b.tiles());
    stop_at_walls(u, b.boundaries);
    Index<Dim> inside(12);
    inside[0] = 3;
    EXPECT_EQ(u[0].at(inside), static_cast<float>(kSpeed));
    EXPECT_EQ(b.boundaries.open[0].at(inside), 0);
    EXPECT_EQ(u[1].at(inside), 0);
    inside[0] = 5;
    EXPECT_EQ(b.boundaries.open[0].at(inside), 1);
}

}  // namespace
}  // namespace spindrift

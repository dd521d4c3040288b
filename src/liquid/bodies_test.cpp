// SPDX-License-Identifier: Apache-2.0
#include "liquid/bodies.h"

#include <numeric>

#include "grid/collocate.h"
#include "liquid/speeds.h"
#include "liquid/test_support.h"

namespace spindrift {
namespace {

constexpr double kDx = 1.0 / 48;

template <class D>
class BodiesTest : public ::testing::Test {};
TYPED_TEST_SUITE(BodiesTest, Dimensions);

// A tank of 1 m, in 3D eight cells deep, with a wall of four cells in the middle that is `height` high.
template <int Dim>
World<Dim> parted_tank(double height) {
    Index<Dim> cells(48);
    if (Dim == 3) cells[2] = 8;
    World<Dim> world = tank<Dim>(cells, kDx);
    world.solid_distance = [=](const Vec<double, Dim>& p) {
        return std::max(std::abs(p[0] - 0.5) - 2 * kDx, p[1] - height);
    };
    return world;
}

// Liquid up to one height on the left of the wall and up to another on its right.
template <int Dim>
std::function<double(const Vec<double, Dim>&)> two_levels(double left, double right) {
    return [=](const Vec<double, Dim>& p) { return p[1] - (p[0] < 0.5 ? left : right); };
}

// The mean height of the liquid on the right of the wall, m.
template <int Dim>
double level_on_the_right(const LiquidState<Dim>& liquid, const World<Dim>& world) {
    double sum = 0, columns = 0;
    for_each_index(intersection(world.box, liquid.tiles().cell_bounds()), [&](const Index<Dim>& cell) {
        if (world.grid.world_of_centre(cell)[0] > 0.5 + 2.1 * kDx) sum += wet_part(liquid, cell, kDx);
    });
    for_each_index(world.box, [&](const Index<Dim>& cell) {
        if (cell[1] == 0 && world.grid.world_of_centre(cell)[0] > 0.5 + 2.1 * kDx) ++columns;
    });
    return sum / columns * kDx;
}

template <int Dim>
double accounted(const LiquidState<Dim>& liquid) {
    return std::accumulate(liquid.bodies.expected.begin(), liquid.bodies.expected.end(), 0.0) + liquid.bodies.lost +
           volume_of(liquid.spray);
}

template <int Dim>
LiquidSettings settings_with(ParticleSides sides) {
    return {.volume_control = true, .particles = {.sides = sides, .per_cell = 8}};
}

// A film of 0.4 cells in front of a wall is too thin for the grid: all that was put in is said to be lost from the
// start, and the pool behind the wall notices nothing.  One of 0.6 cells is held.
TYPED_TEST(BodiesTest, AFilmBelowHalfACellIsLostFromTheStartAndNotMovedBehindAWall) {
    constexpr int Dim = TypeParam::kDim;
    for (const double thickness : {0.1, 0.4, 0.6})
        for (const ParticleSides sides : {ParticleSides::none, ParticleSides::both}) {
            const bool is_held = thickness > 0.5;
            const World<Dim> world = parted_tank<Dim>(0.6);
            ParticleLevelSet2002<Dim> method(world, settings_with<Dim>(sides));
            LiquidState<Dim> liquid = method.initial_state(two_levels<Dim>(thickness * kDx, 0.3), at_rest<Dim>);
            const double film = thickness * kDx * 22 * kDx * (Dim == 3 ? 8 * kDx : 1);
            EXPECT_EQ(liquid.bodies.labels.count, is_held ? 2u : 1u);
            const StepReport first = method.measured(liquid);
            EXPECT_NEAR(first.lost, is_held ? 0 : film, 0.01 * film);
            EXPECT_NEAR(first.volume_error, -first.lost / liquid.ledger.expected(), 1e-6);
            double fastest = 0;
            StepReport last;
            run(method, liquid, 0.2, kFrame / 4, [&](const StepReport& report) {
                fastest = std::max(fastest, report.max_speed);
                last = report;
            });
            EXPECT_NEAR(level_on_the_right(liquid, world), 0.3, 1e-3);
            if (!is_held) {
                EXPECT_LT(fastest, 1e-3);
            }
            EXPECT_NEAR(last.lost + last.spray_volume, is_held ? 0 : film, 0.01 * film);
            EXPECT_NEAR(last.volume_error, -last.lost / liquid.ledger.expected(), 5e-4);
            EXPECT_LT(last.largest_body_error, 5e-4);
        }
}

// The error of one pool is taken off in that pool alone.
TYPED_TEST(BodiesTest, TheErrorOfOnePoolDoesNotMoveAnother) {
    constexpr int Dim = TypeParam::kDim;
    const World<Dim> world = parted_tank<Dim>(0.6);
    ParticleLevelSet2002<Dim> method(world, settings_with<Dim>(ParticleSides::both));
    LiquidState<Dim> liquid = method.initial_state(two_levels<Dim>(0.2, 0.3), at_rest<Dim>);
    ASSERT_EQ(liquid.bodies.labels.count, 2u);
    const std::size_t left = liquid.bodies.labels.at(Index<Dim>(2));
    const double more = 0.05 * liquid.bodies.expected[left];
    liquid.bodies.expected[left] += more;
    liquid.ledger.initial += more;
    EXPECT_GT(method.measured(liquid).largest_body_error, 0.01);
    double fastest_on_the_right = 0;
    StepReport last;
    run(method, liquid, 0.3, kFrame / 4, [&](const StepReport& report) {
        const VectorField<Dim> u = collocated(liquid.velocity);
        for_each_index(intersection(world.box, liquid.tiles().cell_bounds()), [&](const Index<Dim>& cell) {
            if (world.grid.world_of_centre(cell)[0] < 0.5 + 2 * kDx || liquid.phi.at(cell) > 0) return;
            for (int axis = 0; axis < Dim; ++axis)
                fastest_on_the_right = std::max(fastest_on_the_right, std::abs(double{u[axis].at(cell)}));
        });
        last = report;
    });
    EXPECT_LT(last.largest_body_error, 1e-3);
    EXPECT_LT(std::abs(last.volume_error), 1e-3);
    EXPECT_LT(fastest_on_the_right, 1e-4);
    EXPECT_NEAR(level_on_the_right(liquid, world), 0.3, 1e-4);
}

// A ball and a block fall into a pool, splash over the wall and part: accounts always add up to what the ledger
// expects.
TYPED_TEST(BodiesTest, AccountsAddUpWhileBodiesJoinAndPart) {
    constexpr int Dim = TypeParam::kDim;
    const World<Dim> world = parted_tank<Dim>(0.25);
    ParticleLevelSet2002<Dim> method(world, settings_with<Dim>(ParticleSides::both));
    LiquidState<Dim> liquid = method.initial_state(
        [](const Vec<double, Dim>& p) {
            Vec<double, Dim> ball(0.0);
            ball[0] = 0.25 - p[0], ball[1] = 0.5 - p[1];
            return std::min(p[1] - (p[0] < 0.5 ? 0.2 : 0.1), length(ball) - 0.12);
        },
        [](const Vec<double, Dim>& p) {
            Vec<double, Dim> u(0.0);
            if (p[1] > 0.3) u[1] = -4;
            return u;
        });
    EXPECT_EQ(liquid.bodies.labels.count, 3u);
    std::size_t before = 3, most = 0;
    int joined = 0, parted = 0;
    double largest = 0;
    run(method, liquid, 0.35, kFrame / 2, [&](const StepReport& report) {
        EXPECT_NEAR(accounted(liquid) / liquid.ledger.expected(), 1, 1e-5) << "in step " << liquid.step;
        joined += report.bodies < before ? 1 : 0, parted += report.bodies > before ? 1 : 0;
        before = report.bodies, most = std::max(most, report.bodies);
        largest = std::max(largest, std::abs(report.volume_error));
    });
    EXPECT_GT(joined, 1);
    EXPECT_GT(parted, 0);
    EXPECT_LT(largest, 0.01);
    this->RecordProperty("volume_error", std::to_string(largest));
    this->RecordProperty("lost", std::to_string(liquid.bodies.lost / liquid.ledger.expected()));
    this->RecordProperty("bodies", std::to_string(most));
}

TEST(Bodies, HaveTheSameBitsOnAnyThreads) {
    const World<2> world = parted_tank<2>(0.25);
    expect_same_on_any_threads([&] {
        ParticleLevelSet2002<2> method(world, settings_with<2>(ParticleSides::both));
        LiquidState<2> liquid = method.initial_state(
            [](const Vec<double, 2>& p) {
                const double ball = length(p - Vec<double, 2>{0.75, 0.6}) - 0.1;
                return std::min({dam_distance(p, 0.3, 0.6), p[0] > 0.5 ? p[1] - 0.1 : 1, ball});
            },
            at_rest<2>);
        std::size_t most = 0;
        run(method, liquid, 0.5, kFrame, [&](const StepReport& report) { most = std::max(most, report.bodies); });
        EXPECT_GE(most, 3u);
        Hasher hasher;
        hasher.add(state_hash(liquid.phi)).add(liquid.bodies.lost);
        for (const double volume : liquid.bodies.expected) hasher.add(volume);
        return hasher.digest();
    });
}

// Two balls that are carried farther than they are wide keep their accounts; where they meet these are added, and where
// one is cut they are divided by volume.
TYPED_TEST(BodiesTest, AccountsGoWithTheirBodies) {
    constexpr int Dim = TypeParam::kDim;
    const LevelSetGrid<Dim> grid{1, {Index<Dim>(0), Index<Dim>(40)}, 7};
    const TilesPtr<Dim> tiles = Tiles<Dim>::covering(grid.box);
    Boundary<Dim> boundaries;
    boundaries.domain.box = grid.box;
    boundaries.domain.grid = {Vec<double, Dim>(0.0), 1};
    refit(boundaries, tiles);
    const auto balls = [&](double first, double second) {
        Field<float, Dim> phi(tiles);
        assign(phi, [&](const Index<Dim>& cell) {
            Vec<double, Dim> p = Vec<double, Dim>(cell) + Vec<double, Dim>(0.5), a(20.0), b(20.0);
            a[0] = first, b[0] = second;
            return static_cast<float>(std::clamp(std::min(length(p - a) - 1.6, length(p - b) - 3.1), -7.0, 7.0));
        });
        return phi;
    };
    FaceField<Dim> velocity(tiles);
    velocity[0].fill(4);
    const Field<float, Dim>* no_solids = nullptr;
    LiquidBodies<Dim> bodies;
    Field<float, Dim> phi = balls(8, 15);
    bodies.labels = found_bodies(phi, boundaries, grid);
    ASSERT_EQ(bodies.labels.count, 2u);
    Index<Dim> in_small(20), in_large(20);
    in_small[0] = 8, in_large[0] = 15;
    bodies.expected = {0, 0, 0};
    bodies.expected[bodies.labels.at(in_small)] = 10;
    bodies.expected[bodies.labels.at(in_large)] = 1000;

    const auto go_on = [&](const Field<float, Dim>& next) {
        BodyLabels<Dim> found = found_bodies(next, boundaries, grid);
        const std::vector<double> volumes = body_cells(next, grid, no_solids, found);
        const BodyMove<Dim> move = traced_move(bodies.labels, next, velocity, 1, grid);
        follow(bodies, std::move(found), volumes, move, next, boundaries);
        return volumes;
    };
    go_on(balls(12, 19));
    in_small[0] = 12, in_large[0] = 19;
    EXPECT_EQ(bodies.expected[bodies.labels.at(in_small)], 10);
    EXPECT_EQ(bodies.expected[bodies.labels.at(in_large)], 1000);

    // They touch.
    go_on(balls(16, 20));
    ASSERT_EQ(bodies.labels.count, 1u);
    EXPECT_NEAR(bodies.expected[1], 1010, 1e-9);

    // They part again: by volume, not by what each had.
    const std::vector<double> volumes = go_on(balls(16, 24));
    ASSERT_EQ(bodies.labels.count, 2u);
    EXPECT_NEAR(bodies.expected[1], 1010 * volumes[1] / (volumes[1] + volumes[2]), 1e-9);
    EXPECT_NEAR(bodies.expected[1] + bodies.expected[2], 1010, 1e-9);
    EXPECT_EQ(bodies.lost, 0);
}

}  // namespace
}  // namespace spindrift

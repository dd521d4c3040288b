// SPDX-License-Identifier: Apache-2.0
#include "liquid/spray.h"

#include "liquid/test_support.h"
#include "liquid/wind.h"

namespace spindrift {
namespace {

template <class D>
class SprayTest : public ::testing::Test {};
TYPED_TEST_SUITE(SprayTest, Dimensions);

// A tank of 2 m with water up to 0.5 m.
template <int Dim>
struct Pool {
    static constexpr double kDx = 0.1;
    SprayWorld<Dim> world;
    Field<float, Dim> phi;
    FaceField<Dim> velocity;

    Pool() {
        world.grid = {Vec<double, Dim>(0.0), kDx};
        world.box = {Index<Dim>(0), Index<Dim>(20)};
        const TilesPtr<Dim> tiles = Tiles<Dim>::covering(world.box);
        phi = Field<float, Dim>::unfilled(tiles, 10.0F);
        assign(phi, [&](const Index<Dim>& c) { return static_cast<float>(world.grid.world_of_centre(c)[1] - 0.5); });
        velocity = FaceField<Dim>(tiles);
        world.phi = &phi;
        world.solid = nullptr;
        world.gravity[1] = -kGravity;
    }
};

TYPED_TEST(SprayTest, DropsFlyAsStonesDo) {
    constexpr int Dim = TypeParam::kDim;
    Pool<Dim> pool;
    SprayDrop<Dim> drop;
    drop.volume = 1e-6;
    drop.radius = 0.01;
    drop.position = Vec<double, Dim>(1.0);
    drop.velocity[0] = 0.8;
    drop.velocity[1] = 1.5;
    Spray<Dim> drops{drop};
    for (const double dt : {0.01, 0.05, 0.1, 0.04}) fly(drops, pool.velocity, dt, pool.world);
    ASSERT_EQ(drops.count(), 1U);
    EXPECT_NEAR(drops.drop(0).position[0], 1 + 0.8 * 0.2, 1e-12);
    EXPECT_NEAR(drops.drop(0).position[1], 1 + 1.5 * 0.2 - 0.5 * kGravity * 0.04, 1e-12);
}

// Whatever else is known of drops stays with them, beside others that come and land.
TYPED_TEST(SprayTest, FurtherAttributesFlyAlong) {
    constexpr int Dim = TypeParam::kDim;
    Pool<Dim> pool;
    Spray<Dim> drops;
    drops.add_attribute("heat", 1, 20);
    for (std::uint32_t id = 0; id < 12; ++id) {
        SprayDrop<Dim> drop{
            .position = Vec<double, Dim>(1.0), .velocity = {}, .volume = 1e-6, .radius = 0.001, .id = id};
        drop.position[1] = id % 3 == 1 ? 0.51 : 1.8;  // these land
        drops.add(drop);
        if (id != 6) drops.attribute("heat").component[0][id] = 100 + id;
    }
    for (int n = 0; n < 8; ++n) fly(drops, pool.velocity, 0.02, pool.world);
    ASSERT_EQ(drops.count(), 8U);
    for (std::size_t n = 0; n < drops.count(); ++n) {
        EXPECT_NE(drops.id[n] % 3, 1U);
        EXPECT_EQ(drops.attribute("heat").component[0][n], drops.id[n] == 6 ? 20 : 100 + drops.id[n]);
    }
}

// What lands is in the water: its volume where it fell, its momentum on the faces there.
TYPED_TEST(SprayTest, LandingKeepsVolumeAndMomentum) {
    constexpr int Dim = TypeParam::kDim;
    Pool<Dim> pool;
    const double cell = std::pow(Pool<Dim>::kDx, Dim);
    Spray<Dim> drops;
    for (const double height : {0.6, 1.5}) {  // the second is still on its way
        SprayDrop<Dim> drop;
        drop.position = Vec<double, Dim>(1.03);
        drop.position[1] = height;
        drop.velocity[1] = -3;
        drop.volume = 1e-3 * cell;
        drops.add(drop);
    }
    const FlightReport<Dim> report = fly(drops, pool.velocity, 0.1, pool.world);
    EXPECT_DOUBLE_EQ(pending_volume(report.landed), 1e-3 * cell);
    EXPECT_EQ(drops.count(), 1U);
    double momentum = 0;
    for_each_index(pool.world.box, [&](const Index<Dim>& c) { momentum += pool.velocity[1].at(c) * cell; });
    // On two faces, each of which is as heavy as half a cell on either side.
    EXPECT_NEAR(momentum / 2, 1e-3 * cell * (-3 - kGravity * 0.1), 2e-5 * cell);
}

TYPED_TEST(SprayTest, WallsHoldDropsAndSinksTakeThem) {
    constexpr int Dim = TypeParam::kDim;
    Pool<Dim> pool;
    SprayDrop<Dim> drop;
    drop.volume = 2e-6;
    drop.radius = 0.01;
    drop.position = Vec<double, Dim>(1.0);
    drop.position[0] = 1.95;
    drop.velocity[0] = 1.5;
    Spray<Dim> drops{drop};
    fly(drops, pool.velocity, 0.05, pool.world);
    ASSERT_EQ(drops.count(), 1U);
    EXPECT_NEAR(drops.drop(0).position[0], 2 - 0.01, 1e-9);
    EXPECT_EQ(drops.drop(0).velocity[0], 0);
    // A thick wall, far from the liquid and what is known near it.
    drop.position[0] = 1.38;
    drops.set_drop(0, drop);
    pool.world.solid = [](const Vec<double, Dim>& p) { return 1.4 - p[0]; };
    fly(drops, pool.velocity, 0.02, pool.world);
    EXPECT_NEAR(drops.drop(0).position[0], 1.4 - 0.01, 1e-9);
    EXPECT_NEAR(drops.drop(0).velocity[0], 0, 1e-12);
    pool.world.solid = nullptr;
    drop.position[0] = 1.9;
    drops.set_drop(0, drop);
    pool.world.sinks.push_back([](const Vec<double, Dim>& p) { return 1.5 - p[0]; });
    EXPECT_EQ(fly(drops, pool.velocity, 0.01, pool.world).flowed_out, 2e-6);
    EXPECT_TRUE(drops.empty());
}

TYPED_TEST(SprayTest, FastDropsBounceOffWallsAndSolids) {
    constexpr int Dim = TypeParam::kDim;
    Pool<Dim> pool;
    for (const bool solid : {false, true}) {
        if (solid) pool.world.solid = [](const Vec<double, Dim>& p) { return 1.8 - p[0]; };
        SprayDrop<Dim> drop;
        drop.volume = 2e-6;
        drop.radius = 0.01;
        drop.position = Vec<double, Dim>(1.0);
        drop.velocity[0] = 20;
        Spray<Dim> drops{drop};
        fly(drops, pool.velocity, 0.05, pool.world);
        ASSERT_EQ(drops.count(), 1U);
        EXPECT_LT(drops.drop(0).velocity[0], -1);
        EXPECT_GT(drops.drop(0).velocity[0], -10);
    }
}

// On a wall of the container or on a solid, drops run down into the water, at the speed of rivulets whatever the time
// step; none is left behind.
TYPED_TEST(SprayTest, DropsRunDownWallsIntoTheLiquid) {
    constexpr int Dim = TypeParam::kDim;
    for (const bool solid : {false, true})
        for (const double dt : {0.04, 0.01}) {
            Pool<Dim> pool;
            // As it is beyond walls and in solids: nothing that could take up a drop.
            assign(pool.phi, [&](const Index<Dim>& c) {
                const auto level = static_cast<float>(pool.world.grid.world_of_centre(c)[1] - 0.5);
                return c[0] >= (solid ? 14 : 20) ? 0.3F : level;
            });
            if (solid) pool.world.solid = [](const Vec<double, Dim>& p) { return 1.4 - p[0]; };
            Spray<Dim> drops;
            double thrown = 0;
            for (int n = 0; n < 20; ++n) {
                SprayDrop<Dim> drop;
                drop.position = Vec<double, Dim>(1.0);
                drop.position[0] = solid ? 1.37 : 1.97;
                drop.position[1] = 0.8 + 0.05 * n;
                drop.velocity[0] = 1.5;
                drop.volume = 1e-6 * (n + 1);
                drop.radius = sphere_radius<Dim>(drop.volume);
                thrown += drop.volume;
                drops.add(drop);
            }
            double landed = 0;
            const auto steps = [&](double seconds) {
                for (double t = 0; t < seconds - 0.5 * dt; t += dt)
                    for (const Absorbed<Dim>& one : fly(drops, pool.velocity, dt, pool.world).landed) {
                        EXPECT_LT(pool.phi.at(one.cell()), 0);
                        landed += one.volume;
                    }
            };
            steps(1);
            ASSERT_FALSE(drops.empty());
            EXPECT_NEAR(drops.drop(drops.count() - 1).velocity[1], -kGravity / 20, 0.2) << dt;
            steps(5);
            EXPECT_TRUE(drops.empty()) << drops.count() << " left, dt " << dt << ", solid " << solid;
            EXPECT_NEAR(landed, thrown, 1e-12 * thrown);
        }
}

// Drops weigh what is missing and no more than their spheres hold, or a particle's share of a cell.
TYPED_TEST(SprayTest, DropsWeighWhatTheSurfaceLost) {
    constexpr int Dim = TypeParam::kDim;
    const Pool<Dim> pool;
    std::vector<Particle<Dim>> escaped(3, {Vec<double, Dim>(12.3), -0.5F, 7});
    const double sphere = (Dim == 2 ? M_PI * 0.25 : M_PI / 6) * std::pow(Pool<Dim>::kDx, Dim);
    Spray<Dim> light, full, none;
    throw_drops(light, escaped, pool.velocity, pool.world.grid, {.missing = 0.3 * sphere, .share = 0});
    EXPECT_NEAR(volume_of(light), 0.3 * sphere, 1e-9 * sphere);
    throw_drops(full, escaped, pool.velocity, pool.world.grid, {.missing = 100 * sphere, .share = 0.5 * sphere});
    EXPECT_NEAR(volume_of(full), 3 * sphere, 1e-6 * sphere);
    full.clear();
    throw_drops(full, escaped, pool.velocity, pool.world.grid, {.missing = 100 * sphere, .share = 2 * sphere});
    EXPECT_NEAR(volume_of(full), 6 * sphere, 1e-6 * sphere);
    throw_drops(none, escaped, pool.velocity, pool.world.grid, {.missing = -1, .share = sphere});
    EXPECT_TRUE(none.empty());
}

// Radii follow the volumes, which follow Rosin and Rammler's law, and none is larger than a drop can be.
TYPED_TEST(SprayTest, DropsHaveTheSizesOfASpray) {
    constexpr int Dim = TypeParam::kDim;
    const Pool<Dim> pool;
    std::vector<Particle<Dim>> escaped;
    for (std::uint32_t id = 0; id < 4000; ++id) escaped.push_back({Vec<double, Dim>(12.3), -0.1F, id});
    const double share = 1e-3 * std::pow(Pool<Dim>::kDx, Dim), mean = 0.5 * share;
    const double missing = mean * static_cast<double>(escaped.size());
    const double largest = 1.2 * sphere_radius<Dim>(mean);
    Spray<Dim> drops;
    throw_drops(drops, escaped, pool.velocity, pool.world.grid,
                {.missing = missing, .share = share, .largest = largest});
    ASSERT_EQ(drops.count(), escaped.size());
    EXPECT_NEAR(volume_of(drops), missing, 1e-9 * missing);
    double above_mean = 0, above_twice = 0;
    for (std::size_t n = 0; n < drops.count(); ++n) {
        const SprayDrop<Dim> drop = drops.drop(n);
        EXPECT_DOUBLE_EQ(drop.radius, std::min(sphere_radius<Dim>(drop.volume), largest));
        above_mean += drop.volume > mean;
        above_twice += drop.volume > 2 * mean;
    }
    EXPECT_NEAR(above_mean / 4000, std::exp(-1.0), 0.03);
    EXPECT_NEAR(above_twice / 4000, std::exp(-2.0), 0.02);
}

// Air that went under holds what the liquid gained, as long as particles of it are in the liquid.
TYPED_TEST(SprayTest, AirThatWentUnderHoldsWhatTheLiquidGained) {
    constexpr int Dim = TypeParam::kDim;
    const Pool<Dim> pool;
    Vec<double, Dim> deep(4.3), high(12.3);
    high[1] = 30;
    ASSERT_LT(pool.phi.at(Index<Dim>(deep)), 0);
    ASSERT_GT(pool.phi.at(Index<Dim>(high)), 0);
    const std::vector<Particle<Dim>> escaped{{deep, 0.5F, 1}, {deep, -0.5F, 2}, {deep, 0.5F, 3}, {high, 0.5F, 4}};
    const double cell = std::pow(Pool<Dim>::kDx, Dim), sphere = (Dim == 2 ? M_PI * 0.25 : M_PI / 6) * cell;
    const auto absorbed = [&](double gained) { return absorbed_air(escaped, pool.phi, pool.world.grid, gained, 0); };
    EXPECT_EQ(pending_volume(absorbed(-1)), 0);
    EXPECT_NEAR(pending_volume(absorbed(1)), -2 * sphere, 1e-6 * sphere);
    EXPECT_EQ(absorbed(0.3 * sphere).size(), 2U);
    EXPECT_NEAR(pending_volume(absorbed(0.3 * sphere)), -0.3 * sphere, 1e-9 * sphere);
}

// What a state holds is told alike by the step that led to it and without a step, drops and air that have been absorbed
// and do not yet show in the surface included.
TYPED_TEST(SprayTest, WhatAStateHoldsDoesNotDependOnWhoAsks) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kDx = 1.0 / 20;
    const World<Dim> world = tank<Dim>(Index<Dim>(20), kDx);
    LiquidSettings settings{.volume_control = true};
    settings.particles.sides = ParticleSides::both;
    ParticleLevelSet2002<Dim> method(world, settings);
    Vec<double, Dim> centre(0.5);
    centre[1] = 0.6;
    LiquidState<Dim> liquid = method.initial_state(
        [&](const Vec<double, Dim>& p) { return std::min(p[1] - 0.3, length(p - centre) - 0.15); }, at_rest<Dim>);
    double most_pending = 0;
    run(method, liquid, 0.6, kFrame, [&](const StepReport& report) {
        const StepReport measured = method.measured(liquid);
        EXPECT_EQ(measured.volume, report.volume);
        EXPECT_EQ(measured.spray_volume, report.spray_volume);
        EXPECT_EQ(measured.volume_error, report.volume_error);
        EXPECT_EQ(measured.largest_body_error, report.largest_body_error);
        EXPECT_EQ(measured.lost, report.lost);
        EXPECT_EQ(measured.drops, report.drops);
        EXPECT_EQ(measured.particles, report.particles);
        EXPECT_EQ(measured.max_speed, report.max_speed);
        most_pending = std::max(most_pending, std::abs(pending_volume(liquid.absorbed)));
    });
    EXPECT_GT(most_pending, 1e-3 * std::pow(kDx, Dim)) << "nothing was absorbed: the test shows nothing";
}

// α of the wind and 1 − α of the liquid's own velocity, outside alone and in the region alone.
TYPED_TEST(SprayTest, WindBlowsOutsideTheLiquidOnly) {
    constexpr int Dim = TypeParam::kDim;
    Pool<Dim> pool;
    for (int a = 0; a < Dim; ++a) pool.velocity[a].fill(2);
    Wind<Dim> wind;
    wind.strength = [](const Vec<double, Dim>&, double t) { return t < 1 ? 0.25 : 0; };
    wind.velocity = [](const Vec<double, Dim>&, double) { return Vec<double, Dim>(-2.0); };
    wind.region = [](const Vec<double, Dim>& p) { return p[0] - 1; };
    FaceField<Dim> u = pool.velocity;
    blow(u, pool.phi, {wind}, pool.world.grid, 0.5, 5);
    for_each_index(pool.world.box, [&](const Index<Dim>& c) {
        for (int a = 0; a < Dim; ++a) {
            const bool outside = pool.phi.at(c) >= 0 && pool.phi.at(c - unit<Dim>(a)) >= 0 && pool.phi.at(c) < 0.6;
            const bool there = pool.world.grid.world_of_face(a, c)[0] <= 1;
            EXPECT_EQ(u[a].at(c), outside && there ? 1.0F : 2.0F);
        }
    });
    u = pool.velocity;
    blow(u, pool.phi, {wind}, pool.world.grid, 1.5, 5);
    EXPECT_EQ(minimum(u[0]), 2);
}

}  // namespace
}  // namespace spindrift

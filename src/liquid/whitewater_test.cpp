// SPDX-License-Identifier: Apache-2.0
#include "liquid/whitewater.h"

#include <set>

#include "base/parallel.h"
#include "liquid/test_support.h"
#include "liquid/whitewater_births.h"

namespace spindrift {
namespace {

template <class D>
class WhitewaterTest : public ::testing::Test {};
TYPED_TEST_SUITE(WhitewaterTest, Dimensions);

constexpr double kDx = 0.05;

// A box of 2 m whose liquid and velocity are given as functions of place.
template <int Dim>
struct Sea {
    Field<float, Dim> phi;
    VectorField<Dim> velocity;
    WhitewaterFlow<Dim> flow;
    WhitewaterSettings settings;

    template <class Distance, class Velocity>
    Sea(Distance&& distance, Velocity&& at) {
        flow.grid = {Vec<double, Dim>(0.0), kDx};
        flow.box = {Index<Dim>(0), Index<Dim>(40)};
        const TilesPtr<Dim> tiles = Tiles<Dim>::covering(flow.box);
        phi = Field<float, Dim>::unfilled(tiles, 1.0F);
        assign(phi, [&](const Index<Dim>& c) { return static_cast<float>(distance(flow.grid.world_of_centre(c))); });
        for (int a = 0; a < Dim; ++a) {
            velocity[a] = Field<float, Dim>::unfilled(tiles, 0.0F);
            assign(velocity[a],
                   [&](const Index<Dim>& c) { return static_cast<float>(at(flow.grid.world_of_centre(c))[a]); });
        }
        flow.phi = &phi;
        flow.velocity = &velocity;
        flow.gravity[1] = -kGravity;
    }
    Sea(const Sea&) = delete;
    Sea& operator=(const Sea&) = delete;
    WhitewaterReport advance(Whitewater<Dim>& whitewater, double dt, std::uint32_t step = 1) const {
        return advance_whitewater(whitewater, flow, dt, settings, step);
    }
};

template <int Dim>
double level_at_one(const Vec<double, Dim>& p) {
    return p[1] - 1;
}
template <int Dim>
auto uniform(double x, double y) {
    return [=](const Vec<double, Dim>&) {
        Vec<double, Dim> v(0.0);
        v[0] = x, v[1] = y;
        return v;
    };
}
// Two streams of 4 m/s that meet in the middle of the box, and part again sideways.
template <int Dim>
Vec<double, Dim> collision(const Vec<double, Dim>& p) {
    Vec<double, Dim> v(0.0);
    v[0] = p[0] < 1 ? 4 : -4;
    return v;
}

template <int Dim>
WhitewaterParticle<Dim> particle(WhitewaterType type, double x, double y, double lifetime = 100) {
    WhitewaterParticle<Dim> p;
    p.position = Vec<double, Dim>(1.0);
    p.position[0] = x, p.position[1] = y;
    p.velocity = Vec<double, Dim>(0.0);
    p.radius = 0.005;
    p.lifetime = lifetime;
    p.type = type;
    return p;
}

TYPED_TEST(WhitewaterTest, StillWaterMakesNone) {
    constexpr int Dim = TypeParam::kDim;
    const Sea<Dim> sea(level_at_one<Dim>, uniform<Dim>(0, 0));
    Whitewater<Dim> whitewater;
    EXPECT_EQ(sea.advance(whitewater, kFrame).born, 0U);
}

// However fast and curved: nothing in it moves against anything else.
TYPED_TEST(WhitewaterTest, WhatMovesAsOnePieceMakesNone) {
    constexpr int Dim = TypeParam::kDim;
    const Sea<Dim> ball([](const Vec<double, Dim>& p) { return length(p - Vec<double, Dim>(1.0)) - 0.12; },
                        uniform<Dim>(6, -5));
    Whitewater<Dim> whitewater;
    EXPECT_EQ(ball.advance(whitewater, kFrame).born, 0U);
}

// As many as air is entrained: at the rate β = 2 per second of the volume where the streams meet, two cells wide and
// as deep as air is trapped, at full potentials.
TYPED_TEST(WhitewaterTest, StreamsThatMeetEntrainAir) {
    constexpr int Dim = TypeParam::kDim;
    const auto level = [](const Vec<double, Dim>& p) { return p[1] - 1.01; };
    Sea<Dim> sea(level, collision<Dim>);
    sea.settings.amount = Dim == 2 ? 100 : 1;
    Whitewater<Dim> whitewater;
    const std::size_t born = sea.advance(whitewater, kFrame).born;
    const double radius = sea.settings.radius, depth = 2;  // cells
    const double volume = Dim == 2 ? M_PI * radius * radius : 4.0 / 3 * M_PI * radius * radius * radius;
    const double cells = 2 * depth * (Dim == 2 ? 1 : 40);
    const double expected = sea.settings.amount * 2 * kFrame * cells * std::pow(kDx, Dim) / volume;
    EXPECT_NEAR(static_cast<double>(born), expected, 0.03 * expected);
    Sea<Dim> twice(level, collision<Dim>);
    twice.settings.amount = 2 * sea.settings.amount;
    Whitewater<Dim> more;
    const double ratio = static_cast<double>(twice.advance(more, kFrame).born) / static_cast<double>(born);
    EXPECT_NEAR(ratio, 2, 0.02);
    // All of them from where the streams meet, advected for a frame at most, in the liquid.
    std::set<std::uint32_t> ids;
    for (std::size_t n = 0; n < whitewater.count(); ++n) {
        const WhitewaterParticle<Dim> p = whitewater.particle(n);
        EXPECT_NEAR(p.position[0], 1, 4 * kFrame + 2 * kDx);
        EXPECT_LT(p.position[1], 1.011);
        EXPECT_GE(p.age, 0);
        EXPECT_LT(p.age, p.lifetime);
        ids.insert(p.id);
    }
    EXPECT_EQ(ids.size(), whitewater.count());
}

// Slow liquid entrains none, whatever it does.
TYPED_TEST(WhitewaterTest, SlowLiquidMakesNone) {
    constexpr int Dim = TypeParam::kDim;
    Sea<Dim> sea(level_at_one<Dim>, collision<Dim>);
    sea.settings.min_speed = 4.1;
    Whitewater<Dim> whitewater;
    EXPECT_EQ(sea.advance(whitewater, kFrame).born, 0U);
}

// A crest of 3 cells that shoots up, faster in its middle, throws spray off; one that recedes does not.
TYPED_TEST(WhitewaterTest, CrestsThrowSpray) {
    constexpr int Dim = TypeParam::kDim;
    const auto crest = [](const Vec<double, Dim>& p) {
        Vec<double, Dim> foot = p;
        foot[1] = std::max(p[1] - 1, 0.0);
        for (int a = 0; a < Dim; ++a)
            if (a != 1) foot[a] -= 1;
        return length(foot) - 3 * kDx;
    };
    const auto up = [](double way) {
        return [=](const Vec<double, Dim>& p) {
            Vec<double, Dim> v(0.0);
            v[1] = way * (5 + 10 * (p[1] - 1));
            return v;
        };
    };
    Sea<Dim> rising(crest, up(1)), falling(crest, up(-1));
    rising.settings.amount = falling.settings.amount = Dim == 2 ? 1000 : 20;
    const auto spray = [&](const Sea<Dim>& sea) {
        Whitewater<Dim> whitewater;
        sea.advance(whitewater, kFrame);
        int count = 0;
        for (std::size_t n = 0; n < whitewater.count(); ++n)
            count += whitewater.particle(n).type == WhitewaterType::spray ? 1 : 0;
        return count;
    };
    EXPECT_GT(spray(rising), 5);
    EXPECT_EQ(spray(falling), 0);
}

TYPED_TEST(WhitewaterTest, SprayFliesItsParabola) {
    constexpr int Dim = TypeParam::kDim;
    Sea<Dim> sea([](const Vec<double, Dim>& p) { return p[1] - 0.1; }, uniform<Dim>(0, 0));
    sea.settings.drag = 0;
    WhitewaterParticle<Dim> p = particle<Dim>(WhitewaterType::spray, 0.5, 1);
    p.velocity[0] = 0.8, p.velocity[1] = 1.5;
    Whitewater<Dim> whitewater;
    whitewater.add(p);
    for (const double dt : {0.01, 0.05, 0.1, 0.04}) sea.advance(whitewater, dt);
    ASSERT_EQ(whitewater.count(), 1U);
    EXPECT_NEAR(whitewater.particle(0).position[0], 0.5 + 0.8 * 0.2, 1e-12);
    EXPECT_NEAR(whitewater.particle(0).position[1], 1 + 1.5 * 0.2 - 0.5 * kGravity * 0.04, 1e-12);
    EXPECT_EQ(whitewater.particle(0).type, WhitewaterType::spray);
}

// dv/dt = −k (v − w)²: 1 / (v − w) grows by k t.
TYPED_TEST(WhitewaterTest, WindDragsSprayAlong) {
    constexpr int Dim = TypeParam::kDim;
    Sea<Dim> sea([](const Vec<double, Dim>&) { return 1.0; }, uniform<Dim>(0, 0));
    sea.flow.gravity = Vec<double, Dim>(0.0);
    sea.settings.drag = 40;
    sea.flow.wind = [](const Vec<double, Dim>&) {
        Vec<double, Dim> w(0.0);
        w[0] = 5;
        return w;
    };
    Whitewater<Dim> whitewater;
    whitewater.add(particle<Dim>(WhitewaterType::spray, 0.2, 1));
    for (int n = 1; n <= 6; ++n) sea.advance(whitewater, kFrame);
    const double k = 40 * 3.0 / 8 * 0.5 * 1.2e-3 / 0.005;
    EXPECT_NEAR(whitewater.particle(0).velocity[0], 5 - 1 / (1.0 / 5 + k * 6 * kFrame), 1e-6);
}

TYPED_TEST(WhitewaterTest, BubblesRiseAtTheirTerminalSpeed) {
    constexpr int Dim = TypeParam::kDim;
    for (const double viscosity : {1e-6, 1e-3}) {
        Sea<Dim> sea([](const Vec<double, Dim>& p) { return p[1] - 1.9; }, uniform<Dim>(0.2, 0));
        sea.flow.viscosity = viscosity;
        Whitewater<Dim> whitewater;
        whitewater.add(particle<Dim>(WhitewaterType::bubble, 0.5, 0.3));
        for (int n = 0; n < 12; ++n) sea.advance(whitewater, kFrame);
        const WhitewaterParticle<Dim> before = whitewater.particle(0);
        for (int n = 0; n < 24; ++n) sea.advance(whitewater, kFrame);
        const WhitewaterParticle<Dim> p = whitewater.particle(0);
        // 5 mm: a cap in water, in a thick liquid by [Clift78].
        const double speed = viscosity < 1e-4 ? 0.71 * std::sqrt(kGravity * 0.01) : kGravity * 2.5e-5 / 3e-3;
        EXPECT_NEAR(p.position[1] - before.position[1], speed, 1e-4 * speed);
        EXPECT_NEAR(p.position[0] - before.position[0], 0.2, 1e-6);
        EXPECT_EQ(p.type, WhitewaterType::bubble);
    }
}

TYPED_TEST(WhitewaterTest, BubblesAndSprayBecomeFoamAtTheSurface) {
    constexpr int Dim = TypeParam::kDim;
    const Sea<Dim> sea(level_at_one<Dim>, uniform<Dim>(0, 0));
    Whitewater<Dim> whitewater;
    whitewater.add(particle<Dim>(WhitewaterType::bubble, 0.5, 0.9));
    whitewater.add(particle<Dim>(WhitewaterType::spray, 1.5, 1.3));
    for (int n = 0; n < 24; ++n) sea.advance(whitewater, kFrame);
    ASSERT_EQ(whitewater.count(), 2U);
    for (std::size_t n = 0; n < 2; ++n) {
        EXPECT_EQ(whitewater.particle(n).type, WhitewaterType::foam) << n;
        EXPECT_NEAR(whitewater.particle(n).position[1], 1, 1e-4) << n;
    }
}

TYPED_TEST(WhitewaterTest, FoamDriftsAndDiesOnTime) {
    constexpr int Dim = TypeParam::kDim;
    const Sea<Dim> sea([](const Vec<double, Dim>& p) { return p[1] - 1 - 0.1 * p[0]; }, uniform<Dim>(0.5, 0.05));
    Whitewater<Dim> whitewater;
    whitewater.add(particle<Dim>(WhitewaterType::foam, 0.3, 1.03, 1));
    for (int n = 0; n < 23; ++n) sea.advance(whitewater, kFrame);
    ASSERT_EQ(whitewater.count(), 1U);
    EXPECT_NEAR(whitewater.particle(0).position[0], 0.3 + 0.5 * 23 * kFrame, 1e-3);
    EXPECT_NEAR(whitewater.particle(0).age, 23 * kFrame, 1e-12);
    sea.advance(whitewater, kFrame + 1e-9);
    EXPECT_EQ(whitewater.count(), 0U);
}

// Nothing passes walls and solids; what repeats comes in again.
TYPED_TEST(WhitewaterTest, WallsAndSolidsHold) {
    constexpr int Dim = TypeParam::kDim;
    Sea<Dim> sea([](const Vec<double, Dim>& p) { return p[1] - 0.1; }, uniform<Dim>(0, 0));
    sea.settings.drag = 0;
    sea.flow.gravity = Vec<double, Dim>(0.0);
    sea.flow.solid = [](const Vec<double, Dim>& p) { return 1.5 - p[0]; };
    WhitewaterParticle<Dim> p = particle<Dim>(WhitewaterType::spray, 1, 1);
    p.velocity[0] = 10;
    Whitewater<Dim> whitewater;
    whitewater.add(p);
    p.velocity[0] = -30;
    whitewater.add(p);
    sea.advance(whitewater, 0.1);
    EXPECT_NEAR(whitewater.particle(0).position[0], 1.5, 1e-9);
    EXPECT_EQ(whitewater.particle(1).position[0], 0);
    sea.flow.repeats[0] = true;
    sea.flow.solid = nullptr;
    Whitewater<Dim> again;
    again.add(p);
    sea.advance(again, 0.05);
    EXPECT_NEAR(again.particle(0).position[0], 1.5, 1e-9);
}

TYPED_TEST(WhitewaterTest, TheBudgetHolds) {
    constexpr int Dim = TypeParam::kDim;
    Sea<Dim> sea(level_at_one<Dim>, collision<Dim>);
    sea.settings.amount = 1000;
    sea.settings.most = 150;
    Whitewater<Dim> whitewater;
    for (std::uint32_t n = 1; n <= 5; ++n) {
        const WhitewaterReport report = sea.advance(whitewater, kFrame, n);
        EXPECT_TRUE(report.is_limited);
        EXPECT_LE(whitewater.count(), 150U);
    }
    EXPECT_GT(whitewater.count(), 100U);
}

// Births and paths, on any number of threads.
TYPED_TEST(WhitewaterTest, SameBitsOnAnyThreads) {
    constexpr int Dim = TypeParam::kDim;
    Sea<Dim> sea(level_at_one<Dim>, collision<Dim>);
    sea.settings.amount = Dim == 2 ? 1000 : 20;
    expect_same_on_any_threads([&] {
        Whitewater<Dim> whitewater;
        for (std::uint32_t n = 1; n <= 4; ++n) sea.advance(whitewater, kFrame, n);
        EXPECT_GT(whitewater.count(), 4096U);
        Hasher hasher;
        add_columns(hasher, whitewater);
        return hex(hasher.digest128());
    });
}

}  // namespace
}  // namespace spindrift

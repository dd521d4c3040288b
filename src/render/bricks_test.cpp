// SPDX-License-Identifier: Apache-2.0
#include "render/bricks.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "render/test_support.h"

namespace spindrift {
namespace {

using Vec3f = Vec<float, 3>;
constexpr int kCells = 48;
constexpr double kDx = 0.02;

Bricks bricks_of(const std::function<double(const Vec<double, 3>&)>& distance_in_cells) {
    const Index<3> size(kCells);
    const auto field =
        banded_field<3>(size, kDx, [&](const Vec<double, 3>& p) { return kDx * distance_in_cells(p / kDx); });
    return Bricks(field, {Index<3>(0), size}, kDx);
}

Vec3f random_direction(std::mt19937& rng) {
    std::normal_distribution<float> normal;
    const Vec3f v{normal(rng), normal(rng), normal(rng)};
    return v / length(v);
}

struct Ball {
    Vec3f centre{24.3F, 23.6F, 24.1F};
    float radius = 15;

    Bricks bricks() const {
        return bricks_of([*this](const Vec<double, 3>& p) { return length(p - Vec<double, 3>(centre)) - radius; });
    }
    // A chord with both ends well outside, that passes the middle at most 0.9 radii away.
    void chord(std::mt19937& rng, Vec3f& origin, Vec3f& direction, Vec<float, 2>& ends) const {
        direction = random_direction(rng);
        Vec3f aside = random_direction(rng);
        aside -= direction * dot(aside, direction);
        std::uniform_real_distribution<float> part(0, 0.9F);
        aside = aside * (radius * part(rng) / length(aside));
        origin = centre + aside - direction * 22.0F;
        const float half = std::sqrt(radius * radius - dot(aside, aside));
        ends = {22 - half, 22 + half};
    }
};

// The chord through a trilinear ball of radius R is off by about 1/(8 R) of a cell, more where it is short.
TEST(Bricks, RaysMeetABallWhereTheyShould) {
    const Ball ball;
    const Bricks bricks = ball.bricks();
    std::mt19937 rng(1);
    for (int i = 0; i < 20000; ++i) {
        Vec3f origin, direction;
        Vec<float, 2> ends;
        ball.chord(rng, origin, direction, ends);
        const float in = bricks.crossing(origin, direction, 0, 44, false);
        ASSERT_NEAR(in, ends[0], 0.06F) << "ray " << i;
        const float out = bricks.crossing(origin + direction * in, direction, 0, 44, true) + in;
        ASSERT_NEAR(out, ends[1], 0.06F) << "ray " << i;
        // And beyond, nothing.
        ASSERT_EQ(bricks.crossing(origin + direction * out, direction, 0, 5, false), 5);
    }
}

TEST(Bricks, NormalsOfABallAreSmooth) {
    const Ball ball;
    const Bricks bricks = ball.bricks();
    std::mt19937 rng(2);
    float worst = 1;
    for (int i = 0; i < 20000; ++i) {
        const Vec3f direction = random_direction(rng);
        const Vec3f gradient = bricks.gradient(ball.centre + direction * ball.radius);
        worst = std::min(worst, dot(gradient, direction) / length(gradient));
    }
    EXPECT_GT(worst, std::cos(0.3F * 3.14159F / 180)) << "degrees: " << std::acos(worst) * 57.3F;
}

// A step between neighbouring pixels would be seen as a facet: along a small circle the normal turns evenly.
TEST(Bricks, NormalsTurnEvenly) {
    const Ball ball;
    const Bricks bricks = ball.bricks();
    Vec3f before, before_that;
    constexpr float kStep = 0.002F;
    for (int i = 0; i < 3000; ++i) {
        const float angle = kStep * static_cast<float>(i);
        Vec3f normal = bricks.gradient(ball.centre + Vec3f{std::cos(angle), std::sin(angle), 0.2F} * (15 / 1.0198F));
        normal = normal / length(normal);
        if (i >= 2) {
            ASSERT_LT(length(normal - before * 2.0F + before_that), 0.2F * kStep) << "at " << angle;
        }
        before_that = before;
        before = normal;
    }
}

// There are no tiles beyond the walls: water must reach them all the same, at its own level and slope.
TEST(Bricks, WaterReachesTheWalls) {
    const Vec3f normal = Vec3f{0.3F, 1, -0.2F} / length(Vec3f{0.3F, 1, -0.2F});
    const Bricks bricks =
        bricks_of([&](const Vec<double, 3>& p) { return dot(p - Vec<double, 3>(24.0), Vec<double, 3>(normal)); });
    for (const float x : {0.0F, 0.01F, 0.3F, 0.7F, 24.0F, 47.3F, 47.99F, 48.0F})
        for (const float z : {0.0F, 0.2F, 7.9F, 8.0F, 47.8F, 48.0F}) {
            const float level = 24 - 0.3F * (x - 24) + 0.2F * (z - 24);
            EXPECT_NEAR(bricks.crossing({x, 48, z}, {0, -1, 0}, 0, 48, false), 48 - level, 2e-3F) << x << ' ' << z;
            const Vec3f gradient = bricks.gradient({x, level, z});
            EXPECT_GT(dot(gradient, normal) / length(gradient), 0.9999F) << x << ' ' << z;
        }
}

// A wall of water exactly on the sides of bricks, crossed at every angle: no ray slips through.
TEST(Bricks, NoHolesBetweenBricks) {
    for (const double level : {23.5, 24.0, 15.5, 31.49}) {
        const Bricks bricks = bricks_of([&](const Vec<double, 3>& p) { return p[0] - level; });
        std::mt19937 rng(3);
        std::uniform_real_distribution<float> place(2, 46);
        for (int i = 0; i < 5000; ++i) {
            const Vec3f from{47, place(rng), place(rng)}, to{1, place(rng), place(rng)};
            const float distance = length(to - from);
            const float t = bricks.crossing(from, (to - from) / distance, 0, distance, false);
            ASSERT_NEAR(47 - 46 * t / distance, level, 2e-3) << "ray " << i;
        }
    }
}

TEST(Bricks, NothingAndEverything) {
    const Bricks nothing = bricks_of([](const Vec<double, 3>&) { return 1e3; });
    EXPECT_TRUE(nothing.empty());
    EXPECT_EQ(nothing.crossing({1, 1, 1}, {1, 0, 0}, 0, 40, false), 40);
    const Bricks full = bricks_of([](const Vec<double, 3>&) { return -1e3; });
    EXPECT_TRUE(full.empty());
    EXPECT_LT(full.value({5, 5, 5}), 0);
    EXPECT_EQ(full.crossing({1, 1, 1}, {1, 0, 0}, 0, 40, true), 40);
}

// What is not a number counts as air.
TEST(Bricks, DamagedValuesDoNotSpread) {
    auto field = banded_field<3>(Index<3>(16), 1, [](const Vec<double, 3>& p) { return p[1] - 8; });
    field.ref({3, 7, 3}) = std::numeric_limits<float>::quiet_NaN();
    field.ref({9, 8, 9}) = std::numeric_limits<float>::infinity();
    const Bricks bricks(field, {Index<3>(0), Index<3>(16)}, 1);
    for (float x = 0; x < 16; x += 0.37F)
        for (float z = 0; z < 16; z += 0.41F) {
            EXPECT_TRUE(std::isfinite(bricks.crossing({x, 16, z}, {0, -1, 0}, 0, 16, false)));
            EXPECT_TRUE(std::isfinite(bricks.gradient({x, 8, z})[1]));
        }
}

}  // namespace
}  // namespace spindrift

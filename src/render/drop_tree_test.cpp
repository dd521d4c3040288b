// SPDX-License-Identifier: Apache-2.0
#include "render/drop_tree.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"

namespace spindrift {
namespace {

using Vec3f = Vec<float, 3>;

Vec3f chance(Random& rng, float lo, float hi) {
    return map([&](float) { return rng.uniform(lo, hi); }, Vec3f());
}

TEST(DropTree, FindsTheFirstBallOfAll) {
    Random rng{5, 0, 0, Purpose{"drops"}};
    std::vector<DropTree::Ball> balls;
    for (int n = 0; n < 500; ++n)
        balls.push_back({chance(rng, 0, 8), rng.uniform(0.02F, 0.4F), n % 2 == 0 ? Vec3f() : chance(rng, -1, 1)});
    const DropTree tree(balls);
    int met = 0;
    for (int n = 0; n < 2000; ++n) {
        const Vec3f towards = chance(rng, -1, 1);
        const DropTree::Cone ray{chance(rng, -2, 10), towards / length(towards), 0.01F, 0.004F};
        const auto found = tree.first(ray, 15);
        std::optional<DropTree::DropHit> expected;
        for (const DropTree::Ball& ball : balls) {
            const auto one = DropTree({ball}).first(ray, 15);
            if (one && (!expected || one->t < expected->t)) expected = one;
        }
        ASSERT_EQ(found.has_value(), expected.has_value()) << n;
        if (!found) continue;
        ++met;
        EXPECT_EQ(found->t, expected->t) << n;
        const Vec3f at = ray.origin + ray.direction * found->t;
        EXPECT_NEAR(length(at - found->ball.centre), found->ball.radius, 1e-3F);
    }
    EXPECT_GT(met, 300);
}

// However small, a drop covers as much of a lattice of rays as its disc does, taken over all places between them.  The
// same holds for one that is stretched along its path, and for one that stands for several.
TEST(DropTree, CoversItsDiscHoweverSmall) {
    constexpr int kPlaces = 20, kRays = 12;
    struct Case {
        float radius;
        Vec3f streak;
        float count;
    };
    for (const auto& [radius, streak, count] :
         {Case{0.1F, {}, 1}, Case{0.3F, {}, 1}, Case{0.7F, {}, 1}, Case{3.0F, {}, 1}, Case{0.1F, {2, 1, 5}, 1},
          Case{0.7F, {0.4F, 3.3F, -3}, 1}, Case{0.1F, {}, 4}, Case{0.1F, {1, 0, 0}, 4}}) {
        double covered = 0;
        for (int place = 0; place < kPlaces * kPlaces; ++place) {
            const float u = static_cast<float>(place % kPlaces) / kPlaces;
            const float v = (static_cast<float>(place / kPlaces) + 0.3F) / kPlaces;
            const DropTree tree({{{5 + u, 5 + v, 40}, radius, streak, count}});
            for (int n = 0; n < kRays * kRays; ++n) {
                const Vec3f origin(static_cast<float>(n % kRays), static_cast<float>(n / kRays), 0);
                if (const auto met = tree.first({origin, {0, 0, 1}, 0.5F, 0}, 100)) covered += met->cover;
            }
        }
        EXPECT_NEAR(covered / (kPlaces * kPlaces) / (M_PI * radius * radius * count), 1, 0.02)
            << radius << ' ' << streak[1] << ' ' << count;
    }
}

}  // namespace
}  // namespace spindrift

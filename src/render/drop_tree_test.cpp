// SPDX-License-Identifier: Apache-2.0
#include "render/drop_tree.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace spindrift {
namespace {

using Vec3f = Vec<float, 3>;

Vec3f chance(Random& rng, float lo, float hi) {
    return map([&](float) { return rng.uniform(lo, hi); }, Vec3f());
}

TEST(DropTree, FindsAllBallsOnTheWayTheNearestFirst) {
    Random rng{5, 0, 0, Purpose{"drops"}};
    std::vector<DropTree::Ball> balls;
    for (int n = 0; n < 500; ++n)
        balls.push_back({chance(rng, 0, 8), rng.uniform(0.02F, 0.4F), n % 2 == 0 ? Vec3f() : chance(rng, -1, 1)});
    const DropTree tree(balls);
    int met = 0, several = 0;
    for (int n = 0; n < 2000; ++n) {
        const Vec3f towards = chance(rng, -1, 1);
        const DropTree::Cone ray{chance(rng, -2, 10), towards / length(towards), 0.01F, 0.004F};
        const auto found = tree.along(ray, 15);
        std::vector<float> expected;
        for (const DropTree::Ball& ball : balls)
            for (const DropTree::DropHit& one : DropTree({ball}).along(ray, 15)) expected.push_back(one.t);
        std::sort(expected.begin(), expected.end());
        ASSERT_EQ(found.size(), expected.size()) << n;
        for (std::size_t k = 0; k < found.size(); ++k) {
            EXPECT_EQ(found[k].t, expected[k]) << n;
            const Vec3f at = ray.origin + ray.direction * found[k].t;
            EXPECT_NEAR(length(at - found[k].ball.centre), found[k].ball.radius, 1e-3F);
        }
        met += found.empty() ? 0 : 1;
        several += found.size() > 1 ? 1 : 0;
    }
    EXPECT_GT(met, 300);
    EXPECT_GT(several, 100);
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
                for (const auto& met : tree.along({origin, {0, 0, 1}, 0.5F, 0}, 100)) covered += met.cover;
            }
        }
        EXPECT_NEAR(covered / (kPlaces * kPlaces) / (M_PI * radius * radius * count), 1, 0.02)
            << radius << ' ' << streak[1] << ' ' << count;
    }
}

}  // namespace
}  // namespace spindrift

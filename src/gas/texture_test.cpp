// SPDX-License-Identifier: Apache-2.0
#include "gas/texture.h"

#include <gtest/gtest.h>

#include "gas/test_support.h"

namespace spindrift {
namespace {

template <class T>
class Texture : public ::testing::Test {};
TYPED_TEST_SUITE(Texture, Dimensions);

TEST(TextureWeights, SumToOneAndVanishAtTheReturn) {
    constexpr double kPeriod = 0.7;
    for (int n = 0; n < 200; ++n) {
        const auto w = texture_weights(0.01 * n, kPeriod);
        EXPECT_NEAR(w[0] + w[1] + w[2], 1, 1e-12);
    }
    for (int set = 0; set < kTextureSets; ++set) {
        const double at_return = (set / 3.0 + 4) * kPeriod;
        EXPECT_NEAR(texture_weights(at_return, kPeriod)[static_cast<std::size_t>(set)], 0, 1e-12);
        EXPECT_NEAR(texture_weights(at_return + 0.5 * kPeriod, kPeriod)[static_cast<std::size_t>(set)], 2.0 / 3, 1e-12);
    }
}

// In a box that repeats itself, gas that moves as one brings all points the same way, those that went round as well.
TYPED_TEST(Texture, UniformWindMovesAllPointsAlike) {
    constexpr int Dim = TypeParam::kDim;
    for (const AdvectionScheme scheme : {AdvectionScheme::semi_lagrangian, AdvectionScheme::maccormack}) {
        GasWorld<Dim> w = gas_box<Dim>(16, TestSides::periodic);
        Vec<double, Dim> wind(0.3);
        wind[0] = -1.7;
        w.velocity_at_start = [wind](const Vec<double, Dim>&) { return wind; };
        w.texture_period = 100;
        StableFluids1999<Dim> method(std::move(w), {.scheme = scheme});
        GasState<Dim> gas = method.initial_state();
        for (int step = 0; step < 12; ++step) ASSERT_TRUE(method.step(gas, 0.1).failure.empty());
        for (int set = 0; set < kTextureSets; ++set)
            for (int axis = 0; axis < Dim; ++axis) {
                const Vec<float, 2> range =
                    range_in_box(gas.texture[texture_field<Dim>(set, axis)], method.world().domain.box);
                EXPECT_NEAR(range[0], -wind[axis] * gas.time, 1e-4);
                EXPECT_NEAR(range[1], -wind[axis] * gas.time, 1e-4);
            }
    }
}

TYPED_TEST(Texture, SetsReturnInTurn) {
    constexpr int Dim = TypeParam::kDim;
    GasWorld<Dim> w = gas_box<Dim>(16, TestSides::periodic);
    w.velocity_at_start = [](const Vec<double, Dim>&) { return Vec<double, Dim>(1.0); };
    w.texture_period = 0.3;
    StableFluids1999<Dim> method(std::move(w), {});
    GasState<Dim> gas = method.initial_state();
    // Set 1 returns at 0.1 s, in the second step; set 2 at 0.2 s, in the third; set 0 at 0.3 s, after these.
    for (int step = 0; step < 3; ++step) EXPECT_EQ(method.step(gas, 0.08).failure, "");
    const Index<Dim> cell(5);
    for (const auto& [set, way] : {std::pair{0, -0.24F}, std::pair{1, -0.16F}, std::pair{2, -0.08F}})
        EXPECT_NEAR(gas.texture[texture_field<Dim>(set, 0)].at(cell), way, 1e-5);
}

// What the three sets show together, of a smooth texture in a swirling flow, changes no more in a step with a return
// than in those around it.
TYPED_TEST(Texture, NoJumpAtAReturn) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kTau = 2 * std::numbers::pi, kPeriod = 1.2, kStep = 0.04;
    GasWorld<Dim> w = gas_box<Dim>(16, TestSides::periodic);
    w.velocity_at_start = [](const Vec<double, Dim>& x) {
        Vec<double, Dim> u{};
        u[0] = std::sin(kTau * x[0]) * std::cos(kTau * x[1]);
        u[1] = -std::cos(kTau * x[0]) * std::sin(kTau * x[1]);
        return u;
    };
    w.texture_period = kPeriod;
    StableFluids1999<Dim> method(std::move(w), {});
    GasState<Dim> gas = method.initial_state();
    const Domain<Dim>& domain = method.world().domain;
    const auto picture = [&] {
        std::vector<double> seen;
        const auto weights = texture_weights(gas.time, kPeriod);
        for_each_index(domain.box, [&](const Index<Dim>& cell) {
            double sum = 0;
            for (int set = 0; set < kTextureSets; ++set) {
                Vec<double, Dim> x = domain.grid.world_of_centre(cell);
                for (int a = 0; a < Dim; ++a) x[a] += double{gas.texture[texture_field<Dim>(set, a)].at(cell)};
                sum += weights[static_cast<std::size_t>(set)] * std::sin(kTau * x[0]) * std::cos(kTau * x[1]);
            }
            seen.push_back(sum);
        });
        return seen;
    };
    std::vector<double> before = picture(), changes;
    for (int step = 0; step < 60; ++step) {
        EXPECT_EQ(method.step(gas, kStep).failure, "");
        const std::vector<double> now = picture();
        double most = 0;
        for (std::size_t i = 0; i < now.size(); ++i) most = std::max(most, std::abs(now[i] - before[i]));
        changes.push_back(most);
        before = now;
    }
    // A return every ten steps.
    for (std::size_t n = 9; n + 5 < changes.size(); n += 10) {
        double around = 0;
        for (std::size_t k = n - 4; k <= n + 4; ++k)
            if (k + 1 < n || k > n + 1) around = std::max(around, changes[k]);
        for (std::size_t k = n - 1; k <= n + 1; ++k) EXPECT_LT(changes[k], 1.3 * around) << "step " << k;
    }
}

TYPED_TEST(Texture, SameBitsOnAnyNumberOfThreads) {
    constexpr int Dim = TypeParam::kDim;
    expect_same_on_any_threads([&] {
        GasWorld<Dim> w = gas_box<Dim>(16, TestSides::mixed);
        add_random_force(w, 30);
        w.texture_period = 0.2;
        StableFluids1999<Dim> method(std::move(w), {.scheme = AdvectionScheme::maccormack});
        GasState<Dim> gas = method.initial_state();
        for (int step = 0; step < 4; ++step) EXPECT_EQ(method.step(gas, 0.05).failure, "");
        return hash_of(gas);
    });
}

}  // namespace
}  // namespace spindrift

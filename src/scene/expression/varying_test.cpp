// SPDX-License-Identifier: Apache-2.0
#include "scene/expression/varying.h"

#include <gtest/gtest.h>

namespace spindrift {
namespace {

Keyframes keyframes(Interpolation interpolation) {
    return {.keys = {{0, 1}, {1, 3}, {3, 3}, {4, 0}}, .interpolation = interpolation};
}

TEST(Keyframes, StayBeforeTheFirstAndAfterTheLast) {
    for (const auto i : {Interpolation::linear, Interpolation::smooth, Interpolation::step}) {
        EXPECT_EQ(keyframes(i).at(-5), 1);
        EXPECT_EQ(keyframes(i).at(9), 0);
        for (const Keyframe& k : keyframes(i).keys) EXPECT_EQ(keyframes(i).at(k.t), k.value);
        EXPECT_EQ((Keyframes{.keys = {{2, 7}}, .interpolation = i}).at(0), 7);
    }
}

TEST(Keyframes, LinearAndStep) {
    EXPECT_DOUBLE_EQ(keyframes(Interpolation::linear).at(0.25), 1.5);
    EXPECT_DOUBLE_EQ(keyframes(Interpolation::linear).at(3.5), 1.5);
    EXPECT_EQ(keyframes(Interpolation::step).at(0.99), 1);
    EXPECT_EQ(keyframes(Interpolation::step).at(3.99), 3);
}

TEST(Keyframes, SmoothNeitherOvershootsNorJerks) {
    const Keyframes k = keyframes(Interpolation::smooth);
    const double h = 1e-4;
    double before = k.at(-h);
    double slope_before = 0;
    for (double t = 0; t < 5; t += h) {
        const double now = k.at(t);
        ASSERT_GE(now, -1e-12);
        ASSERT_LE(now, 3 + 1e-12);
        if (t <= 1) {
            ASSERT_GE(now, before - 1e-12) << t;  // rises from key to key
        }
        const double slope = (now - before) / h;
        ASSERT_LT(std::abs(slope - slope_before), 0.01) << t;  // no kink: the slope changes little in a short time
        slope_before = slope;
        before = now;
    }
    EXPECT_NEAR((Keyframes{.keys = {{0, 0}, {2, 1}}, .interpolation = Interpolation::smooth}).at(0.5), 0.15625, 1e-12);
}

// What moves with the rate is where the value says: the rate is the derivative between keyframes and of expressions.
TEST(Varying, RatesAreDerivatives) {
    const std::vector<Keyframe> keys{{0, 1}, {1, 3}, {2.5, 2}, {3, 5}, {4, 6}};
    for (const Interpolation how : {Interpolation::linear, Interpolation::smooth}) {
        const TimeValue value(FieldValue(Keyframes{keys, how}));
        for (const double t : {-1.0, 0.2, 0.9, 1.7, 2.6, 3.4, 3.9, 5.0})
            EXPECT_NEAR(value.rate(t), (value.at(t + 1e-6) - value.at(t - 1e-6)) / 2e-6, 1e-6) << t;
    }
    const TimeValue wave(FieldValue(Expression::parse("3 * sin(50 * t)", Expression::Variables::time).value()));
    for (const double t : {0.0, 0.3, 7.1}) EXPECT_NEAR(wave.rate(t), 150 * std::cos(50 * t), 2e-3) << t;
    EXPECT_EQ(TimeValue(4.0).rate(1), 0);
}

TEST(Varying, SaysHowItVaries) {
    const FieldValue field(Expression::parse("x + t", Expression::Variables::space).value());
    EXPECT_TRUE(field.varies_in_space());
    EXPECT_TRUE(field.varies_in_time());
    EXPECT_EQ(field.at({1, 0, 0}, 2), 3);
    EXPECT_FALSE(FieldValue(3).varies_in_time());
    EXPECT_TRUE(TimeValue(FieldValue(keyframes(Interpolation::linear))).varies());
    EXPECT_FALSE(TimeValue(3).varies());

    std::vector<double> out(3);
    const std::vector<double> x{1, 2, 3};
    field.evaluate(out, {x, {}, {}}, 1);
    EXPECT_EQ(out, (std::vector<double>{2, 3, 4}));
    FieldValue(keyframes(Interpolation::linear)).evaluate(out, {}, 1);
    EXPECT_EQ(out, (std::vector<double>{3, 3, 3}));
}

}  // namespace
}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "base/curve.h"

#include <cmath>

#include <gtest/gtest.h>

namespace spindrift {
namespace {

// At uneven places.
template <class F>
Curve sampled(F&& f, int count = 12) {
    Curve curve;
    for (int n = 0; n < count; ++n) {
        const double x = n + 0.2 * std::sin(3.0 * n);
        curve.add(x, f(x));
    }
    return curve;
}

TEST(Curve, LinesAndCubicsAreExact) {
    const auto line = [](double x) { return 3 - 2 * x; };
    const auto cubic = [](double x) { return 1 + x * (2 - x * (0.5 - 0.1 * x)); };
    for (double x = 0.1; x < 10; x += 0.37) {
        EXPECT_NEAR(sampled(line).linear(x), line(x), 1e-12);
        EXPECT_NEAR(sampled(cubic).cubic(x), cubic(x), 1e-9);
    }
    const Line fit = fitted_line(sampled(line));
    EXPECT_NEAR(fit.offset, 3, 1e-12);
    EXPECT_NEAR(fit.slope, -2, 1e-12);
}

TEST(Curve, FindsExponents) {
    Curve curve;
    for (double x = 1; x < 10; x += 0.5) curve.add(x, 3 * std::pow(x + 2, -1.5));
    EXPECT_NEAR(fitted_exponent(curve, -2), -1.5, 1e-12);
    EXPECT_GT(fitted_exponent(curve, 0), -1.3);
}

TEST(Curve, FindsExtremesAndFalls) {
    const auto hill = [](double x) { return 5 - (x - 4.3) * (x - 4.3); };
    EXPECT_NEAR(sampled(hill).highest(0, 10).at, 4.3, 0.003);
    EXPECT_NEAR(sampled(hill).highest(0, 10).value, 5, 1e-4);
    EXPECT_NEAR(sampled(hill).lowest(2, 5).at, 2, 1e-9);

    const auto falls = sampled([](double x) { return 1 - 0.5 * x; }).falls_through(0);
    ASSERT_EQ(falls.size(), 1U);
    EXPECT_NEAR(falls[0], 2, 1e-12);
    EXPECT_TRUE(sampled([](double x) { return x - 3; }).falls_through(0).empty());
}

}  // namespace
}  // namespace spindrift

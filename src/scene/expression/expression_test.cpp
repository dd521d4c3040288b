// SPDX-License-Identifier: Apache-2.0
#include "scene/expression/expression.h"

#include <chrono>
#include <cmath>
#include <numbers>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace spindrift {
namespace {

using Variables = Expression::Variables;

Expression parsed(std::string_view text, Variables known = Variables::space) {
    Result<Expression> expression = Expression::parse(text, known);
    EXPECT_TRUE(expression) << text << "\n" << expression.errors().text();
    return expression ? std::move(expression).value() : Expression::parse("0", known).value();
}

double value(std::string_view text, const Vec<double, 3>& place = {}, double t = 0) {
    return parsed(text).at(place, t);
}

std::string error(std::string_view text, Variables known = Variables::space) {
    const Result<Expression> expression = Expression::parse(text, known);
    return expression ? "" : expression.errors().text();
}

TEST(Expression, FollowsTheRulesOfPrecedence) {
    EXPECT_EQ(value("1 + 2 * 3"), 7);
    EXPECT_EQ(value("(1 + 2) * 3"), 9);
    EXPECT_EQ(value("8 - 4 - 2"), 2);
    EXPECT_EQ(value("16 / 4 / 2"), 2);
    EXPECT_EQ(value("2 ^ 3 ^ 2"), 512);
    EXPECT_EQ(value("-2 ^ 2"), -4);
    EXPECT_EQ(value("2 ^ -1"), 0.5);
    EXPECT_EQ(value("2 * -3"), -6);
    EXPECT_EQ(value("--3"), 3);
    EXPECT_EQ(value("1 < 2 && 3 < 2 || 1"), 1);
    EXPECT_EQ(value("!0 + 1"), 2);
    EXPECT_EQ(value("1 + 1 == 2 ? 10 : 20"), 10);
    EXPECT_EQ(value("0 ? 1 : 0 ? 2 : 3"), 3);
    EXPECT_EQ(value("7 % 4"), 3);
    EXPECT_EQ(value("-1 % 4"), 3);  // from 0 to 4, unlike in C
    EXPECT_EQ(value("1 != 2"), 1);
    EXPECT_EQ(value(" .5+1.5e1 "), 15.5);
}

TEST(Expression, AgreesWithTheLibraryOfMathematics) {
    const double x = 0.37;
    const double y = 1.9;
    const double t = 0.8;
    const auto at = [&](std::string_view text) { return value(text, {x, y, 0}, t); };
    EXPECT_EQ(at("sin(x) + cos(x) * tan(x)"), std::sin(x) + std::cos(x) * std::tan(x));
    EXPECT_EQ(at("asin(x) - acos(x) + atan(x) + atan2(y, x)"),
              std::asin(x) - std::acos(x) + std::atan(x) + std::atan2(y, x));
    EXPECT_EQ(at("sinh(x) + cosh(x) + tanh(x) + sech(x)"),
              std::sinh(x) + std::cosh(x) + std::tanh(x) + 1 / std::cosh(x));
    EXPECT_EQ(at("j0(x) + 2*j1(x)"), std::cyl_bessel_j(0, x) + 2 * std::cyl_bessel_j(1, x));
    EXPECT_EQ(at("exp(x) + log(x) + log2(x) + log10(x)"), std::exp(x) + std::log(x) + std::log2(x) + std::log10(x));
    EXPECT_EQ(at("sqrt(x) + cbrt(x) + pow(x, y) + hypot(x, y)"),
              std::sqrt(x) + std::cbrt(x) + std::pow(x, y) + std::hypot(x, y));
    EXPECT_EQ(at("floor(y) + ceil(y) + round(y) + abs(-y) + sign(-y)"), 1 + 2 + 2 + y - 1);
    EXPECT_EQ(at("min(x, y, t) + max(x, y, t)"), x + y);
    EXPECT_EQ(at("clamp(y, 0, 1) + clamp(-y, 0, 1) + clamp(x, 0, 1)"), 1 + x);
    EXPECT_EQ(at("mix(2, 4, 0.25)"), 2.5);
    EXPECT_EQ(at("step(1, x) + step(1, y)"), 1);
    EXPECT_EQ(at("smoothstep(0, 2, 1) + smoothstep(0, 2, -1) + smoothstep(0, 2, 3)"), 1.5);
    EXPECT_EQ(at("smoothstep(1, 1, 2) + smoothstep(1, 1, 0)"), 1);  // an edge without width is a step
    EXPECT_EQ(at("if(x > y, 1, 2)"), 2);
    EXPECT_EQ(at("mod(x, 0.25)"), x - 0.25);
    EXPECT_EQ(at("pi + tau + e"), std::numbers::pi + 2 * std::numbers::pi + std::numbers::e);
    EXPECT_EQ(at("x^2 + t"), x * x + t);
    EXPECT_TRUE(std::isnan(at("sqrt(-1)")));
    EXPECT_EQ(at("x < 1 ? 1 : 1 / 0"), 1);  // the branch not taken does no harm
}

TEST(Expression, ManyPlacesAtOnceGiveTheSameBits) {
    const Expression e = parsed("sin(3*x) * exp(-y^2) + if(z > 0.5, t, min(x, y, z)) ^ 1.5");
    for (const std::size_t n : {0u, 1u, 63u, 64u, 65u, 1000u}) {
        std::vector<double> x(n), y(n), z(n), out(n);
        for (std::size_t i = 0; i < n; ++i) {
            x[i] = 0.01 * static_cast<double>(i);
            y[i] = 1 - x[i];
            z[i] = std::fmod(7 * x[i], 1.0);
        }
        e.evaluate(out, {x, y, z}, 0.3);
        for (std::size_t i = 0; i < n; ++i) {
            const double one = e.at({x[i], y[i], z[i]}, 0.3);
            ASSERT_TRUE(out[i] == one || (std::isnan(out[i]) && std::isnan(one))) << i;
        }
    }
}

TEST(Expression, ThreadsShareOne) {
    const Expression e = parsed("sin(x) + t");
    std::vector<double> sums(4);
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < sums.size(); ++k)
        threads.emplace_back([&, k] {
            for (int i = 0; i < 1000; ++i) sums[k] += e.at({0.001 * i, 0, 0}, 1);
        });
    for (std::thread& thread : threads) thread.join();
    for (const double sum : sums) EXPECT_EQ(sum, sums[0]);
}

TEST(Expression, KnowsWhatItDependsOn) {
    EXPECT_TRUE(parsed("x + 1").uses_place());
    EXPECT_FALSE(parsed("x + 1").uses_time());
    EXPECT_TRUE(parsed("2 * t").uses_time());
    EXPECT_FALSE(parsed("2 * pi").uses_place());
    EXPECT_EQ(parsed("2*t"), parsed("2*t"));
    EXPECT_FALSE(parsed("2*t") == parsed("2 * t"));
}

TEST(Expression, PointsAtTheMistake) {
    EXPECT_NE(error("1 + sine(t)").find("1:5: there is no 'sine' in expressions"), std::string::npos);
    EXPECT_NE(error("1 +").find("1:4: the expression ends too early"), std::string::npos);
    EXPECT_NE(error("(1").find("1:3: a ')' is missing"), std::string::npos);
    EXPECT_NE(error("1 $ 2").find("1:3: '$' is not expected here"), std::string::npos);
    EXPECT_NE(error("1 \xc3\xa9").find("1:3: a character"), std::string::npos);
    EXPECT_NE(error("x", Variables::time).find("may vary in time, not in space"), std::string::npos);
    EXPECT_NE(error("z", Variables::plane).find("there is no z in a 2D scene"), std::string::npos);
    EXPECT_NE(error("min(1)").find("min has 1 operand here"), std::string::npos);
    EXPECT_NE(error("1)").find("1:2: ')' is not expected"), std::string::npos);
    EXPECT_NE(error(std::string(100000, '(')).find("nested too deeply"), std::string::npos);
    EXPECT_NE(error(std::string(100000, '-')).find("nested too deeply"), std::string::npos);
    std::string wide = "x";  // right-leaning: needs a deep stack, not a deep parse
    for (int i = 0; i < 60; ++i) wide = "max(x, " + wide + ")";
    EXPECT_NE(error(wide).find("nested too deeply"), std::string::npos);
    std::string longer = "x";  // left-leaning: any length is fine
    for (int i = 0; i < 1000; ++i) longer += " + x";
    EXPECT_EQ(value(longer, {1, 0, 0}), 1001);
}

// No limit, which would fail on a busy machine: printed for those who wonder.
TEST(Expression, TellsItsSpeed) {
    const Expression e = parsed("0.5 * sin(6.28 * x) * smoothstep(0, 1, y) + 0.1 * t");
    std::vector<double> x(4096, 0.3), y(4096, 0.4), out(4096);
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 100; ++i) e.evaluate(out, {x, y, {}}, 0.5);
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    RecordProperty("nanoseconds_per_place", std::to_string(time.count() / (100.0 * 4096)));
    EXPECT_EQ(out[7], e.at({0.3, 0.4, 0}, 0.5));
}

}  // namespace
}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "geometry/curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

namespace spindrift {
namespace {

constexpr double kPi = std::numbers::pi;

// Points that bend in all directions that there are.
template <int Dim>
std::vector<Vec<double, Dim>> some_points() {
    const std::vector<Vec<double, 3>> space{{0.1, 0.2, 0.0},  {0.4, 0.9, 0.3}, {1.1, 0.7, 0.8}, {1.3, 0.1, 0.5},
                                            {0.9, -0.4, 0.2}, {1.6, -0.6, 0},  {2.0, 0.4, 0.4}};
    std::vector<Vec<double, Dim>> points;
    for (const auto& p : space) {
        points.emplace_back();
        for (int a = 0; a < Dim; ++a) points.back()[a] = p[a];
    }
    return points;
}

// A direction across the tangent.
template <int Dim>
Vec<double, Dim> across(const Curve<Dim>& curve, double s, double turn) {
    const Vec<double, Dim> along = curve.tangent(s);
    if constexpr (Dim == 2) {
        return turn < 0.5 ? Vec<double, 2>{-along[1], along[0]} : Vec<double, 2>{along[1], -along[0]};
    } else {
        Vec<double, 3> any{std::cos(6 * turn), std::sin(5 * turn), 0.3};
        any -= along * dot(any, along);
        return any / length(any);
    }
}

template <class T>
class CurveOf : public testing::Test {};
using Dims = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(CurveOf, Dims);

TYPED_TEST(CurveOf, RunsThroughItsPoints) {
    constexpr int kDim = TypeParam::value;
    const auto points = some_points<kDim>();
    for (const bool is_closed : {false, true})
        for (const auto& curve :
             {Curve<kDim>::catmull_rom(points, is_closed), Curve<kDim>::straight(points, is_closed)}) {
            EXPECT_EQ(curve.end(), is_closed ? 7 : 6);
            for (std::size_t k = 0; k < points.size(); ++k)
                EXPECT_LT(length(curve.at(static_cast<double>(k)) - points[k]), 1e-15);
            EXPECT_LT(length(curve.at(curve.end()) - (is_closed ? points.front() : points.back())), 1e-15);
        }
    const auto bezier = Curve<kDim>::bezier(points);
    EXPECT_EQ(bezier.end(), 2);
    EXPECT_LT(length(bezier.at(1) - points[3]), 1e-15);
    EXPECT_LT(length(bezier.at(2) - points[6]), 1e-15);
}

// It has no corners, and points on a line stay on it.
TYPED_TEST(CurveOf, CatmullRomIsSmooth) {
    constexpr int kDim = TypeParam::value;
    const auto curve = Curve<kDim>::catmull_rom(some_points<kDim>(), true);
    const double just_before = 1 - 1e-12;
    for (double k = 0; k < curve.end(); ++k)
        EXPECT_LT(length(curve.tangent(k + just_before) - curve.tangent(std::fmod(k + 1, curve.end()))), 1e-9);
    Vec<double, kDim> direction(0.3);
    direction[0] = 1;
    std::vector<Vec<double, kDim>> line;
    for (const double s : {0.0, 0.3, 1.0, 1.1, 2.0}) line.push_back(direction * s);
    const auto straight = Curve<kDim>::catmull_rom(line);
    EXPECT_NEAR(straight.length(), 2 * length(direction), 1e-14);
    for (double s = 0; s < straight.end(); s += 0.1) EXPECT_LT(length(straight.curvature(s)), 1e-12);
}

// From a place beside the curve, well within its bend, across the tangent, the nearest point is where it came from.
TYPED_TEST(CurveOf, FindsTheNearestPointToMachinePrecision) {
    constexpr int kDim = TypeParam::value;
    const auto curve = Curve<kDim>::catmull_rom(some_points<kDim>());
    for (double s = 0.013; s < curve.end(); s += 0.037)
        for (const double turn : {0.2, 0.7, 0.9}) {
            const double bend = length(curve.curvature(s));
            const double distance = std::min(0.03, 0.3 / std::max(bend, 1e-9));
            const auto x = curve.at(s) + across(curve, s, turn) * distance;
            const auto found = curve.nearest(x);
            EXPECT_NEAR(found.distance, distance, 1e-15) << s;
            // The parameter is known as well as a minimum lets it be: its first order vanishes.
            EXPECT_NEAR(found.parameter, s, 1e-12 / (1 - bend * distance)) << s;
        }
}

// Anywhere, on and between bounds, nothing that a dense search sees is nearer.
TYPED_TEST(CurveOf, NothingIsNearerThanTheNearestPoint) {
    constexpr int kDim = TypeParam::value;
    const auto points = some_points<kDim>();
    for (const auto& curve :
         {Curve<kDim>::catmull_rom(points, true), Curve<kDim>::bezier(points), Curve<kDim>::straight(points)})
        for (int n = 0; n < 40; ++n) {
            Vec<double, kDim> x;
            for (int a = 0; a < kDim; ++a) x[a] = 1.5 * std::sin(1.7 * n + 2.3 * a + 0.4);
            const double from = n % 2 == 0 ? 0 : 0.31 * curve.end(), to = n % 2 == 0 ? curve.end() : 0.77 * curve.end();
            const auto found = curve.nearest(x, from, to);
            EXPECT_GE(found.parameter, from);
            EXPECT_LE(found.parameter, to);
            EXPECT_NEAR(length(curve.at(found.parameter) - x), found.distance, 1e-15);
            double nearest = std::numeric_limits<double>::infinity();
            for (int k = 0; k <= 20000; ++k)
                nearest = std::min(nearest, length(curve.at(from + (to - from) * k / 20000) - x));
            EXPECT_LE(found.distance, nearest + 1e-14);
            EXPECT_GE(found.distance, nearest - 1e-3);  // what lies between its samples
        }
}

// y = x² as a cubic.
TEST(Curve, KnowsLengthAndBendOfAParabola) {
    const auto parabola = Curve<2>::bezier({{0, 0}, {1.0 / 3, 0}, {2.0 / 3, 1.0 / 3}, {1, 1}});
    const auto arc = [](double x) { return 0.25 * (2 * x * std::sqrt(1 + 4 * x * x) + std::asinh(2 * x)); };
    EXPECT_NEAR(parabola.length(), arc(1), 1e-13);
    for (const double x : {0.0, 0.1, 0.33, 0.5, 0.77, 1.0}) {
        EXPECT_NEAR(parabola.length_to(x), arc(x), 1e-13);
        EXPECT_NEAR(parabola.parameter_at(arc(x)), x, 1e-13);
        EXPECT_NEAR(length(parabola.curvature(x)), 2 / std::pow(1 + 4 * x * x, 1.5), 1e-13);
        EXPECT_NEAR(parabola.tangent(x)[1] / parabola.tangent(x)[0], 2 * x, 1e-13);
    }
}

double circle_error(int pieces) {
    const auto circle = Curve<2>::along(
        [](double s) {
            return Vec<double, 2>{2 * std::cos(2 * kPi * s), 2 * std::sin(2 * kPi * s)};
        },
        pieces);
    EXPECT_TRUE(circle.is_closed());
    double worst = std::abs(circle.length() - 4 * kPi);
    for (int n = 0; n < 100; ++n) {
        const double angle = 0.0628 * n + 0.01, radius = 0.2 + 0.04 * n;
        const auto found = circle.nearest({radius * std::cos(angle), radius * std::sin(angle)});
        worst = std::max(worst, std::abs(found.distance - std::abs(radius - 2)));
    }
    return worst;
}

TEST(Curve, FollowsAFunctionToFourthOrder) {
    EXPECT_LT(circle_error(256), 5e-7);
    EXPECT_NEAR(std::log2(circle_error(32) / circle_error(64)), 4, 0.5);
}

// Where all of an arc is equally near, the search still ends and tells its distance.
TEST(Curve, TheCentreOfACircleIsOneRadiusAway) {
    const auto circle = Curve<2>::along(
        [](double s) {
            return Vec<double, 2>{std::cos(2 * kPi * s), std::sin(2 * kPi * s)};
        },
        128);
    EXPECT_NEAR(circle.nearest({0, 0}).distance, 1, 1e-6);
}

// The plane in space.
TEST(Curve, ExtrudedItIsTheSame) {
    const auto flat = Curve<2>::catmull_rom(some_points<2>());
    auto points = some_points<3>();
    for (auto& p : points) p[2] = 0;
    const auto space = Curve<3>::catmull_rom(points);
    EXPECT_NEAR(flat.length(), space.length(), 1e-14);
    for (const Vec<double, 2>& x : {Vec<double, 2>{0.3, 0.4}, {1.2, -0.3}, {2.5, 0.7}}) {
        const auto a = flat.nearest(x);
        const auto b = space.nearest({x[0], x[1], 0.0});
        EXPECT_NEAR(a.parameter, b.parameter, 1e-13);
        EXPECT_NEAR(a.distance, b.distance, 1e-14);
    }
}

// A curve that begins with its handle on its point still has a direction there.
TEST(Curve, HasATangentWhereItsDerivativeVanishes) {
    const auto curve = Curve<2>::bezier({{0, 0}, {0, 0}, {1, 1}, {1, 1}});
    for (const double s : {0.0, 0.5, 1.0})
        EXPECT_LT(length(curve.tangent(s) - Vec<double, 2>{0.5, 0.5} * std::sqrt(2.0)), 1e-12);
}

}  // namespace
}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// The slope at a wall: exact for what the fit holds, second order for what it does not.
#include "schemes/wall_slope.h"

#include "grid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class WallSlopeTest : public ::testing::Test {};
TYPED_TEST_SUITE(WallSlopeTest, Dimensions);

template <int Dim>
Vec<double, Dim> oblique() {
    Vec<double, Dim> normal(0.3);
    normal[1] = 0.8;
    return normal / length(normal);
}

// Of a field f(distance, place) around a flat wall through `foot`, from the centres of the cells around it.
template <int Dim, class F>
double slope_of(const Vec<double, Dim>& foot, const Vec<double, Dim>& normal, F&& f) {
    WallSlope<Dim> fit(foot, normal);
    const int reach = WallSlope<Dim>::kReach + 1;
    for_each_index(IndexBox<Dim>{Index<Dim>(-reach), Index<Dim>(reach + 1)}, [&](const Index<Dim>& cell) {
        const Vec<double, Dim> place(cell);
        const double distance = dot(normal, place - foot);
        if (distance > 0) fit.add(place, distance, f(distance, place - foot));
    });
    return fit.slope();
}

TYPED_TEST(WallSlopeTest, IsExactForParabolasThatVaryAlongTheWall) {
    constexpr int Dim = TypeParam::kDim;
    for (const double shift : {0.0, 0.17, 0.5, 0.83}) {
        const Vec<double, Dim> foot(shift), normal = oblique<Dim>();
        Vec<double, Dim> along(0.0);
        along[0] = normal[1], along[1] = -normal[0];
        const double slope = slope_of<Dim>(foot, normal, [&](double d, const Vec<double, Dim>& x) {
            return d * (1.5 - 0.4 * d + 0.2 * dot(along, x));
        });
        EXPECT_NEAR(slope, 1.5, 1e-6) << "shifted by " << shift;
    }
}

TYPED_TEST(WallSlopeTest, IsSecondOrder) {
    constexpr int Dim = TypeParam::kDim;
    // sin(k d) with ever longer waves: the slope per cell is k.
    const auto error = [&](double k) {
        const double slope = slope_of<Dim>(Vec<double, Dim>(0.31), oblique<Dim>(),
                                           [&](double d, const Vec<double, Dim>&) { return std::sin(k * d); });
        return std::abs(slope / k - 1);
    };
    EXPECT_LT(error(0.25), 0.02);
    EXPECT_GT(std::log2(error(0.25) / error(0.125)), 1.9);
}

TYPED_TEST(WallSlopeTest, PointsOfAnotherWallAndNoPointsDoNotCount) {
    constexpr int Dim = TypeParam::kDim;
    const Vec<double, Dim> normal = oblique<Dim>();
    WallSlope<Dim> fit(Vec<double, Dim>(0.0), normal);
    EXPECT_EQ(fit.slope(), 0);
    // So near to some solid, but as far from this wall as that: the other side of a gap.
    fit.add(normal * 1.5, 0.5, 100.0);
    EXPECT_EQ(fit.slope(), 0);
    fit.add(normal * 0.8, 0.8, 1.6);
    fit.add(normal * 1.6, 1.6, 3.2);
    EXPECT_NEAR(fit.slope(), 2, 1e-6);
}

}  // namespace
}  // namespace spindrift

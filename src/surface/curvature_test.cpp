// SPDX-License-Identifier: Apache-2.0
#include "surface/curvature.h"

#include <cmath>

#include <gtest/gtest.h>

#include "grid/measure.h"
#include "grid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class CurvatureTest : public ::testing::Test {};
TYPED_TEST_SUITE(CurvatureTest, Dimensions);

// The largest relative error over cells beside the surface of a ball, `radius` cells large.
template <int Dim>
double ball_error(double radius) {
    const double dx = 0.05;
    const int cells = static_cast<int>(2 * radius) + 10;
    const LevelSetGrid<Dim> grid{dx, {Index<Dim>(0), Index<Dim>(cells)}, 6};
    auto phi = Field<float, Dim>::unfilled(Tiles<Dim>::covering(grid.box), static_cast<float>(6 * dx));
    const Vec<double, Dim> centre(0.5 * cells + 0.23);
    const auto distance = [&](const Index<Dim>& c) {
        return length(Vec<double, Dim>(c) + Vec<double, Dim>(0.5) - centre) - radius;
    };
    assign(phi, [&](const Index<Dim>& c) { return static_cast<float>(distance(c) * dx); });
    const Field<float, Dim> bend = curvature(phi, grid);
    const double exact = (Dim - 1) / (radius * dx);
    double most = 0;
    for_each_index(grid.box, [&](const Index<Dim>& c) {
        if (std::abs(distance(c)) < 1) most = std::max(most, std::abs(bend.at(c) / exact - 1));
        if (std::abs(distance(c)) > 2.01) {
            EXPECT_EQ(bend.at(c), 0);
        }
    });
    return most;
}

TYPED_TEST(CurvatureTest, BallsBendAsTheirRadiusSaysToSecondOrder) {
    constexpr int Dim = TypeParam::kDim;
    const double coarse = ball_error<Dim>(6), fine = ball_error<Dim>(12);
    EXPECT_LT(coarse, 0.02);
    EXPECT_GT(std::log2(coarse / fine), 1.6);
    this->RecordProperty("error", std::to_string(fine));
}

// A surface that stands upright on a wall does not bend there.
TYPED_TEST(CurvatureTest, WallsDoNotBendASurface) {
    constexpr int Dim = TypeParam::kDim;
    const LevelSetGrid<Dim> grid{0.1, {Index<Dim>(0), Index<Dim>(13)}, 6};
    auto phi = Field<float, Dim>::unfilled(Tiles<Dim>::covering(grid.box), 0.6F);
    assign(phi,
           [&](const Index<Dim>& c) { return grid.box.contains(c) ? 0.1F * (static_cast<float>(c[0]) - 6.2F) : 7.0F; });
    EXPECT_LT(max_abs(curvature(phi, grid)), 1e-4);
}

}  // namespace
}  // namespace spindrift

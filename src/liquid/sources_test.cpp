// SPDX-License-Identifier: Apache-2.0
#include "liquid/sources.h"

#include <cmath>

#include <gtest/gtest.h>

#include "liquid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class SourcesTest : public testing::Test {};
TYPED_TEST_SUITE(SourcesTest, Dimensions);

// A slanting nozzle of radius 4 cells in the middle of a box of 40 cells, and what is around it.
template <int Dim>
struct Nozzle {
    static constexpr double kDx = 0.025, kRadius = 0.1, kLength = 0.3, kSpeed = 2;
    IndexBox<Dim> box{Index<Dim>(0), Index<Dim>(40)};
    GridTransform<Dim> transform{{}, kDx};
    LevelSetGrid<Dim> grid{kDx, box, 6};
    Vec<double, Dim> along;
    LiquidSource<Dim> source;
    Field<float, Dim> phi{Tiles<Dim>::covering(box), static_cast<float>(6 * kDx)};

    Nozzle() {
        along = Vec<double, Dim>(0.0);
        along[0] = std::sin(0.3), along[1] = -std::cos(0.3);
        source.distance = [along = along](const Vec<double, Dim>& p, double) {
            const Vec<double, Dim> from = p - Vec<double, Dim>(0.51);
            const double at = dot(from, along);
            return std::max(length(from - at * along) - kRadius, std::abs(at) - 0.5 * kLength);
        };
        source.velocity = [along = along](const Vec<double, Dim>&, double) { return kSpeed * along; };
    }
    double let_out_from() const { return let_out<Dim>(source, phi, 0, transform, grid, nullptr, {1, {}})[1]; }
    double flow() const { return kSpeed * (Dim == 2 ? 2 * kRadius : M_PI * kRadius * kRadius); }
};

// In air it lets out its section times its speed, whichever way it points and whatever the grid makes of its sides.
TYPED_TEST(SourcesTest, ANozzleLetsOutSpeedTimesSection) {
    Nozzle<TypeParam::kDim> nozzle;
    fill_source(nozzle.phi, nozzle.source, 0, nozzle.transform, nozzle.grid);
    EXPECT_NEAR(nozzle.let_out_from() / nozzle.flow(), 1, 0.02);
}

// Under water it draws in behind what it lets out ahead.
TYPED_TEST(SourcesTest, UnderWaterItIsAPump) {
    Nozzle<TypeParam::kDim> nozzle;
    nozzle.phi.fill(static_cast<float>(-3 * nozzle.kDx));
    EXPECT_NEAR(nozzle.let_out_from() / nozzle.flow(), 0, 0.01);
}

}  // namespace
}  // namespace spindrift

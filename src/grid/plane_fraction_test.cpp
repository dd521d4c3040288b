// SPDX-License-Identifier: Apache-2.0
#include "grid/plane_fraction.h"

#include "grid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class PlaneFractionTest : public ::testing::Test {};
TYPED_TEST_SUITE(PlaneFractionTest, Dimensions);

// By counting points of a fine lattice.
template <int Dim>
double counted(double phi, const Vec<double, Dim>& gradient, int per_side) {
    int below = 0, all = 0;
    for_each_index(IndexBox<Dim>{Index<Dim>(0), Index<Dim>(per_side)}, [&](const Index<Dim>& i) {
        const Vec<double, Dim> x =
            (Vec<double, Dim>(i) + Vec<double, Dim>(0.5)) / double(per_side) - Vec<double, Dim>(0.5);
        below += phi + dot(gradient, x) < 0 ? 1 : 0;
        ++all;
    });
    return static_cast<double>(below) / all;
}

template <int Dim>
Vec<double, Dim> random_slope(std::mt19937& rng) {
    return Vec<double, Dim>(random_position<Dim>(rng, -1, 1));
}

TYPED_TEST(PlaneFractionTest, AgreesWithCounting) {
    constexpr int Dim = TypeParam::kDim;
    constexpr int kPerSide = Dim == 2 ? 200 : 40;
    std::mt19937 rng(1);
    std::uniform_real_distribution<double> level(-1, 1);
    for (int n = 0; n < 40; ++n) {
        const Vec<double, Dim> slope = random_slope<Dim>(rng);
        const double phi = level(rng) * length(slope);
        EXPECT_NEAR(fraction_below(phi, slope), counted(phi, slope, kPerSide), 1.0 / kPerSide) << "trial " << n;
    }
}

// What is not below is above; mirrored or relabelled cells are as full; a longer gradient is the same plane.
TYPED_TEST(PlaneFractionTest, SymmetriesHold) {
    constexpr int Dim = TypeParam::kDim;
    std::mt19937 rng(2);
    for (int n = 0; n < 100; ++n) {
        const Vec<double, Dim> slope = random_slope<Dim>(rng);
        const double phi = 0.6 * random_slope<Dim>(rng)[0];
        const double part = fraction_below(phi, slope);
        EXPECT_NEAR(fraction_below(-phi, slope), 1 - part, 1e-9);
        EXPECT_NEAR(fraction_below(7 * phi, slope * 7.0), part, 1e-9);
        for (int axis = 0; axis < Dim; ++axis) {
            Vec<double, Dim> mirrored = slope, swapped = slope;
            mirrored[axis] *= -1;
            std::swap(swapped[axis], swapped[(axis + 1) % Dim]);
            EXPECT_NEAR(fraction_below(phi, mirrored), part, 1e-9);
            EXPECT_NEAR(fraction_below(phi, swapped), part, 1e-9);
        }
    }
}

TYPED_TEST(PlaneFractionTest, PlanesAlongSidesCutStraight) {
    constexpr int Dim = TypeParam::kDim;
    for (int axis = 0; axis < Dim; ++axis)
        for (const double phi : {-0.49, -0.2, 0.0, 0.1, 0.5}) {
            Vec<double, Dim> slope(0.0);
            slope[axis] = -1;
            EXPECT_NEAR(fraction_below(phi, slope), 0.5 - phi, 1e-4);
        }
}

TYPED_TEST(PlaneFractionTest, TheMoreLevelTheLessIsBelow) {
    constexpr int Dim = TypeParam::kDim;
    Vec<double, Dim> slope(0.3);
    slope[0] = 0.9;
    double last = 1;
    for (double phi = -1; phi <= 1; phi += 0.01) {
        const double part = fraction_below(phi, slope);
        EXPECT_LE(part, last + 1e-12);
        last = part;
    }
    EXPECT_EQ(last, 0);
    EXPECT_EQ(fraction_below(-2.0, slope), 1);
    EXPECT_EQ(fraction_below(-1e-3, Vec<double, Dim>(0.0)), 1);
    EXPECT_EQ(fraction_below(1e-3, Vec<double, Dim>(0.0)), 0);
}

TEST(PlaneFraction, APrismIsAsFullAsItsBase) {
    std::mt19937 rng(3);
    for (int n = 0; n < 50; ++n) {
        const Vec<double, 2> base = random_slope<2>(rng);
        const double phi = 0.6 * random_slope<2>(rng)[0];
        EXPECT_NEAR(fraction_below(phi, Vec<double, 3>(base[0], base[1], 0.0)), fraction_below(phi, base), 1e-4);
    }
}

}  // namespace
}  // namespace spindrift

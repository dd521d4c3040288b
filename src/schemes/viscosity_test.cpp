// SPDX-License-Identifier: Apache-2.0
#include "schemes/viscosity.h"

#include "schemes/test_support.h"

namespace spindrift {
namespace {

template <class D>
class ViscosityTest : public ::testing::Test {};
TYPED_TEST_SUITE(ViscosityTest, Dimensions);

// Swirls that fit between slipping walls decay by 1 / (1 + ν dt λ) a step, λ = Σ (2 − 2 cos k dx) / dx² the square of
// the wave number as the grid sees it, and so nearly by exp(−ν k² t); in small steps and in large ones.
TYPED_TEST(ViscosityTest, SwirlsDecayAtTheirRate) {
    constexpr int Dim = TypeParam::kDim;
    constexpr int kCells = 20;
    constexpr double kDx = 0.1, kLength = kCells * kDx;
    const auto b = basin<Dim>(Index<Dim>(kCells), kDx, full<Dim>);
    for (const double nu : {1e-4, 0.3}) {
        // In each plane of two axes, the same all along the third.
        for (int axis = 0; axis < Dim; ++axis) {
            const int other = (axis + 1) % Dim;
            const double k = 2 * M_PI / kLength, lambda = 2 * (2 - 2 * std::cos(k * kDx)) / (kDx * kDx);
            const FaceField<Dim> before = velocity_of(b, [&](const Vec<double, Dim>& x) {
                Vec<double, Dim> u(0.0);
                u[axis] = std::sin(k * x[axis]) * std::cos(k * x[other]);
                u[other] = -std::cos(k * x[axis]) * std::sin(k * x[other]);
                return u;
            });
            FaceField<Dim> u = before;
            stop_at_walls(u, b.boundaries);
            constexpr int kSteps = 5;
            const double dt = std::min(0.02, 0.2 / (nu * 2 * k * k * kSteps));
            for (int n = 0; n < kSteps; ++n) EXPECT_TRUE(diffuse(u, b.phi, b.boundaries, nu, dt).converged);
            const double factor = std::pow(1 + nu * dt * lambda, -kSteps);
            EXPECT_NEAR(factor, std::exp(-nu * 2 * k * k * kSteps * dt), 0.02);
            for (int a = 0; a < Dim; ++a)
                for_each_index(b.box().expanded(-1), [&](const Index<Dim>& cell) {
                    EXPECT_NEAR(u[a].at(cell), factor * before[a].at(cell), 2e-5) << "axis " << axis << ", ν " << nu;
                });
        }
    }
}

// Nothing rubs against a drop in flight, or against water that slides along slipping walls.
TYPED_TEST(ViscosityTest, ADropInFlightIsNotSlowedDown) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = basin<Dim>(Index<Dim>(24), 0.1,
                              [](const Vec<double, Dim>& p) { return length(p - Vec<double, Dim>(1.17)) - 0.63; });
    Vec<double, Dim> flight(-0.7);
    flight[0] = 1.9;
    for (const double nu : {1e-5, 5.0}) {
        FaceField<Dim> u = velocity_of(b, [&](const Vec<double, Dim>&) { return flight; });
        EXPECT_TRUE(diffuse(u, b.phi, b.boundaries, nu, 0.1).converged);
        EXPECT_LT(largest_on_wet_faces(b,
                                       [&](int axis, const Index<Dim>& cell) {
                                           return u[axis].at(cell) - static_cast<float>(flight[axis]);
                                       }),
                  1e-4)
            << nu;
    }
}

// Where viscosity hardly matters in a step it is taken explicitly: per unit of ν dt it must change a velocity without
// divergence the same as the solve does, at walls that hold the flow and at walls that let it slip.
TYPED_TEST(ViscosityTest, SmallViscositiesActAsLargerOnesInProportion) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kDx = 0.1;
    for (const bool slips : {true, false}) {
        auto b = basin<Dim>(Index<Dim>(24), kDx, full<Dim>);
        for (const std::size_t a : {0, 1})
            b.boundaries.domain.sides[a][0].kind = slips ? SideKind::slip : SideKind::prescribed;
        // From a stream function that is zero on the sides, so that each cell lets out what it takes in.
        const auto stream = [&](int i, int j) {
            return kDx * 12 * std::sin(M_PI * i / 24) * std::sin(M_PI * j / 24) * std::cos(0.3 * i - 0.2 * j);
        };
        FaceField<Dim> before(b.tiles());
        assign(before[0], [&](const Index<Dim>& c) {
            return static_cast<float>((stream(c[0], c[1] + 1) - stream(c[0], c[1])) / kDx);
        });
        assign(before[1], [&](const Index<Dim>& c) {
            return static_cast<float>((stream(c[0], c[1]) - stream(c[0] + 1, c[1])) / kDx);
        });
        stop_at_walls(before, b.boundaries);
        const auto change = [&](double number) {
            FaceField<Dim> u = before;
            EXPECT_TRUE(diffuse(u, b.phi, b.boundaries, number * kDx * kDx, 1).converged);
            for (int axis = 0; axis < Dim; ++axis)
                for (std::size_t n = 0; n < u[axis].values().size(); ++n)
                    u[axis].values()[n] = static_cast<float>((u[axis].values()[n] - before[axis].values()[n]) / number);
            return u;
        };
        const FaceField<Dim> small = change(0.9e-3), large = change(1.1e-3);
        const double most = largest_on_wet_faces(b, [&](int a, const Index<Dim>& c) { return small[a].at(c); });
        EXPECT_GT(most, 0.5);
        EXPECT_LT(largest_on_wet_faces(b, [&](int a, const Index<Dim>& c) { return small[a].at(c) - large[a].at(c); }),
                  0.02 * most);
    }
}

// Of two walls in one basin one may slip and the other not: the flow beside each is what it is beside such walls alone.
TYPED_TEST(ViscosityTest, EachSolidHasItsOwnWall) {
    constexpr int Dim = TypeParam::kDim;
    const auto left = [](const Vec<double, Dim>& p) { return p[0] - 0.8; };
    const auto right = [](const Vec<double, Dim>& p) { return 3.2 - p[0]; };
    const auto sheared = [&](bool left_slips, bool right_slips) {
        auto b = basin<Dim>(Index<Dim>(40), 0.1, full<Dim>,
                            [&](const Vec<double, Dim>& p) { return std::min(left(p), right(p)); });
        b.boundaries.solid_slip = left_slips && right_slips;
        if (left_slips != right_slips)
            b.boundaries.solid_slips_at = [=](const Vec<double, Dim>& p) {
                return std::abs(left(p)) < std::abs(right(p)) ? left_slips : right_slips;
            };
        FaceField<Dim> u(b.tiles());
        u[1].fill(1);
        stop_at_walls(u, b.boundaries);
        EXPECT_TRUE(diffuse(u, b.phi, b.boundaries, 0.01, 0.5).converged);
        const auto beside = [&](int x) {
            Index<Dim> cell(20);
            cell[0] = x;
            return double{u[1].at(cell)};
        };
        return std::pair{beside(8), beside(31)};
    };
    const auto both = sheared(true, true), none = sheared(false, false), mixed = sheared(true, false);
    EXPECT_GT(both.first, none.first + 0.3);
    EXPECT_NEAR(mixed.first, both.first, 1e-3);
    EXPECT_NEAR(mixed.second, none.second, 1e-3);
}

TYPED_TEST(ViscosityTest, WithoutViscosityNothingHappens) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = basin<Dim>(Index<Dim>(20), 0.1, [](const Vec<double, Dim>& p) { return p[1] - 1.23; });
    FaceField<Dim> u = scrambled_velocity(b);
    const auto before = state_hash(u);
    const SolveReport report = diffuse(u, b.phi, b.boundaries, 0, 0.1);
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.iterations, 0);
    EXPECT_EQ(state_hash(u), before);
}

TYPED_TEST(ViscosityTest, BitsDoNotDependOnThreads) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = basin<Dim>(Index<Dim>(Dim == 2 ? 140 : 30), 0.1,
                              [](const Vec<double, Dim>& p) { return p[1] - 1.2 - 0.4 * std::sin(5 * p[0]); });
    const FaceField<Dim> start = scrambled_velocity(b);
    expect_same_on_any_threads([&] {
        FaceField<Dim> u = start;
        EXPECT_TRUE(diffuse(u, b.phi, b.boundaries, 0.1, 0.1).converged);
        return state_hash(u);
    });
}

}  // namespace
}  // namespace spindrift

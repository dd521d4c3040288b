// SPDX-License-Identifier: Apache-2.0
#include "schemes/viscosity.h"

#include "schemes/test_support.h"

namespace spindrift {
namespace {

template <class D>
class ViscosityTest : public ::testing::Test {};
TYPED_TEST_SUITE(ViscosityTest, Dimensions);

// A wave that fits between slipping walls decays by 1 / (1 + ν dt λ) a step, λ = Σ (2 − 2 cos k dx) / dx² the square of
// the wave number as the grid sees it, and so nearly by exp(−ν k² t).
TYPED_TEST(ViscosityTest, ShearDecaysAtItsRate) {
    constexpr int Dim = TypeParam::kDim;
    constexpr int kCells = 20;
    constexpr double kDx = 0.1, kLength = kCells * kDx, kNu = 0.3;
    const auto b = basin<Dim>(Index<Dim>(kCells), kDx, full<Dim>);
    // u along each axis in turn: a sine along itself, zero at the walls it meets, and cosines beside.
    for (int axis = 0; axis < Dim; ++axis) {
        double lambda = 0, square = 0;
        Vec<double, Dim> k(0.0);
        for (int a = 0; a < Dim; ++a) {
            k[a] = (a == axis ? 1 : 2 + a) * M_PI / kLength;
            lambda += (2 - 2 * std::cos(k[a] * kDx)) / (kDx * kDx);
            square += k[a] * k[a];
        }
        const FaceField<Dim> before = velocity_of(b, [&](const Vec<double, Dim>& x) {
            Vec<double, Dim> u(0.0);
            u[axis] = 1;
            for (int a = 0; a < Dim; ++a) u[axis] *= a == axis ? std::sin(k[a] * x[a]) : std::cos(k[a] * x[a]);
            return u;
        });
        FaceField<Dim> u = before;
        stop_at_walls(u, b.boundaries);
        constexpr int kSteps = 5;
        const double dt = 0.2 / (kNu * square * kSteps);
        for (int n = 0; n < kSteps; ++n) EXPECT_TRUE(diffuse(u, b.phi, b.boundaries, kNu, dt, 1e-7).converged);
        const double factor = std::pow(1 + kNu * dt * lambda, -kSteps);
        EXPECT_NEAR(factor, std::exp(-0.2), 0.02);
        for (int a = 0; a < Dim; ++a)
            for_each_index(b.box().expanded(-1), [&](const Index<Dim>& cell) {
                EXPECT_NEAR(u[a].at(cell), factor * before[a].at(cell), 2e-5) << "axis " << axis;
            });
    }
}

// Nothing rubs against a drop in flight, or against water that slides along slipping walls.
TYPED_TEST(ViscosityTest, ADropInFlightIsNotSlowedDown) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = basin<Dim>(Index<Dim>(24), 0.1,
                              [](const Vec<double, Dim>& p) { return length(p - Vec<double, Dim>(1.17)) - 0.63; });
    Vec<double, Dim> flight(-0.7);
    flight[0] = 1.9;
    FaceField<Dim> u = velocity_of(b, [&](const Vec<double, Dim>&) { return flight; });
    EXPECT_TRUE(diffuse(u, b.phi, b.boundaries, 5.0, 0.1).converged);
    EXPECT_LT(
        largest_on_wet_faces(
            b, [&](int axis, const Index<Dim>& cell) { return u[axis].at(cell) - static_cast<float>(flight[axis]); }),
        1e-4);
}

// A stream driven by a force G along a channel so long that its ends do not matter, until nothing changes any more:
// G/(2ν) y (H − y) between walls that hold it [Poiseuille]; with a slipping roof, the lower half of twice the height.
template <int Dim>
void expect_channel_flow(SideKind roof) {
    constexpr int kHigh = 12;
    constexpr double kDx = 0.1, kHeight = kHigh * kDx, kNu = 0.4, kForce = 3;
    Index<Dim> cells(8);
    cells[0] = 10 * kHigh;
    cells[1] = kHigh;
    auto b = basin<Dim>(cells, kDx, full<Dim>);
    b.boundaries.domain.sides[1][0].kind = SideKind::prescribed;
    b.boundaries.domain.sides[1][1].kind = roof;
    FaceField<Dim> u(b.tiles());
    const double dt = 3 * kHeight * kHeight / kNu;
    for (int n = 0; n < 6; ++n) {
        transform_values(u[0], [&](float v) { return v + static_cast<float>(kForce * dt); });
        stop_at_walls(u, b.boundaries);
        EXPECT_TRUE(diffuse(u, b.phi, b.boundaries, kNu, dt, 1e-7).converged);
    }
    const double high = roof == SideKind::slip ? 2 * kHeight : kHeight, top = kForce / (2 * kNu) * high * high / 4;
    for (int j = 0; j < kHigh; ++j) {
        Index<Dim> cell(4);
        cell[0] = 5 * kHigh;
        cell[1] = j;
        const double y = b.centre(cell)[1];
        EXPECT_NEAR(u[0].at(cell), kForce / (2 * kNu) * y * (high - y), 0.01 * top) << "row " << j;
    }
}
TYPED_TEST(ViscosityTest, ChannelsFlowAsPoiseuilleFound) {
    expect_channel_flow<TypeParam::kDim>(SideKind::prescribed);
    expect_channel_flow<TypeParam::kDim>(SideKind::slip);
}

// Honey does not explode: the larger the viscosity, the less is left, and never anything new.
TYPED_TEST(ViscosityTest, AnyViscosityIsStable) {
    constexpr int Dim = TypeParam::kDim;
    auto b = basin<Dim>(Index<Dim>(20), 0.1, [](const Vec<double, Dim>& p) { return p[1] - 1.23; });
    for (auto& sides : b.boundaries.domain.sides)
        for (auto& side : sides) side.kind = SideKind::prescribed;
    const FaceField<Dim> before = scrambled_velocity(b);
    const auto rms = [](const FaceField<Dim>& u, const Basin<Dim>& in) {
        double sum = 0;
        for (int axis = 0; axis < Dim; ++axis)
            for_each_index(in.box(), [&](const Index<Dim>& cell) {
                if (in.wet_face(axis, cell)) sum += double{u[axis].at(cell)} * u[axis].at(cell);
            });
        return sum;
    };
    double last = rms(before, b);
    EXPECT_GT(last, 10);
    for (const double nu : {1e-3, 1.0, 1e3, 1e6}) {
        FaceField<Dim> u = before;
        EXPECT_TRUE(diffuse(u, b.phi, b.boundaries, nu, 0.1).converged) << "nu " << nu;
        EXPECT_LT(rms(u, b), last) << "nu " << nu;
        last = rms(u, b);
        const auto bound = [&](const FaceField<Dim>& v) {
            return largest_on_wet_faces(b, [&](int axis, const Index<Dim>& c) { return v[axis].at(c); });
        };
        EXPECT_LE(bound(u), bound(before));
        for (int axis = 0; axis < Dim; ++axis) EXPECT_EQ(count_nonfinite(u[axis]), 0U);
    }
    EXPECT_LT(last, 1e-6 * rms(before, b)) << "walls hold what cannot be sheared";
}

// Where viscosity hardly matters in a step it is taken explicitly: per unit of ν dt it must change the same as the
// solve does, beside the surface, at walls that hold the flow and at walls that move.
TYPED_TEST(ViscosityTest, SmallViscositiesActAsLargerOnesInProportion) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kDx = 0.1;
    for (const bool slips : {true, false}) {
        auto b = basin<Dim>(Index<Dim>(40), kDx,
                            [](const Vec<double, Dim>& p) { return p[1] - 3.13 - 0.2 * std::sin(2 * p[0]); });
        for (auto& sides : b.boundaries.domain.sides) sides[0].kind = slips ? SideKind::slip : SideKind::prescribed;
        b.boundaries.solid_slip = slips;
        const MovingPart<Dim> ball{
            [](const Vec<double, Dim>& p, double) { return length(p - Vec<double, Dim>(2.0)) - 0.8; },
            [](const Vec<double, Dim>&, double) { return Vec<double, Dim>(0.5); }};
        refit(b.boundaries, b.tiles(), {ball}, 0);
        const FaceField<Dim> before = scrambled_velocity(b);
        const auto change = [&](double number) {
            FaceField<Dim> u = before;
            EXPECT_TRUE(diffuse(u, b.phi, b.boundaries, number * kDx * kDx, 1, 1e-7).converged);
            for (int axis = 0; axis < Dim; ++axis)
                for (std::size_t n = 0; n < u[axis].values().size(); ++n)
                    u[axis].values()[n] = static_cast<float>((u[axis].values()[n] - before[axis].values()[n]) / number);
            return u;
        };
        const FaceField<Dim> small = change(0.9e-3), large = change(1.1e-3);
        const double most = largest_on_wet_faces(b, [&](int a, const Index<Dim>& c) { return small[a].at(c); });
        EXPECT_GT(most, 1);
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
        EXPECT_TRUE(diffuse(u, b.phi, b.boundaries, 0.01, 0.5, 1e-7).converged);
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

// SPDX-License-Identifier: Apache-2.0
#include "schemes/viscous_stress.h"

#include "schemes/test_support.h"

namespace spindrift {
namespace {

template <class D>
class ViscousStressTest : public ::testing::Test {};
TYPED_TEST_SUITE(ViscousStressTest, Dimensions);

constexpr double kDx = 0.1;

template <int Dim>
double product(const FaceField<Dim>& a, const FaceField<Dim>& b) {
    double sum = 0;
    for (int axis = 0; axis < Dim; ++axis)
        for (std::size_t n = 0; n < a[axis].values().size(); ++n)
            sum += double{a[axis].values()[n]} * b[axis].values()[n];
    return sum;
}

// Different on every unknown, zero elsewhere.
template <int Dim>
FaceField<Dim> any_vector(const ViscousOperator<Dim>& a, int seed) {
    FaceField<Dim> p(a.tiles());
    for (int axis = 0; axis < Dim; ++axis)
        for_each_tile(*a.tiles(), [&](Slot slot) {
            for (int n = 0; n < kTileCells<Dim>; ++n)
                if (a.is_unknown(axis, slot, n))
                    p[axis].tile(slot)[n] = scrambled(a.tiles()->origin(slot) + cell_in_tile<Dim>(n) +
                                                      Index<Dim>(1000 * (axis + 1) + 77 * seed));
        });
    return p;
}

// Waves above a slope, some sides of the box slipping and some not.
template <int Dim>
Basin<Dim> rough_basin(bool slips) {
    auto b = basin<Dim>(
        Index<Dim>(21), kDx, [](const Vec<double, Dim>& p) { return p[1] - 1.43 - 0.2 * std::sin(4 * p[0]); },
        [](const Vec<double, Dim>& p) { return 0.9 * p[1] - 0.3 * p[0] - 0.13; });
    for (auto& sides : b.boundaries.domain.sides) sides[0].kind = SideKind::prescribed;
    b.boundaries.solid_slip = slips;
    return b;
}

TYPED_TEST(ViscousStressTest, IsSymmetricAndPositive) {
    constexpr int Dim = TypeParam::kDim;
    for (const bool slips : {false, true}) {
        const auto b = rough_basin<Dim>(slips);
        Field<float, Dim> relative(b.tiles());
        assign(relative, [&](const Index<Dim>& c) { return 2.1F + scrambled(c); });
        ASSERT_GT(*std::min_element(relative.values().begin(), relative.values().end()), 0);
        for (const bool varies : {false, true}) {
            const LiquidProperties<Dim> properties =
                varies ? LiquidProperties<Dim>{&relative, &relative} : LiquidProperties<Dim>{};
            ViscousOperator<Dim> a(FaceField<Dim>(b.tiles()), b.phi, b.boundaries, 100, properties);
            const FaceField<Dim> x = any_vector(a, 1), y = any_vector(a, 2);
            FaceField<Dim> ax(b.tiles()), ay(b.tiles());
            const double xax = a.apply(ax, x), yay = a.apply(ay, y);
            EXPECT_NEAR(product(x, ax), xax, 1e-4 * xax);
            EXPECT_NEAR(product(y, ax), product(x, ay), 1e-5 * std::sqrt(xax * yay));
            EXPECT_GT(xax, 0);
            EXPECT_GT(yay, 0);
        }
    }
}

// A drop that turns and flies goes on doing so however thick it is: nothing is sheared, and nothing pulls at it.  (With
// a Laplacian of each component, and nothing flowing through the surface, it stops turning.)
TYPED_TEST(ViscousStressTest, ADropThatTurnsAndFliesIsLeftAlone) {
    constexpr int Dim = TypeParam::kDim;
    const Vec<double, Dim> middle(1.17);
    const auto b =
        basin<Dim>(Index<Dim>(24), kDx, [&](const Vec<double, Dim>& p) { return length(p - middle) - 0.63; });
    const FaceField<Dim> before = velocity_of(b, [&](const Vec<double, Dim>& x) {
        Vec<double, Dim> u(-0.7);
        u[0] += 3 * (middle[1] - x[1]);
        u[1] += 3 * (x[0] - middle[0]);
        return u;
    });
    for (const double nu : {0.1, 10.0, 1000.0}) {
        FaceField<Dim> u = before;
        EXPECT_TRUE(add_viscous_stress(u, b.phi, b.boundaries, nu, 0.1).converged);
        EXPECT_LT(largest_on_wet_faces(b, [&](int a, const Index<Dim>& c) { return u[a].at(c) - before[a].at(c); }),
                  2e-5)
            << nu;
    }
}

// Momentum and angular momentum of a free drop are kept, whatever moves in it; what is not a rigid motion goes.
TYPED_TEST(ViscousStressTest, AFreeDropKeepsItsMomentum) {
    constexpr int Dim = TypeParam::kDim;
    const Vec<double, Dim> middle(1.17);
    const auto b =
        basin<Dim>(Index<Dim>(24), kDx, [&](const Vec<double, Dim>& p) { return length(p - middle) - 0.63; });
    const FaceField<Dim> before = velocity_of(b, [&](const Vec<double, Dim>& x) {
        Vec<double, Dim> u(0.3 + std::sin(5 * x[1]));
        u[0] += 4 * (middle[1] - x[1]);
        u[1] -= std::cos(3 * x[0] * x[0]);
        return u;
    });
    FaceField<Dim> u = before;
    EXPECT_TRUE(add_viscous_stress(u, b.phi, b.boundaries, 1000, 0.1, {.tolerance = 1e-7}).converged);
    // Where it ends is a rigid motion, told by three faces.
    const auto at = [&](int axis, int x, int y) {
        Index<Dim> c(11);
        c[0] = x;
        c[1] = y;
        return double{u[axis].at(c)};
    };
    EXPECT_NEAR((at(0, 12, 14) - at(0, 12, 8)) / 6, -(at(1, 14, 11) - at(1, 8, 11)) / 6, 1e-3);
    EXPECT_NEAR((at(0, 12, 14) - at(0, 12, 11)) / 3, (at(0, 12, 11) - at(0, 12, 8)) / 3, 1e-3);
    EXPECT_NEAR((at(0, 14, 11) - at(0, 9, 11)) / 5, 0, 1e-3);
}

// A stream driven by a force G along a channel, until nothing changes any more: G/(2ν) y (H − y) between walls that
// hold it; with a slipping roof, the lower half of twice the height.
template <int Dim>
void expect_channel_flow(SideKind roof) {
    constexpr int kHigh = 12;
    constexpr double kHeight = kHigh * kDx, kNu = 0.4, kForce = 3;
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
        EXPECT_TRUE(add_viscous_stress(u, b.phi, b.boundaries, kNu, dt, {.tolerance = 1e-7}).converged);
    }
    const double high = roof == SideKind::slip ? 2 * kHeight : kHeight, top = kForce / (2 * kNu) * high * high / 4;
    for (int j = 0; j < kHigh; ++j) {
        Index<Dim> cell(4);
        cell[0] = 5 * kHigh;
        cell[1] = j;
        const double y = b.centre(cell)[1];
        // Twice the height feels the ends of the channel by 0.7 %.
        EXPECT_NEAR(u[0].at(cell), kForce / (2 * kNu) * y * (high - y), (roof == SideKind::slip ? 0.01 : 1e-3) * top)
            << "row " << j;
    }
}
TYPED_TEST(ViscousStressTest, ChannelsFlowAsPoiseuilleFound) {
    expect_channel_flow<TypeParam::kDim>(SideKind::prescribed);
    expect_channel_flow<TypeParam::kDim>(SideKind::slip);
}

// The flow G/ν y (H − y/2) of a film, by the stress that a solve leaves: on a floor, below a surface anywhere between
// grid lines, the film's velocity is what the step from it returns to when G dt is added.
TYPED_TEST(ViscousStressTest, AFilmFlowsAsNusseltFound) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kNu = 0.4, kForce = 3, kDt = 5;
    const auto error = [&](int high, double beyond) {
        const double dx = 1.0 / high, depth = 0.6 + beyond * dx;
        Index<Dim> cells(8);
        cells[0] = 16;
        cells[1] = high;
        auto b = basin<Dim>(cells, dx, [&](const Vec<double, Dim>& p) { return p[1] - depth; });
        for (int a = 0; a < Dim; ++a)
            if (a != 1)
                for (auto& side : b.boundaries.domain.sides[static_cast<std::size_t>(a)])
                    side.kind = SideKind::periodic;
        b.phi = Field<float, Dim>(Tiles<Dim>::covering(b.boundaries.domain.box, b.boundaries.domain.period()), 1);
        assign(b.phi, [&](const Index<Dim>& c) { return static_cast<float>(b.centre(c)[1] - depth); });
        b.boundaries.domain.sides[1][0].kind = SideKind::prescribed;
        refit(b.boundaries, b.tiles());
        FaceField<Dim> u(b.tiles());
        for (int n = 0; n < 8; ++n) {
            transform_values(u[0], [&](float v) { return v + static_cast<float>(kForce * kDt); });
            stop_at_walls(u, b.boundaries);
            EXPECT_TRUE(add_viscous_stress(u, b.phi, b.boundaries, kNu, kDt, {.tolerance = 1e-7}).converged);
        }
        double most = 0;
        for (int j = 0; j < high; ++j) {
            Index<Dim> c(4);
            c[1] = j;
            const double y = b.centre(c)[1];
            if (y < depth) most = std::max(most, std::abs(double{u[0].at(c)} - kForce / kNu * y * (depth - 0.5 * y)));
        }
        return most / (kForce / kNu * 0.5 * depth * depth);
    };
    for (const double beyond : {0.05, 0.35, 0.5, 0.8}) {
        const double coarse = error(16, beyond), fine = error(32, beyond);
        EXPECT_LT(coarse, 0.02) << beyond;
        EXPECT_LT(fine, 0.006) << beyond;
    }
}

// A vessel that turns takes its liquid along, and liquid that turns with it is not slowed down.
TYPED_TEST(ViscousStressTest, AVesselTurnsItsLiquid) {
    constexpr int Dim = TypeParam::kDim;
    const Vec<double, Dim> middle(1.2);
    const auto across = [&](const Vec<double, Dim>& p) { return std::hypot(p[0] - middle[0], p[1] - middle[1]); };
    const auto turning = [&](const Vec<double, Dim>& x) {
        Vec<double, Dim> u(0.0);
        u[0] = 3 * (middle[1] - x[1]);
        u[1] = 3 * (x[0] - middle[0]);
        return u;
    };
    auto b = basin<Dim>(Index<Dim>(24), kDx, full<Dim>);
    b.boundaries.solid_slip = false;
    const MovingPart<Dim> vessel{[&](const Vec<double, Dim>& p, double) { return 0.9 - across(p); },
                                 [&](const Vec<double, Dim>& p, double) { return turning(p); }};
    refit(b.boundaries, b.tiles(), {vessel}, 0);
    FaceField<Dim> u = velocity_of(b, turning);
    stop_at_walls(u, b.boundaries);
    const FaceField<Dim> with_it = u;
    EXPECT_TRUE(add_viscous_stress(u, b.phi, b.boundaries, 10, 0.1).converged);
    const auto inside = [&](int axis, const Index<Dim>& c) {
        return across(b.boundaries.domain.grid.world_of_face(axis, c)) < 0.9;
    };
    EXPECT_LT(largest_on_wet_faces(
                  b, [&](int a, const Index<Dim>& c) { return inside(a, c) ? u[a].at(c) - with_it[a].at(c) : 0.0F; }),
              0.02);
    // From rest, in a time in which it diffuses across many times over.
    FaceField<Dim> still(b.tiles());
    stop_at_walls(still, b.boundaries);
    EXPECT_TRUE(add_viscous_stress(still, b.phi, b.boundaries, 100, 1).converged);
    EXPECT_LT(
        largest_on_wet_faces(
            b, [&](int a, const Index<Dim>& c) { return inside(a, c) ? still[a].at(c) - with_it[a].at(c) : 0.0F; }),
        0.05);
}

// Between a floor at rest and a roof that is pulled along, the stress is the same in two layers, and so the thicker one
// shears less.
TYPED_TEST(ViscousStressTest, LayersShearByTheirViscosity) {
    constexpr int Dim = TypeParam::kDim;
    constexpr int kHigh = 16;
    Index<Dim> cells(16);
    cells[1] = kHigh;
    auto b = basin<Dim>(cells, kDx, full<Dim>);
    for (int a = 0; a < Dim; ++a)
        if (a != 1)
            for (auto& side : b.boundaries.domain.sides[static_cast<std::size_t>(a)]) side.kind = SideKind::periodic;
    b.phi = Field<float, Dim>(Tiles<Dim>::covering(b.boundaries.domain.box, b.boundaries.domain.period()), 1);
    b.phi.fill(-1);
    b.boundaries.domain.sides[1][0].kind = SideKind::prescribed;
    b.boundaries.solid_slip = false;
    const MovingPart<Dim> roof{[](const Vec<double, Dim>& p, double) { return 1.4 - p[1]; },
                               [](const Vec<double, Dim>&, double) {
                                   Vec<double, Dim> u(0.0);
                                   u[0] = 1;
                                   return u;
                               }};
    refit(b.boundaries, b.tiles(), {roof}, 0);
    Field<float, Dim> relative(b.tiles());
    assign(relative, [](const Index<Dim>& c) { return c[1] < 7 ? 9.0F : 1.0F; });
    FaceField<Dim> u(b.tiles());
    stop_at_walls(u, b.boundaries);
    EXPECT_TRUE(
        add_viscous_stress(u, b.phi, b.boundaries, 100, 100, {.tolerance = 1e-7}, {.viscosity = &relative}).converged);
    // Edges between the layers have the mean of both viscosities.
    const auto at = [&](int j) {
        Index<Dim> c(4);
        c[1] = j;
        return double{u[0].at(c)};
    };
    EXPECT_NEAR((at(4) - at(3)) * 9, at(11) - at(10), 1e-4);
    EXPECT_NEAR((at(7) - at(6)) * 5, at(11) - at(10), 1e-4);
    const double shear = 1 / (6.5 / 9 + 1.0 / 5 + 6.5);  // per cell of the thinner layer
    for (int j = 0; j < 14; ++j)
        EXPECT_NEAR(at(j), j < 7 ? (j + 0.5) * shear / 9 : 1 - (13.5 - j) * shear, 2e-3) << "row " << j;
}

// Honey does not explode: the larger the viscosity, the less is left.
TYPED_TEST(ViscousStressTest, AnyViscosityIsStable) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = rough_basin<Dim>(false);
    const FaceField<Dim> before = scrambled_velocity(b);
    const auto energy = [&](const FaceField<Dim>& u) {
        double sum = 0;
        for (int axis = 0; axis < Dim; ++axis)
            for_each_index(b.box(), [&](const Index<Dim>& c) {
                if (b.wet_face(axis, c)) sum += double{u[axis].at(c)} * u[axis].at(c);
            });
        return sum;
    };
    double last = energy(before);
    for (const double nu : {1e-3, 1.0, 1e3, 1e6}) {
        FaceField<Dim> u = before;
        const SolveReport report = add_viscous_stress(u, b.phi, b.boundaries, nu, 0.1);
        EXPECT_TRUE(report.converged) << "nu " << nu << ": " << report.iterations;
        EXPECT_LT(energy(u), last) << "nu " << nu;
        last = energy(u);
        for (int axis = 0; axis < Dim; ++axis) EXPECT_EQ(count_nonfinite(u[axis]), 0U);
    }
    EXPECT_LT(last, 1e-6 * energy(before)) << "walls hold what cannot be sheared";
}

// A 2D flow, extruded, is the same in each slice.
TEST(ViscousStress, AnExtrudedFlowIsTheSameInEachSlice) {
    const auto flat = rough_basin<2>(false);
    auto deep = basin<3>(
        {21, 21, 9}, kDx, [](const Vec<double, 3>& p) { return p[1] - 1.43 - 0.2 * std::sin(4 * p[0]); },
        [](const Vec<double, 3>& p) { return 0.9 * p[1] - 0.3 * p[0] - 0.13; });
    for (const std::size_t a : {0, 1}) deep.boundaries.domain.sides[a][0].kind = SideKind::prescribed;
    deep.boundaries.solid_slip = false;
    FaceField<2> u = scrambled_velocity(flat);
    FaceField<3> v(deep.tiles());
    for (int axis = 0; axis < 2; ++axis) assign(v[axis], [&](const Index<3>& c) { return u[axis].at({c[0], c[1]}); });
    stop_at_walls(v, deep.boundaries);
    EXPECT_TRUE(add_viscous_stress(u, flat.phi, flat.boundaries, 0.3, 0.1, {.tolerance = 1e-7}).converged);
    EXPECT_TRUE(add_viscous_stress(v, deep.phi, deep.boundaries, 0.3, 0.1, {.tolerance = 1e-7}).converged);
    EXPECT_LT(largest_on_wet_faces(deep,
                                   [&](int axis, const Index<3>& c) {
                                       return v[axis].at(c) - (axis < 2 ? u[axis].at({c[0], c[1]}) : 0.0F);
                                   }),
              1e-4);
}

TYPED_TEST(ViscousStressTest, BitsDoNotDependOnThreads) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = basin<Dim>(Index<Dim>(Dim == 2 ? 140 : 30), kDx,
                              [](const Vec<double, Dim>& p) { return p[1] - 1.2 - 0.4 * std::sin(5 * p[0]); });
    const FaceField<Dim> start = scrambled_velocity(b);
    expect_same_on_any_threads([&] {
        FaceField<Dim> u = start;
        EXPECT_TRUE(add_viscous_stress(u, b.phi, b.boundaries, 0.1, 0.1).converged);
        return state_hash(u);
    });
}

}  // namespace
}  // namespace spindrift

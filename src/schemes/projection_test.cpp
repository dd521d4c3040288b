// SPDX-License-Identifier: Apache-2.0
#include "schemes/projection.h"

#include "schemes/test_support.h"

namespace spindrift {
namespace {

template <class D>
class ProjectionTest : public ::testing::Test {};
TYPED_TEST_SUITE(ProjectionTest, Dimensions);

constexpr double kDt = 0.02, kTolerance = 1e-6;

// Σ ± open u / dx of a cell, from the definition.
template <int Dim>
double divergence_at(const FaceField<Dim>& u, const Basin<Dim>& b, const Index<Dim>& cell) {
    double sum = 0;
    for (int axis = 0; axis < Dim; ++axis) {
        const Index<Dim> above = cell + unit<Dim>(axis);
        const auto& open = b.boundaries.open[axis];
        sum += double{open.at(above)} * u[axis].at(above) - double{open.at(cell)} * u[axis].at(cell);
    }
    return sum / b.dx();
}
// The largest over liquid cells that the liquid can leave or enter.
template <int Dim>
double largest_divergence(const FaceField<Dim>& u, const Basin<Dim>& b, double wanted = 0) {
    double most = 0;
    for_each_index(b.box(), [&](const Index<Dim>& cell) {
        double open = 0;
        for (int axis = 0; axis < Dim; ++axis)
            open += double{b.boundaries.open[axis].at(cell)} + b.boundaries.open[axis].at(cell + unit<Dim>(axis));
        if (b.wet(cell) && open > 0) most = std::max(most, std::abs(divergence_at(u, b, cell) - wanted));
    });
    return most;
}

template <int Dim>
ProjectionReport projected(FaceField<Dim>& u, Field<float, Dim>& pressure, const Basin<Dim>& b, double source = 0,
                           double tolerance = kTolerance) {
    PoissonSolver<Dim> solver;
    const Field<float, Dim> expansion(b.phi.tiles_ptr(), static_cast<float>(source));
    const ProjectionReport report =
        project(u, pressure, b.phi, b.boundaries, kDt, {.tolerance = tolerance, .expansion = &expansion}, solver);
    EXPECT_TRUE(report.solve.converged);
    EXPECT_EQ(report.solve.failure, "");
    return report;
}

template <int Dim>
Basin<Dim> wavy_basin(double height, bool with_solid) {
    std::function<double(const Vec<double, Dim>&)> ball;
    if (with_solid) ball = [](const Vec<double, Dim>& p) { return length(p - Vec<double, Dim>(0.92)) - 0.37; };
    return basin<Dim>(
        Index<Dim>(22), 0.1,
        [=](const Vec<double, Dim>& p) { return p[1] - height - 0.25 * std::sin(3 * p[0]) * std::cos(2 * p[Dim - 1]); },
        ball);
}

// Any velocity, any surface: what is left flows out of no cell.
TYPED_TEST(ProjectionTest, AnyVelocityBecomesFreeOfDivergence) {
    constexpr int Dim = TypeParam::kDim;
    for (const bool with_solid : {false, true})
        for (const double height : {1.0, 1.23, 1.5}) {
            const auto b = wavy_basin<Dim>(height, with_solid);
            FaceField<Dim> u = scrambled_velocity(b);
            const double before = largest_divergence(u, b);
            Field<float, Dim> pressure(b.tiles());
            const ProjectionReport report = projected(u, pressure, b);
            EXPECT_LT(largest_divergence(u, b), 1e-4 * before) << "height " << height << ", solid " << with_solid;
            EXPECT_NEAR(report.divergence, largest_divergence(u, b), 1e-5 * before);
            EXPECT_GT(report.cells, 0U);
        }
}

// Flat surfaces across every axis, with the liquid on either side.
TYPED_TEST(ProjectionTest, LiquidOnAnySideBecomesFreeOfDivergence) {
    constexpr int Dim = TypeParam::kDim;
    for (int axis = 0; axis < Dim; ++axis)
        for (const double side : {-1.0, 1.0}) {
            const auto b =
                basin<Dim>(Index<Dim>(16), 0.1, [=](const Vec<double, Dim>& p) { return side * (p[axis] - 0.93); });
            FaceField<Dim> u = scrambled_velocity(b);
            const double before = largest_divergence(u, b);
            Field<float, Dim> pressure(b.tiles());
            EXPECT_TRUE(projected(u, pressure, b).solve.converged);
            EXPECT_LT(largest_divergence(u, b), 1e-4 * before) << "axis " << axis << ", side " << side;
        }
}

TYPED_TEST(ProjectionTest, ClosedLiquidIsMadeFreeOfDivergence) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = basin<Dim>(Index<Dim>(19), 0.1, full<Dim>);
    FaceField<Dim> u = scrambled_velocity(b);
    const double before = largest_divergence(u, b);
    Field<float, Dim> pressure(b.tiles());
    EXPECT_TRUE(projected(u, pressure, b).solve.converged);
    EXPECT_LT(largest_divergence(u, b), 1e-4 * before);
}

// Weight is carried by pressure, ρ g (h − y), with the surface anywhere in a cell.
TYPED_TEST(ProjectionTest, WaterAtRestHoldsItsWeight) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kPull = 9.81;
    for (const double height : {1.2, 1.234, 1.251, 1.299}) {
        const auto b = basin<Dim>(Index<Dim>(20), 0.1, [&](const Vec<double, Dim>& p) { return p[1] - height; });
        Vec<double, Dim> gain(0.0);
        gain[1] = -kPull * kDt;
        FaceField<Dim> u = velocity_of(b, [&](const Vec<double, Dim>&) { return gain; });
        stop_at_walls(u, b.boundaries);
        Field<float, Dim> pressure(b.tiles());
        EXPECT_TRUE(projected(u, pressure, b, 0, 1e-7).solve.converged);
        EXPECT_LT(largest_on_wet_faces(b, [&](int axis, const Index<Dim>& cell) { return u[axis].at(cell); }),
                  1e-5 * kPull * kDt)
            << "height " << height;
        for_each_index(b.box(), [&](const Index<Dim>& cell) {
            const double weight = b.wet(cell) ? kPull * (height - b.centre(cell)[1]) : 0;
            EXPECT_NEAR(pressure.at(cell), weight, 1e-5 * kPull * height);
        });
        // The pressure is the next step's first guess, and a perfect one.
        FaceField<Dim> again = velocity_of(b, [&](const Vec<double, Dim>&) { return gain; });
        stop_at_walls(again, b.boundaries);
        EXPECT_LE(projected(again, pressure, b).solve.iterations, 1);
    }
}

TYPED_TEST(ProjectionTest, ProjectingTwiceChangesNothing) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = wavy_basin<Dim>(1.23, true);
    FaceField<Dim> once = scrambled_velocity(b);
    Field<float, Dim> pressure(b.tiles());
    EXPECT_TRUE(projected(once, pressure, b).solve.converged);
    FaceField<Dim> twice = once;
    pressure.fill(0);
    EXPECT_TRUE(projected(twice, pressure, b).solve.converged);
    EXPECT_LT(largest_difference(once, twice), 2e-5);
}

// Whatever pressure made, pressure takes away: ∇q with q = 0 on the surface is removed and q found.
TYPED_TEST(ProjectionTest, GradientsAreRemoved) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = wavy_basin<Dim>(1.23, true);
    const auto q = [&](const Index<Dim>& cell) { return b.wet(cell) ? double{scrambled(cell)} : 0; };
    FaceField<Dim> u(b.tiles());
    for (int axis = 0; axis < Dim; ++axis)
        assign(u[axis], [&](const Index<Dim>& cell) {
            const Index<Dim> below = cell - unit<Dim>(axis);
            if (!(b.boundaries.open[axis].at(cell) > 0)) return 0.0F;
            const float here = b.phi.at(cell), there = b.phi.at(below);
            if (here < 0 && there >= 0) return static_cast<float>(q(cell) / double{surface_theta(here, there)});
            if (there < 0 && here >= 0) return static_cast<float>(-q(below) / double{surface_theta(there, here)});
            return static_cast<float>(q(cell) - q(below));
        });
    const double before = largest_on_wet_faces(b, [&](int axis, const Index<Dim>& c) { return u[axis].at(c); });
    Field<float, Dim> pressure(b.tiles());
    EXPECT_TRUE(projected(u, pressure, b).solve.converged);
    EXPECT_GT(before, 1);
    EXPECT_LT(largest_on_wet_faces(b, [&](int axis, const Index<Dim>& c) { return u[axis].at(c); }), 1e-4 * before);
}

// A vortex along the walls, exactly free of divergence (a curl of values at the corners), has nothing to lose.
TYPED_TEST(ProjectionTest, VorticesAlongWallsAreKept) {
    constexpr int Dim = TypeParam::kDim;
    constexpr int kCells = 20;
    const auto b = basin<Dim>(Index<Dim>(kCells), 0.1, full<Dim>);
    const auto psi = [](int i, int j) { return std::sin(M_PI * i / kCells) * std::sin(2 * M_PI * j / kCells); };
    FaceField<Dim> u(b.tiles());
    assign(u[0], [&](const Index<Dim>& c) { return static_cast<float>(psi(c[0], c[1] + 1) - psi(c[0], c[1])); });
    assign(u[1], [&](const Index<Dim>& c) { return static_cast<float>(psi(c[0], c[1]) - psi(c[0] + 1, c[1])); });
    stop_at_walls(u, b.boundaries);
    const FaceField<Dim> before = u;
    Field<float, Dim> pressure(b.tiles());
    EXPECT_TRUE(projected(u, pressure, b).solve.converged);
    EXPECT_LT(largest_difference(u, before), 1e-6);
    EXPECT_GT(max_abs(u[0]), 0.1F);
}

TYPED_TEST(ProjectionTest, TheLiquidSwellsAsAsked) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kSource = 0.7;
    const auto b = wavy_basin<Dim>(1.23, false);
    FaceField<Dim> u(b.tiles());
    Field<float, Dim> pressure(b.tiles());
    EXPECT_TRUE(projected(u, pressure, b, kSource).solve.converged);
    EXPECT_LT(largest_divergence(u, b, kSource), 1e-3 * kSource);
}

// A ball of liquid with p = ½ sin(R² − r²) inside: second order although its surface cuts the cells anywhere.
template <int Dim>
double pressure_error(int cells) {
    constexpr double kRadius = 0.37;
    const Vec<double, Dim> centre(0.513);
    const auto b = basin<Dim>(Index<Dim>(cells), 1.0 / cells,
                              [&](const Vec<double, Dim>& x) { return length(x - centre) - kRadius; });
    const auto potential = [&](const Vec<double, Dim>& x) {
        return 0.5 * std::sin(8 * (kRadius * kRadius - dot(x - centre, x - centre)));
    };
    FaceField<Dim> u = velocity_of(b, [&](const Vec<double, Dim>& x) {
        const Vec<double, Dim> r = x - centre;
        return r * (-8 * std::cos(8 * (kRadius * kRadius - dot(r, r))));
    });
    Field<float, Dim> pressure(b.tiles());
    EXPECT_TRUE(projected(u, pressure, b, 0, 1e-7).solve.converged);
    double most = 0;
    for_each_index(b.box(), [&](const Index<Dim>& cell) {
        if (b.wet(cell)) most = std::max(most, std::abs(pressure.at(cell) * kDt - potential(b.centre(cell))));
    });
    return most;
}

TYPED_TEST(ProjectionTest, PressureIsSecondOrderUnderACurvedSurface) {
    constexpr int Dim = TypeParam::kDim;
    const double coarse = pressure_error<Dim>(16), fine = pressure_error<Dim>(48);
    const double order = std::log(coarse / fine) / std::log(3.0);
    EXPECT_GT(order, 1.7);
    EXPECT_LT(coarse, 0.05);
    this->RecordProperty("order", std::to_string(order));
    this->RecordProperty("coarse", std::to_string(coarse));
}

TEST(Projection, EverySliceOfAnExtrudedFlowIsTheFlatOne) {
    const auto level = [](const auto& p) { return p[1] - 1.13 - 0.2 * std::sin(4 * p[0]); };
    const auto flat = basin<2>({20, 17}, 0.1, level);
    const auto deep = basin<3>({20, 17, 10}, 0.1, level);
    const auto swirl = [](const auto& x) {
        auto u = x * 0.0;
        u[0] = std::sin(3 * x[1]) + 0.4 * x[0], u[1] = std::cos(4 * x[0]) - 0.2;
        return u;
    };
    FaceField<2> slice = velocity_of(flat, swirl);
    FaceField<3> whole = velocity_of(deep, swirl);
    stop_at_walls(slice, flat.boundaries);
    stop_at_walls(whole, deep.boundaries);
    Field<float, 2> p2(flat.tiles());
    Field<float, 3> p3(deep.tiles());
    EXPECT_TRUE(projected(slice, p2, flat, 0, 1e-7).solve.converged);
    EXPECT_TRUE(projected(whole, p3, deep, 0, 1e-7).solve.converged);
    for_each_index(deep.box(), [&](const Index<3>& cell) {
        for (int axis = 0; axis < 2; ++axis)
            EXPECT_NEAR(whole[axis].at(cell), slice[axis].at({cell[0], cell[1]}), 2e-5);
        EXPECT_NEAR(whole[2].at(cell), 0, 2e-5);
    });
}

// A piston pushes all of the water in a channel at its own speed, cut faces or not.
TYPED_TEST(ProjectionTest, APistonPushesAtItsOwnSpeed) {
    constexpr int Dim = TypeParam::kDim;
    constexpr float kSpeed = 0.7F;
    for (const double face : {0.4, 0.437}) {
        Index<Dim> cells(12);
        cells[0] = 32;
        auto b = basin<Dim>(cells, 0.1, [](const Vec<double, Dim>& p) { return p[0] - 2.13; });
        const MovingPart<Dim> piston{[face](const Vec<double, Dim>& p, double) { return p[0] - face; },
                                     [](const Vec<double, Dim>&, double) {
                                         Vec<double, Dim> u(0.0);
                                         u[0] = kSpeed;
                                         return u;
                                     }};
        refit(b.boundaries, b.tiles(), {piston}, 0);
        FaceField<Dim> u(b.tiles());
        stop_at_walls(u, b.boundaries);
        Field<float, Dim> pressure(b.tiles());
        PoissonSolver<Dim> solver;
        const ProjectionReport report = project(u, pressure, b.phi, b.boundaries, 0.1, {.tolerance = 1e-7}, solver);
        EXPECT_TRUE(report.solve.converged);
        EXPECT_LT(largest_on_wet_faces(
                      b, [&](int axis, const Index<Dim>& c) { return u[axis].at(c) - (axis == 0 ? kSpeed : 0.0F); }),
                  1e-4);
    }
}

// A pressure on the surface is that of the liquid at rest beneath it.
TYPED_TEST(ProjectionTest, AConstantSurfacePressureMovesNothing) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = basin<Dim>(Index<Dim>(24), 0.1,
                              [](const Vec<double, Dim>& p) { return length(p - Vec<double, Dim>(1.17)) - 0.63; });
    FaceField<Dim> u(b.tiles());
    Field<float, Dim> pressure(b.tiles()), on_surface(b.tiles(), 3.0F);
    on_surface.fill(3);
    PoissonSolver<Dim> solver;
    EXPECT_TRUE(
        project(u, pressure, b.phi, b.boundaries, 0.1, {.tolerance = 1e-7, .surface_pressure = &on_surface}, solver)
            .solve.converged);
    EXPECT_LT(largest_on_wet_faces(b, [&](int axis, const Index<Dim>& c) { return u[axis].at(c); }), 1e-4);
    EXPECT_NEAR(pressure.at(Index<Dim>(11)), 3, 1e-4);
}

// What falls into a cell makes it grow by as much.
TYPED_TEST(ProjectionTest, ACellSwellsByWhatFallsIntoIt) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kDx = 0.1;
    const auto b = basin<Dim>(Index<Dim>(16), kDx, [](const Vec<double, Dim>& p) { return p[1] - 0.93; });
    FaceField<Dim> u(b.tiles());
    Field<float, Dim> pressure(b.tiles()), expansion(b.tiles());
    expansion.tile(expansion.tiles().find(Index<Dim>(0)))[offset_in_tile(Index<Dim>(4))] =
        static_cast<float>(0.3 / kDt);
    PoissonSolver<Dim> solver;
    const ProjectionReport report =
        project(u, pressure, b.phi, b.boundaries, kDt, {.tolerance = 1e-7, .expansion = &expansion}, solver);
    EXPECT_LT(report.divergence, 1e-3);
    double through_surface = 0;  // cells per step
    for_each_index(b.box(), [&](const Index<Dim>& cell) {
        if (cell[1] == 9) through_surface += u[1].at(cell) * kDt / kDx;
    });
    EXPECT_NEAR(through_surface, 0.3, 1e-4);
}

// Beyond the surface: free of divergence as far as a step gets, and the liquid's own faces stay as they are.
TYPED_TEST(ProjectionTest, AirThatTheSurfaceReachesBecomesFreeOfDivergence) {
    constexpr int Dim = TypeParam::kDim;
    for (const bool with_solid : {false, true}) {
        const auto b = wavy_basin<Dim>(1.0, with_solid);
        FaceField<Dim> u = scrambled_velocity(b);
        stop_at_walls(u, b.boundaries);
        // Cells that stay within the margin of a cell whatever their speed, so that all that was solved for is looked
        // at.
        const auto reached = [&](const Index<Dim>& cell) {
            const float phi = b.phi.at(cell);
            return phi >= 0 && phi < static_cast<float>(0.9 * b.dx()) &&
                   (!with_solid || b.boundaries.volume.at(cell) > 0);
        };
        // Air between liquid and a solid can only get out to other air.
        const auto can_leave = [&](const Index<Dim>& cell) {
            bool any = false;
            for (int axis = 0; axis < Dim; ++axis) {
                const Index<Dim> step = unit<Dim>(axis);
                any |= b.phi.at(cell - step) >= 0 && b.boundaries.open[axis].at(cell) > 0;
                any |= b.phi.at(cell + step) >= 0 && b.boundaries.open[axis].at(cell + step) > 0;
            }
            return any;
        };
        const auto largest = [&] {
            double most = 0;
            for_each_index(b.box(), [&](const Index<Dim>& cell) {
                if (reached(cell) && can_leave(cell)) most = std::max(most, std::abs(divergence_at(u, b, cell)));
            });
            return most;
        };
        const double before = largest();
        const FaceField<Dim> start = u;
        const SolveReport report = project_air(u, b.phi, b.boundaries, b.box(), kDt);
        EXPECT_TRUE(report.converged);
        EXPECT_LT(largest(), 2e-2 * before);
        for (int axis = 0; axis < Dim; ++axis)
            for_each_index(b.box(), [&](const Index<Dim>& cell) {
                if (b.phi.at(cell) < 0 || b.phi.at(cell - unit<Dim>(axis)) < 0) {
                    EXPECT_EQ(u[axis].at(cell), start[axis].at(cell));
                }
            });
    }
}

// Two slabs close a gap of two cells, sixteen cells deep: its air would have to get out at eight times their speed.
TYPED_TEST(ProjectionTest, AirOfAClosingGapIsNoMoreThanTwiceAsFast) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = basin<Dim>(Index<Dim>(24), 0.1, [](const Vec<double, Dim>& p) {
        return std::max(0.1 - std::abs(p[1] - 1.2), p[0] - 1.6);
    });
    FaceField<Dim> u = velocity_of(b, [](const Vec<double, Dim>& p) {
        Vec<double, Dim> towards(0.0);
        towards[1] = p[1] > 1.2 ? -1 : p[1] < 1.2 ? 1 : 0;
        return towards;
    });
    stop_at_walls(u, b.boundaries);
    EXPECT_TRUE(project_air(u, b.phi, b.boundaries, b.box(), kDt).converged);
    float most = 0;
    for (int axis = 0; axis < Dim; ++axis)
        for (const float v : u[axis].values()) most = std::max(most, std::abs(v));
    EXPECT_FLOAT_EQ(most, 2);
}

}  // namespace
}  // namespace spindrift

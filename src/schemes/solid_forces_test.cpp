// SPDX-License-Identifier: Apache-2.0
// Forces on solids from fields that are known exactly.
#include "schemes/solid_forces.h"

#include <cmath>
#include <numbers>

#include "geometry/shapes.h"
#include "grid/test_support.h"

namespace spindrift {
namespace {

constexpr double kPi = std::numbers::pi;

// A closed box of side 1 m with one solid, which turns about a pivot.
template <int Dim>
struct Tank {
    Domain<Dim> domain;
    Solids<Dim> solids;
    NamedSolids<Dim> named;
    DomainBoundary<Dim> boundary;
    FaceField<Dim> velocity;
    Field<float, Dim> pressure;

    Tank(int cells, std::function<double(const Vec<double, Dim>&)> distance, const Vec<double, Dim>& pivot,
         double rate = 0) {
        domain.grid = {.origin = {}, .dx = 1.0 / cells};
        domain.box.hi = Index<Dim>(cells);
        solids.distance = [distance](const Vec<double, Dim>& x, double) { return distance(x); };
        const auto turning = [=](const Vec<double, Dim>& x) {
            Vec<double, Dim> u;
            u[0] = -rate * (x[1] - pivot[1]);
            u[1] = rate * (x[0] - pivot[0]);
            return u;
        };
        solids.velocity = [turning](const Vec<double, Dim>& x, double) { return turning(x); };
        named.names = {"solid"};
        named.pivot = [pivot](std::size_t, double) { return pivot; };
        named.velocity = [turning](std::size_t, const Vec<double, Dim>& x, double) { return turning(x); };
        boundary = make_boundary(domain, solids, {.friction = true});
        refit(boundary, domain.all_tiles(), solids, 0);
        velocity = FaceField<Dim>(boundary.tiles);
        pressure = Field<float, Dim>(boundary.tiles);
    }
    SolidForce force(double density, double viscosity) const {
        return solid_forces<Dim>(named, velocity, pressure, boundary.level, boundary,
                                 {.density = density, .viscosity = viscosity})
            .at(0);
    }
    template <class F>
    void set_pressure(F&& f) {
        assign(pressure,
               [&](const Index<Dim>& cell) { return static_cast<float>(f(domain.grid.world_of_centre(cell))); });
    }
    template <class F>
    void set_velocity(F&& f) {
        for (int a = 0; a < Dim; ++a)
            assign(velocity[a], [&](const Index<Dim>& cell) {
                const Vec<double, Dim> x = domain.grid.world_of_face(a, cell);
                return static_cast<float>((solids.distance(x, 0) < 0 ? solids.velocity(x, 0) : f(x))[a]);
            });
    }
};

template <class D>
class SolidForces : public ::testing::Test {};
TYPED_TEST_SUITE(SolidForces, Dimensions);

// At rest under gravity a ball is pushed up by the weight of what it displaces, and a box anywhere among the cells by
// the same.
TYPED_TEST(SolidForces, StillFluidCarriesWhatItsSolidDisplaces) {
    constexpr int Dim = TypeParam::kDim;
    const Vec<double, Dim> middle(0.47);
    const double ball = Dim == 2 ? kPi * 0.04 : 4 * kPi / 3 * 0.008;
    const Box<double, Dim> box{Vec<double, Dim>(0.313), Vec<double, Dim>(0.6)};
    constexpr int kCellsForEdges =
        Dim == 2 ? 32 : 64;  // fractions of faces round the edges of a box off by a part of a cell
    const auto still = [](const Vec<double, Dim>& x) { return -9.81 * x[1]; };
    Tank<Dim> with_ball(
        32, [&](const Vec<double, Dim>& x) { return length(x - middle) - 0.2; }, middle);
    Tank<Dim> with_box(
        kCellsForEdges, [&](const Vec<double, Dim>& x) { return signed_distance<Dim>(Shape<Dim>(box), x); }, middle);
    with_ball.set_pressure(still);
    with_box.set_pressure(still);
    const Vec<double, 3> on_ball = with_ball.force(1000, 0).pressure, on_box = with_box.force(1000, 0).pressure;
    EXPECT_NEAR(on_ball[1] / (1000 * 9.81 * ball), 1, 0.01);
    EXPECT_NEAR(on_box[1] / (1000 * 9.81 * std::pow(0.287, Dim)), 1, 0.005);
    for (const Vec<double, 3>& force : {on_ball, on_box}) EXPECT_NEAR(force[0] / force[1], 0, 1e-3);
}

// The same force has an arm about another pivot.
TYPED_TEST(SolidForces, TorqueIsArmTimesForce) {
    constexpr int Dim = TypeParam::kDim;
    const Vec<double, Dim> middle(0.5);
    Vec<double, Dim> pivot(0.5);
    pivot[0] = 0.2;
    Tank<Dim> tank(
        32, [&](const Vec<double, Dim>& x) { return length(x - middle) - 0.2; }, pivot);
    tank.set_pressure([](const Vec<double, Dim>& x) { return -9.81 * x[1]; });
    const SolidForce force = tank.force(1000, 0);
    EXPECT_NEAR(force.pressure_torque[2] / (0.3 * force.pressure[1]), 1, 0.01);
}

// A fluid that turns with its solid does not rub at it.
TEST(SolidForces, RigidRotationHasNoFriction) {
    const Vec<double, 2> middle(0.5, 0.5);
    Tank<2> tank(
        64, [&](const Vec<double, 2>& x) { return length(x - middle) - 0.2; }, middle, 3);
    tank.set_velocity([&](const Vec<double, 2>& x) { return tank.solids.velocity(x, 0); });
    const double scale = 0.01 * 4 * kPi * 0.04 * 3;  // of a cylinder alone in the fluid
    EXPECT_NEAR(tank.force(1, 0.01).viscous_torque[2] / scale, 0, 0.02);
}

// A cylinder that turns in fluid without end: u = ω R²/r, torque −4πμωR² per length.
TEST(SolidForces, TorqueOnATurningCylinder) {
    const Vec<double, 2> middle(0.51, 0.49);
    const double rate = 3, radius = 0.2, exact = -4 * kPi * 0.01 * rate * radius * radius;
    for (const int cells : {32, 64, 128}) {
        Tank<2> tank(
            cells, [&](const Vec<double, 2>& x) { return length(x - middle) - radius; }, middle, rate);
        tank.set_velocity([&](const Vec<double, 2>& x) {
            const Vec<double, 2> r = x - middle;
            return Vec<double, 2>(-r[1], r[0]) * (rate * radius * radius / dot(r, r));
        });
        const SolidForce force = tank.force(1, 0.01);
        // Second order.  Measured: 0.978, 0.994, 0.998.
        EXPECT_NEAR(force.viscous_torque[2] / exact, 1, 1.1 / std::pow(radius * cells, 2))
            << cells << ": " << force.viscous_torque[2] / exact;
        EXPECT_NEAR(force.viscous[0], 0, 0.01 * std::abs(exact) / radius);
    }
}

}  // namespace
}  // namespace spindrift

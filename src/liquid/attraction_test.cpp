// SPDX-License-Identifier: Apache-2.0
// Shapes that attract liquid: what comes to rest where, and what does not.
#include "liquid/attraction.h"

#include <numbers>

#include <gtest/gtest.h>

#include "liquid/speeds.h"
#include "liquid/test_support.h"

namespace spindrift {
namespace {

template <class T>
class LiquidAttraction : public ::testing::Test {};
TYPED_TEST_SUITE(LiquidAttraction, Dimensions);

const LiquidSettings kSettings{.volume_control = true, .pressure_tolerance = 1e-5};

template <int Dim>
Attraction<Dim> attraction_to(const World<Dim>& world, const std::function<double(const Vec<double, Dim>&)>& shape) {
    Attraction<Dim> out;
    out.distance = CellDistances<Dim>(world.box, world.grid, shape);
    out.reach = 0.5;
    out.strength = [](double) { return 25.0; };
    out.damping = 4;
    return out;
}
template <int Dim>
double bar(const Vec<double, Dim>& p) {
    Vec<double, Dim> beyond;
    for (int a = 0; a < Dim; ++a) beyond[a] = std::abs(p[a] - 0.5) - (a == 0 ? 0.25 : 0.125);
    double outside = 0, inside = -1;
    for (int a = 0; a < Dim; ++a) {
        outside += std::max(beyond[a], 0.0) * std::max(beyond[a], 0.0);
        inside = std::max(inside, beyond[a]);
    }
    return inside > 0 ? std::sqrt(outside) : inside;
}

// ρ ∫ ψ over the liquid, J (J/m).
template <int Dim>
double potential(const LiquidState<Dim>& liquid, const World<Dim>& world) {
    const Attraction<Dim>& shape = world.attractions[0];
    double sum = 0;
    for_each_index(world.box, [&](const Index<Dim>& cell) {
        const double d = shape.distance.at(cell), q = std::min(d / shape.reach, 1.0);
        const double psi = d < 0 ? d : shape.reach * (q - 2 * q * q * q / 3 + std::pow(q, 5) / 5);
        sum += wet_part(liquid, cell, world.grid.dx) * shape.strength(0) * psi;
    });
    return sum * world.density * std::pow(world.grid.dx, Dim);
}

// A drop of the bar's volume beside it, in the air and under gravity, becomes the bar and hangs there.
TYPED_TEST(LiquidAttraction, ADropTakesOnTheShape) {
    constexpr int Dim = TypeParam::kDim;
    const int cells = Dim == 2 ? 48 : 32;
    World<Dim> world = tank<Dim>(Index<Dim>(cells), 1.0 / cells);
    world.attractions = {attraction_to<Dim>(world, bar<Dim>)};
    const double volume = Dim == 2 ? 0.5 * 0.25 : 0.5 * 0.25 * 0.25;
    const double radius = Dim == 2 ? std::sqrt(volume / std::numbers::pi) : std::cbrt(0.75 * volume / std::numbers::pi);
    ParticleLevelSet2002<Dim> method(world, kSettings);
    Vec<double, Dim> start(0.5);
    start[0] = 0.42;
    LiquidState<Dim> liquid =
        method.initial_state([&](const Vec<double, Dim>& p) { return length(p - start) - radius; }, at_rest<Dim>);
    const double before = potential(liquid, world);
    double energy = 0;
    run(method, liquid, 2.5, kFrame, [&](const StepReport& report) { energy += report.control_energy; });

    double overlap = 0, all = 0;
    for_each_index(world.box, [&](const Index<Dim>& cell) {
        const double wet = wet_part(liquid, cell, world.grid.dx);
        all += wet;
        if (bar<Dim>(world.grid.world_of_centre(cell)) < 0) overlap += wet;
    });
    EXPECT_GT(overlap / all, 0.9);
    EXPECT_LT(largest_speed(liquid.velocity, liquid.phi), 0.1);
    // It neither rose nor fell.  What the shape put in is what the liquid fell by towards it, less what damping took
    // out.
    EXPECT_LT(length(totals(liquid, world).centre - Vec<double, Dim>(0.5)), 1.0 / cells);
    const double fallen = before - potential(liquid, world);
    EXPECT_GT(energy, 0);
    EXPECT_LT(energy, 1.1 * fallen);
}

// Without weight liquid that fills the shape is in balance to the last cell: nothing moves.
TYPED_TEST(LiquidAttraction, LiquidInTheShapeIsAtRest) {
    constexpr int Dim = TypeParam::kDim;
    const int cells = 32;
    World<Dim> world = tank<Dim>(Index<Dim>(cells), 1.0 / cells);
    const auto ball = [](const Vec<double, Dim>& p) { return length(p - Vec<double, Dim>(0.5)) - 0.25; };
    world.attractions = {attraction_to<Dim>(world, ball)};
    world.attractions[0].damping = 0;
    ParticleLevelSet2002<Dim> method(world, kSettings);
    LiquidState<Dim> liquid = method.initial_state(ball, at_rest<Dim>);
    run(method, liquid, 0.5, kFrame);
    EXPECT_LT(largest_speed(liquid.velocity, liquid.phi), 0.01 * std::sqrt(2 * 25 * 0.25));
}

TYPED_TEST(LiquidAttraction, WithoutStrengthItIsNotThere) {
    constexpr int Dim = TypeParam::kDim;
    const auto hash = [](bool attracts) {
        World<Dim> world = tank<Dim>(Index<Dim>(16), 1.0 / 16);
        if (attracts) {
            Attraction<Dim> none = attraction_to<Dim>(world, bar<Dim>), late = none;
            none.strength = [](double) { return 0.0; };
            late.start = 10;
            world.attractions = {none, late};
        }
        ParticleLevelSet2002<Dim> method(world, kSettings);
        LiquidState<Dim> liquid =
            method.initial_state([](const Vec<double, Dim>& p) { return dam_distance(p, 0.4, 0.5); }, at_rest<Dim>);
        run(method, liquid, 0.2);
        return state_hash(liquid.velocity) ^ state_hash(liquid.phi);
    };
    EXPECT_EQ(hash(true), hash(false));
}

}  // namespace
}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Enclosed air has the stiffness of air.
#include "liquid/compressed_air.h"

#include "liquid/test_support.h"

namespace spindrift {
namespace {

constexpr double kGamma = 1.4;

template <class D>
class CompressedAirTest : public ::testing::Test {};
TYPED_TEST_SUITE(CompressedAirTest, Dimensions);

// A slab of water on a pocket of air, without gravity: m x'' = A (p0 (h / (h + x))^γ − p0).
template <int Dim>
struct Piston {
    static constexpr double kDx = 1.0 / 16, kPocket = 0.5, kSlab = 0.52, kPressure = 2000, kDensity = 1000;
    World<Dim> world = [] {
        Index<Dim> cells(4);
        cells[1] = 32;
        World<Dim> w = tank<Dim>(cells, kDx);
        w.gravity = [](double) { return Vec<double, Dim>(0.0); };
        return w;
    }();
    ParticleLevelSet2002<Dim> method{world, {.air_pressure = kPressure}};
    LiquidState<Dim> liquid;
    explicit Piston(double speed)
        : liquid(method.initial_state(
              [](const Vec<double, Dim>& p) { return std::max(kPocket - p[1], p[1] - kPocket - kSlab); },
              [=](const Vec<double, Dim>&) {
                  Vec<double, Dim> u(0.0);
                  u[1] = speed;
                  return u;
              })) {}
    // How far the slab has gone.
    double way() const { return totals(liquid, world).centre[1] - kPocket - 0.5 * kSlab; }
    static double period() { return 2 * M_PI * std::sqrt(kDensity * kSlab * kPocket / (kGamma * kPressure)); }
};

// Small oscillations have the adiabatic period, ω² = γp / (ρ H h).
TYPED_TEST(CompressedAirTest, AWaterPistonOscillatesWithTheAdiabaticPeriod) {
    constexpr int Dim = TypeParam::kDim;
    Piston<Dim> piston(-0.05);
    std::vector<double> crossings;
    double before = 0;
    run(piston.method, piston.liquid, 1.7 * piston.period(), piston.period() / 400, [&](const StepReport& report) {
        const double now = piston.way();
        if (before * now < 0) crossings.push_back(piston.liquid.time - report.dt * now / (now - before));
        before = now;
    });
    ASSERT_GE(crossings.size(), 3U);
    EXPECT_NEAR(crossings[2] - crossings[0], piston.period(), 0.02 * piston.period());
    this->RecordProperty("period", std::to_string((crossings[2] - crossings[0]) / piston.period()));
}

// A pocket at rest under water yields by ρgh / (γp).
TEST(CompressedAir, ABubbleAtDepthShrinks) {
    constexpr double kDx = 1.0 / 32, kPressure = 50000, kRadius = 5 * kDx, kDepth = 0.9;
    const auto volume_after = [&](double pressure) {
        const World<2> world = tank<2>({32, 64}, kDx);
        ParticleLevelSet2002<2> method(world, {.air_pressure = pressure, .particles = {.sides = ParticleSides::both}});
        const Vec<double, 2> middle{0.5, 0.5};
        LiquidState<2> liquid = method.initial_state(
            [&](const Vec<double, 2>& p) { return std::max(kRadius - length(p - middle), p[1] - 0.5 - kDepth); },
            at_rest<2>);
        run(method, liquid, 0.06, 0.01);
        double air = 0;
        for_each_index(world.box, [&](const Index<2>& cell) {
            if (world.grid.world_of_centre(cell)[1] < 1.2) air += 1 - wet_part(liquid, cell, kDx);
        });
        return air;
    };
    const double lost = 1 - volume_after(kPressure) / volume_after(std::numeric_limits<double>::infinity());
    const double expected = 1000 * kGravity * kDepth / (kGamma * kPressure);
    EXPECT_NEAR(lost, expected, 0.2 * expected);
    ::testing::Test::RecordProperty("lost", std::to_string(lost / expected));
}

// A slab that runs into a pocket of air is stopped smoothly: the largest pressure does not depend on the step.
TEST(CompressedAir, ThePressureOfACushionConvergesWithTheStep) {
    const auto largest_pressure = [](double part) {
        Piston<2> piston(-1);
        float most = 0;
        run(piston.method, piston.liquid, 0.5 * piston.period(), part * piston.period(),
            [&](const StepReport&) { most = std::max(most, max_abs(piston.liquid.pressure)); });
        return double{most} * piston.kDensity;
    };
    // ½ ρ H v² = ∫ (p − p0) dx with p = p0 (h / (h − x))^γ, by bisection.
    const auto energy = [](double ratio) {
        using P = Piston<2>;
        return P::kPressure * P::kPocket * ((std::pow(ratio, kGamma - 1) - 1) / (kGamma - 1) - (1 - 1 / ratio));
    };
    double lo = 1, hi = 10;
    for (int n = 0; n < 60; ++n)
        (energy(0.5 * (lo + hi)) < 0.5 * Piston<2>::kDensity * Piston<2>::kSlab ? lo : hi) = 0.5 * (lo + hi);
    const double exact = Piston<2>::kPressure * (std::pow(lo, kGamma) - 1);
    const double coarse = largest_pressure(0.02), fine = largest_pressure(0.0025);
    EXPECT_NEAR(fine, exact, 0.1 * exact);
    EXPECT_LT(std::abs(fine - exact), std::abs(coarse - exact));
    ::testing::Test::RecordProperty("fine", std::to_string(fine / exact));
    ::testing::Test::RecordProperty("coarse", std::to_string(coarse / exact));
}

// Mixing at constant volume keeps p V / (γ − 1); parts keep their pressure; a bubble that moved on takes the liquid's.
TYPED_TEST(CompressedAirTest, BubblesAreKnownByTheirCells) {
    constexpr int Dim = TypeParam::kDim;
    const auto tiles = Tiles<Dim>::covering({Index<Dim>(0), Index<Dim>(8)});
    Field<float, Dim> phi(tiles, 1.0F), pressure(tiles);
    phi.fill(1);
    pressure.fill(7);
    Boundary<Dim> b;
    b.domain.box = {Index<Dim>(0), Index<Dim>(8)};
    b.domain.grid = {Vec<double, Dim>(0.0), 1.0};
    refit(b, tiles);
    const auto cell = [](int n) { return TileCell{0, n}; };
    const std::vector<CellGroup> first{{cell(1)}, {cell(2), cell(3), cell(4)}};
    pressure.tile(0)[1] = 100;
    for (const int n : {2, 3, 4}) pressure.tile(0)[n] = 20;
    const AirCells before = cells_of_bubbles(first, pressure);
    pressure.tile(0)[6] = 0;  // open air
    const EnclosedAir then{.bubbles = {{cell(1), cell(2), cell(3), cell(4)}, {cell(3)}, {cell(5)}, {cell(1), cell(6)}},
                           .untiled = {0, 30, 0, 0}};
    const std::vector<BubbleGas> gas = gas_of_bubbles(then, before, pressure, phi, b, 1000.0, 0.1);
    EXPECT_NEAR(gas[0].pressure, 40, 1e-4);
    EXPECT_NEAR(gas[1].pressure, 20, 1e-4);
    EXPECT_NEAR(gas[2].pressure, 7, 1e-4);
    EXPECT_NEAR(gas[3].pressure, 50, 1e-4);
    EXPECT_NEAR(gas[0].volume, 4, 1e-6);
    EXPECT_NEAR(gas[1].volume, 31, 1e-6);
    EXPECT_NEAR(gas[0].stiffness, kGamma * 1040, 1e-3);
}

}  // namespace
}  // namespace spindrift

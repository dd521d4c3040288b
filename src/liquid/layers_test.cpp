// SPDX-License-Identifier: Apache-2.0
// Liquids of different density and viscosity, one above the other.
#include "liquid/mixture.h"
#include "liquid/test_support.h"

namespace spindrift {
namespace {

LiquidSettings exact(double tolerance = 1e-6) {
    return {.cfl = 3, .volume_control = true, .pressure_tolerance = tolerance};
}

// A light liquid above a heavy one stays there.
TEST(Layers, LightOnHeavyStaysStillForAMinute) {
    constexpr int kCells = 16;
    World<2> world = tank<2>({kCells, 2 * kCells}, 1.0 / kCells);
    world.components = {{"heavy", 1000, 0}, {"light", 500, 0}};
    ParticleLevelSet2002<2> method(world, exact(1e-4));  // as scenes have it
    // Neither the surface nor the boundary lies on a side of cells.
    LiquidState<2> liquid =
        method.initial_state([](const Vec<double, 2>& p) { return p[1] - 1.53; }, at_rest<2>,
                             [](const Vec<double, 2>& p) { return std::vector<double>{p[1] > 0.77 ? 1.0 : 0.0}; });
    const Field<float, 2> before = liquid.mixture.parts[0];
    double fastest = 0;
    run(method, liquid, 60, kFrame, [&](const StepReport& report) { fastest = std::max(fastest, report.max_speed); });
    float change = 0;
    for_each_index(IndexBox<2>{{0, 0}, {kCells, 3 * kCells / 2}}, [&](const Index<2>& cell) {
        change = std::max(change, std::abs(liquid.mixture.parts[0].at(cell) - before.at(cell)));
    });
    RecordProperty("speed", std::to_string(fastest));
    EXPECT_LT(fastest, 1e-4);
    EXPECT_LT(change, 1e-3);
}

// (2/W) ∬ c cos(kx) over the tank: the height of the wave between two liquids.
double wave_height(const LiquidState<2>& liquid, int cells, double dx, double k) {
    double sum = 0;
    for_each_index(IndexBox<2>{{0, 0}, {cells, 4 * cells}}, [&](const Index<2>& cell) {
        if (liquid.phi.at(cell) < 0) sum += liquid.mixture.parts[0].at(cell) * std::cos(k * (cell[0] + 0.5) * dx);
    });
    return 2 * sum * dx / cells;
}

// The rate at which a wave grows where the upper liquid is heavier, from its height at two times: a ~ cosh(nt).
double growth_rate(double ratio, int cells) {
    const double width = 0.5, dx = width / cells, k = M_PI / width, middle = 0.75;
    World<2> world = tank<2>({cells, 3 * cells}, dx);
    world.components = {{"light", 1000, 0}, {"heavy", 1000 * ratio, 0}};
    ParticleLevelSet2002<2> method(world, exact());
    const double start = dx;
    LiquidState<2> liquid =
        method.initial_state([&](const Vec<double, 2>& p) { return p[1] - 1.4; }, at_rest<2>,
                             [&](const Vec<double, 2>& p) {
                                 return std::vector<double>{p[1] > middle - start * std::cos(k * p[0]) ? 1.0 : 0.0};
                             });
    const double first = wave_height(liquid, cells, dx, k);
    const double expected = std::sqrt((ratio - 1) / (ratio + 1) * kGravity * k);
    EXPECT_NEAR(first, start, 0.02 * start);
    run(method, liquid, 1.8 / expected, 0.1 / expected);
    return std::acosh(wave_height(liquid, cells, dx, k) / first) / liquid.time / expected;
}

// [Rayleigh1883, Taylor50] n² = A g k, A = (ρ₂ − ρ₁) / (ρ₂ + ρ₁).
TEST(Layers, HeavyOnLightFallsAsRayleighAndTaylorFound) {
    for (const double ratio : {1.5, 3.0, 10.0}) {
        const double coarse = growth_rate(ratio, 24), fine = growth_rate(ratio, 48);
        EXPECT_NEAR(coarse, 1, 0.06) << ratio;
        EXPECT_NEAR(fine, 1, 0.05) << ratio;
    }
}

// The two liquids of a channel that falls between its walls shear by the same stress: u'' μ = −ρg on each side.
TEST(Layers, TwoViscositiesFlowSideBySide) {
    constexpr int kCells = 32;
    World<2> world = tank<2>({kCells, 16}, 1.0 / kCells);
    world.period[1] = 2;
    world.sides[0][0] = world.sides[0][1] = SideKind::prescribed;
    world.viscosity = 100;
    world.components = {{"thin", 1000, 100}, {"thick", 1000, 1000}};
    ParticleLevelSet2002<2> method(world, exact());
    LiquidState<2> liquid =
        method.initial_state([](const Vec<double, 2>&) { return -1.0; }, at_rest<2>,
                             [](const Vec<double, 2>& p) { return std::vector<double>{p[0] > 0.5 ? 1.0 : 0.0}; });
    run(method, liquid, 40.0 / 24, kFrame);
    // −u = ρg (x (1 − x) / 2 …): with s the stress at the wall of the thin side, in units of ρg:
    //   u = (s x − x²/2) / ν₁ for x < ½;   u = (s (x − 1) − (x² − 1)/2) / ν₂ beyond;   equal at ½.
    const double n1 = 0.1, n2 = 1.0, s = (1 / (8 * n1) + 3 / (8 * n2)) / (1 / (2 * n1) + 1 / (2 * n2));
    double worst = 0, most = 0;
    for (int i = 0; i < kCells; ++i) {
        const double x = (i + 0.5) / kCells;
        const double u = kGravity * (x < 0.5 ? (s * x - x * x / 2) / n1 : (s * (x - 1) - (x * x - 1) / 2) / n2);
        const double found = -liquid.velocity[1].at(Index<2>{i, 5});
        worst = std::max(worst, std::abs(found - u));
        most = std::max(most, u);
    }
    EXPECT_LT(worst, 0.06 * most);  // of first order, where they meet
}

}  // namespace
}  // namespace spindrift

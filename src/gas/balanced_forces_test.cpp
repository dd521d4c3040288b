// SPDX-License-Identifier: Apache-2.0
// A force that is a gradient is balanced by pressure: in a closed box it moves nothing, however long the steps.
#include <gtest/gtest.h>

#include "gas/test_support.h"

namespace spindrift {
namespace {

template <class T>
class BalancedForces : public ::testing::Test {};
TYPED_TEST_SUITE(BalancedForces, Dimensions);

constexpr double kPush = 10;  // m/s²
const GasSettings kAsIn1999{.pressure_tolerance = 1e-7};
const GasSettings kSharper{
    .splitting = Splitting::second_order, .scheme = AdvectionScheme::cubic, .pressure_tolerance = 1e-7};

enum class Balanced { none, uniform, warm_room, layers, potential, sudden };
constexpr std::array kAll{Balanced::uniform, Balanced::warm_room, Balanced::layers, Balanced::potential,
                          Balanced::sudden};

template <int Dim>
void add_balanced(GasWorld<Dim>& w, Balanced kind) {
    if (kind == Balanced::warm_room || kind == Balanced::layers) {
        add_substance<Dim>(w, "warmth",
                           [kind](const Vec<double, Dim>& x) { return kind == Balanced::layers ? x[1] * x[1] : 1.0; });
        w.substances.back().buoyancy = kPush;
        return;
    }
    if (kind == Balanced::none) return;
    Force<Dim>& force = w.forces.emplace_back();
    force.is_uniform = kind != Balanced::potential;
    if (kind == Balanced::sudden) force.start = 0.05;
    force.acceleration = [kind](const Vec<double, Dim>& x, double) {
        Vec<double, Dim> f{};
        f[1] = -kPush;
        if (kind != Balanced::potential) return f;
        // ∇ of sin(2x + 3y) cos(x − y) / 3, times the push.
        const double a = 2 * x[0] + 3 * x[1], b = x[0] - x[1];
        f[0] = kPush / 3 * (2 * std::cos(a) * std::cos(b) - std::sin(a) * std::sin(b));
        f[1] = kPush / 3 * (3 * std::cos(a) * std::cos(b) + std::sin(a) * std::sin(b));
        return f;
    };
}

template <int Dim>
GasWorld<Dim> closed_box(int cells, Balanced kind, bool solid, bool swirls) {
    GasWorld<Dim> w = gas_box<Dim>(cells, TestSides::no_slip);
    w.viscosity = 1e-3;
    if (solid)
        w.solids.distance = [](const Vec<double, Dim>& x, double) { return length(x - Vec<double, Dim>(0.55)) - 0.2; };
    if (swirls) w.velocity_at_start = [](const Vec<double, Dim>& x) { return vector_noise<Dim>(x * 4.0, 0, 3) * 2.0; };
    add_balanced(w, kind);
    return w;
}

TYPED_TEST(BalancedForces, AreBalancedAtRest) {
    constexpr int Dim = TypeParam::kDim;
    const int n = Dim == 2 ? 24 : 16;
    for (const GasSettings& settings : {kAsIn1999, kSharper})
        for (const Balanced kind : kAll)
            for (const bool solid : {false, true}) {
                // Layers are carried with what little is left of the flow.
                StableFluids1999<Dim> method(closed_box<Dim>(n, kind, solid, false), settings);
                GasState<Dim> gas = method.initial_state();
                for (int step = 0; step < 8; ++step) {
                    ASSERT_TRUE(method.step(gas, 0.05).failure.empty());
                    // The potential's fourth derivatives show on the grid.
                    ASSERT_LT(largest_speed(gas), (kind == Balanced::potential ? 1e-4 : 2e-6) * kPush)
                        << "force " << static_cast<int>(kind) << ", solid " << solid << ", step " << step;
                }
            }
}

// What moves already goes on as it would without the force.
TYPED_TEST(BalancedForces, LeaveSwirlsAlone) {
    constexpr int Dim = TypeParam::kDim;
    const int n = Dim == 2 ? 32 : 16;
    for (const GasSettings& settings : {kAsIn1999, kSharper})
        for (const double cfl : {0.5, 1.0, 5.0})
            for (const bool solid : {false, true}) {
                const auto run = [&](Balanced kind) {
                    StableFluids1999<Dim> method(closed_box<Dim>(n, kind, solid, true), settings);
                    GasState<Dim> gas = method.initial_state();
                    for (int step = 0; step < 5; ++step) EXPECT_EQ(method.step(gas, cfl / n).failure, "");
                    return gas;
                };
                const GasState<Dim> alone = run(Balanced::none);
                for (const Balanced kind : {Balanced::uniform, Balanced::potential}) {
                    const GasState<Dim> pushed = run(kind);
                    const IndexBox<Dim> box{Index<Dim>(0), Index<Dim>(n)};
                    EXPECT_LT(largest_difference(pushed.velocity, alone.velocity, box), 1e-3 * largest_speed(alone))
                        << "force " << static_cast<int>(kind) << ", CFL " << cfl << ", solid " << solid;
                }
            }
}

}  // namespace
}  // namespace spindrift

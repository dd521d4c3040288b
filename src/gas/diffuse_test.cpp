// SPDX-License-Identifier: Apache-2.0
#include "gas/diffuse.h"

#include <gtest/gtest.h>

#include "gas/test_support.h"

namespace spindrift {
namespace {

template <class T>
class GasDiffusion : public ::testing::Test {};
TYPED_TEST_SUITE(GasDiffusion, Dimensions);

// Swirls in a thick gas die away, whatever the step and whatever the sides: where the explicit part of diffusion made
// rough patterns larger, advection turned them into smooth ones that the implicit part could not take back.
TYPED_TEST(GasDiffusion, ThickGasComesToRestInLongSteps) {
    constexpr int Dim = TypeParam::kDim;
    constexpr GasSettings kSharper{.splitting = Splitting::in_halves, .sharpness = Sharpness::cubic};
    const int n = Dim == 2 ? 12 : 8;
    for (const GasSideKind kind : {GasSideKind::open, GasSideKind::fixed, GasSideKind::slip})
        for (const double number : {1.0, 10.0, 100.0}) {  // viscosity dt / dx²
            GasWorld<Dim> w = gas_box<Dim>(n, TestSides::closed);
            for (auto& ends : w.enclosure.sides)
                for (GasSide<Dim>& side : ends) side.kind = kind;
            const double dt = 0.5;  // over six cells at first
            w.viscosity = number / (dt * n * n);
            w.velocity_at_start = [](const Vec<double, Dim>& x) { return vector_noise<Dim>(x * 4.0, 0, 2); };
            StableFluids1999<Dim> method(std::move(w), kSharper);
            GasState<Dim> gas = method.initial_state();
            const double speed = largest_speed(gas);
            for (int step = 0; step < 40; ++step) {
                method.step(gas, dt);
                ASSERT_LT(largest_speed(gas), 1.2 * speed) << "step " << step << ", " << number;
            }
            EXPECT_LT(largest_speed(gas), 0.5 * speed) << number;
        }
}

}  // namespace
}  // namespace spindrift

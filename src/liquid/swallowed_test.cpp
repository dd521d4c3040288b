// SPDX-License-Identifier: Apache-2.0
#include "liquid/swallowed.h"

#include "liquid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class SwallowedTest : public ::testing::Test {};
TYPED_TEST_SUITE(SwallowedTest, Dimensions);

// Liquid below the fourth layer of cells, air above.
template <int Dim>
Field<float, Dim> pool_level() {
    Field<float, Dim> phi(Tiles<Dim>::covering({Index<Dim>(0), Index<Dim>(8)}), 1.0F);
    assign(phi, [](const Index<Dim>& cell) { return static_cast<float>(cell[1]) - 3.5F; });
    return phi;
}

// All of it comes, in one step or in many; what has come and what is to come are always the whole.
TYPED_TEST(SwallowedTest, ComesWhateverTheStep) {
    constexpr int Dim = TypeParam::kDim;
    const Field<float, Dim> phi = pool_level<Dim>();
    for (const double dt : {0.04, 0.003, 0.0002}) {
        std::vector<Swallowed<Dim>> swallowed{{Vec<double, Dim>(1.5), 0.5}, {Vec<double, Dim>(2.5), -2.0}};
        Field<float, Dim> swelling(phi.tiles_ptr());
        while (!swallowed.empty()) {
            swell(swallowed, swelling, phi, 2.0, dt);
            EXPECT_NEAR(2 * sum(swelling) + volume_to_come(swallowed), -1.5, 1e-6);
        }
        EXPECT_NEAR(swelling.at(Index<Dim>(1)), 0.25, 1e-6);
        EXPECT_NEAR(swelling.at(Index<Dim>(2)), -1.0, 1e-6);
    }
}

// The rate sets in and ends gently: no step changes it by more than steps of this length may.
TYPED_TEST(SwallowedTest, ComesWithoutABlow) {
    constexpr int Dim = TypeParam::kDim;
    const Field<float, Dim> phi = pool_level<Dim>();
    const auto largest_jump = [&](double dt) {
        std::vector<Swallowed<Dim>> swallowed{{Vec<double, Dim>(1.5), 1.0}};
        double last = 0, most = 0;
        for (int n = 0; n < 0.02 / dt; ++n) {
            Field<float, Dim> swelling(phi.tiles_ptr());
            swell(swallowed, swelling, phi, 1.0, dt);
            const double rate = sum(swelling) / dt;
            most = std::max(most, std::abs(rate - last) / dt);  // 1/s²: what the pressure has to provide
            last = rate;
        }
        return most;
    };
    EXPECT_NEAR(largest_jump(1e-4), 6 / (0.01 * 0.01), 2000);
    EXPECT_NEAR(largest_jump(1e-3) / largest_jump(1e-4), 1, 0.25);
}

// What the surface has left outside is given up: its body's account makes up for it.
TYPED_TEST(SwallowedTest, GoesWithTheFlowAndStaysInTheLiquid) {
    constexpr int Dim = TypeParam::kDim;
    const Field<float, Dim> phi = pool_level<Dim>();
    FaceField<Dim> velocity(phi.tiles_ptr());
    velocity[1].fill(3);
    std::vector<Swallowed<Dim>> swallowed{{Vec<double, Dim>(1.5), 1.0}, {Vec<double, Dim>(3.5), 1.0}};
    advect(swallowed, velocity, 0.1, 0.25);
    EXPECT_NEAR(swallowed[0].place[1], 1.5 + 1.2, 1e-6);
    Field<float, Dim> swelling(phi.tiles_ptr());
    swell(swallowed, swelling, phi, 1.0, 0.001);
    EXPECT_EQ(swallowed.size(), 1U);
    EXPECT_NEAR(sum(swelling) + volume_to_come(swallowed), 1, 1e-6);
}

}  // namespace
}  // namespace spindrift

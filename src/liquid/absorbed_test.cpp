// SPDX-License-Identifier: Apache-2.0
#include "liquid/absorbed.h"

#include "liquid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class AbsorbedTest : public ::testing::Test {};
TYPED_TEST_SUITE(AbsorbedTest, Dimensions);

// Liquid below the fourth layer of cells, air above.
template <int Dim>
Field<float, Dim> pool_level() {
    Field<float, Dim> phi(Tiles<Dim>::covering({Index<Dim>(0), Index<Dim>(8)}), 1.0F);
    assign(phi, [](const Index<Dim>& cell) { return static_cast<float>(cell[1]) - 3.5F; });
    return phi;
}

// All of it comes, in one step or in many; what has come and what is to come are always the whole.
TYPED_TEST(AbsorbedTest, ComesWhateverTheStep) {
    constexpr int Dim = TypeParam::kDim;
    const Field<float, Dim> phi = pool_level<Dim>();
    for (const double dt : {0.04, 0.003, 0.0002}) {
        std::vector<Absorbed<Dim>> absorbed{{Vec<double, Dim>(1.5), 0.5}, {Vec<double, Dim>(2.5), -2.0}};
        Field<float, Dim> expansion(phi.tiles_ptr());
        while (!absorbed.empty()) {
            add_expansion(expansion, absorbed, phi, 2.0, dt);
            advect(absorbed, FaceField<Dim>(phi.tiles_ptr()), dt, 1.0);
            remove_done(absorbed, phi);
            EXPECT_NEAR(2 * dt * sum(expansion) + pending_volume(absorbed), -1.5, 1e-6);
        }
        EXPECT_NEAR(dt * expansion.at(Index<Dim>(1)), 0.25, 1e-6);
        EXPECT_NEAR(dt * expansion.at(Index<Dim>(2)), -1.0, 1e-6);
    }
}

// The rate sets in and ends gently: no step changes it by more than steps of this length may.
TYPED_TEST(AbsorbedTest, ComesWithoutABlow) {
    constexpr int Dim = TypeParam::kDim;
    const Field<float, Dim> phi = pool_level<Dim>();
    const auto largest_jump = [&](double dt) {
        std::vector<Absorbed<Dim>> absorbed{{Vec<double, Dim>(1.5), 1.0}};
        double last = 0, most = 0;
        for (int n = 0; n < 0.02 / dt; ++n) {
            Field<float, Dim> expansion(phi.tiles_ptr());
            add_expansion(expansion, absorbed, phi, 1.0, dt);
            advect(absorbed, FaceField<Dim>(phi.tiles_ptr()), dt, 1.0);
            const double rate = sum(expansion);
            most = std::max(most, std::abs(rate - last) / dt);  // 1/s²: what the pressure has to provide
            last = rate;
        }
        return most;
    };
    EXPECT_NEAR(largest_jump(1e-4), 6 / (0.01 * 0.01), 2000);
    EXPECT_NEAR(largest_jump(1e-3) / largest_jump(1e-4), 1, 0.25);
}

// What the surface has left outside is given up: its body's account makes up for it.
TYPED_TEST(AbsorbedTest, GoesWithTheFlowAndStaysInTheLiquid) {
    constexpr int Dim = TypeParam::kDim;
    const Field<float, Dim> phi = pool_level<Dim>();
    FaceField<Dim> velocity(phi.tiles_ptr());
    velocity[1].fill(3);
    std::vector<Absorbed<Dim>> absorbed{{Vec<double, Dim>(1.5), 1.0}, {Vec<double, Dim>(3.5), 1.0}};
    advect(absorbed, velocity, 0.004, 0.01);
    EXPECT_NEAR(absorbed[0].place[1], 1.5 + 1.2, 1e-6);
    EXPECT_NEAR(absorbed[0].pending(), 1 - 0.16 * (3 - 0.8), 1e-9) << "four tenths of the time have passed";
    remove_done(absorbed, phi);
    EXPECT_EQ(absorbed.size(), 1U);
}

}  // namespace
}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Where there is a pressure: in the liquid alone, or in its bubbles, too.
#include "schemes/medium.h"

#include "schemes/test_support.h"

namespace spindrift {
namespace {

template <class D>
class MediumTest : public ::testing::Test {};
TYPED_TEST_SUITE(MediumTest, Dimensions);

// A ball of air, of radius 3.3 cells, in a full basin.
template <int Dim>
Basin<Dim> bubble_in_a_basin() {
    return basin<Dim>(Index<Dim>(24), 0.1,
                      [](const Vec<double, Dim>& p) { return 0.33 - length(p - Vec<double, Dim>(1.17)); });
}

template <int Dim>
std::vector<CellGroup> air_of(const Basin<Dim>& b) {
    CellGroup bubble;
    for (std::size_t n = 0; n < b.tiles()->count(); ++n)
        for (int c = 0; c < kTileCells<Dim>; ++c) {
            const auto slot = static_cast<Slot>(n);
            if (!(b.phi.tile(slot)[c] < 0) && b.box().contains(b.tiles()->origin(slot) + cell_in_tile<Dim>(c)))
                bubble.push_back({slot, c});
        }
    return {bubble};
}

TYPED_TEST(MediumTest, WithoutBubblesItIsTheLiquid) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = bubble_in_a_basin<Dim>();
    const std::vector<CellGroup> none;
    for (const std::vector<CellGroup>* bubbles : {static_cast<const std::vector<CellGroup>*>(nullptr), &none}) {
        const Medium<Dim> medium(b.phi, b.boundaries, b.boundaries.open, bubbles);
        EXPECT_EQ(&medium.level(), &b.phi);
        EXPECT_EQ(&medium.conductance(), &b.boundaries.open);
        EXPECT_TRUE(medium.bubble_faces().empty());
    }
}

// The faces around the bubble are those between φ < 0 and φ ≥ 0, each once, and conduct by the part of their way that
// is liquid; the pressure is known everywhere.
TYPED_TEST(MediumTest, ABubbleHasAPressureAndFacesAllAround) {
    constexpr int Dim = TypeParam::kDim;
    const auto b = bubble_in_a_basin<Dim>();
    const std::vector<CellGroup> bubbles = air_of(b);
    ASSERT_GT(bubbles[0].size(), 20U);
    const Medium<Dim> medium(b.phi, b.boundaries, b.boundaries.open, &bubbles);
    std::size_t expected = 0;
    for (int axis = 0; axis < Dim; ++axis)
        for_each_index(b.box(), [&](const Index<Dim>& cell) {
            EXPECT_LT(medium.level().at(cell), 0);
            const Index<Dim> below = cell - unit<Dim>(axis);
            if (b.box().contains(below) && (b.phi.at(cell) < 0) != (b.phi.at(below) < 0)) ++expected;
        });
    EXPECT_EQ(medium.bubble_faces().size(), expected);
    for (const BubbleFace& face : medium.bubble_faces()) {
        const Index<Dim> above = b.tiles()->origin(face.slot) + cell_in_tile<Dim>(face.cell),
                         below = above - unit<Dim>(face.axis);
        const double liquid = b.phi.at(face.liquid_above ? above : below),
                     air = b.phi.at(face.liquid_above ? below : above);
        EXPECT_LT(liquid, 0);
        EXPECT_GE(air, 0);
        EXPECT_NEAR(face.theta, liquid / (liquid - air), 0.011);  // no less than a hundredth
        EXPECT_NEAR(medium.conductance()[face.axis].at(above) * face.theta, 1, 1e-5);
    }
    EXPECT_TRUE(medium.hollow_faces().empty());
}

}  // namespace
}  // namespace spindrift

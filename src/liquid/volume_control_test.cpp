// SPDX-License-Identifier: Apache-2.0
#include "liquid/volume_control.h"

#include "liquid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class VolumeControlTest : public ::testing::Test {};
TYPED_TEST_SUITE(VolumeControlTest, Dimensions);

// Two balls, one of which has moved: it alone makes good what is missing.
TYPED_TEST(VolumeControlTest, OnlyWhatMovedIsMoved) {
    constexpr int Dim = TypeParam::kDim;
    constexpr double kDx = 0.1, kRadius = 0.8, kDt = 0.1;
    Index<Dim> cells(24);
    cells[0] = 64;
    const LevelSetGrid<Dim> grid{kDx, {Index<Dim>(0), cells}, 6};
    const TilesPtr<Dim> tiles = Tiles<Dim>::covering(grid.box);
    Vec<double, Dim> still(1.2), moved(1.2);
    still[0] = 1.6, moved[0] = 4.8;
    Field<float, Dim> phi(tiles);
    const GridTransform<Dim> transform{Vec<double, Dim>(0.0), kDx};
    assign(phi, [&](const Index<Dim>& cell) {
        const Vec<double, Dim> p = transform.world_of_centre(cell);
        return static_cast<float>(std::min(length(p - still), length(p - moved)) - kRadius);
    });
    FaceField<Dim> velocity(tiles);
    assign(velocity[0], [&](const Index<Dim>& cell) { return cell[0] > 32 ? 1.0F : 0.0F; });

    const Field<float, Dim> start = phi;
    const double before = liquid_cells(phi, grid);
    const auto restore = [&](double volume) {
        const Field<float, Dim>* no_solids = nullptr;
        return restore_volume(phi, velocity, kDt, {{0, liquid_cells(phi, grid)}, {0, volume}}, grid, no_solids,
                              BodyLabels<Dim>{1, {}});
    };
    const Field<float, Dim> out = restore(1.01 * before);
    EXPECT_NEAR(liquid_cells(phi, grid), 1.01 * before, 1e-4 * before);
    for_each_index(grid.box, [&](const Index<Dim>& cell) {
        if (cell[0] < 31) {
            EXPECT_EQ(phi.at(cell), start.at(cell));
        } else {
            EXPECT_LE(phi.at(cell), start.at(cell));
        }
        EXPECT_NEAR(out.at(cell), start.at(cell) - phi.at(cell), 1e-6);
    });

    // Never by more than a tenth of the way.
    const Field<float, Dim> far_out = restore(10 * before);
    EXPECT_NEAR(*std::max_element(far_out.values().begin(), far_out.values().end()), 0.1 * kDt, 1e-6);
    for_each_index(grid.box,
                   [&](const Index<Dim>& cell) { EXPECT_GT(phi.at(cell), start.at(cell) - 0.21 * kDt - 1e-6); });
}

TEST(VolumeControl, DivergenceTakesTheErrorOffWithinBounds) {
    EXPECT_EQ(controlling_divergence(0, 0.01), 0);
    EXPECT_LT(controlling_divergence(0.01, 0.01), 0);
    EXPECT_GT(controlling_divergence(-0.01, 0.01), 0);
    // A whole step of it takes off less than all.
    EXPECT_LT(-controlling_divergence(0.01, 0.1) * 0.1, 0.01);
    EXPECT_NEAR(-controlling_divergence(5, 0.01) * 0.01, 0.05, 1e-12);
}

}  // namespace
}  // namespace spindrift

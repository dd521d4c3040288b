// SPDX-License-Identifier: Apache-2.0
#include "grid/transform.h"

#include "grid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class TransformTest : public ::testing::Test {};
TYPED_TEST_SUITE(TransformTest, Dimensions);

// An origin that differs along each axis, so that exchanged axes show.
template <int Dim>
GridTransform<Dim> oblique() {
    GridTransform<Dim> grid{.origin = {}, .dx = 0.25};
    for (int a = 0; a < Dim; ++a) grid.origin[a] = 10.0 * (a + 1);
    return grid;
}

TYPED_TEST(TransformTest, CellZeroStartsAtTheOriginAndSpansDx) {
    constexpr int Dim = TypeParam::kDim;
    const auto grid = oblique<Dim>();
    EXPECT_EQ(grid.world_from_cell(Vec<double, Dim>(0.0)), grid.origin);
    for (int a = 0; a < Dim; ++a) {
        const auto up = grid.world_from_cell(Vec<double, Dim>(unit<Dim>(a)));
        for (int b = 0; b < Dim; ++b) EXPECT_EQ(up[b] - grid.origin[b], a == b ? 0.25 : 0.0);
    }
}

TYPED_TEST(TransformTest, CentreIsTheMeanOfTheFacesOnEitherSide) {
    constexpr int Dim = TypeParam::kDim;
    const auto grid = oblique<Dim>();
    Index<Dim> cell;
    for (int a = 0; a < Dim; ++a) cell[a] = 3 - 5 * a;
    for (int a = 0; a < Dim; ++a) {
        const auto lower = grid.world_of_face(a, cell);
        const auto upper = grid.world_of_face(a, cell + unit<Dim>(a));
        EXPECT_EQ((lower + upper) * 0.5, grid.world_of_centre(cell));
        EXPECT_DOUBLE_EQ(length(upper - lower), grid.dx);
    }
}

TYPED_TEST(TransformTest, ThereAndBackIsTheSamePlaceFarFromTheOrigin) {
    constexpr int Dim = TypeParam::kDim;
    GridTransform<Dim> grid{.origin = Vec<double, Dim>(1e5), .dx = 0.01};
    std::mt19937 rng(3);
    for (int i = 0; i < 100; ++i) {
        const auto cell = Vec<double, Dim>(random_position<Dim>(rng, -1000, 1000));
        const auto back = grid.cell_from_world(grid.world_from_cell(cell));
        EXPECT_LT(length(back - cell), 1e-8);
    }
}

}  // namespace
}  // namespace spindrift

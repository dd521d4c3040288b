// SPDX-License-Identifier: Apache-2.0
#include "grid/refit.h"

#include "grid/measure.h"
#include "grid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class RefitTest : public ::testing::Test {};
TYPED_TEST_SUITE(RefitTest, Dimensions);

TYPED_TEST(RefitTest, KeepsWhatBothSetsHaveAndNothingElse) {
    constexpr int Dim = TypeParam::kDim;
    Field<float, Dim> field(ragged_tiles<Dim>(2, 0.6, 1), 9.0F);
    assign(field, [](const Index<Dim>& cell) { return scrambled(cell); });
    const auto target = ragged_tiles<Dim>(2, 0.6, 2);
    const Field<float, Dim> moved = refitted(field, target);
    EXPECT_EQ(moved.tiles_ptr(), target);
    for_each_index(IndexBox<Dim>{Index<Dim>(-26), Index<Dim>(27)}, [&](const Index<Dim>& cell) {
        const bool in_both =
            field.tiles().find(tile_of_cell(cell)) != kNoTile && target->find(tile_of_cell(cell)) != kNoTile;
        ASSERT_EQ(moved.at(cell), in_both ? scrambled(cell) : 9.0F);
    });
}

TYPED_TEST(RefitTest, ALargerSetAndBackLosesNothing) {
    constexpr int Dim = TypeParam::kDim;
    const auto small = ragged_tiles<Dim>(1, 0.6);
    FaceField<Dim> faces(small, 1.0F);
    for (int a = 0; a < Dim; ++a)
        assign(faces[a], [a](const Index<Dim>& cell) { return scrambled(cell + unit<Dim>(a)); });
    const auto before = state_hash(faces);
    refit(faces, Tiles<Dim>::covering({Index<Dim>(-20), Index<Dim>(30)}));
    EXPECT_NE(state_hash(faces), before);
    for (int a = 0; a < Dim; ++a) EXPECT_EQ(faces[a].tiles_ptr(), faces.tiles_ptr());
    refit(faces, small);
    EXPECT_EQ(state_hash(faces), before);
}

TYPED_TEST(RefitTest, SameTilesKeepTheMemory) {
    constexpr int Dim = TypeParam::kDim;
    Field<float, Dim> field(ragged_tiles<Dim>(1, 0.6));
    const float* values = field.tile(0);
    refit(field, field.tiles_ptr());
    EXPECT_EQ(field.tile(0), values);
}

TYPED_TEST(RefitTest, SameBitsOnAnyThreads) {
    constexpr int Dim = TypeParam::kDim;
    Field<float, Dim> field(ragged_tiles<Dim>(Dim == 2 ? 15 : 4, 0.6, 1), 9.0F);
    assign(field, [](const Index<Dim>& cell) { return scrambled(cell); });
    const auto target = ragged_tiles<Dim>(Dim == 2 ? 15 : 4, 0.6, 2);
    expect_same_on_any_threads([&] { return state_hash(refitted(field, target)); });
}

}  // namespace
}  // namespace spindrift

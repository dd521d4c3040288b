// SPDX-License-Identifier: Apache-2.0
#include "grid/field.h"

#include "grid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class FieldTest : public ::testing::Test {};
TYPED_TEST_SUITE(FieldTest, Dimensions);

TYPED_TEST(FieldTest, IsItsBackgroundUntilWrittenAndOutsideItsTiles) {
    constexpr int Dim = TypeParam::kDim;
    const auto tiles = ragged_tiles<Dim>(2, 0.5);
    Field<float, Dim> field(tiles, 2.5F);
    for_each_index(IndexBox<Dim>{Index<Dim>(-30), Index<Dim>(31)},
                   [&](const Index<Dim>& cell) { ASSERT_EQ(field.at(cell), 2.5F); });
    EXPECT_EQ(field.at(Index<Dim>(1 << 30)), 2.5F);
}

// Each cell of each tile, written through one way and read through another.
TYPED_TEST(FieldTest, CellsOfATileLieWithTheLastAxisFastest) {
    constexpr int Dim = TypeParam::kDim;
    Field<float, Dim> field(ragged_tiles<Dim>(2, 0.5), 7.0F);
    assign(field, [](const Index<Dim>& cell) { return scrambled(cell); });
    for_each_index(IndexBox<Dim>{Index<Dim>(-24), Index<Dim>(32)}, [&](const Index<Dim>& cell) {
        const Slot slot = field.tiles().find(tile_of_cell(cell));
        ASSERT_EQ(field.at(cell), slot == kNoTile ? 7.0F : scrambled(cell));
        if (slot == kNoTile) return;
        std::ptrdiff_t distance = 0;
        for (int a = 0; a < Dim; ++a) distance += (cell[a] - field.tiles().origin(slot)[a]) * tile_stride<Dim>(a);
        ASSERT_EQ(field.tile(slot)[distance], scrambled(cell));
    });
    const Index<Dim> written = field.tiles().origin(0) + unit<Dim>(0);
    field.ref(written) = 3;
    EXPECT_EQ(field.tile(0)[tile_stride<Dim>(0)], 3.0F);
    EXPECT_EQ(field.at(written), 3.0F);
}

TYPED_TEST(FieldTest, CopiesAreIndependent) {
    constexpr int Dim = TypeParam::kDim;
    Field<float, Dim> field(ragged_tiles<Dim>(1, 1.0), 1.0F);
    Field<float, Dim> copy = field;
    copy.fill(2);
    EXPECT_EQ(field.at(Index<Dim>(0)), 1.0F);
    EXPECT_EQ(copy.at(Index<Dim>(0)), 2.0F);
    EXPECT_EQ(copy.background(), 1.0F);
    EXPECT_EQ(copy.tiles_ptr(), field.tiles_ptr());
}

TYPED_TEST(FieldTest, WritingOutsideItsTilesStops) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    constexpr int Dim = TypeParam::kDim;
    Field<float, Dim> field(Tiles<Dim>::covering({Index<Dim>(0), Index<Dim>(8)}));
    EXPECT_DEATH(field.ref(Index<Dim>(8)) = 1, "1 tiles over cells \\(0, 0.* was to be written");
}

TYPED_TEST(FieldTest, MismatchedTilesNameBothSides) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    constexpr int Dim = TypeParam::kDim;
    const auto a = Tiles<Dim>::covering({Index<Dim>(0), Index<Dim>(8)});
    const auto b = Tiles<Dim>::covering({Index<Dim>(8), Index<Dim>(16)});
    EXPECT_DEATH(
        check_same_tiles("mix", "water", *a, "oil", *b),
        "mix: water lives on 1 tiles over cells \\(0, .* to \\(8, .*oil on 1 tiles over cells \\(8, .* to \\(16, ");
    check_same_tiles("mix", "water", *a, "oil", *Tiles<Dim>::covering({Index<Dim>(0), Index<Dim>(8)}));
}

}  // namespace
}  // namespace spindrift

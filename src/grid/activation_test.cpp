// SPDX-License-Identifier: Apache-2.0
#include "grid/activation.h"

#include <set>

#include "grid/measure.h"
#include "grid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class ActivationTest : public ::testing::Test {};
TYPED_TEST_SUITE(ActivationTest, Dimensions);

template <int Dim>
std::set<Index<Dim>> as_set(const Tiles<Dim>& tiles) {
    std::set<Index<Dim>> all;
    for (std::size_t slot = 0; slot < tiles.count(); ++slot) all.insert(tiles.coordinate(static_cast<Slot>(slot)));
    return all;
}

template <int Dim>
void add_box(std::set<Index<Dim>>& tiles, const Index<Dim>& lo, const Index<Dim>& last) {
    for_each_index(IndexBox<Dim>{lo, last + Index<Dim>(1)}, [&](const Index<Dim>& tile) { tiles.insert(tile); });
}

TYPED_TEST(ActivationTest, KeepsTilesWithACellThatSatisfies) {
    constexpr int Dim = TypeParam::kDim;
    Field<float, Dim> field(ragged_tiles<Dim>(2, 0.7), -1.0F);
    field.fill(1);
    const Index<Dim> corner = field.tiles().origin(3) + Index<Dim>(kTileSide - 1);
    field.ref(corner) = -0.5F;
    const auto inside = tiles_where(field, [](float phi) { return phi < 0; });
    EXPECT_EQ(as_set(*inside), std::set<Index<Dim>>{tile_of_cell(corner)});
    EXPECT_EQ(tiles_where(field, [](float phi) { return phi > 0; }), field.tiles_ptr());
    EXPECT_EQ(tiles_where(field, [](float phi) { return phi > 1; })->count(), 0U);
}

TYPED_TEST(ActivationTest, DilatesByTilesLikeBruteForce) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    constexpr int Dim = TypeParam::kDim;
    // A block with an inside, so that leaving the inside out is put to the test, and loose tiles around it.
    auto tiles = unite(ragged_tiles<Dim>(4, 0.05), Tiles<Dim>::covering({Index<Dim>(-8), Index<Dim>(24)}));
    for (const int n : {0, 1, 2, 5}) {
        std::set<Index<Dim>> expected;
        for (const auto& tile : as_set(*tiles)) add_box(expected, tile - Index<Dim>(n), tile + Index<Dim>(n));
        EXPECT_EQ(as_set(*dilate_tiles(tiles, n)), expected) << n << " tiles";
    }
    EXPECT_EQ(dilate_tiles(Tiles<Dim>::from_coordinates({}), 3)->count(), 0U);
    EXPECT_DEATH(dilate_tiles(tiles, -1), "by -1 tiles");
}

TYPED_TEST(ActivationTest, DilatesByCellsLikeBruteForce) {
    constexpr int Dim = TypeParam::kDim;
    Field<std::uint8_t, Dim> mask(ragged_tiles<Dim>(2, 0.4));
    std::mt19937 rng(7);
    std::uniform_int_distribution<std::size_t> any(0, mask.values().size() - 1);
    for (int i = 0; i < 12; ++i) mask.values()[any(rng)] = static_cast<std::uint8_t>(1 + i);
    for (const int n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 19}) {
        std::set<Index<Dim>> expected;
        for_each_index(mask.tiles().cell_bounds(), [&](const Index<Dim>& cell) {
            if (mask.at(cell) != 0)
                add_box(expected, tile_of_cell(cell - Index<Dim>(n)), tile_of_cell(cell + Index<Dim>(n)));
        });
        EXPECT_EQ(as_set(*dilate_cells(mask, n)), expected) << n << " cells";
    }
}

TYPED_TEST(ActivationTest, NothingMarkedReachesNothing) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    constexpr int Dim = TypeParam::kDim;
    const Field<std::uint8_t, Dim> mask(ragged_tiles<Dim>(2, 0.4));
    EXPECT_EQ(dilate_cells(mask, 20)->count(), 0U);
    const Field<std::uint8_t, Dim> everywhere(ragged_tiles<Dim>(2, 0.4), 1);
    EXPECT_DEATH(dilate_cells(everywhere, 1), "marks everything outside");
}

TYPED_TEST(ActivationTest, UnionIsThatOfSetsAndKeepsTheObjectWhenItCan) {
    constexpr int Dim = TypeParam::kDim;
    const auto a = ragged_tiles<Dim>(2, 0.5, 1), b = ragged_tiles<Dim>(3, 0.5, 2);
    auto expected = as_set(*a);
    expected.merge(as_set(*b));
    const auto both = unite(a, b);
    EXPECT_EQ(as_set(*both), expected);
    EXPECT_EQ(unite(both, a), both);
    EXPECT_EQ(unite(b, both), both);
}

TYPED_TEST(ActivationTest, ClipKeepsTilesThatTouchTheBox) {
    constexpr int Dim = TypeParam::kDim;
    const auto tiles = ragged_tiles<Dim>(3, 0.8);
    const IndexBox<Dim> box{Index<Dim>(-9), Index<Dim>(8)};
    std::set<Index<Dim>> expected;
    for (const auto& tile : as_set(*tiles))
        if (IndexBox<Dim>{Index<Dim>(-2), Index<Dim>(1)}.contains(tile)) expected.insert(tile);
    EXPECT_EQ(as_set(*clip(tiles, box)), expected);
    EXPECT_EQ(clip(tiles, tiles->cell_bounds()), tiles);
    EXPECT_EQ(clip(tiles, {Index<Dim>(5), Index<Dim>(5)})->count(), 0U);
}

// A mask that is 2D, extruded over one layer of tiles, reaches the same columns of tiles.
TEST(ActivationExtrusionTest, FlatMaskReachesTheSameColumns) {
    Field<std::uint8_t, 2> flat(Tiles<2>::covering({Index<2>(0), Index<2>(24)}));
    flat.ref({2, 17}) = 1;
    flat.ref({20, 9}) = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const auto insert = [axis](const Index<2>& c, int height) {
            Index<3> out;
            for (int a = 0, b = 0; a < 3; ++a) out[a] = a == axis ? height : c[b++];
            return out;
        };
        Field<std::uint8_t, 3> tall(Tiles<3>::covering({Index<3>(0), insert({24, 24}, 8)}));
        for (int h = 0; h < kTileSide; ++h) tall.ref(insert({2, 17}, h)) = tall.ref(insert({20, 9}, h)) = 1;
        std::set<Index<3>> expected;
        for (const auto& tile : as_set(*dilate_cells(flat, 3)))
            for (int layer = -1; layer <= 1; ++layer) expected.insert(insert(tile, layer));
        EXPECT_EQ(as_set(*dilate_cells(tall, 3)), expected) << "along axis " << axis;
    }
}

TYPED_TEST(ActivationTest, SameTilesOnAnyThreads) {
    constexpr int Dim = TypeParam::kDim;
    Field<float, Dim> field(ragged_tiles<Dim>(Dim == 2 ? 15 : 4, 0.6));
    assign(field, [](const Index<Dim>& cell) { return scrambled(cell); });
    Field<std::uint8_t, Dim> mask(field.tiles_ptr());
    assign(mask, [](const Index<Dim>& cell) -> std::uint8_t { return scrambled(cell) > 0.999F; });
    expect_same_on_any_threads([&] {
        return std::vector{state_hash(*tiles_where(field, [](float v) { return v > 0.998F; })),
                           state_hash(*dilate_cells(mask, 13)),
                           state_hash(*clip(field.tiles_ptr(), {Index<Dim>(-11), Index<Dim>(13)}))};
    });
}

}  // namespace
}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "grid/tiles.h"

#include <limits>
#include <set>

#include "grid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class TilesTest : public ::testing::Test {};
TYPED_TEST_SUITE(TilesTest, Dimensions);

template <int Dim>
std::vector<Index<Dim>> coordinates(const Tiles<Dim>& tiles) {
    std::vector<Index<Dim>> all;
    for (std::size_t slot = 0; slot < tiles.count(); ++slot) all.push_back(tiles.coordinate(static_cast<Slot>(slot)));
    return all;
}

TYPED_TEST(TilesTest, EachTileComesAfterItsLowerNeighbours) {
    constexpr int Dim = TypeParam::kDim;
    const auto tiles = ragged_tiles<Dim>(4, 0.7);
    int pairs = 0;
    for (std::size_t slot = 0; slot < tiles->count(); ++slot)
        for (int a = 0; a < Dim; ++a) {
            const Slot below = tiles->neighbour(static_cast<Slot>(slot), side_neighbour<Dim>(a, false));
            if (below == kNoTile) continue;
            EXPECT_LT(below, static_cast<Slot>(slot));
            ++pairs;
        }
    EXPECT_GT(pairs, 20);
}

// What makes tiles compact in memory: blocks of 8 tiles a side are consecutive, and so are the rows inside them.
TYPED_TEST(TilesTest, SlotsGoBlockByBlock) {
    constexpr int Dim = TypeParam::kDim;
    constexpr int kSide = 8;
    const auto tiles = Tiles<Dim>::covering({Index<Dim>(-kSide * kTileSide), Index<Dim>(kSide * kTileSide)});
    Slot slot = 0;
    for_each_index(IndexBox<Dim>{Index<Dim>(-1), Index<Dim>(1)}, [&](const Index<Dim>& block) {
        const Index<Dim> first = block * kSide;
        for_each_index(IndexBox<Dim>{first, first + Index<Dim>(kSide)},
                       [&](const Index<Dim>& tile) { EXPECT_EQ(tiles->coordinate(slot++), tile); });
    });
    EXPECT_EQ(static_cast<std::size_t>(slot), tiles->count());
}

TYPED_TEST(TilesTest, SearchAndNeighboursAgreeWithBruteForce) {
    constexpr int Dim = TypeParam::kDim;
    const auto tiles = ragged_tiles<Dim>(3, 0.5);
    const auto brute_force = [all = coordinates(*tiles)](const Index<Dim>& c) {
        const auto it = std::find(all.begin(), all.end(), c);
        return it == all.end() ? kNoTile : static_cast<Slot>(it - all.begin());
    };
    for_each_index(IndexBox<Dim>{Index<Dim>(-5), Index<Dim>(6)}, [&](const Index<Dim>& c) {
        const Slot slot = brute_force(c);
        EXPECT_EQ(tiles->find(c), slot);
        if (slot == kNoTile) return;
        for_each_index(IndexBox<Dim>{Index<Dim>(-1), Index<Dim>(2)}, [&](const Index<Dim>& side) {
            EXPECT_EQ(tiles->neighbour(slot, neighbour_number(side)), brute_force(c + side));
        });
        EXPECT_EQ(tiles->neighbour(slot, kSelf<Dim>), slot);
    });
}

TYPED_TEST(TilesTest, OrderAndRepetitionOfTheInputDoNotMatter) {
    constexpr int Dim = TypeParam::kDim;
    const auto tiles = ragged_tiles<Dim>(3, 0.5);
    auto shuffled = coordinates(*tiles);
    const auto once = shuffled;
    shuffled.insert(shuffled.end(), once.begin(), once.end());
    std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(5));
    const auto again = Tiles<Dim>::from_coordinates(shuffled);
    EXPECT_TRUE(same_tiles(*tiles, *again));

    shuffled.push_back(Index<Dim>(100));
    EXPECT_FALSE(same_tiles(*tiles, *Tiles<Dim>::from_coordinates(shuffled)));
}

TYPED_TEST(TilesTest, CoversExactlyTheBoxAlsoBelowZero) {
    constexpr int Dim = TypeParam::kDim;
    const IndexBox<Dim> box{Index<Dim>(-9), Index<Dim>(17)};
    const auto tiles = Tiles<Dim>::covering(box);
    EXPECT_EQ(tiles->cell_bounds(), (IndexBox<Dim>{Index<Dim>(-16), Index<Dim>(24)}));
    EXPECT_EQ(tiles->count(), static_cast<std::size_t>(product(Index<Dim>(5))));
    const auto one = Tiles<Dim>::covering({Index<Dim>(-1), Index<Dim>(0)});
    ASSERT_EQ(one->count(), 1U);
    EXPECT_EQ(one->coordinate(0), Index<Dim>(-1));
    EXPECT_EQ(one->origin(0), Index<Dim>(-kTileSide));
}

TYPED_TEST(TilesTest, EmptySetFindsNothing) {
    constexpr int Dim = TypeParam::kDim;
    for (const auto& tiles : {Tiles<Dim>::from_coordinates({}), Tiles<Dim>::covering({Index<Dim>(3), Index<Dim>(3)})}) {
        EXPECT_EQ(tiles->count(), 0U);
        EXPECT_EQ(tiles->find(Index<Dim>(0)), kNoTile);
        EXPECT_TRUE(tiles->cell_bounds().empty());
        EXPECT_EQ(tiles->describe(), "no tiles");
        for_each_tile(*tiles, [](Slot) { FAIL(); });
    }
}

TYPED_TEST(TilesTest, TilesAtTheEndOfTheWorldWork) {
    constexpr int Dim = TypeParam::kDim;
    constexpr int kFar = Dim == 2 ? (1 << 28) - 2 : (1 << 20) - 2;
    const auto tiles = Tiles<Dim>::from_coordinates({Index<Dim>(kFar), Index<Dim>(-kFar), Index<Dim>(0)});
    ASSERT_EQ(tiles->count(), 3U);
    EXPECT_EQ(tiles->coordinate(0), Index<Dim>(-kFar));
    EXPECT_EQ(tiles->coordinate(2), Index<Dim>(kFar));
    EXPECT_EQ(tiles->find(Index<Dim>(kFar)), 2);
    EXPECT_EQ(tiles->find(Index<Dim>(kFar + 1)), kNoTile);
    EXPECT_EQ(tiles->find(Index<Dim>(std::numeric_limits<int>::max())), kNoTile);
    EXPECT_EQ(tiles->find(Index<Dim>(std::numeric_limits<int>::min())), kNoTile);
    EXPECT_EQ(tiles->cell_bounds().hi, Index<Dim>((kFar + 1) * kTileSide));
}

TYPED_TEST(TilesTest, TilesBeyondItAreRefusedByName) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    constexpr int Dim = TypeParam::kDim;
    constexpr int kTooFar = 1 << 29;
    EXPECT_DEATH(Tiles<Dim>::from_coordinates({Index<Dim>(kTooFar)}), "\\(536870912, .*too far");
    EXPECT_DEATH(Tiles<Dim>::from_coordinates({Index<Dim>(-kTooFar)}), "\\(-536870912, .*too far");
}

TYPED_TEST(TilesTest, EveryTileIsVisitedOnceOnAnyThreads) {
    constexpr int Dim = TypeParam::kDim;
    const auto tiles = ragged_tiles<Dim>(Dim == 2 ? 15 : 4, 0.8);
    ASSERT_GT(tiles->count(), 3 * kTilesPerBlock<Dim>);
    expect_same_on_any_threads([&] {
        std::vector<int> visits(tiles->count());
        for_each_tile(*tiles, [&](Slot slot) { ++visits[static_cast<std::size_t>(slot)]; });
        EXPECT_EQ(visits, std::vector<int>(tiles->count(), 1));
        // Numbers whose float sum depends on the order of addition.
        return sum_over_tiles(*tiles, 0.0F, [&](Slot slot) { return 1.0F / static_cast<float>(slot + 1); });
    });
}

}  // namespace
}  // namespace spindrift

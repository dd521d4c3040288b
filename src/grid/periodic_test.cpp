// SPDX-License-Identifier: Apache-2.0
// Tiles that repeat themselves: whatever reads across the end of a period sees what lies at its beginning.
#include "grid/activation.h"
#include "grid/cubic_sampler.h"
#include "grid/halo.h"
#include "grid/measure.h"
#include "grid/refit.h"
#include "grid/sampler.h"
#include "grid/test_support.h"

namespace spindrift {
namespace {

template <class T>
class Periodic : public ::testing::Test {};
TYPED_TEST_SUITE(Periodic, Dimensions);

// Repeats along the first and the last axis, or the first alone; 3 tiles along the first, 1 along the last.
template <int Dim>
Index<Dim> some_period() {
    Index<Dim> period{};
    period[0] = 3;
    period[Dim - 1] = 1;
    return period;
}
template <int Dim>
TilesPtr<Dim> ring() {
    Index<Dim> hi(16);
    hi[0] = 24;
    hi[Dim - 1] = 8;
    return Tiles<Dim>::covering({Index<Dim>(0), hi}, some_period<Dim>());
}

// The cell that a cell repeats.
template <int Dim>
Index<Dim> in_ring(const Index<Dim>& cell) {
    return wrap(cell, some_period<Dim>() * kTileSide);
}

TYPED_TEST(Periodic, SearchAndNeighboursGoRound) {
    constexpr int Dim = TypeParam::kDim;
    const auto tiles = ring<Dim>();
    for (std::size_t n = 0; n < tiles->count(); ++n) {
        const auto slot = static_cast<Slot>(n);
        const Index<Dim> at = tiles->coordinate(slot);
        for_each_index(IndexBox<Dim>{Index<Dim>(-1), Index<Dim>(2)}, [&](const Index<Dim>& side) {
            const Index<Dim> beside = wrap(at + side, some_period<Dim>());
            Slot expected = kNoTile;
            for (std::size_t m = 0; m < tiles->count(); ++m)
                if (tiles->coordinate(static_cast<Slot>(m)) == beside) expected = static_cast<Slot>(m);
            EXPECT_EQ(tiles->neighbour(slot, neighbour_number(side)), expected);
            EXPECT_EQ(tiles->find(at + side), expected);
        });
        for (const int turns : {-7, -1, 1, 5}) EXPECT_EQ(tiles->find(at + some_period<Dim>() * turns), slot);
    }
}

TYPED_TEST(Periodic, EveryCopyOfATileIsTheSame) {
    constexpr int Dim = TypeParam::kDim;
    const auto tiles = ring<Dim>();
    std::vector<Index<Dim>> moved;
    for (std::size_t n = 0; n < tiles->count(); ++n)
        moved.push_back(tiles->coordinate(static_cast<Slot>(n)) + some_period<Dim>() * static_cast<int>(n % 5) -
                        some_period<Dim>() * 2);
    EXPECT_TRUE(same_tiles(*tiles, *Tiles<Dim>::from_coordinates(moved, some_period<Dim>())));

    // The same tiles in space that does not repeat are another set.
    const auto plain = Tiles<Dim>::covering(tiles->cell_bounds());
    EXPECT_FALSE(same_tiles(*tiles, *plain));
    EXPECT_NE(state_hash(*tiles), state_hash(*plain));
}

TYPED_TEST(Periodic, HaloAndSamplersReadRound) {
    constexpr int Dim = TypeParam::kDim;
    Field<float, Dim> field(ring<Dim>(), 7.0F);
    assign(field, [](const Index<Dim>& cell) { return scrambled(cell); });
    const auto expected = [&](const Index<Dim>& cell) {
        const Index<Dim> at = in_ring(cell);
        return field.tiles().cell_bounds().contains(at) ? scrambled(at) : 7.0F;
    };
    for (std::size_t n = 0; n < field.tiles().count(); ++n) {
        const HaloBlock<float, Dim, 2> block(field, static_cast<Slot>(n));
        const Index<Dim> origin = field.tiles().origin(static_cast<Slot>(n));
        for_each_index(IndexBox<Dim>{Index<Dim>(-2), Index<Dim>(kTileSide + 2)},
                       [&](const Index<Dim>& c) { ASSERT_EQ(block(c), expected(origin + c)); });
    }

    std::mt19937 rng(3);
    LinearSampler<Dim> linear(field), fresh_linear(field);
    MonotoneCubicSampler<Dim> cubic(field), cubic_at_home(field);
    FaceField<Dim> faces;
    for (auto& c : faces.component) c = field;
    FaceSampler<Dim> face(faces), face_at_home(faces);
    for (int n = 0; n < 2000; ++n) {
        Vec<float, Dim> home = random_position<Dim>(rng, 0, 8), away = home;
        for (int a = 0; a < Dim; ++a) {
            // Quarters of cells, so that moving by whole periods does not round.
            home[a] = std::round(home[a] * 4) / 4;
            away[a] =
                home[a] + static_cast<float>(some_period<Dim>()[a] * kTileSide * (static_cast<int>(rng() % 7) - 3));
        }
        EXPECT_EQ(linear(away), fresh_linear(home));
        EXPECT_EQ(cubic(away), cubic_at_home(home));
        EXPECT_EQ(face(away), face_at_home(home));
    }
    // At a centre the value is the cell's.
    for_each_index(IndexBox<Dim>{Index<Dim>(-9), Index<Dim>(12)},
                   [&](const Index<Dim>& c) { EXPECT_EQ(linear(Vec<float, Dim>(c) + kCellCentre<Dim>), expected(c)); });
}

TYPED_TEST(Periodic, DilationGoesRoundAndNoTileTwice) {
    constexpr int Dim = TypeParam::kDim;
    Index<Dim> period(4);
    const auto corner = Tiles<Dim>::from_coordinates({Index<Dim>(0)}, period);
    const auto grown = dilate_tiles(corner, 1);
    EXPECT_EQ(grown->count(), static_cast<std::size_t>(kNeighbours<Dim>));
    EXPECT_NE(grown->find(Index<Dim>(3)), kNoTile);
    EXPECT_EQ(grown->find(Index<Dim>(2)), kNoTile);
    EXPECT_EQ(grown->period(), period);
    EXPECT_EQ(dilate_tiles(grown, 3)->count(), static_cast<std::size_t>(product(period)));

    Field<std::uint8_t, Dim> mask(corner);
    mask.ref(Index<Dim>(1)) = 1;
    EXPECT_EQ(dilate_cells(mask, 1)->count(), 1U);
    const auto reached = dilate_cells(mask, 2);
    EXPECT_EQ(reached->count(), std::size_t{1} << Dim);
    EXPECT_NE(reached->find(Index<Dim>(-1)), kNoTile);

    // A field moves to the larger set and back.
    Field<float, Dim> field(corner, 0.5F);
    assign(field, [](const Index<Dim>& c) { return scrambled(c); });
    EXPECT_EQ(state_hash(refitted(refitted(field, grown), corner)), state_hash(field));
}

}  // namespace
}  // namespace spindrift

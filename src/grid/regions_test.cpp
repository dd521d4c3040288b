// SPDX-License-Identifier: Apache-2.0
#include "grid/regions.h"

#include <map>

#include "grid/activation.h"
#include "grid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class RegionsTest : public ::testing::Test {};
TYPED_TEST_SUITE(RegionsTest, Dimensions);

template <int Dim>
std::function<void(Slot, std::uint16_t*)> marks(const Tiles<Dim>& tiles,
                                                std::function<bool(const Index<Dim>&)> is_marked) {
    return [&tiles, is_marked](Slot slot, std::uint16_t* label) {
        for (int n = 0; n < kTileCells<Dim>; ++n)
            label[n] = is_marked(tiles.origin(slot) + cell_in_tile<Dim>(n)) ? 0 : Regions<Dim>::kUnmarked;
    };
}

// The plain definition: flooding from each cell not met before.
template <int Dim>
std::vector<std::size_t> flooded(const FaceField<Dim>& open, const std::function<bool(const Index<Dim>&)>& is_marked) {
    const Tiles<Dim>& tiles = open.tiles();
    Field<std::int32_t, Dim> label(open.tiles_ptr(), -1);
    std::int32_t count = 0;
    std::vector<std::size_t> found;
    for (std::size_t n = 0; n < tiles.cell_count(); ++n) {
        const auto slot = static_cast<Slot>(n / kTileCells<Dim>);
        const Index<Dim> start = tiles.origin(slot) + cell_in_tile<Dim>(static_cast<int>(n % kTileCells<Dim>));
        if (!is_marked(start)) continue;
        if (label.at(start) < 0) {
            std::vector<Index<Dim>> next{start};
            label.ref(start) = count;
            while (!next.empty()) {
                const Index<Dim> cell = next.back();
                next.pop_back();
                for (int axis = 0; axis < Dim; ++axis)
                    for (const int side : {0, 1}) {
                        const Index<Dim> face = cell + unit<Dim>(axis) * side,
                                         there = cell + unit<Dim>(axis) * (2 * side - 1);
                        if (tiles.find(tile_of_cell(there)) == kNoTile || !is_marked(there)) continue;
                        if (!(open[axis].at(face) > 0) || label.at(there) >= 0) continue;
                        label.ref(there) = count;
                        next.push_back(there);
                    }
            }
            ++count;
        }
        found.push_back(static_cast<std::size_t>(label.at(start)));
    }
    return found;
}

// Random cells and random closed faces on ragged tiles: as flooding finds them, numbered in the order of first cells.
TYPED_TEST(RegionsTest, AreWhatFloodingFinds) {
    constexpr int Dim = TypeParam::kDim;
    const TilesPtr<Dim> tiles = ragged_tiles<Dim>(2, 0.7);
    FaceField<Dim> open(tiles);
    for (int axis = 0; axis < Dim; ++axis)
        assign(open[axis], [axis](const Index<Dim>& cell) {
            return scrambled<Dim>(cell * 3 + Index<Dim>(axis)) > -0.2F ? 0.5F : 0.0F;
        });
    const std::function<bool(const Index<Dim>&)> is_marked = [](const Index<Dim>& cell) {
        return scrambled<Dim>(cell) > -0.3F;
    };
    const Regions<Dim> regions = connected_regions<Dim>(open, marks<Dim>(*tiles, is_marked));
    std::vector<std::size_t> found;
    for (std::size_t n = 0; n < tiles->cell_count(); ++n) {
        const auto slot = static_cast<Slot>(n / kTileCells<Dim>);
        const int cell = static_cast<int>(n % kTileCells<Dim>);
        if (regions.is_marked(slot, cell)) found.push_back(regions.at(slot, cell));
    }
    EXPECT_EQ(found, flooded<Dim>(open, is_marked));
    EXPECT_GT(regions.count, 10u);
}

// The plain definition of groups: the same regions on all tiles of the box, where every cell without a tile is marked.
TYPED_TEST(RegionsTest, GroupsAreConnectedThroughUntiledPlaces) {
    constexpr int Dim = TypeParam::kDim;
    const IndexBox<Dim> box{Index<Dim>(-33), Index<Dim>(30)};
    for (const double part : {0.4, 0.7, 0.9}) {
        const TilesPtr<Dim> tiles = clip(ragged_tiles<Dim>(3, part), box);
        const std::function<bool(const Index<Dim>&)> in_tiles = [&](const Index<Dim>& cell) {
            return box.contains(cell) && scrambled<Dim>(cell) > -0.2F;
        };
        const auto all_open = [](const TilesPtr<Dim>& on) {
            FaceField<Dim> open(on);
            for (int axis = 0; axis < Dim; ++axis) open[axis].fill(1.0F);
            return open;
        };
        const Regions<Dim> regions = connected_regions<Dim>(all_open(tiles), marks<Dim>(*tiles, in_tiles));
        const RegionGroups<Dim> groups = grouped_regions(regions, box);

        const TilesPtr<Dim> all = Tiles<Dim>::covering(box);
        const auto has_tile = [&](const Index<Dim>& cell) { return tiles->find(tile_of_cell(cell)) != kNoTile; };
        const Regions<Dim> whole =
            connected_regions<Dim>(all_open(all), marks<Dim>(*all, [&](const Index<Dim>& cell) {
                                       return box.contains(cell) && (has_tile(cell) ? in_tiles(cell) : true);
                                   }));
        std::map<std::size_t, std::size_t> group_of_region;
        std::vector<double> untiled(groups.count, 0.0);
        for_each_index(box, [&](const Index<Dim>& cell) {
            if (!has_tile(cell) || !in_tiles(cell)) return;
            const std::size_t there = whole.at(all->find(tile_of_cell(cell)), offset_in_tile(cell)),
                              here = groups.group_of[regions.at(tiles->find(tile_of_cell(cell)), offset_in_tile(cell))];
            EXPECT_EQ(group_of_region.emplace(there, here).first->second, here) << "at " << cell[0] << " " << cell[1];
        });
        EXPECT_EQ(group_of_region.size(), groups.count);
        for_each_index(box, [&](const Index<Dim>& cell) {
            if (has_tile(cell)) return;
            const auto found = group_of_region.find(whole.at(all->find(tile_of_cell(cell)), offset_in_tile(cell)));
            if (found != group_of_region.end()) untiled[found->second] += 1;
        });
        EXPECT_EQ(groups.untiled, untiled);
    }
}

TYPED_TEST(RegionsTest, SumsByLabelHaveTheSameBitsOnAnyThreads) {
    constexpr int Dim = TypeParam::kDim;
    const TilesPtr<Dim> tiles = ragged_tiles<Dim>(3, 0.8);
    expect_same_on_any_threads([&] {
        return sums_by_label(*tiles, 5, [&](Slot slot, auto&& add) {
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const Index<Dim> cell = tiles->origin(slot) + cell_in_tile<Dim>(n);
                add(static_cast<std::size_t>(n % 5), double{scrambled<Dim>(cell)} / 3);
            }
        });
    });
}

}  // namespace
}  // namespace spindrift

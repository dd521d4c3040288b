// SPDX-License-Identifier: Apache-2.0
#include "schemes/unknown_cells.h"

#include "grid/measure.h"
#include "schemes/test_support.h"

namespace spindrift {
namespace {

template <class T>
class UnknownCellsTest : public ::testing::Test {};
TYPED_TEST_SUITE(UnknownCellsTest, Dimensions);

constexpr int kCells = 24;

// Beyond a slanted plane, across tiles.
template <int Dim>
bool is_known(const Index<Dim>& cell) {
    return 2 * cell[0] + cell[1] < 37;
}
template <int Dim>
Field<std::uint8_t, Dim> known_cells(const Domain<Dim>& domain) {
    Field<std::uint8_t, Dim> known(domain.all_tiles());
    assign(known, [](const Index<Dim>& cell) { return static_cast<std::uint8_t>(is_known(cell)); });
    return known;
}

// A layer takes the means of what is known, the next one those of this and of what is known; the rest stays as it is.
TYPED_TEST(UnknownCellsTest, TakeTheMeanOfWhatIsBesideThemLayerByLayer) {
    constexpr int Dim = TypeParam::kDim;
    const Domain<Dim> domain = unit_domain<Dim>(kCells, TestSides::closed);
    Field<float, Dim> field(domain.all_tiles());
    assign(field, [](const Index<Dim>& cell) {
        return is_known(cell) ? static_cast<float>(cell[0] * cell[0] + 3 * cell[Dim - 1]) : -1.0F;
    });
    Field<float, Dim> expected = field;
    std::vector<Index<Dim>> layers[2];
    const auto layer_of = [&](const Index<Dim>& cell) {
        if (is_known(cell)) return 0;
        for (int layer = 0; layer < 2; ++layer)
            if (std::find(layers[layer].begin(), layers[layer].end(), cell) != layers[layer].end()) return layer + 1;
        return 3;
    };
    for (int layer = 1; layer <= 2; ++layer) {
        std::vector<Index<Dim>> found;
        for_each_index(domain.box, [&](const Index<Dim>& cell) {
            if (layer_of(cell) < layer) return;
            float sum = 0;
            int count = 0;
            for (int a = 0; a < Dim; ++a)
                for (const int side : {-1, 1}) {
                    const Index<Dim> beside = cell + unit<Dim>(a) * side;
                    if (!domain.box.contains(beside) || layer_of(beside) >= layer) continue;
                    sum += expected.at(beside);
                    ++count;
                }
            if (count == 0) return;
            found.push_back(cell);
            expected.tile(expected.tiles().find(tile_of_cell(cell)))[offset_in_tile(cell)] =
                sum / static_cast<float>(count);
        });
        layers[layer - 1] = std::move(found);
    }
    ASSERT_FALSE(layers[1].empty());
    extrapolate(field, unknown_cells(known_cells(domain), domain));
    EXPECT_EQ(state_hash(field), state_hash(expected));
}

}  // namespace
}  // namespace spindrift

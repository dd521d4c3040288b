// SPDX-License-Identifier: Apache-2.0
#include "grid/halo.h"

#include "grid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class HaloTest : public ::testing::Test {};
TYPED_TEST_SUITE(HaloTest, Dimensions);

template <int Dim, int Width>
void expect_block_equals_field(const Field<float, Dim>& field) {
    int missing = 0;
    for (std::size_t s = 0; s < field.tiles().count(); ++s) {
        const Slot slot = static_cast<Slot>(s);
        const HaloBlock<float, Dim, Width> block(field, slot);
        const IndexBox<Dim> cells{Index<Dim>(-Width), Index<Dim>(kTileSide + Width)};
        for_each_index(cells, [&](const Index<Dim>& cell) {
            const Index<Dim> global = field.tiles().origin(slot) + cell;
            ASSERT_EQ(block(cell), field.at(global)) << "width " << Width << ", slot " << slot;
            missing += field.tiles().find(tile_of_cell(global)) == kNoTile ? 1 : 0;
            for (int a = 0; a < Dim; ++a) {
                if (cell[a] + 1 < kTileSide + Width) {
                    ASSERT_EQ(block.at(cell)[block.stride(a)], block(cell + unit<Dim>(a)));
                }
            }
        });
    }
    EXPECT_GT(missing, 0);
}

TYPED_TEST(HaloTest, HoldsTheTileAndAllAroundIt) {
    constexpr int Dim = TypeParam::kDim;
    Field<float, Dim> field(ragged_tiles<Dim>(1, 0.6), -5.0F);
    assign(field, [](const Index<Dim>& cell) { return scrambled(cell); });
    expect_block_equals_field<Dim, 1>(field);
    expect_block_equals_field<Dim, 2>(field);
    expect_block_equals_field<Dim, 3>(field);
    expect_block_equals_field<Dim, 4>(field);
    expect_block_equals_field<Dim, kTileSide>(field);
}

}  // namespace
}  // namespace spindrift

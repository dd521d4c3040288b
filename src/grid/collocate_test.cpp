// SPDX-License-Identifier: Apache-2.0
#include "grid/collocate.h"

#include "grid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class CollocateTest : public ::testing::Test {};
TYPED_TEST_SUITE(CollocateTest, Dimensions);

// Across tile sides, past missing tiles, with a background of its own per axis.
TYPED_TEST(CollocateTest, EachCellHasTheMeanOfItsTwoFaces) {
    constexpr int Dim = TypeParam::kDim;
    FaceField<Dim> faces;
    const TilesPtr<Dim> tiles = ragged_tiles<Dim>(2, 0.6);
    for (int axis = 0; axis < Dim; ++axis) {
        faces[axis] = Field<float, Dim>(tiles, 3.0F + static_cast<float>(axis));
        assign(faces[axis], [&](const Index<Dim>& cell) { return scrambled(cell + Index<Dim>(100 * axis)); });
    }
    const VectorField<Dim> centred = collocated(faces);
    for (int axis = 0; axis < Dim; ++axis) {
        EXPECT_EQ(centred[axis].background(), faces[axis].background());
        for_each_index(tiles->cell_bounds(), [&](const Index<Dim>& cell) {
            if (tiles->find(tile_of_cell(cell)) == kNoTile) return;
            EXPECT_EQ(centred[axis].at(cell), 0.5F * (faces[axis].at(cell) + faces[axis].at(cell + unit<Dim>(axis))));
        });
    }
}

// Exact where the velocity is linear: a rigid rotation stays one.
TYPED_TEST(CollocateTest, ARotationStaysARotation) {
    constexpr int Dim = TypeParam::kDim;
    FaceField<Dim> faces(Tiles<Dim>::covering({Index<Dim>(0), Index<Dim>(24)}));
    assign(faces[0],
           [](const Index<Dim>& c) { return -(static_cast<float>(c[1]) + 0.5F) + 2.0F * static_cast<float>(c[0]); });
    assign(faces[1], [](const Index<Dim>& c) { return static_cast<float>(c[0]) + 0.5F; });
    const VectorField<Dim> centred = collocated(faces);
    for_each_index(IndexBox<Dim>{Index<Dim>(0), Index<Dim>(23)}, [&](const Index<Dim>& c) {
        const float x = static_cast<float>(c[0]) + 0.5F, y = static_cast<float>(c[1]) + 0.5F;
        EXPECT_FLOAT_EQ(centred[0].at(c), 2 * x - y);
        EXPECT_FLOAT_EQ(centred[1].at(c), x);
    });
}

}  // namespace
}  // namespace spindrift

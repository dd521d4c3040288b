// SPDX-License-Identifier: Apache-2.0
#include "schemes/turbulence.h"

#include <gtest/gtest.h>

#include "grid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class Noise : public testing::Test {};
TYPED_TEST_SUITE(Noise, Dimensions);

// Swirls larger than a tile, as large as cells, and smaller, in tiles on both sides of the origin.
TYPED_TEST(Noise, OnATileIsWhatItIsAtEachFace) {
    constexpr int Dim = TypeParam::kDim;
    GridTransform<Dim> grid;
    grid.origin = Vec<double, Dim>(-0.37);
    grid.dx = 0.1;
    for (const double size : {3.0, 0.27, 0.1, 0.013}) {
        const Turbulence noise{.size = size, .frequency = 3, .seed = 5, .strength = [](double t) { return 2 + t; }};
        TurbulenceOnTile<Dim> on_tile(noise, grid, 0.45);
        for (const int first : {-16, 0, 24}) {
            const Index<Dim> origin(first);
            on_tile.begin(origin);
            for (int axis = 0; axis < Dim; ++axis) {
                std::vector<float> found(kTileCells<Dim>);
                on_tile.find(axis, found.data());
                for (int n = 0; n < kTileCells<Dim>; n += 3) {
                    const Vec<double, Dim> x = grid.world_of_face(axis, origin + cell_in_tile<Dim>(n));
                    EXPECT_NEAR(found[static_cast<std::size_t>(n)], noise.at(x, 0.45)[axis], 1e-6);
                }
            }
        }
    }
}

}  // namespace
}  // namespace spindrift

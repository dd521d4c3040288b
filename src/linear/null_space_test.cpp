// SPDX-License-Identifier: Apache-2.0
#include "linear/null_space.h"

#include <gtest/gtest.h>

#include "grid/measure.h"
#include "linear/model_problems.h"
#include "linear/poisson_solver.h"
#include "linear/test_support.h"

namespace spindrift {
namespace {

template <class T>
class NullSpaces : public ::testing::Test {};
TYPED_TEST_SUITE(NullSpaces, Dimensions);

template <int Dim>
std::size_t region_count(const System<Dim>& system) {
    const PoissonOperator<Dim> a = system.make_operator();
    return NullSpace<Dim>(a).region_count();
}

// Each free region loses its mean and nothing else changes.
template <int Dim>
void expect_means_removed(const System<Dim>& system) {
    const PoissonOperator<Dim> a = system.make_operator();
    const NullSpace<Dim> null_space(a);
    const auto regions = free_regions(system);
    ASSERT_EQ(null_space.region_count(), regions.size());

    const Field<float, Dim> before = random_field<Dim>(system.tiles(), 1);
    Field<float, Dim> after = before;
    null_space.remove_means(after);
    Field<double, Dim> expected(system.tiles());
    assign(expected, [&](const Index<Dim>& cell) { return double{before.at(cell)}; });
    for (const auto& region : regions) {
        double mean = 0;
        for (const Index<Dim>& cell : region) mean += before.at(cell) / static_cast<double>(region.size());
        for (const Index<Dim>& cell : region) expected.ref(cell) -= mean;
    }
    const auto worst = difference(after, [&](const Index<Dim>& cell) { return expected.at(cell); });
    EXPECT_LT(worst.largest, 1e-6) << worst;
}

TYPED_TEST(NullSpaces, RegionsAreThoseFoundByWalking) {
    constexpr int Dim = TypeParam::kDim;
    std::size_t regions = 0;
    for (unsigned seed = 1; seed <= 6; ++seed) {
        SCOPED_TRACE(seed);
        const System<Dim> system = random_system<Dim>(seed);
        regions += region_count(system);
        expect_means_removed(system);
        expect_means_removed(small_random_system<Dim>(seed));
    }
    EXPECT_GT(regions, 20U);
}

TYPED_TEST(NullSpaces, MassHoldsEverything) {
    constexpr int Dim = TypeParam::kDim;
    EXPECT_EQ(region_count(closed_box<Dim>({Index<Dim>(0), Index<Dim>(16)})), 1U);
    EXPECT_EQ(region_count(closed_box<Dim>({Index<Dim>(0), Index<Dim>(16)}, 1e-6F)), 0U);
}

TYPED_TEST(NullSpaces, SingleSealedCellIsNoUnknown) {
    constexpr int Dim = TypeParam::kDim;
    const System<Dim> system = closed_box<Dim>({Index<Dim>(3), Index<Dim>(4)});
    EXPECT_EQ(system.make_operator().unknown_count(), 0U);
    EXPECT_EQ(region_count(system), 0U);
}

// Two rooms, one of plain tiles and one that cuts through its tiles, joined or not by a single face or a narrow way.
TYPED_TEST(NullSpaces, OneFaceIsEnoughToJoin) {
    constexpr int Dim = TypeParam::kDim;
    IndexBox<Dim> plain{Index<Dim>(-8), Index<Dim>(8)}, ragged = plain;
    plain.hi[0] = 0;
    ragged.lo[0] = 0;
    ragged.hi[Dim - 1] = 5;
    System<Dim> system = system_of<Dim>(Tiles<Dim>::covering(bounds(plain, ragged)), [&](const Index<Dim>& cell) {
        return plain.contains(cell) || ragged.contains(cell);
    });
    EXPECT_EQ(region_count(system), 1U);
    for_each_cell(*system.tiles(), [&](const Index<Dim>& cell) {
        if (cell[0] == 0) system.conductance[0].ref(cell) = 0;
    });
    EXPECT_EQ(region_count(system), 2U);
    expect_means_removed(system);
    Index<Dim> hole(-3);
    hole[0] = 0;
    system.conductance[0].ref(hole) = 1e-3F;
    EXPECT_EQ(region_count(system), 1U);
    expect_means_removed(system);
    // Held anywhere, all of it is held.
    system.ground.ref(Index<Dim>(-8)) = 0.1F;
    EXPECT_EQ(region_count(system), 0U);
}

TYPED_TEST(NullSpaces, CellsThatTouchAtCornersAreNotJoined) {
    constexpr int Dim = TypeParam::kDim;
    // Pairs of cells along axis 0, corner to corner, across the corner of four tiles.
    const System<Dim> system =
        system_of<Dim>(Tiles<Dim>::covering({Index<Dim>(-8), Index<Dim>(8)}), [](const Index<Dim>& cell) {
            Index<Dim> rest = cell;
            rest[0] = 0;
            const bool below = rest == -1 * (Index<Dim>(1) - unit<Dim>(0)) && (cell[0] == -1 || cell[0] == -2);
            return below || (rest == Index<Dim>(0) && (cell[0] == 0 || cell[0] == 1));
        });
    EXPECT_EQ(system.make_operator().unknown_count(), 4U);
    EXPECT_EQ(region_count(system), 2U);
}

// Closed basins beside an open one: each closed one is solvable whatever flows into it, and keeps zero mean.
TYPED_TEST(NullSpaces, EachBasinIsSolvedForItself) {
    constexpr int Dim = TypeParam::kDim;
    std::vector<IndexBox<Dim>> basins;
    for (int i = 0; i < 4; ++i) {
        IndexBox<Dim> box{Index<Dim>(0), Index<Dim>(16)};  // the first is of plain tiles
        if (i > 0) box = {Index<Dim>(1), Index<Dim>(10 + i)};
        box.lo[0] += 24 * i - 48;
        box.hi[0] += 24 * i - 48;
        basins.push_back(box);
    }
    System<Dim> system =
        system_of<Dim>(Tiles<Dim>::covering(bounds(basins.front(), basins.back())), [&](const Index<Dim>& cell) {
            return std::any_of(basins.begin(), basins.end(), [&](const auto& box) { return box.contains(cell); });
        });
    system.ground.ref(basins[2].lo) = 2;
    const PoissonOperator<Dim> a = system.make_operator();
    Field<float, Dim> b = random_field<Dim>(system.tiles(), 3), x(system.tiles());
    for (float& v : b.values()) v += 0.5F;
    const SolveReport report = solve_poisson(x, b, a);
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.regions_made_compatible, 3U);
    EXPECT_LT(report.measured_residual, 2e-4);
    for (const std::size_t i : {0U, 1U, 3U}) {
        double mean = 0, flow_in = 0;
        for_each_index(basins[i], [&](const Index<Dim>& cell) { mean += x.at(cell), flow_in += b.at(cell); });
        const double size = product(basins[i].size());
        EXPECT_LT(std::abs(mean / size), 1e-6 * max_abs(x)) << "basin " << i;
        // What could not be solved for is spread evenly: A x = b − its mean.
        double worst = 0;
        for_each_index(basins[i], [&](const Index<Dim>& cell) {
            worst = std::max(worst, std::abs(b.at(cell) - flow_in / size - system.applied(cell, x)));
        });
        EXPECT_LT(worst, 2e-3) << "basin " << i;
    }
}

// A mean a million times what varies must not leave its rounding behind.
TYPED_TEST(NullSpaces, LargeMeansGoWithoutTrace) {
    constexpr int Dim = TypeParam::kDim;
    const System<Dim> system = closed_box<Dim>({Index<Dim>(-5), Index<Dim>(11)});
    const PoissonOperator<Dim> a = system.make_operator();
    Field<float, Dim> small(system.tiles()), large(system.tiles()), x(system.tiles()), y(system.tiles());
    assign(small, [](const Index<Dim>& cell) { return std::round(8 * scrambled(cell)); });
    assign(large, [&](const Index<Dim>& cell) { return small.at(cell) + 0x1p21F; });
    EXPECT_TRUE(solve_poisson(x, small, a).converged);
    const SolveReport report = solve_poisson(y, large, a);
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.iterations, 12);
    EXPECT_LT(difference(y, [&](const Index<Dim>& cell) { return x.at(cell); }).largest, 1e-5 * max_abs(x));
}

}  // namespace
}  // namespace spindrift

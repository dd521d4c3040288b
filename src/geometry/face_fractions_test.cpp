// SPDX-License-Identifier: Apache-2.0
#include "geometry/face_fractions.h"

#include <array>
#include <atomic>
#include <cmath>
#include <numbers>
#include <queue>
#include <set>

#include "geometry/mesh_distance.h"
#include "geometry/shapes.h"
#include "geometry/test_meshes.h"
#include "grid/measure.h"
#include "grid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class FaceFractions : public ::testing::Test {};
TYPED_TEST_SUITE(FaceFractions, Dimensions);

template <int Dim>
DistanceFunction<Dim> solid_of(ShapeSet<Dim> set) {
    return [set = std::move(set)](const Vec<double, Dim>& p) { return signed_distance(set, p); };
}

// A slanted direction that no axis or diagonal is close to.
template <int Dim>
Vec<double, Dim> slanted() {
    Vec<double, Dim> n;
    for (int a = 0; a < Dim; ++a) n[a] = 1.0 / (1.3 + 0.9 * a);
    return n / length(n);
}

template <int Dim>
RigidTransform<Dim> turned(double radians) {
    if constexpr (Dim == 2) return rotation(radians);
    if constexpr (Dim == 3) return rotation({1, 0.3, -0.6}, radians);
}

// All cells that can be reached from one through faces that are open.
template <int Dim>
std::set<Index<Dim>> flooded(const FaceField<Dim>& open, const IndexBox<Dim>& within, const Index<Dim>& start) {
    std::set<Index<Dim>> reached{start};
    std::queue<Index<Dim>> todo;
    todo.push(start);
    while (!todo.empty()) {
        const Index<Dim> cell = todo.front();
        todo.pop();
        for (int a = 0; a < Dim; ++a)
            for (const bool above : {false, true}) {
                const Index<Dim> next = above ? cell + unit<Dim>(a) : cell - unit<Dim>(a);
                const float fraction = open[a].at(above ? next : cell);
                if (fraction > 0 && within.contains(next) && reached.insert(next).second) todo.push(next);
            }
    }
    return reached;
}

template <std::size_t N>
double fraction_of(const double (&phi)[N]) {
    return open_fraction(std::to_array(phi));
}

TEST(OpenFraction, OfALine) {
    EXPECT_EQ(fraction_of({1.0, 2.0}), 1);
    EXPECT_EQ(fraction_of({-1.0, -2.0}), 0);
    EXPECT_DOUBLE_EQ(fraction_of({1.0, -3.0}), 0.25);
    EXPECT_DOUBLE_EQ(fraction_of({-3.0, 1.0}), 0.25);
    EXPECT_EQ(fraction_of({0.0, 1.0}), 1);
    EXPECT_EQ(fraction_of({0.0, -1.0}), 0);
    EXPECT_EQ(fraction_of({0.0, 0.0}), 0);
}

TEST(OpenFraction, OfASquareIsThatOfAHalfPlane) {
    EXPECT_DOUBLE_EQ(fraction_of({1.0, 1.0, -1.0, -1.0}), 0.5);
    EXPECT_DOUBLE_EQ(fraction_of({3.0, 1.0, -1.0, -1.0}), 0.5 * (0.75 + 0.5));
    EXPECT_DOUBLE_EQ(fraction_of({1.0, -1.0, -1.0, -1.0}), 0.125);
    EXPECT_DOUBLE_EQ(fraction_of({1.0, 1.0, 1.0, -1.0}), 0.875);
    EXPECT_EQ(fraction_of({0.0, 0.0, 1.0, 1.0}), 1);
    EXPECT_EQ(fraction_of({0.0, 0.0, -1.0, -1.0}), 0);
    EXPECT_EQ(fraction_of({0.0, 0.0, 0.0, 0.0}), 0);
}

TEST(OpenFraction, OppositeCornersAreJoinedAsTheCentreSays) {
    EXPECT_DOUBLE_EQ(fraction_of({3.0, -1.0, 3.0, -1.0}), 1 - 2 * 0.5 / 16);
    EXPECT_DOUBLE_EQ(fraction_of({1.0, -3.0, 1.0, -3.0}), 2 * 0.5 / 16);
}

// The same square, turned or mirrored, is as open; and open and closed make up the whole.
TEST(OpenFraction, DoesNotDependOnOrderAndComplements) {
    std::mt19937 rng(5);
    std::uniform_real_distribution<double> value(-1, 1);
    for (int i = 0; i < 1000; ++i) {
        const double phi[4] = {value(rng), value(rng), value(rng), value(rng)};
        const double f = fraction_of(phi);
        EXPECT_NEAR(fraction_of({phi[1], phi[2], phi[3], phi[0]}), f, 1e-14);
        EXPECT_NEAR(fraction_of({phi[3], phi[2], phi[1], phi[0]}), f, 1e-14);
        EXPECT_NEAR(fraction_of({-phi[0], -phi[1], -phi[2], -phi[3]}), 1 - f, 1e-14);
    }
}

// Fractions are exact for a plane wall, and the wall's own area follows: the open faces of each cell, weighted by their
// fractions, close up with the plane (the divergence theorem), so that still water feels no push.
TYPED_TEST(FaceFractions, OfAPlaneWallAreExact) {
    constexpr int Dim = TypeParam::kDim;
    const GridTransform<Dim> transform{Vec<double, Dim>(0.3), 0.25};
    const auto tiles = Tiles<Dim>::covering({Index<Dim>(-8), Index<Dim>(16)});
    const Vec<double, Dim> n = slanted<Dim>();
    ShapeSet<Dim> set;
    set.add(HalfSpace<Dim>{transform.world_from_cell(Vec<double, Dim>(4.3)), n});
    const FaceField<Dim> open = open_fractions<Dim>(tiles, transform, solid_of(set), {.slit = 0, .sliver = 0});
    int cut = 0;
    for_each_index(IndexBox<Dim>{Index<Dim>(-8), Index<Dim>(15)}, [&](const Index<Dim>& cell) {
        Vec<double, Dim> sum;
        for (int a = 0; a < Dim; ++a) sum[a] = double{open[a].at(cell + unit<Dim>(a))} - double{open[a].at(cell)};
        const double area = length(sum);
        if (area < 1e-4) return;
        ++cut;
        ASSERT_NEAR(dot(sum, n), area, 1e-5 * area + 1e-6);
    });
    EXPECT_GT(cut, Dim == 2 ? 20 : 300);
}

TYPED_TEST(FaceFractions, AreaOfASphereConvergesAtSecondOrder) {
    constexpr int Dim = TypeParam::kDim;
    const double exact = Dim == 2 ? 2 * std::numbers::pi : 4 * std::numbers::pi;
    double previous = 0;
    for (const int cells : {16, 32, 64}) {
        const double dx = 3.0 / cells;
        const GridTransform<Dim> transform{Vec<double, Dim>(-1.51), dx};
        ShapeSet<Dim> set;
        set.add(Sphere<Dim>{{}, 1.0});
        const IndexBox<Dim> box{Index<Dim>(0), Index<Dim>(cells)};
        const auto open =
            open_fractions<Dim>(Tiles<Dim>::covering(box), transform, solid_of(set), {.slit = 0, .sliver = 0});
        double area = 0;
        for_each_index(IndexBox<Dim>{Index<Dim>(0), Index<Dim>(cells - 1)}, [&](const Index<Dim>& cell) {
            Vec<double, Dim> sum;
            for (int a = 0; a < Dim; ++a) sum[a] = double{open[a].at(cell + unit<Dim>(a))} - double{open[a].at(cell)};
            area += length(sum) * std::pow(dx, Dim - 1);
        });
        const double error = std::abs(area - exact);
        EXPECT_LT(error, 0.7 * dx * dx * exact) << cells;
        if (previous > 0) {
            EXPECT_LT(error, previous / 3) << cells;
        }
        previous = error;
    }
}

// A tank whose walls lie on faces: those are closed, all others whole, whatever rounding does to the distance.
TYPED_TEST(FaceFractions, WallsOnFacesAreWhole) {
    constexpr int Dim = TypeParam::kDim;
    const GridTransform<Dim> transform{Vec<double, Dim>(0.1), 0.1 / 3};
    const auto tiles = Tiles<Dim>::covering({Index<Dim>(-8), Index<Dim>(24)});
    const IndexBox<Dim> inner{Index<Dim>(1), Index<Dim>(14)};
    const Box<double, Dim> tank{transform.world_from_cell(Vec<double, Dim>(inner.lo)),
                                transform.world_from_cell(Vec<double, Dim>(inner.hi))};
    const DistanceFunction<Dim> solid = [&](const Vec<double, Dim>& p) {
        return -signed_distance<Dim>(tank, p) + 1e-9 * scrambled(Index<Dim>(transform.cell_from_world(p)));
    };
    const FaceField<Dim> open = open_fractions<Dim>(tiles, transform, solid);
    for (int a = 0; a < Dim; ++a)
        for_each_index(tiles->cell_bounds(), [&](const Index<Dim>& cell) {
            const bool both_in = inner.contains(cell) && inner.contains(cell - unit<Dim>(a));
            ASSERT_EQ(open[a].at(cell), both_in ? 1.0F : 0.0F);
        });
}

TYPED_TEST(FaceFractions, FarTilesAreUniformAndCostOneQuestion) {
    constexpr int Dim = TypeParam::kDim;
    const auto tiles = Tiles<Dim>::covering({Index<Dim>(0), Index<Dim>(128)});
    std::atomic<int> asked = 0;
    const DistanceFunction<Dim> solid = [&](const Vec<double, Dim>& p) {
        ++asked;
        return length(p - Vec<double, Dim>(20.0)) - 6;
    };
    const FaceField<Dim> open = open_fractions<Dim>(tiles, {}, solid);
    EXPECT_LT(asked, static_cast<int>(tiles->cell_count() / 8));
    EXPECT_EQ(open[0].at(Index<Dim>(100)), 1.0F);
    EXPECT_EQ(open[0].at(Index<Dim>(20)), 0.0F);
    const FaceField<Dim> again = open_fractions<Dim>(Tiles<Dim>::covering({Index<Dim>(8), Index<Dim>(32)}), {}, solid);
    for_each_index(again.tiles().cell_bounds(), [&](const Index<Dim>& cell) {
        for (int a = 0; a < Dim; ++a) ASSERT_EQ(again[a].at(cell), open[a].at(cell));
    });
}

// The solver's worst case: a box with walls of any thickness, slanted, moved by parts of a cell.  No way leads out.
TYPED_TEST(FaceFractions, ThinWallsDoNotLeak) {
    constexpr int Dim = TypeParam::kDim;
    const IndexBox<Dim> cells{Index<Dim>(0), Index<Dim>(24)};
    const auto tiles = Tiles<Dim>::covering(cells);
    for (const double thickness : {0.0, 0.1, 0.5, 0.9, 1.3, 1.7, 2.1}) {
        for (int trial = 0; trial < 8; ++trial) {
            auto pose = turned<Dim>(0.37 * trial);
            pose.translation = Vec<double, Dim>(12.0 + 0.31 * trial);
            ShapeSet<Dim> hollow;
            hollow.parts.push_back(
                {Box<double, Dim>{Vec<double, Dim>(-5.5), Vec<double, Dim>(5.5)}, Combine::add, pose});
            const DistanceFunction<Dim> solid = [&](const Vec<double, Dim>& p) {
                return std::abs(signed_distance(hollow, p)) - thickness / 2;
            };
            const auto open = open_fractions<Dim>(tiles, {}, solid);
            const auto wet = flooded(open, cells, Index<Dim>(pose.translation));
            EXPECT_FALSE(wet.contains(Index<Dim>(0))) << "thickness " << thickness << ", trial " << trial;
            EXPECT_GT(wet.size(), Dim == 2 ? 60U : 500U) << "thickness " << thickness << ", trial " << trial;
        }
    }
}

// A flask of glass a tenth of a cell thick, from a mesh without thickness and with the poles of a sphere.
TEST(FaceFractionsOfMeshes, SheetsDoNotLeak) {
    const IndexBox<3> cells{Index<3>(0), Index<3>(24)};
    for (const double thickness : {0.0, 0.1}) {
        for (const float radius : {6.0F, 6.37F, 6.5F}) {
            const MeshDistance flask(test_meshes::sphere(Vec<float, 3>(12.0F), radius, 20, 40), MeshKind::sheet,
                                     thickness);
            const auto open = open_fractions<3>(Tiles<3>::covering(cells), {}, std::cref(flask));
            const auto wet = flooded(open, cells, Index<3>(12));
            EXPECT_FALSE(wet.contains(Index<3>(0))) << "thickness " << thickness << ", radius " << radius;
            EXPECT_GT(wet.size(), 500U);
        }
    }
}

// The corners alone miss it: what the test above would show without the care taken.
TYPED_TEST(FaceFractions, WithoutCareThinWallsLeak) {
    constexpr int Dim = TypeParam::kDim;
    const IndexBox<Dim> cells{Index<Dim>(0), Index<Dim>(24)};
    const DistanceFunction<Dim> solid = [&](const Vec<double, Dim>& p) {
        return std::abs(length(p - Vec<double, Dim>(12.0)) - 6.5) - 0.05;
    };
    const auto careless = open_fractions<Dim>(Tiles<Dim>::covering(cells), {}, solid, {.close_thin_walls = false});
    const auto careful = open_fractions<Dim>(Tiles<Dim>::covering(cells), {}, solid);
    EXPECT_TRUE(flooded(careless, cells, Index<Dim>(12)).contains(Index<Dim>(0)));
    EXPECT_FALSE(flooded(careful, cells, Index<Dim>(12)).contains(Index<Dim>(0)));
}

// A thin wall that stands on a thick floor, and one that meets another: joints hold too.
TYPED_TEST(FaceFractions, JointsOfThinAndThickDoNotLeak) {
    constexpr int Dim = TypeParam::kDim;
    const IndexBox<Dim> cells{Index<Dim>(0), Index<Dim>(24)};
    const Vec<double, Dim> y = Vec<double, Dim>(unit<Dim>(1));
    for (int trial = 0; trial < 10; ++trial) {
        const double tilt = 0.03 * trial, height = 8.1 + 0.17 * trial;
        ShapeSet<Dim> set;
        set.add(HalfSpace<Dim>{y * height, y + Vec<double, Dim>(unit<Dim>(0)) * tilt});
        const DistanceFunction<Dim> solid = [&](const Vec<double, Dim>& p) {
            const double wall = std::abs(p[0] - 12.3 - tilt * (p[1] - 8)) / std::hypot(1, tilt) - 0.05;
            return std::min(signed_distance(set, p), wall);
        };
        const auto open = open_fractions<Dim>(Tiles<Dim>::covering(cells), {}, solid);
        Index<Dim> left(20), right(20);
        left[0] = 2;
        const auto wet = flooded(open, cells, left);
        EXPECT_FALSE(wet.contains(right)) << "trial " << trial;
        EXPECT_TRUE(wet.contains(left - unit<Dim>(1) * 8)) << "trial " << trial;
    }
}

// A thick, smooth solid is not made of whole faces: closing thin walls changes nothing there.
TYPED_TEST(FaceFractions, ThickSolidsKeepTheirFractions) {
    constexpr int Dim = TypeParam::kDim;
    const auto tiles = Tiles<Dim>::covering({Index<Dim>(0), Index<Dim>(24)});
    ShapeSet<Dim> set;
    set.add(Sphere<Dim>{Vec<double, Dim>(11.7), 6.2});
    const auto with = open_fractions<Dim>(tiles, {}, solid_of(set));
    const auto without = open_fractions<Dim>(tiles, {}, solid_of(set), {.close_thin_walls = false});
    EXPECT_EQ(state_hash(with), state_hash(without));
}

TYPED_TEST(FaceFractions, SameOnAnyThreads) {
    constexpr int Dim = TypeParam::kDim;
    ShapeSet<Dim> set;
    set.add(Capsule<Dim>{Vec<double, Dim>(-9.0), Vec<double, Dim>(7.0), 3.3});
    expect_same_on_any_threads(
        [&] { return state_hash(open_fractions<Dim>(ragged_tiles<Dim>(2, 0.7), {}, solid_of(set))); });
}

}  // namespace
}  // namespace spindrift

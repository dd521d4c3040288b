// SPDX-License-Identifier: Apache-2.0
#include "geometry/mesh_distance.h"

#include <cmath>
#include <limits>
#include <random>

#include "geometry/shapes.h"
#include "geometry/test_meshes.h"
#include "grid/measure.h"
#include "grid/test_support.h"

namespace spindrift {
namespace {

using Point = Vec<double, 3>;

Point random_point(std::mt19937& rng, float reach) { return Point(random_position<3>(rng, -reach, reach)); }

// The exact distance of a box, by another way.
TEST(MeshDistance, OfABoxIsThatOfTheBox) {
    const MeshDistance mesh(test_meshes::box({-1.0F, -0.5F, -0.75F}, {1.0F, 0.25F, 2.0F}));
    const Shape<3> box = Box<double, 3>{{-1.0, -0.5, -0.75}, {1.0, 0.25, 2.0}};
    std::mt19937 rng(1);
    for (int i = 0; i < 3000; ++i) {
        const Point p = random_point(rng, 3);
        ASSERT_NEAR(mesh(p), signed_distance<3>(box, p), 1e-6);
    }
    EXPECT_TRUE(mesh.closed());
}

TEST(MeshDistance, NearestIsThatOfAllTriangles) {
    const TriangleMesh sphere = test_meshes::sphere({}, 1, 20, 40);
    const MeshDistance mesh(sphere);
    // One triangle at a time, in trees of their own, has nothing to pass over.
    std::vector<TriangleTree> alone;
    for (const auto& t : sphere.triangles) {
        TriangleMesh one;
        one.positions = {sphere.positions[t[0]], sphere.positions[t[1]], sphere.positions[t[2]]};
        one.triangles = {{0U, 1U, 2U}};
        alone.emplace_back(one);
    }
    std::mt19937 rng(2);
    for (int i = 0; i < 50; ++i) {
        const Point p = random_point(rng, 2);
        double least = std::numeric_limits<double>::infinity();
        for (const TriangleTree& tree : alone) least = std::min(least, tree.nearest(p, 10)->distance);
        EXPECT_EQ(mesh.nearest(p, 10)->distance, least);
        EXPECT_FALSE(mesh.nearest(p, least * 0.999));
        EXPECT_TRUE(mesh.nearest(p, least * 1.001));
    }
}

// The lattice that shortens the search changes no bit.
TEST(MeshDistance, IsThatOfAFullSearch) {
    std::mt19937 rng(7);
    TriangleMesh holed = test_meshes::sphere({}, 1, 30, 60);
    std::erase_if(holed.triangles, [&](const auto&) { return rng() % 50 == 0; });
    const TriangleMesh parts =
        test_meshes::joined(test_meshes::sphere({}, 1, 20, 40), test_meshes::sphere({0.9F, 0.2F, 0}, 0.3F, 12, 24));
    for (const auto& [mesh, kind] :
         {std::pair(parts, MeshKind::volume), std::pair(holed, MeshKind::volume), std::pair(holed, MeshKind::sheet)}) {
        const MeshDistance distance(mesh, kind, 0.05);
        for (int i = 0; i < 3000; ++i) {
            const Point p = random_point(rng, i % 2 == 0 ? 1.2F : 4.0F);
            const double full = distance.nearest(p, 100)->distance;
            EXPECT_EQ(distance(p), distance.inside(p) ? -full : full - distance.half_thickness());
        }
    }
}

// Of a sphere of 20,000 triangles, each a sixth of a cell wide.
TEST(MeshDistance, SearchesLookAtFewTriangles) {
    const TriangleTree tree(test_meshes::sphere({}, 6, 100, 100));
    std::mt19937 rng(9);
    for (const double off : {-3.0, -1.0, 0.1, 1.0, 4.0, 12.0}) {
        double examined = 0;
        constexpr int kPoints = 300;
        for (int i = 0; i < kPoints; ++i) {
            Point p = random_point(rng, 1);
            p = p / length(p) * (6 + off);
            const auto first = tree.nearest(p, 100);
            const auto again = tree.nearest(p + Point(0.3, 0.2, -0.1), 100, {.near = first->place});
            EXPECT_EQ(again->distance, tree.nearest(p + Point(0.3, 0.2, -0.1), 100)->distance);
            examined += again->examined;
        }
        EXPECT_LT(examined / kPoints, 300) << off << " cells from the surface";
    }
}

// What simulations and pictures ask for: exact near the surface but for what samples of a volume may be off, cheap and
// safe beyond, without jumps that are larger than that.
TEST(MeshDistance, BoundedDistancesAreExactNearbyAndBoundsBeyond) {
    constexpr double kCell = 0.04;
    std::mt19937 rng(8);
    const TriangleMesh parts = test_meshes::joined(test_meshes::sphere({}, 0.5F, 30, 60),
                                                   test_meshes::box({0.2F, -0.1F, -0.1F}, {1, 0.1F, 0.1F}));
    for (const MeshKind kind : {MeshKind::volume, MeshKind::sheet}) {
        const MeshDistance mesh(parts, kind, 0.02, kCell), full(parts, kind, 0.02);
        const double off =
            kind == MeshKind::volume ? 0.02 * kCell : 0;  // 0.01 is held at five places of each lattice cell
        for (int i = 0; i < 6000; ++i) {
            const Point p = random_point(rng, i % 2 == 0 ? 0.9F : 2.5F);
            const double exact = full.nearest(p, 100)->distance, bounded = mesh.bounded_distance(p);
            const double truth = full.inside(p) ? -exact : exact - full.half_thickness();
            if (std::abs(truth) > off) {
                ASSERT_EQ(bounded < 0, truth < 0);
            }
            ASSERT_LE(std::abs(bounded), std::abs(truth) + off + 1e-12);
            ASSERT_GE(std::abs(bounded), 0.98 * std::min(std::abs(truth), 18 * kCell) - 0.6 * kCell);
            if (std::abs(truth) < 4 * kCell) {
                ASSERT_NEAR(bounded, truth, off);
            }

            const Point step = random_point(rng, 1e-3F * static_cast<float>(kCell));
            if (std::abs(truth) < 16 * kCell) {
                ASSERT_NEAR(mesh.bounded_distance(p + step), bounded, 1.5 * length(step) + 2 * off) << truth / kCell;
            }
        }
    }
}

// Along a smooth mesh hardly any distance searches triangles; along edges and thin parts, where samples are too few,
// it does.
TEST(MeshDistance, SamplesSpareTheSearchWhereTheMeshIsSmooth) {
    constexpr double kCell = 0.05;
    const auto sampled_share = [&](const TriangleMesh& mesh, double from, double to) {
        const MeshDistance distance(mesh, MeshKind::volume, 0, kCell);
        std::mt19937 rng(4);
        int near = 0, sampled = 0;
        while (near < 4000) {
            const Point p = random_point(rng, 1.2F);
            const double d = distance(p);
            if (d < from || d > to) continue;
            ++near;
            sampled += distance.is_sampled(p) ? 1 : 0;
        }
        return double(sampled) / near;
    };
    EXPECT_GT(sampled_share(test_meshes::sphere({}, 0.5F, 60, 120), -4 * kCell, 4 * kCell), 0.9);
    const TriangleMesh slab = test_meshes::box({-0.5F, -0.2F, -0.5F}, {0.5F, 0.2F, 0.5F});
    EXPECT_GT(sampled_share(slab, -kCell, kCell), 0.6);
    const TriangleMesh sheet = test_meshes::box({-0.5F, -0.01F, -0.5F}, {0.5F, 0.01F, 0.5F});
    EXPECT_EQ(sampled_share(sheet, -kCell, 0), 0);
}

// A bump that is smaller than the spacing of the samples is not lost.
TEST(MeshDistance, SamplesDoNotHideSmallBumps) {
    constexpr double kCell = 0.05;
    std::mt19937 rng(6);
    for (int trial = 0; trial < 50; ++trial) {
        const Point at = random_point(rng, 0.3F);
        const TriangleMesh slab = test_meshes::box({-0.5F, -0.2F, -0.5F}, {0.5F, 0.2F, 0.5F});
        const auto half = static_cast<float>(0.1 * kCell);
        const Vec<float, 3> foot(static_cast<float>(at[0]), 0.2F, static_cast<float>(at[2]));
        const Vec<float, 3> reach(half, 2 * half, half);
        const MeshDistance mesh(test_meshes::joined(slab, test_meshes::box(foot - reach, foot + reach)),
                                MeshKind::volume, 0, kCell);
        EXPECT_LT(mesh.bounded_distance(Point(foot) + Point(0, 1.5 * half, 0)), 0) << trial;
    }
}

TEST(MeshDistance, LinesCountHowOftenTheyEnter) {
    const TriangleTree tree(
        test_meshes::joined(test_meshes::sphere({}, 1, 20, 40), test_meshes::sphere({0.4F, 0.1F, 0}, 0.3F, 12, 24)));
    std::mt19937 rng(10);
    int sure = 0;
    for (int i = 0; i < 500; ++i) {
        const Point from = random_point(rng, 1.5F), to = random_point(rng, 1.5F);
        const auto more = tree.crossings(from, to);
        if (!more) continue;
        ++sure;
        EXPECT_NEAR(*more, tree.winding_number(to, 1e9) - tree.winding_number(from, 1e9), 1e-4);
    }
    EXPECT_GT(sure, 495);
}

// Round meshes look round, edges stay sharp, and normals point out however the mesh was wound.
TEST(MeshDistance, NormalsAreSmoothWhereTheMeshIs) {
    TriangleMesh inside_out = test_meshes::sphere({}, 1, 16, 32);
    test_meshes::turn_inside_out(inside_out);
    std::mt19937 rng(8);
    for (const TriangleMesh& sphere : {test_meshes::sphere({}, 1, 16, 32), inside_out}) {
        const MeshDistance round(sphere);
        for (int i = 0; i < 1000; ++i) {
            Point p = random_point(rng, 1);
            if (length(p) < 0.1) continue;
            p = p * (1.001 / length(p));
            // Of a flat triangle the normal is up to 7° off.
            EXPECT_GT(dot(round.smooth_normal(p), p) / length(p), std::cos(2.5 * M_PI / 180));
            EXPECT_NEAR(length(round.smooth_normal(p)), 1, 1e-6);
        }
    }
    const MeshDistance box(test_meshes::box({-1.0F, -0.5F, -0.75F}, {1.0F, 0.25F, 2.0F}));
    EXPECT_NEAR(box.smooth_normal({0.99, 0.26, 1.9})[1], 1, 1e-6);
    EXPECT_NEAR(box.smooth_normal({1.01, 0.24, 1.9})[0], 1, 1e-6);
    EXPECT_NEAR(box.smooth_normal({1.01, -0.4, -0.7})[0], 1, 1e-6);
}

// Up to the surface itself, on both of its sides.
TEST(MeshDistance, WindingNumbersAreWholeForClosedMeshes) {
    const TriangleMesh sphere = test_meshes::sphere({0.3F, 0.0F, 0.1F}, 1, 60, 120);
    const TriangleTree tree(sphere);
    for (const auto& t : sphere.triangles) {
        const Point a(sphere.positions[t[0]]), b(sphere.positions[t[1]]), c(sphere.positions[t[2]]);
        const Point middle = (a + b + c) / 3.0, out = (middle - Point{0.3, 0.0, 0.1}) * 1e-4;
        ASSERT_NEAR(tree.winding_number(middle - out), 1, 0.04);
        ASSERT_NEAR(tree.winding_number(middle + out), 0, 0.04);
        ASSERT_NEAR(tree.winding_number(middle - out, 1.2), 1, 0.25);
    }
}

// What users' meshes are like: turned, patchy, holed, made of parts.  The inside stays the inside.
TEST(MeshDistance, BrokenMeshesKeepTheirInside) {
    const TriangleMesh sphere = test_meshes::sphere({}, 1, 30, 60);
    TriangleMesh inside_out = sphere, patchy = sphere, holed = sphere;
    test_meshes::turn_inside_out(inside_out);
    std::mt19937 rng(3);
    for (auto& t : patchy.triangles)
        if (rng() % 3 == 0) std::swap(t[0], t[1]);
    std::erase_if(holed.triangles, [&](const auto&) { return rng() % 50 == 0; });
    TriangleMesh doubled = test_meshes::joined(sphere, sphere);  // each face twice

    for (const TriangleMesh& mesh : {inside_out, patchy, holed, doubled}) {
        const MeshDistance distance(mesh);
        int wrong = 0;
        for (int i = 0; i < 2000; ++i) {
            const Point p = random_point(rng, 1.5F);
            if (std::abs(length(p) - 1) < 0.15) continue;
            wrong += (distance(p) < 0) != (length(p) < 1) ? 1 : 0;
        }
        EXPECT_EQ(wrong, 0);
    }
    EXPECT_FALSE(MeshDistance(holed).closed());
    EXPECT_TRUE(MeshDistance(patchy).closed());
}

// A cavity is outside, however deep; parts that overlap are one solid without a wall between them.
TEST(MeshDistance, CavitiesAndOverlaps) {
    TriangleMesh inner = test_meshes::sphere({}, 0.9F, 30, 60);
    test_meshes::turn_inside_out(inner);
    const MeshDistance bottle(test_meshes::joined(test_meshes::sphere({}, 1, 30, 60), inner));
    EXPECT_GT(bottle({0, 0, 0}), 0.88);
    EXPECT_LT(bottle({0.95, 0, 0}), 0);
    EXPECT_GT(bottle({0, 1.1, 0}), 0);

    const MeshDistance two(test_meshes::joined(test_meshes::sphere({}, 1, 30, 60),
                                               test_meshes::box({0.2F, -0.3F, -0.3F}, {2.0F, 0.3F, 0.3F})));
    EXPECT_TRUE(two.inside({0.5, 0, 0}));
    EXPECT_TRUE(two.inside({1.5, 0, 0}));
    EXPECT_TRUE(two.inside({-0.5, 0, 0}));
    EXPECT_FALSE(two.inside({1.5, 0.5, 0}));
}

// A bowl without thickness is no volume; as a sheet it is a wall, and what lies in it is outside.
TEST(MeshDistance, SheetsHaveNoInside) {
    TriangleMesh bowl = test_meshes::sphere({}, 1, 40, 80);
    std::erase_if(bowl.triangles, [&](const auto& t) { return bowl.positions[t[0]][2] > 0; });
    const MeshDistance sheet(bowl, MeshKind::sheet, 0.02);
    EXPECT_NEAR(sheet({0, 0, -0.5}), 0.49, 0.005);
    EXPECT_NEAR(sheet({0, 0, -0.995}), -0.005, 0.003);
    EXPECT_NEAR(sheet({0, 0, -2}), 0.99, 0.005);
    EXPECT_NEAR(sheet.bounding_box().lo[2], -1.01, 1e-6);
}

TEST(MeshDistance, NoTrianglesAreFarAway) {
    const MeshDistance nothing{TriangleMesh{}};
    EXPECT_EQ(nothing({0, 0, 0}), std::numeric_limits<double>::infinity());
    EXPECT_FALSE(nothing.inside({0, 0, 0}));
}

// Filled tile by tile with bounds from cell to cell, or asked cell by cell: the same.
TEST(MeshDistance, FillIsTheDistanceWithinTheBand) {
    const GridTransform<3> transform{Point(-1.5), 3.0 / 40};
    TriangleMesh holed = test_meshes::sphere({}, 1, 30, 60);
    std::erase_if(holed.triangles, [](const auto& t) { return t[0] % 71 == 3; });
    const TriangleMesh box = test_meshes::box({-1.1F, -0.5F, -0.3F}, {0.9F, 0.02F, 0.8F});
    const double band = 3 * transform.dx;
    for (const MeshDistance& mesh : {MeshDistance(holed), MeshDistance(box), MeshDistance(box, MeshKind::sheet, 0.1)}) {
        Field<float, 3> phi(Tiles<3>::covering({Index<3>(-8), Index<3>(48)}), 9.0F);
        fill_distance(phi, transform, mesh, band);
        for_each_index(phi.tiles().cell_bounds(), [&](const Index<3>& cell) {
            const double exact = mesh(transform.world_of_centre(cell));
            ASSERT_NEAR(phi.at(cell), std::clamp(exact, -band, band), 1e-6);
        });
    }
}

TEST(MeshDistance, FillIsTheSameOnAnyThreads) {
    const MeshDistance mesh(test_meshes::sphere({}, 1, 30, 60));
    expect_same_on_any_threads([&] {
        Field<float, 3> phi(Tiles<3>::covering({Index<3>(-16), Index<3>(16)}), 1.0F);
        fill_distance(phi, {{}, 0.1}, mesh, 0.3);
        return state_hash(phi);
    });
}

TEST(TriangleTree, RaysFindTheFirstTriangle) {
    const TriangleTree tree(test_meshes::box({-1.0F, -1.0F, -1.0F}, {1.0F, 1.0F, 1.0F}));
    const auto any = [](const TriangleTree::Hit&) { return true; };
    const auto near = tree.first_hit({{-3, 0.2, 0.3}, {1, 0, 0}}, 0, any);
    ASSERT_TRUE(near);
    EXPECT_NEAR(near->distance, 2, 1e-12);
    EXPECT_EQ(near->normal, (Point{-1, 0, 0}));
    EXPECT_NEAR(tree.first_hit({{-3, 0.2, 0.3}, {1, 0, 0}}, 2.5, any)->distance, 4, 1e-12);
    EXPECT_FALSE(tree.first_hit({{-3, 1.2, 0.3}, {1, 0, 0}}, 0, any));
    EXPECT_FALSE(tree.first_hit({{-3, 0.2, 0.3}, {-1, 0, 0}}, 0, any));
    const auto leaving = tree.first_hit({{-3, 0.2, 0.3}, {1, 0, 0}}, 0, [](const auto& h) { return h.normal[0] > 0; });
    EXPECT_NEAR(leaving->distance, 4, 1e-12);
}

}  // namespace
}  // namespace spindrift

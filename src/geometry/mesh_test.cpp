// SPDX-License-Identifier: Apache-2.0
#include "geometry/mesh.h"

#include <cmath>
#include <numbers>
#include <tuple>

#include "geometry/test_meshes.h"
#include "grid/test_support.h"

namespace spindrift {
namespace {

const TriangleMesh kBox = test_meshes::box({100.0F, 0.0F, -1.0F}, {102.0F, 3.0F, 4.0F});

TEST(Mesh, VolumeAndAreaOfABoxAreExactFarFromTheOrigin) {
    EXPECT_DOUBLE_EQ(signed_volume(kBox), 30);
    EXPECT_DOUBLE_EQ(surface_area(kBox), 2 * (6 + 15 + 10));
    EXPECT_EQ(bounding_box(kBox), (Box<float, 3>{{100.0F, 0.0F, -1.0F}, {102.0F, 3.0F, 4.0F}}));
    EXPECT_EQ(test_meshes::expect_closed_manifold(kBox), 2);
    EXPECT_TRUE(bounding_box(TriangleMesh{}).empty());
}

TEST(Mesh, AGoodMeshHasNothingWrong) {
    const MeshReport report = examine(kBox);
    EXPECT_TRUE(report.closed());
    EXPECT_FALSE(report.inside_out);
    EXPECT_EQ(report.misoriented_edges + report.degenerate_triangles, 0U);
    EXPECT_NEAR(report.thinnest, 2, 1e-5);
    EXPECT_TRUE(warnings(report, 0.5).empty());
}

// Each face with corners of its own, as many programs store them.
TEST(Mesh, SeamsAreNoHoles) {
    TriangleMesh apart;
    for (const auto& t : kBox.triangles) {
        const auto first = static_cast<std::uint32_t>(apart.positions.size());
        for (int i = 0; i < 3; ++i) apart.positions.push_back(kBox.positions[t[i]]);
        apart.triangles.push_back({first, first + 1, first + 2});
    }
    EXPECT_TRUE(examine(apart).closed());
}

TEST(Mesh, HolesWallsAndTurnedTrianglesAreCounted) {
    TriangleMesh open = kBox;
    open.triangles.pop_back();
    EXPECT_EQ(examine(open).open_edges, 3U);

    TriangleMesh finned = kBox;
    finned.positions.push_back({100.0F, -2.0F, 0.0F});
    finned.triangles.push_back({0U, 1U, 8U});
    EXPECT_EQ(examine(finned).nonmanifold_edges, 1U);
    EXPECT_EQ(examine(finned).open_edges, 2U);

    TriangleMesh turned = kBox;
    std::swap(turned.triangles[0][0], turned.triangles[0][1]);
    EXPECT_EQ(examine(turned).misoriented_edges, 3U);

    TriangleMesh flat = kBox;
    flat.triangles.push_back({0U, 0U, 1U});
    EXPECT_EQ(examine(flat).degenerate_triangles, 1U);
    EXPECT_TRUE(examine(flat).closed());

    TriangleMesh inside_out = kBox;
    test_meshes::turn_inside_out(inside_out);
    EXPECT_TRUE(examine(inside_out).inside_out);
    EXPECT_NEAR(examine(inside_out).thinnest, 2, 1e-5);
    for (const TriangleMesh* bad : {&open, &finned, &turned, &flat, &inside_out})
        EXPECT_FALSE(warnings(examine(*bad), 0.1).empty());
}

// A bottle: a sphere within a sphere, turned.  The wall is between them, however large the whole.
TEST(Mesh, ThicknessIsThatOfTheWall) {
    TriangleMesh inner = test_meshes::sphere({}, 0.97F, 40, 80);
    test_meshes::turn_inside_out(inner);
    const MeshReport report = examine(test_meshes::joined(test_meshes::sphere({}, 1, 40, 80), inner));
    EXPECT_NEAR(report.thinnest, 0.03, 0.002);
    ASSERT_EQ(warnings(report, 0.05).size(), 1U);
    EXPECT_NE(warnings(report, 0.05)[0].find("thin"), std::string::npos);
    EXPECT_TRUE(warnings(report, 0.02).empty());
}

TEST(Mesh, OrientationFollowsTheMajorityOfEachPart) {
    TriangleMesh mesh = test_meshes::joined(test_meshes::sphere({}, 1, 10, 20), kBox);
    const TriangleMesh good = mesh;
    EXPECT_EQ(orient_consistently(mesh), 0U);
    for (std::size_t t = 0; t < mesh.triangles.size(); t += 5) std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);
    const std::size_t turned = (mesh.triangles.size() + 4) / 5;
    EXPECT_EQ(orient_consistently(mesh), turned);
    EXPECT_NEAR(signed_volume(mesh), signed_volume(good), 1e-6);
    EXPECT_EQ(examine(mesh).misoriented_edges, 0U);
    // Parts that agree within themselves stay as they are: an inner wall faces inward.
    test_meshes::turn_inside_out(mesh);
    EXPECT_EQ(orient_consistently(mesh), 0U);
}

TEST(Mesh, ReportsAreTheSameOnAnyThreads) {
    const TriangleMesh mesh = test_meshes::sphere({}, 1, 60, 120);
    expect_same_on_any_threads([&] {
        const MeshReport report = examine(mesh);
        return std::tuple(report.volume, report.area, report.thinnest);
    });
}

}  // namespace
}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "geometry/contour.h"

#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include "base/hash.h"
#include "geometry/shapes.h"
#include "geometry/test_meshes.h"
#include "grid/test_support.h"

namespace spindrift {
namespace {

constexpr double kPi = std::numbers::pi;
using test_meshes::expect_closed_manifold;

// Samples of a function of world space over a box of cells, cut off three cells from the surface as trackers do.
template <int Dim>
Field<float, Dim> sampled(const IndexBox<Dim>& cells, const GridTransform<Dim>& transform,
                          const std::function<double(const Vec<double, Dim>&)>& f) {
    const auto band = static_cast<float>(3 * transform.dx);
    Field<float, Dim> phi(Tiles<Dim>::covering(cells), band);
    assign(phi, [&](const Index<Dim>& cell) {
        return std::clamp(static_cast<float>(f(transform.world_of_centre(cell))), -band, band);
    });
    return phi;
}

template <int Dim>
IndexBox<Dim> cube(int lo, int hi) {
    return {Index<Dim>(lo), Index<Dim>(hi)};
}

template <int Dim>
auto ball(const Vec<double, Dim>& centre, double radius) {
    return [=](const Vec<double, Dim>& p) { return length(p - centre) - radius; };
}

// Inside the smallest angle of each triangle, in degrees.
std::vector<double> smallest_angles(const TriangleMesh& mesh) {
    std::vector<double> angles;
    for (const auto& t : mesh.triangles) {
        double least = 180;
        for (int i = 0; i < 3; ++i) {
            const Vec<double, 3> a(mesh.positions[t[i]]), b(mesh.positions[t[(i + 1) % 3]]),
                c(mesh.positions[t[(i + 2) % 3]]);
            least = std::min(
                least,
                180 / kPi * std::acos(std::clamp(dot(b - a, c - a) / (length(b - a) * length(c - a)), -1.0, 1.0)));
        }
        angles.push_back(least);
    }
    std::sort(angles.begin(), angles.end());
    return angles;
}

TEST(Contour, SphereIsClosedAndSecondOrder) {
    double area_before = 0, volume_before = 0;
    for (const int n : {16, 32, 64, 128}) {
        const GridTransform<3> transform{Vec<double, 3>(-1.503), 3.0 / n};
        const TriangleMesh mesh = contour(sampled<3>(cube<3>(0, n), transform, ball<3>({}, 1)), transform);
        EXPECT_EQ(expect_closed_manifold(mesh), 2) << n;
        const double area_error = std::abs(surface_area(mesh) / (4 * kPi) - 1);
        const double volume_error = std::abs(signed_volume(mesh) / (4 * kPi / 3) - 1);
        double place_error = 0, mean_error = 0, normal_error = 0;
        for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
            const Vec<double, 3> p(mesh.positions[i]);
            place_error = std::max(place_error, std::abs(length(p) - 1));
            mean_error += std::abs(length(p) - 1) / static_cast<double>(mesh.positions.size());
            normal_error = std::max(normal_error, length(Vec<double, 3>(mesh.normals[i]) - p / length(p)));
        }
        // The trilinear interpolant alone would be off by a quarter of dx², here and there: a ripple.
        EXPECT_LT(place_error, 0.1 * transform.dx * transform.dx) << n;
        EXPECT_LT(mean_error, 0.02 * transform.dx * transform.dx) << n;
        EXPECT_LT(normal_error, 0.6 * transform.dx * transform.dx + 1e-4) << n;
        EXPECT_LT(volume_error, 0.6 * transform.dx * transform.dx) << n;
        if (n > 16) {
            EXPECT_LT(area_error, area_before / 3) << n;
            EXPECT_LT(volume_error, volume_before / 3) << n;
        }
        area_before = area_error, volume_before = volume_error;
    }
}

TEST(Contour, TorusHasAHole) {
    const GridTransform<3> transform{Vec<double, 3>(-1.5), 3.0 / 48};
    const auto torus = [](const Vec<double, 3>& p) { return std::hypot(std::hypot(p[0], p[2]) - 0.9, p[1]) - 0.35; };
    const TriangleMesh mesh = contour(sampled<3>(cube<3>(0, 48), transform, torus), transform);
    EXPECT_EQ(expect_closed_manifold(mesh), 0);
    EXPECT_NEAR(signed_volume(mesh), 2 * kPi * kPi * 0.9 * 0.35 * 0.35, 0.02);
}

// Touching in a point, in all places of that point within a cell: where marching cubes tables differ.
TEST(Contour, TouchingSpheresAreManifold) {
    for (int trial = 0; trial < 40; ++trial) {
        const Vec<double, 3> offset{0.11 * trial, 0.07 * trial, 0.05 * trial};
        const Vec<double, 3> apart = Vec<double, 3>{5.0 - 0.1 * trial, 0.13 * trial, 2.1} * (1 + 0.02 * (trial % 5));
        const Vec<double, 3> a = Vec<double, 3>(8.0) + offset, b = a + apart;
        const double radius = 0.5 * length(apart);
        const auto two = [&](const Vec<double, 3>& p) { return std::min(length(p - a), length(p - b)) - radius; };
        expect_closed_manifold(contour(sampled<3>(cube<3>(-8, 40), {}, two), {}));
    }
}

// A ball that goes round two periodic sides: four quarters, each closed at the sides, with the ball's volume in all.
// On one tile a period every neighbour is the tile itself.
TEST(Contour, OnePeriodIsClosedAtItsSides) {
    for (const int tiles : {1, 2, 3}) {
        const int n = tiles * kTileSide;
        const GridTransform<3> transform{Vec<double, 3>(0.1), 1.0 / n};
        const Box<double, 3> box{Vec<double, 3>(0.1), Vec<double, 3>(1.1)};
        Field<float, 3> phi(Tiles<3>::covering(cube<3>(0, n), {tiles, 0, tiles}), 3.0F / static_cast<float>(n));
        assign(phi, [&](const Index<3>& cell) {
            Vec<double, 3> p = transform.world_of_centre(cell) - box.lo;
            for (const int a : {0, 2}) p[a] -= std::round(p[a]);
            return static_cast<float>(std::min(length(p - Vec<double, 3>{0, 0.5, 0}) - 0.4, 3.0 / n));
        });
        const TriangleMesh mesh = contour(phi, transform, {.box = box});
        EXPECT_EQ(expect_closed_manifold(mesh), 8) << tiles;
        EXPECT_NEAR(signed_volume(mesh), 4 * kPi / 3 * std::pow(0.4, 3), 1.0 / (n * n)) << tiles;
        for (int a : {0, 2}) {
            EXPECT_NEAR(bounding_box(mesh).lo[a], 0.1, 1e-6) << tiles;
            EXPECT_NEAR(bounding_box(mesh).hi[a], 1.1, 1e-6) << tiles;
        }
    }
}

// A wave fits its period: it reaches both sides with the same height and slope, as if there were none.
TEST(Contour, GoesOnAcrossPeriodicSides) {
    const auto height = [](double x) { return 9 + 2 * std::sin(x * kPi / 8 + 0.7); };
    Field<float, 3> phi(Tiles<3>::covering(cube<3>(0, 16), {2, 0, 2}), 3.0F);
    assign(phi, [&](const Index<3>& cell) { return static_cast<float>(cell[1] + 0.5 - height(cell[0] + 0.5)); });
    const TriangleMesh mesh = contour(phi, {}, {.box = Box<double, 3>{Vec<double, 3>(0.0), Vec<double, 3>(16.0)}});
    EXPECT_EQ(expect_closed_manifold(mesh), 2);
    double highest_left = 0, highest_right = 0;
    for (const auto& p : mesh.positions) {
        if (p[0] < 1e-4) highest_left = std::max(highest_left, double{p[1]});
        if (p[0] > 16 - 1e-4) highest_right = std::max(highest_right, double{p[1]});
    }
    EXPECT_NEAR(highest_left, height(0), 0.01);
    EXPECT_NEAR(highest_right, height(16), 0.01);
}

TEST(Contour, PeriodicNoiseIsManifold) {
    const Box<double, 3> box{Vec<double, 3>(0.0), Vec<double, 3>(16.0)};
    for (unsigned seed = 1; seed <= 6; ++seed) {
        Field<float, 3> phi(Tiles<3>::covering(cube<3>(0, 16), {2, seed % 2 == 0 ? 2 : 0, 2}), 1.0F);
        std::mt19937 rng(seed);
        std::uniform_real_distribution<float> value(-1, 1);
        for (float& v : phi.values()) v = value(rng);
        expect_closed_manifold(contour(phi, {}, {.box = box}));
    }
}

// Any values at all, on tiles with holes, give closed manifolds: the surface ends where tiles do.
TEST(Contour, NoiseIsManifold) {
    for (unsigned seed = 1; seed <= 6; ++seed) {
        Field<float, 3> phi(ragged_tiles<3>(1, 0.6, seed), 1.0F);
        std::mt19937 rng(seed);
        std::uniform_real_distribution<float> value(-1, 1);
        for (float& v : phi.values()) v = value(rng) + 0.3F * (static_cast<float>(seed % 3) - 1);
        const TriangleMesh mesh = contour(phi, {});
        EXPECT_GT(mesh.triangles.size(), 1000U);
        expect_closed_manifold(mesh);
    }
}

// Whatever the values: nothing reaches beyond the box, and the surface is closed there.
TEST(Contour, NoiseStaysInTheBox) {
    const GridTransform<3> transform{.origin = {0.1, -0.2, 0.3}, .dx = 0.07};
    for (const double shift : {0.0, 0.3, 0.5}) {
        const Box<double, 3> box{transform.world_from_cell(Vec<double, 3>(1 + shift)),
                                 transform.world_from_cell(Vec<double, 3>(14 - shift))};
        for (unsigned seed = 0; seed < 10; ++seed) {
            Field<float, 3> phi(Tiles<3>::covering(cube<3>(0, 16)), 1.0F);
            std::mt19937 rng(seed);
            std::uniform_real_distribution<float> value(-1, 1);
            for (float& v : phi.values()) v = value(rng);
            const TriangleMesh mesh = contour(phi, transform, {.box = box});
            ASSERT_FALSE(mesh.positions.empty());
            expect_closed_manifold(mesh);
            const Box<float, 3> found = bounding_box(mesh);
            for (int a = 0; a < 3; ++a) {
                ASSERT_GE(found.lo[a], box.lo[a]) << seed;
                ASSERT_LE(found.hi[a], box.hi[a]) << seed;
            }
        }
    }
}

TEST(Contour, WholeNumbersAreManifold) {
    for (unsigned seed = 1; seed <= 4; ++seed) {
        Field<float, 3> phi(Tiles<3>::covering(cube<3>(-8, 8)), 1.0F);
        std::mt19937 rng(seed);
        std::uniform_int_distribution<int> value(-1, 1);  // zeros count as outside
        for (float& v : phi.values()) v = static_cast<float>(value(rng));
        expect_closed_manifold(contour(phi, {}));
    }
}

TEST(Contour, NothingGivesNothing) {
    EXPECT_TRUE(contour(Field<float, 3>(Tiles<3>::covering(cube<3>(0, 8)), 1.0F), {}).positions.empty());
    EXPECT_TRUE(contour(Field<float, 3>(Tiles<3>::from_coordinates({}), 1.0F), {}).triangles.empty());
    EXPECT_EQ(contour(Field<float, 2>(Tiles<2>::covering(cube<2>(0, 8)), 1.0F), {}).count(), 0U);
}

TEST(Contour, TrianglesAreWellShaped) {
    const GridTransform<3> transform{Vec<double, 3>(-1.5), 3.0 / 64};
    const TriangleMesh mesh =
        contour(sampled<3>(cube<3>(0, 64), transform, ball<3>(Vec<double, 3>(0.013), 1.1)), transform);
    const std::vector<double> angles = smallest_angles(mesh);
    EXPECT_GT(angles.front(), 3);
    EXPECT_GT(angles[angles.size() / 100], 12);
    EXPECT_GT(angles[angles.size() / 2], 35);
}

// Neither area nor volume jumps while a drop moves through the cells, nor does the surface stray.
TEST(Contour, MovesSmoothly) {
    double least_area = 1e9, most_area = 0, least_volume = 1e9, most_volume = 0, largest_jump = 0, before = 0;
    for (int step = 0; step <= 100; ++step) {
        const Vec<double, 3> centre =
            Vec<double, 3>{12.0, 12.0, 12.0} + Vec<double, 3>{0.01, 0.007, 0.003} * double(step);
        const TriangleMesh mesh = contour(sampled<3>(cube<3>(0, 24), {}, ball<3>(centre, 8)), {});
        const double area = surface_area(mesh) / (4 * kPi * 64), volume = signed_volume(mesh) / (4 * kPi / 3 * 512);
        least_area = std::min(least_area, area), most_area = std::max(most_area, area);
        least_volume = std::min(least_volume, volume), most_volume = std::max(most_volume, volume);
        if (step > 0) largest_jump = std::max(largest_jump, std::abs(area - before));
        before = area;
    }
    EXPECT_LT(most_area - least_area, 1e-3);
    EXPECT_LT(most_volume - least_volume, 1e-3);
    EXPECT_LT(largest_jump, 1e-4);
}

// A tank half full, its walls between samples or not: the sides are flat, where the walls are, and the edges sharp.
TEST(Contour, LiquidIsFlushWithTheBox) {
    for (const double shift : {0.0, 0.27, 0.5, 0.81}) {
        const GridTransform<3> transform{Vec<double, 3>(0.1), 0.05};
        const Box<double, 3> box{transform.world_from_cell(Vec<double, 3>(2 + shift)),
                                 transform.world_from_cell(Vec<double, 3>(21 - shift))};
        const double level = 0.6123;
        Field<float, 3> phi =
            sampled<3>(cube<3>(0, 24), transform, [&](const Vec<double, 3>& p) { return p[1] - level; });
        const TriangleMesh mesh = contour(phi, transform, {.box = box});
        EXPECT_EQ(expect_closed_manifold(mesh), 2);
        Vec<double, 3> size = box.size();
        size[1] = level - box.lo[1];
        const Box<float, 3> found = bounding_box(mesh);
        for (int a = 0; a < 3; ++a) {
            EXPECT_NEAR(found.lo[a], box.lo[a], 1e-6) << shift;
            EXPECT_NEAR(found.size()[a], size[a], 1e-6) << shift;
        }
        EXPECT_NEAR(signed_volume(mesh), product(size), 1e-5 * product(size)) << shift;
        EXPECT_NEAR(surface_area(mesh), 2 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]), 1e-5) << shift;
    }
}

// Tiles that end at the walls, and liquid beyond them that is to be cut off, make no difference.
TEST(Contour, TheBoxDoesNotDependOnWhatLiesBeyondIt) {
    const auto surface = [](const Vec<double, 3>& p) { return p[1] - 9 - std::sin(p[0] * 0.5) * 2; };
    const Box<double, 3> box{Vec<double, 3>(0.0), Vec<double, 3>(16.0)};
    Field<float, 3> small = sampled<3>(cube<3>(0, 16), {}, surface), large = sampled<3>(cube<3>(-8, 24), {}, surface);
    const TriangleMesh a = contour(small, {}, {.box = box}), b = contour(large, {}, {.box = box});
    expect_closed_manifold(a);
    ASSERT_EQ(a.positions.size(), b.positions.size());
    EXPECT_EQ(signed_volume(a), signed_volume(b));
    // The surface keeps its slope up to the wall: the height there is that of the wave.
    double highest_error = 0;
    for (const auto& p : a.positions)
        if (p[0] < 1e-4 && p[1] > 1e-4) highest_error = std::max(highest_error, double{p[1]} - 9);
    EXPECT_LT(highest_error, 0.1);
}

// Liquid in a glass: flush with a slanted, curved wall to second order, and no gap wider than that.
TEST(Contour, LiquidIsFlushWithSolids) {
    const auto glass = [](const Vec<double, 3>& p) {
        return 0.8 - length(p);  // hollow sphere: solid beyond 0.8
    };
    double before = 0;
    for (const int n : {24, 48}) {
        const GridTransform<3> transform{Vec<double, 3>(-1.01), 2.0 / n};
        const Field<float, 3> solid = sampled<3>(cube<3>(0, n + 1), transform, glass);
        const Field<float, 3> phi =
            sampled<3>(cube<3>(0, n + 1), transform, [](const Vec<double, 3>& p) { return p[1] - 0.113; });
        const TriangleMesh mesh = contour(phi, transform, {.solid = &solid});
        EXPECT_EQ(expect_closed_manifold(mesh), 2);
        double gap = 0;
        for (const auto& p : mesh.positions)
            if (p[1] < 0.112F) gap = std::max(gap, std::abs(length(Vec<double, 3>(p)) - 0.8));
        EXPECT_LT(gap, 0.35 * transform.dx * transform.dx) << n;
        // A cap of height h has volume π h² (R - h/3).
        const double h = 0.8 + 0.113, exact = kPi * h * h * (0.8 - h / 3);
        const double error = std::abs(signed_volume(mesh) - exact);
        EXPECT_LT(error, 0.006 * exact) << n;
        if (n > 24) {
            EXPECT_LT(error, before / 2.5);
        }
        before = error;
        const TriangleMesh reaching = contour(phi, transform, {.solid = &solid, .overlap = 0.05F});
        EXPECT_NEAR(bounding_box(reaching).lo[0], -0.85, 0.003);
    }
}

TEST(Contour, VelocityIsThatOfTheFaces) {
    const GridTransform<3> transform{Vec<double, 3>(-1.5), 3.0 / 32};
    const auto phi = sampled<3>(cube<3>(0, 32), transform, ball<3>({}, 1));
    FaceField<3> velocity(phi.tiles_ptr());
    for (int a = 0; a < 3; ++a)
        assign(velocity[a], [&](const Index<3>& cell) {
            const Vec<double, 3> p = transform.world_of_face(a, cell);
            return static_cast<float>(2 + p[(a + 1) % 3]);
        });
    const TriangleMesh mesh = contour(phi, transform, {.velocity = &velocity});
    ASSERT_EQ(mesh.velocities.size(), mesh.positions.size());
    for (std::size_t i = 0; i < mesh.positions.size(); ++i)
        for (int a = 0; a < 3; ++a) ASSERT_NEAR(mesh.velocities[i][a], 2 + mesh.positions[i][(a + 1) % 3], 1e-5);
}

TEST(Contour, SameOnAnyThreads) {
    Field<float, 3> phi(ragged_tiles<3>(2, 0.6), 1.0F);
    assign(phi, [](const Index<3>& cell) { return scrambled(cell); });
    expect_same_on_any_threads([&] { return state_hash(contour(phi, {})); });
}

double enclosed(const Polylines& lines) {
    double area = 0;
    for (std::size_t l = 0; l < lines.count(); ++l)
        for (std::uint32_t i = lines.starts[l]; i < lines.starts[l + 1]; ++i) {
            const std::uint32_t next = i + 1 < lines.starts[l + 1] ? i + 1 : lines.starts[l];
            const Vec<double, 2> a(lines.points[i]), b(lines.points[next]);
            area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
        }
    return area;
}

TEST(ContourLines, CircleAndRingAreSecondOrder) {
    double before = 0;
    for (const int n : {16, 32, 64}) {
        const GridTransform<2> transform{Vec<double, 2>(-1.503), 3.0 / n};
        const Polylines circle = contour(sampled<2>(cube<2>(0, n), transform, ball<2>({}, 1)), transform);
        ASSERT_EQ(circle.count(), 1U);
        const double error = std::abs(enclosed(circle) - kPi);
        if (n > 16) {
            EXPECT_LT(error, before / 3);
        }
        before = error;
        const auto ring = [](const Vec<double, 2>& p) { return std::abs(length(p) - 0.9) - 0.35; };
        const Polylines two = contour(sampled<2>(cube<2>(0, n), transform, ring), transform);
        EXPECT_EQ(two.count(), 2U);
        EXPECT_NEAR(enclosed(two), kPi * 4 * 0.9 * 0.35, 3.0 * transform.dx * transform.dx);
    }
}

TEST(ContourLines, LiquidIsFlushWithTheBox) {
    const Box<double, 2> box{{1.3, 2.25}, {13.7, 12.0}};
    const auto phi = sampled<2>(cube<2>(0, 16), {}, [](const Vec<double, 2>& p) { return p[1] - 7.1; });
    const Polylines lines = contour(phi, {}, {.box = box});
    ASSERT_EQ(lines.count(), 1U);
    EXPECT_NEAR(enclosed(lines), (13.7 - 1.3) * (7.1 - 2.25), 1e-4);
}

TEST(ContourLines, OnePeriodIsClosedAtItsSides) {
    Field<float, 2> phi(Tiles<2>::covering(cube<2>(0, 16), {2, 2}), 3.0F);
    assign(phi, [](const Index<2>& cell) {
        Vec<double, 2> p = Vec<double, 2>(cell) + Vec<double, 2>(0.5);
        for (int a = 0; a < 2; ++a) p[a] -= 16 * std::round(p[a] / 16);
        return static_cast<float>(length(p) - 6);
    });
    const Polylines lines = contour(phi, {}, {.box = Box<double, 2>{{0, 0}, {16, 16}}});
    EXPECT_EQ(lines.count(), 4U);
    EXPECT_NEAR(enclosed(lines), kPi * 36, 0.5);
}

// Each point once, next to its neighbours; all closed.  Noise makes every kind of cell.
TEST(ContourLines, NoiseIsClosed) {
    Field<float, 2> phi(ragged_tiles<2>(2, 0.6), 1.0F);
    assign(phi, [](const Index<2>& cell) { return scrambled(cell); });
    const Polylines lines = contour(phi, {});
    EXPECT_GT(lines.count(), 20U);
    for (std::size_t l = 0; l < lines.count(); ++l) {
        EXPECT_GE(lines.starts[l + 1] - lines.starts[l], 4U);
        for (std::uint32_t i = lines.starts[l]; i < lines.starts[l + 1]; ++i) {
            const std::uint32_t next = i + 1 < lines.starts[l + 1] ? i + 1 : lines.starts[l];
            const Vec<float, 2> d = lines.points[next] - lines.points[i];
            ASSERT_LE(std::max(std::abs(d[0]), std::abs(d[1])), 2.0F);
        }
    }
    expect_same_on_any_threads([&] { return Hasher().add(contour(phi, {}).points).digest(); });
}

}  // namespace
}  // namespace spindrift

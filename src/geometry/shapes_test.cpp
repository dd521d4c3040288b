// SPDX-License-Identifier: Apache-2.0
#include "geometry/shapes.h"

#include <cmath>
#include <numbers>
#include <random>

#include "geometry/mesh_distance.h"
#include "geometry/test_meshes.h"
#include "grid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class Shapes : public ::testing::Test {};
TYPED_TEST_SUITE(Shapes, Dimensions);

template <int Dim>
Vec<double, Dim> random_point(std::mt19937& rng, double reach) {
    return Vec<double, Dim>(random_position<Dim>(rng, static_cast<float>(-reach), static_cast<float>(reach)));
}

// One of each kind, none of them at the origin or along the axes unless they must.
template <int Dim>
std::vector<Shape<Dim>> one_of_each() {
    Vec<double, Dim> a(-0.3), b(0.4), radii(0.7), normal(1.0);
    a[0] = 0.2;
    b[1] = 0.9;
    radii[0] = 0.3;
    radii[1] = 1.1;
    normal[0] = -2;
    std::vector<Shape<Dim>> all{Box<double, Dim>{a - Vec<double, Dim>(0.5), a + Vec<double, Dim>(0.7)},
                                Sphere<Dim>{a, 0.8},
                                Ellipsoid<Dim>{b, radii},
                                Cylinder<Dim>{a, b, 0.35},
                                Capsule<Dim>{a, b, 0.35},
                                Cone<Dim>{a, b, 0.6, 0.2},
                                Cone<Dim>{b, a, 0.8, 0},
                                Torus<Dim>{a, 0.8, 0.3, normal},
                                HalfSpace<Dim>{b, normal}};
    if constexpr (Dim == 2) all.push_back(Polygon{{{-0.9, -0.8}, {1.1, -0.6}, {0.1, 0.1}, {0.9, 1.2}, {-1.0, 0.7}}});
    if constexpr (Dim == 3)
        all.push_back(
            MeshSolid{std::make_shared<MeshDistance>(test_meshes::box({-0.5F, -0.4F, -0.3F}, {0.6F, 0.4F, 0.5F}))});
    return all;
}

template <int Dim>
Vec<double, Dim> gradient(const Shape<Dim>& shape, const Vec<double, Dim>& p) {
    constexpr double h = 1e-5;
    Vec<double, Dim> g;
    for (int a = 0; a < Dim; ++a) {
        Vec<double, Dim> step;
        step[a] = h;
        g[a] = (signed_distance<Dim>(shape, p + step) - signed_distance<Dim>(shape, p - step)) / (2 * h);
    }
    return g;
}

// What makes a function the distance to its own zero set: it never changes faster than the way walked, and walking it
// straight to the surface arrives there.
TYPED_TEST(Shapes, DistanceIsTheWayToTheSurface) {
    constexpr int Dim = TypeParam::kDim;
    std::mt19937 rng(7);
    for (const Shape<Dim>& shape : one_of_each<Dim>()) {
        int arrived = 0, tried = 0;
        for (int i = 0; i < 500; ++i) {
            const auto p = random_point<Dim>(rng, 2.0), q = random_point<Dim>(rng, 2.0);
            const double d = signed_distance<Dim>(shape, p);
            ASSERT_LE(std::abs(d - signed_distance<Dim>(shape, q)), length(p - q) + 1e-9) << "shape " << shape.index();
            const auto g = gradient<Dim>(shape, p);
            if (std::abs(length(g) - 1) > 1e-4) continue;  // at a kink: two nearest points
            ++tried;
            arrived += std::abs(signed_distance<Dim>(shape, p - g * (d / dot(g, g)))) < 1e-4 ? 1 : 0;
        }
        EXPECT_EQ(arrived, tried) << "shape " << shape.index();
        EXPECT_GT(tried, 450) << "shape " << shape.index();
    }
}

TYPED_TEST(Shapes, KnownPoints) {
    constexpr int Dim = TypeParam::kDim;
    const Vec<double, Dim> zero, x = Vec<double, Dim>(unit<Dim>(0)), y = Vec<double, Dim>(unit<Dim>(1));
    const Box<double, Dim> box{-x - y - Vec<double, Dim>(1.0), Vec<double, Dim>(1.0)};
    EXPECT_DOUBLE_EQ(signed_distance<Dim>(box, zero), -1);
    EXPECT_DOUBLE_EQ(signed_distance<Dim>(box, x * 4.0 + y * 5.0), 5);
    EXPECT_DOUBLE_EQ(signed_distance<Dim>(Sphere<Dim>{x, 2}, x * 4.0), 1);
    EXPECT_DOUBLE_EQ(signed_distance<Dim>(HalfSpace<Dim>{x, x * 3.0}, y), -1);
    const Cylinder<Dim> cylinder{x * -2.0, x * 2.0, 1};
    EXPECT_DOUBLE_EQ(signed_distance<Dim>(cylinder, zero), -1);
    EXPECT_DOUBLE_EQ(signed_distance<Dim>(cylinder, x * 5.0 + y * 5.0), 5);  // from the rim, by 3 and 4
    EXPECT_DOUBLE_EQ(signed_distance<Dim>(cylinder, x * 2.5), 0.5);
    const Capsule<Dim> capsule{x * -2.0, x * 2.0, 1};
    EXPECT_DOUBLE_EQ(signed_distance<Dim>(capsule, x * 5.0 + y * 4.0), 4);
    EXPECT_DOUBLE_EQ(signed_distance<Dim>(capsule, x + y * 0.25), -0.75);
}

// A ball is a ball by either formula; the centre of a flat ellipsoid is as far from it as its least radius, though the
// nearest point is ambiguous there.
TYPED_TEST(Shapes, EllipsoidIsExact) {
    constexpr int Dim = TypeParam::kDim;
    std::mt19937 rng(1);
    Vec<double, Dim> radii(2.0);
    for (int i = 0; i < 200; ++i) {
        const auto p = random_point<Dim>(rng, 5);
        EXPECT_NEAR(signed_distance<Dim>(Ellipsoid<Dim>{{}, radii}, p), length(p) - 2, 1e-12);
    }
    radii[0] = 0.5;
    const Ellipsoid<Dim> flat{{}, radii};
    EXPECT_NEAR(signed_distance<Dim>(flat, Vec<double, Dim>()), -0.5, 1e-12);
    EXPECT_NEAR(signed_distance<Dim>(flat, Vec<double, Dim>(unit<Dim>(0))), 0.5, 1e-12);
    EXPECT_NEAR(signed_distance<Dim>(flat, Vec<double, Dim>(unit<Dim>(1)) * 1e6), 1e6 - 2, 1e-6);
    // On the long axis inside, beyond the centre of curvature, the nearest point is the tip; before it, it is not.
    EXPECT_NEAR(signed_distance<Dim>(flat, Vec<double, Dim>(unit<Dim>(1)) * 1.95), -0.05, 1e-12);
    EXPECT_NEAR(signed_distance<Dim>(flat, Vec<double, Dim>(unit<Dim>(1)) * 1.0), -0.5 * std::sqrt(1 - 1 / (4 - 0.25)),
                1e-12);
}

TYPED_TEST(Shapes, SetsAddAndSubtractInOrder) {
    constexpr int Dim = TypeParam::kDim;
    const Vec<double, Dim> zero, x = Vec<double, Dim>(unit<Dim>(0));
    ShapeSet<Dim> set;
    EXPECT_EQ(signed_distance(set, zero), std::numeric_limits<double>::infinity());
    EXPECT_TRUE(bounding_box(set).empty());
    set.add(Sphere<Dim>{zero, 2});
    set.subtract(Sphere<Dim>{zero, 1});
    set.add(Sphere<Dim>{zero, 0.25});
    EXPECT_LT(signed_distance(set, zero), 0);
    EXPECT_NEAR(signed_distance(set, x * 0.5), 0.25, 1e-12);
    EXPECT_NEAR(signed_distance(set, x * 1.25), -0.25, 1e-12);
    EXPECT_NEAR(signed_distance(set, x * 3.0), 1, 1e-12);
}

TYPED_TEST(Shapes, PosesMoveTheShapeAndItsBox) {
    constexpr int Dim = TypeParam::kDim;
    RigidTransform<Dim> pose;
    if constexpr (Dim == 2) pose = rotation(std::numbers::pi / 2);
    if constexpr (Dim == 3) pose = rotation({0, 0, 3}, std::numbers::pi / 2);
    pose.translation[1] = 10;
    // Along x, turned to y, and lifted.
    ShapeSet<Dim> set;
    const Vec<double, Dim> x = Vec<double, Dim>(unit<Dim>(0)), y = Vec<double, Dim>(unit<Dim>(1));
    set.parts.push_back({Cylinder<Dim>{x, x * 3.0, 0.5}, Combine::add, pose});
    EXPECT_NEAR(signed_distance(set, y * 12.0), -0.5, 1e-12);
    EXPECT_NEAR(signed_distance(set, y * 14.0), 1, 1e-12);
    EXPECT_NEAR(signed_distance(set, y * 12.0 + x), 0.5, 1e-12);
    const Box<double, Dim> box = bounding_box(set);
    EXPECT_NEAR(box.lo[1], 11, 1e-12);
    EXPECT_NEAR(box.hi[1], 13, 1e-12);
    EXPECT_NEAR(box.hi[0], 0.5, 1e-12);

    std::mt19937 rng(3);
    for (int i = 0; i < 50; ++i) {
        const auto p = random_point<Dim>(rng, 4);
        EXPECT_NEAR(length(pose.local_from_world(pose.world_from_local(p)) - p), 0, 1e-12);
    }
}

// Areas and volumes by sampling.
TYPED_TEST(Shapes, HoldTheirVolume) {
    constexpr int Dim = TypeParam::kDim;
    const auto volume = [](const Shape<Dim>& shape) {
        constexpr int kSteps = Dim == 2 ? 1000 : 120;
        int inside = 0;
        for_each_index(IndexBox<Dim>{Index<Dim>(0), Index<Dim>(kSteps)}, [&](const Index<Dim>& i) {
            const Vec<double, Dim> p = (Vec<double, Dim>(i) + Vec<double, Dim>(0.5)) * (4.0 / kSteps);
            inside += signed_distance<Dim>(shape, p - Vec<double, Dim>(2.0)) < 0 ? 1 : 0;
        });
        return inside * std::pow(4.0 / kSteps, Dim);
    };
    constexpr double kPi = std::numbers::pi;
    Vec<double, Dim> a(-0.3), b(0.4);
    a[0] = 0.2;
    const double height = length(b - a);
    const double cone = Dim == 2 ? height * (0.6 + 0.2) : kPi * height / 3 * (0.36 + 0.12 + 0.04);
    EXPECT_NEAR(volume(Cone<Dim>{a, b, 0.6, 0.2}) / cone, 1, 0.01);
    const double torus = Dim == 2 ? 4 * kPi * 0.8 * 0.3 : 2 * kPi * kPi * 0.8 * 0.09;
    EXPECT_NEAR(volume(Torus<Dim>{a, 0.8, 0.3}) / torus, 1, 0.01);
    if constexpr (Dim == 2) {
        EXPECT_NEAR(volume(Polygon{{{-0.5, 0.5}, {1.5, 0.5}, {1.5, 1.5}, {0.5, 1.5}, {0.5, 1.0}}}), 1.25, 0.01);
    }
}

// Points inside are in the box; and the box is tight: its six sides are touched.
TYPED_TEST(Shapes, BoundingBoxesHoldAndTouch) {
    constexpr int Dim = TypeParam::kDim;
    for (const Shape<Dim>& shape : one_of_each<Dim>()) {
        if (std::holds_alternative<HalfSpace<Dim>>(shape)) continue;
        const Box<double, Dim> box = bounding_box<Dim>(shape);
        std::mt19937 rng(11);
        Box<double, Dim> seen{Vec<double, Dim>(9.0), Vec<double, Dim>(-9.0)};
        for (int i = 0; i < 40000; ++i) {
            const auto p = random_point<Dim>(rng, 2);
            if (signed_distance<Dim>(shape, p) > 0) continue;
            ASSERT_TRUE(box.expanded(1e-9).contains(p)) << "shape " << shape.index();
            seen = bounds(seen, {p, p});
        }
        for (int a = 0; a < Dim; ++a) {
            EXPECT_NEAR(seen.lo[a], box.lo[a], 0.2) << "shape " << shape.index();
            EXPECT_NEAR(seen.hi[a], box.hi[a], 0.2) << "shape " << shape.index();
        }
    }
    Vec<double, Dim> up;
    up[1] = 2;
    const Box<double, Dim> floor = bounding_box<Dim>(Shape<Dim>(HalfSpace<Dim>{up, up}));
    EXPECT_EQ(floor.hi[1], 2);
    EXPECT_EQ(floor.lo[1], -std::numeric_limits<double>::infinity());
    EXPECT_EQ(floor.hi[0], std::numeric_limits<double>::infinity());
}

TYPED_TEST(Shapes, FaultsAreNamed) {
    constexpr int Dim = TypeParam::kDim;
    for (const Shape<Dim>& shape : one_of_each<Dim>()) EXPECT_EQ(fault<Dim>(shape), "") << shape.index();
    EXPECT_EQ(fault<Dim>(Sphere<Dim>{{}, -1}), "its radius is -1 m; it must be above 0");
    EXPECT_NE(fault<Dim>(Box<double, Dim>{}), "");
    EXPECT_NE(fault<Dim>(Cylinder<Dim>{}), "");
    EXPECT_NE(fault<Dim>(HalfSpace<Dim>{}), "");
    EXPECT_NE(fault<Dim>(Cone<Dim>{}), "");
    EXPECT_NE(fault<Dim>(Torus<Dim>{{}, 1, -0.1}), "");
    if constexpr (Dim == 2) {
        EXPECT_NE(fault<2>(Polygon{{{0, 0}, {1, 1}, {2, 2}}}), "");
    }
    Vec<double, Dim> radii(1.0);
    radii[1] = std::nan("");
    EXPECT_NE(fault<Dim>(Sphere<Dim>{{}, radii[1]}), "");
}

}  // namespace
}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "grid/sampler.h"

#include <limits>

#include "base/hash.h"
#include "grid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class LinearSamplerTest : public ::testing::Test {};
TYPED_TEST_SUITE(LinearSamplerTest, Dimensions);
template <class D>
class FaceSamplerTest : public ::testing::Test {};
TYPED_TEST_SUITE(FaceSamplerTest, Dimensions);

// The interpolant by its definition, in double, one cell search per corner.
template <int Dim>
double plain_linear(const Field<float, Dim>& field, const Vec<float, Dim>& position, const Vec<float, Dim>& stagger) {
    Index<Dim> below;
    Vec<double, Dim> t;
    for (int a = 0; a < Dim; ++a) {
        const float p = position[a] - stagger[a];
        below[a] = static_cast<int>(std::floor(p));
        t[a] = double{p} - below[a];
    }
    double value = 0;
    for_each_index(IndexBox<Dim>{Index<Dim>(0), Index<Dim>(2)}, [&](const Index<Dim>& corner) {
        double weight = 1;
        for (int a = 0; a < Dim; ++a) weight *= corner[a] == 1 ? t[a] : 1 - t[a];
        value += weight * field.at(below + corner);
    });
    return value;
}

// 0.25 + 0.5 x - 0.75 y + ...: small dyadic numbers, so that cell values are exact.
template <int Dim>
float slanted(const Vec<float, Dim>& p) {
    float value = 0.25F;
    for (int a = 0; a < Dim; ++a) value += 0.25F * static_cast<float>(a % 2 == 0 ? a + 2 : -a - 2) * p[a];
    return value;
}

template <int Dim>
Field<float, Dim> noise(const TilesPtr<Dim>& tiles, float background = 0.25F) {
    Field<float, Dim> field(tiles, background);
    assign(field, [](const Index<Dim>& cell) { return scrambled(cell); });
    return field;
}

TYPED_TEST(LinearSamplerTest, ReproducesLinearFunctionsAndTheirGradient) {
    constexpr int Dim = TypeParam::kDim;
    Field<float, Dim> field(Tiles<Dim>::covering({Index<Dim>(-24), Index<Dim>(24)}));
    for (int axis = -1; axis < Dim; ++axis) {
        const Vec<float, Dim> stagger = axis < 0 ? kCellCentre<Dim> : face_centre<Dim>(axis);
        assign(field, [&](const Index<Dim>& cell) { return slanted(Vec<float, Dim>(cell) + stagger); });
        LinearSampler<Dim> sampler(field, stagger);
        std::mt19937 rng(1);
        for (int i = 0; i < 3000; ++i) {
            const auto p = random_position<Dim>(rng, -23, 23);
            ASSERT_NEAR(sampler(p), slanted(p), 2e-5);
            const auto [value, gradient] = sampler.value_and_gradient(p);
            ASSERT_EQ(value, sampler(p));
            for (int a = 0; a < Dim; ++a)
                ASSERT_NEAR(gradient[a], slanted(Vec<float, Dim>(unit<Dim>(a))) - 0.25F, 2e-5) << "axis " << a;
        }
    }
}

// Ragged tiles, so that stencils meet every combination of present and missing tiles; near and far jumps.
TYPED_TEST(LinearSamplerTest, AgreesWithThePlainDefinitionEverywhere) {
    constexpr int Dim = TypeParam::kDim;
    const auto field = noise(ragged_tiles<Dim>(3, 0.5));
    for (int axis = -1; axis < Dim; ++axis) {
        const Vec<float, Dim> stagger = axis < 0 ? kCellCentre<Dim> : face_centre<Dim>(axis);
        LinearSampler<Dim> sampler(field, stagger);
        std::mt19937 rng(2);
        for (int i = 0; i < 20000; ++i) {
            auto p = random_position<Dim>(rng, -40, 40);
            ASSERT_NEAR(sampler(p), plain_linear(field, p, stagger), 1e-6);
            p += random_position<Dim>(rng, -2, 2);
            ASSERT_NEAR(sampler(p), plain_linear(field, p, stagger), 1e-6);
        }
    }
}

TYPED_TEST(LinearSamplerTest, GradientIsTheSlopeOfTheInterpolant) {
    constexpr int Dim = TypeParam::kDim;
    const auto field = noise(ragged_tiles<Dim>(2, 0.6));
    LinearSampler<Dim> sampler(field);
    std::mt19937 rng(3);
    int compared = 0;
    for (int i = 0; i < 2000; ++i) {
        const auto p = random_position<Dim>(rng, -20, 20);
        const auto gradient = sampler.value_and_gradient(p).gradient;
        for (int a = 0; a < Dim; ++a) {
            // Linear along an axis inside a cell of the dual lattice: the difference over a quarter cell is the slope.
            auto lo = p, hi = p;
            lo[a] -= 0.125F, hi[a] += 0.125F;
            if (std::floor(lo[a] - 0.5F) != std::floor(hi[a] - 0.5F)) continue;
            const double slope =
                (plain_linear(field, hi, kCellCentre<Dim>) - plain_linear(field, lo, kCellCentre<Dim>)) * 4;
            ASSERT_NEAR(gradient[a], slope, 2e-5);
            ++compared;
        }
    }
    EXPECT_GT(compared, 1000);
}

TYPED_TEST(LinearSamplerTest, EqualsTheCellAtItsCentre) {
    constexpr int Dim = TypeParam::kDim;
    const auto field = noise(ragged_tiles<Dim>(1, 0.6));
    LinearSampler<Dim> sampler(field);
    for_each_index(IndexBox<Dim>{Index<Dim>(-18), Index<Dim>(18)}, [&](const Index<Dim>& cell) {
        ASSERT_EQ(sampler(Vec<float, Dim>(cell) + kCellCentre<Dim>), field.at(cell));
    });
}

// Answers must not depend on what was asked before.
TYPED_TEST(LinearSamplerTest, ForgetsNothingAndRemembersNothingWrong) {
    constexpr int Dim = TypeParam::kDim;
    const auto field = noise(ragged_tiles<Dim>(3, 0.4));
    LinearSampler<Dim> kept(field);
    std::mt19937 rng(4);
    std::vector<Vec<float, Dim>> positions;
    for (int i = 0; i < 5000; ++i) positions.push_back(random_position<Dim>(rng, -45, 45));
    std::vector<float> together(positions.size());
    LinearSampler<Dim>(field).sample_many(positions, together);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        LinearSampler<Dim> fresh(field);
        ASSERT_EQ(kept(positions[i]), fresh(positions[i]));
        ASSERT_EQ(together[i], fresh(positions[i]));
    }
}

TYPED_TEST(LinearSamplerTest, NowhereIsTheBackground) {
    constexpr int Dim = TypeParam::kDim;
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const auto field = noise(ragged_tiles<Dim>(1, 1.0), 0.75F);
    FaceField<Dim> faces(field.tiles_ptr());
    for (int a = 0; a < Dim; ++a) faces[a] = field;
    LinearSampler<Dim> sampler(field);
    FaceSampler<Dim> velocity(faces);
    for (const float odd : {std::numeric_limits<float>::quiet_NaN(), kInfinity, -kInfinity, 1e30F, -1e30F,
                            2147483648.0F, -2147483648.0F, 2147483520.0F, 2147483392.0F, -2147483392.0F, 1e9F})
        for (int a = 0; a < Dim; ++a) {
            Vec<float, Dim> p(1.25F);
            EXPECT_NE(sampler(p), 0.75F);
            p[a] = odd;
            EXPECT_EQ(sampler(p), 0.75F) << odd;
            EXPECT_EQ(velocity(p), (Vec<float, Dim>(0.75F))) << odd;
            const auto [value, gradient] = sampler.value_and_gradient(p);
            EXPECT_EQ(value, 0.75F);
            EXPECT_EQ(gradient, (Vec<float, Dim>{}));
        }

    const Field<float, Dim> empty(Tiles<Dim>::from_coordinates({}), 3.0F);
    EXPECT_EQ(LinearSampler<Dim>(empty)(Vec<float, Dim>(0.3F)), 3.0F);
}

// Just below a lattice plane the distance beyond the cell rounds to one.
TYPED_TEST(LinearSamplerTest, ContinuousAcrossCellsAndTiles) {
    constexpr int Dim = TypeParam::kDim;
    const auto field = noise(ragged_tiles<Dim>(1, 0.6));
    LinearSampler<Dim> sampler(field, Vec<float, Dim>(0.0F));
    for (int a = 0; a < Dim; ++a)
        for (int plane = -9; plane <= 9; ++plane) {
            Vec<float, Dim> p(0.375F);
            p[a] = static_cast<float>(plane);
            const float at = sampler(p);
            p[a] = std::nextafter(p[a], -100.0F);
            EXPECT_NEAR(sampler(p), at, 4e-6) << "axis " << a << " plane " << plane;
        }
}

TYPED_TEST(FaceSamplerTest, EqualsOneLinearSamplerPerComponent) {
    constexpr int Dim = TypeParam::kDim;
    FaceField<Dim> faces(ragged_tiles<Dim>(3, 0.5));
    for (int a = 0; a < Dim; ++a) {
        faces[a] = Field<float, Dim>(faces.tiles_ptr(), static_cast<float>(a));
        assign(faces[a], [a](const Index<Dim>& cell) { return scrambled(cell + Index<Dim>(100 * a)); });
    }
    FaceSampler<Dim> velocity(faces);
    std::mt19937 rng(5);
    for (int i = 0; i < 20000; ++i) {
        const auto p = random_position<Dim>(rng, -40, 40);
        const auto u = velocity(p);
        for (int a = 0; a < Dim; ++a)
            ASSERT_EQ(u[a], LinearSampler<Dim>(faces[a], face_centre<Dim>(a))(p)) << "axis " << a;
    }
}

// Rigid rotation plus stretching is linear, so a face field carries it exactly; an exchanged axis would show.
TYPED_TEST(FaceSamplerTest, ReproducesLinearFlow) {
    constexpr int Dim = TypeParam::kDim;
    const auto flow = [](const Vec<float, Dim>& p, int axis) {
        return 0.5F * p[axis] - 0.25F * static_cast<float>(axis + 1) * p[(axis + 1) % Dim] + static_cast<float>(axis);
    };
    FaceField<Dim> faces(Tiles<Dim>::covering({Index<Dim>(-16), Index<Dim>(16)}));
    for (int a = 0; a < Dim; ++a)
        assign(faces[a], [&](const Index<Dim>& cell) { return flow(Vec<float, Dim>(cell) + face_centre<Dim>(a), a); });
    FaceSampler<Dim> velocity(faces);
    std::mt19937 rng(6);
    for (int i = 0; i < 2000; ++i) {
        const auto p = random_position<Dim>(rng, -15, 15);
        const auto u = velocity(p);
        for (int a = 0; a < Dim; ++a) ASSERT_NEAR(u[a], flow(p, a), 1e-5);
    }
}

TEST(FaceSamplerDeathTest, ComponentsOnDifferentTilesAreRefused) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    FaceField<2> faces(Tiles<2>::covering({Index<2>(0), Index<2>(8)}));
    faces[1] = Field<float, 2>(Tiles<2>::covering({Index<2>(0), Index<2>(16)}));
    EXPECT_DEATH(FaceSampler<2>{faces}, "FaceSampler: component 0 lives on 1 tiles.*4 tiles");
}

// A 2D field extruded along any axis gives the same bits in each slice.
TEST(SamplerExtrusionTest, ExtrudedFieldGivesTheFlatValues) {
    const auto flat = noise(Tiles<2>::covering({Index<2>(0), Index<2>(24)}));
    LinearSampler<2> sample_flat(flat);
    for (int axis = 0; axis < 3; ++axis) {
        const auto dropped = [axis](const auto& v) {
            using T = std::remove_cvref_t<decltype(v[0])>;
            return Vec<T, 2>(v[axis == 0 ? 1 : 0], v[axis == 2 ? 1 : 2]);
        };
        Field<float, 3> tall(Tiles<3>::covering({Index<3>(0), Index<3>(24)}), flat.background());
        assign(tall, [&](const Index<3>& cell) { return flat.at(dropped(cell)); });
        LinearSampler<3> sample_tall(tall);
        std::mt19937 rng(7);
        for (int i = 0; i < 3000; ++i) {
            auto p = random_position<3>(rng, -2, 26);
            p[axis] = 0.5F + 0.9F * std::clamp(p[axis], 0.0F, 24.0F);
            const auto expected = sample_flat.value_and_gradient(dropped(p));
            const auto [value, gradient] = sample_tall.value_and_gradient(p);
            ASSERT_EQ(value, expected.value) << "axis " << axis;
            ASSERT_EQ(dropped(gradient), expected.gradient) << "axis " << axis;
            ASSERT_EQ(gradient[axis], 0.0F);
        }
    }
}

// Axes relabelled in the field and in the position: the same value, up to the order of roundings.
TYPED_TEST(LinearSamplerTest, RelabelledAxesGiveRelabelledResults) {
    constexpr int Dim = TypeParam::kDim;
    const auto rotated = [](const auto& v) {
        auto r = v;
        for (int a = 0; a < Dim; ++a) r[a] = v[(a + 1) % Dim];
        return r;
    };
    const auto field = noise(Tiles<Dim>::covering({Index<Dim>(-8), Index<Dim>(16)}));
    Field<float, Dim> relabelled(field.tiles_ptr(), field.background());
    for_each_index(field.tiles().cell_bounds(),
                   [&](const Index<Dim>& cell) { relabelled.ref(rotated(cell)) = field.at(cell); });
    LinearSampler<Dim> sample(field), sample_relabelled(relabelled);
    std::mt19937 rng(8);
    for (int i = 0; i < 3000; ++i) {
        const auto p = random_position<Dim>(rng, -10, 18);
        const auto one = sample.value_and_gradient(p), other = sample_relabelled.value_and_gradient(rotated(p));
        ASSERT_NEAR(one.value, other.value, 1e-6);
        const auto expected = rotated(one.gradient);
        for (int a = 0; a < Dim; ++a) ASSERT_NEAR(other.gradient[a], expected[a], 2e-6);
    }
}

// A sampler per tile, as a scheme would have it.
TYPED_TEST(LinearSamplerTest, SameBitsOnAnyThreads) {
    constexpr int Dim = TypeParam::kDim;
    const auto field = noise(ragged_tiles<Dim>(Dim == 2 ? 15 : 4, 0.7));
    expect_same_on_any_threads([&] {
        auto moved = Field<float, Dim>::unfilled(field.tiles_ptr());
        for_each_tile(field.tiles(), [&](Slot slot) {
            LinearSampler<Dim> sampler(field);
            for (int i = 0; i < kTileCells<Dim>; ++i) {
                auto p = Vec<float, Dim>(field.tiles().origin(slot) + cell_in_tile<Dim>(i)) + kCellCentre<Dim>;
                p += Vec<float, Dim>(2 * field.tile(slot)[i]);
                moved.tile(slot)[i] = sampler(p);
            }
        });
        return hash_bytes(std::as_bytes(moved.values()));
    });
}

}  // namespace
}  // namespace spindrift

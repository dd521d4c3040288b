// SPDX-License-Identifier: Apache-2.0
#include "grid/cubic_sampler.h"

#include <limits>

#include "base/hash.h"
#include "grid/test_support.h"

namespace spindrift {
namespace {

template <class D>
class CubicSamplerTest : public ::testing::Test {};
TYPED_TEST_SUITE(CubicSamplerTest, Dimensions);

template <int Dim>
Field<float, Dim> noise(const TilesPtr<Dim>& tiles, float background = 0.25F) {
    Field<float, Dim> field(tiles, background);
    assign(field, [](const Index<Dim>& cell) { return scrambled(cell); });
    return field;
}

// The same scheme written once more, along one axis after the other, with a cell search for each value.
template <int Dim>
double plain_cubic(const Field<float, Dim>& field, Index<Dim> cell, const Vec<double, Dim>& t, int axis) {
    if (axis < 0) return field.at(cell);
    std::array<double, 4> f;
    for (int k = 0; k < 4; ++k)
        f[static_cast<std::size_t>(k)] = plain_cubic(field, cell + unit<Dim>(axis) * (k - 1), t, axis - 1);
    const double delta = f[2] - f[1], s = t[axis];
    const auto limited = [delta](double d) {
        return d * delta <= 0 ? 0.0 : std::copysign(std::min(std::abs(d), 3 * std::abs(delta)), delta);
    };
    const double d1 = limited((f[2] - f[0]) / 2), d2 = limited((f[3] - f[1]) / 2);
    return f[1] * (1 - s) * (1 - s) * (1 + 2 * s) + f[2] * s * s * (3 - 2 * s) + d1 * s * (1 - s) * (1 - s) -
           d2 * s * s * (1 - s);
}
template <int Dim>
double plain_cubic(const Field<float, Dim>& field, const Vec<float, Dim>& position) {
    Index<Dim> cell;
    Vec<double, Dim> t;
    for (int a = 0; a < Dim; ++a) {
        const float p = position[a] - 0.5F;
        cell[a] = static_cast<int>(std::floor(p));
        t[a] = double{p} - cell[a];
    }
    return plain_cubic(field, cell, t, Dim - 1);
}

TYPED_TEST(CubicSamplerTest, AgreesWithThePlainDefinitionEverywhere) {
    constexpr int Dim = TypeParam::kDim;
    const auto field = noise(ragged_tiles<Dim>(2, 0.5));
    MonotoneCubicSampler<Dim> sampler(field);
    std::mt19937 rng(1);
    for (int i = 0; i < 8000; ++i) {
        const auto p = random_position<Dim>(rng, -30, 30);
        ASSERT_NEAR(sampler(p), plain_cubic(field, p), 3e-6);
    }
}

TYPED_TEST(CubicSamplerTest, ReproducesLinearFunctionsAndMonotoneQuadratics) {
    constexpr int Dim = TypeParam::kDim;
    // Squares whose minimum lies below the box: monotone along every axis, with cell values that are exact.
    const auto square = [](const Vec<float, Dim>& p) {
        float value = 0;
        for (int a = 0; a < Dim; ++a) value += static_cast<float>(a + 1) * (p[a] + 3) * (p[a] + 3) / 256.0F;
        return value;
    };
    const auto line = [](const Vec<float, Dim>& p) {
        float value = 1;
        for (int a = 0; a < Dim; ++a) value += 0.25F * static_cast<float>(a % 2 == 0 ? a + 2 : -a - 2) * p[a];
        return value;
    };
    Field<float, Dim> quadratic(Tiles<Dim>::covering({Index<Dim>(0), Index<Dim>(24)})), linear = quadratic;
    assign(quadratic, [&](const Index<Dim>& cell) { return square(Vec<float, Dim>(cell) + kCellCentre<Dim>); });
    assign(linear, [&](const Index<Dim>& cell) { return line(Vec<float, Dim>(cell) + kCellCentre<Dim>); });
    MonotoneCubicSampler<Dim> sample_quadratic(quadratic), sample_linear(linear);
    std::mt19937 rng(2);
    for (int i = 0; i < 3000; ++i) {
        const auto p = random_position<Dim>(rng, 2, 22);
        ASSERT_NEAR(sample_quadratic(p), square(p), 4e-6);
        ASSERT_NEAR(sample_linear(p), line(p), 1e-5);
    }
}

// exp(x + y/2 + ...) over the unit box at two resolutions.
TYPED_TEST(CubicSamplerTest, ConvergesAtThirdOrderOnSmoothMonotoneData) {
    constexpr int Dim = TypeParam::kDim;
    const auto smooth = [](const Vec<double, Dim>& p) {
        double s = 0;
        for (int a = 0; a < Dim; ++a) s += 2 * p[a] / (a + 1);
        return std::exp(s - 2);
    };
    const auto worst = [&](int cells) {
        Field<float, Dim> field(Tiles<Dim>::covering({Index<Dim>(-2), Index<Dim>(cells + 2)}));
        const double dx = 1.0 / cells;
        assign(field, [&](const Index<Dim>& c) {
            return static_cast<float>(smooth((Vec<double, Dim>(c) + Vec<double, Dim>(0.5)) * dx));
        });
        MonotoneCubicSampler<Dim> sampler(field);
        std::mt19937 rng(3);
        double error = 0;
        for (int i = 0; i < 8000; ++i) {
            const auto p = random_position<Dim>(rng, 0, static_cast<float>(cells));
            error = std::max(error, std::abs(sampler(p) - smooth(Vec<double, Dim>(p) * dx)));
        }
        return error;
    };
    const double coarse = worst(4), fine = worst(16);
    EXPECT_GT(std::log2(coarse / fine) / 2, 2.8) << coarse << " then " << fine;
    EXPECT_LT(fine, 1e-3);
}

TYPED_TEST(CubicSamplerTest, NeverLeavesTheRangeOfTheCellsAround) {
    constexpr int Dim = TypeParam::kDim;
    // Steps and spikes of all sizes.
    auto field = noise(ragged_tiles<Dim>(2, 0.6));
    for (float& v : field.values()) v = v * v * v * v * v * 1000;
    MonotoneCubicSampler<Dim> sampler(field);
    std::mt19937 rng(4);
    for (int i = 0; i < 20000; ++i) {
        const auto p = random_position<Dim>(rng, -26, 26);
        float lo = std::numeric_limits<float>::infinity(), hi = -lo;
        const auto below = Index<Dim>(map([](float x) { return std::floor(x - 0.5F); }, p));
        for_each_index(IndexBox<Dim>{below, below + Index<Dim>(2)}, [&](const Index<Dim>& cell) {
            lo = std::min(lo, field.at(cell));
            hi = std::max(hi, field.at(cell));
        });
        const float value = sampler(p);
        ASSERT_GE(value, lo);
        ASSERT_LE(value, hi);
    }
}

// Between two cells the interpolant runs one way only, whatever their neighbours.
TYPED_TEST(CubicSamplerTest, MonotoneBetweenCellsAlongEachAxis) {
    constexpr int Dim = TypeParam::kDim;
    const auto field = noise(Tiles<Dim>::covering({Index<Dim>(0), Index<Dim>(16)}));
    MonotoneCubicSampler<Dim> sampler(field);
    std::mt19937 rng(5);
    for (int i = 0; i < 500; ++i) {
        const auto corner = Index<Dim>(random_position<Dim>(rng, 0, 15));
        for (int a = 0; a < Dim; ++a) {
            const float from = field.at(corner), to = field.at(corner + unit<Dim>(a));
            float last = from;
            for (int k = 1; k <= 16; ++k) {
                auto p = Vec<float, Dim>(corner) + kCellCentre<Dim>;
                p[a] += static_cast<float>(k) / 16;
                const float value = sampler(p);
                ASSERT_GE((value - last) * (to < from ? -1.0F : 1.0F), -1e-6F);
                last = value;
            }
            ASSERT_EQ(last, to);
        }
    }
}

TYPED_TEST(CubicSamplerTest, EqualsTheCellAtItsCentre) {
    constexpr int Dim = TypeParam::kDim;
    const auto field = noise(ragged_tiles<Dim>(1, 0.6));
    MonotoneCubicSampler<Dim> sampler(field);
    for_each_index(IndexBox<Dim>{Index<Dim>(-18), Index<Dim>(18)}, [&](const Index<Dim>& cell) {
        ASSERT_EQ(sampler(Vec<float, Dim>(cell) + kCellCentre<Dim>), field.at(cell));
    });
}

TYPED_TEST(CubicSamplerTest, NowhereIsTheBackground) {
    constexpr int Dim = TypeParam::kDim;
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const auto field = noise(ragged_tiles<Dim>(1, 1.0), 0.75F);
    MonotoneCubicSampler<Dim> sampler(field);
    for (const float odd : {std::numeric_limits<float>::quiet_NaN(), kInfinity, -kInfinity, 1e30F, -1e30F,
                            2147483520.0F, 2147483392.0F, -2147483392.0F})
        for (int a = 0; a < Dim; ++a) {
            Vec<float, Dim> p(1.25F);
            EXPECT_NE(sampler(p), 0.75F);
            p[a] = odd;
            EXPECT_EQ(sampler(p), 0.75F) << odd;
        }
}

TEST(CubicSamplerExtrusionTest, ExtrudedFieldGivesTheFlatValues) {
    const auto flat = noise(Tiles<2>::covering({Index<2>(0), Index<2>(24)}));
    MonotoneCubicSampler<2> sample_flat(flat);
    for (int axis = 0; axis < 3; ++axis) {
        const auto dropped = [axis](const auto& v) {
            using T = std::remove_cvref_t<decltype(v[0])>;
            return Vec<T, 2>(v[axis == 0 ? 1 : 0], v[axis == 2 ? 1 : 2]);
        };
        Field<float, 3> tall(Tiles<3>::covering({Index<3>(0), Index<3>(24)}), flat.background());
        assign(tall, [&](const Index<3>& cell) { return flat.at(dropped(cell)); });
        MonotoneCubicSampler<3> sample_tall(tall);
        std::mt19937 rng(7);
        for (int i = 0; i < 3000; ++i) {
            auto p = random_position<3>(rng, -3, 27);
            p[axis] = 1.5F + 0.85F * std::clamp(p[axis], 0.0F, 24.0F);
            ASSERT_EQ(sample_tall(p), sample_flat(dropped(p))) << "axis " << axis;
        }
    }
}

// Where no slope is limited the order of the axes does not matter.
TYPED_TEST(CubicSamplerTest, RelabelledAxesGiveTheSameValueOnMonotoneData) {
    constexpr int Dim = TypeParam::kDim;
    const auto rotated = [](const auto& v) {
        auto r = v;
        for (int a = 0; a < Dim; ++a) r[a] = v[(a + 1) % Dim];
        return r;
    };
    Field<float, Dim> field(Tiles<Dim>::covering({Index<Dim>(0), Index<Dim>(24)})), relabelled = field;
    assign(field, [](const Index<Dim>& cell) {
        float s = 0;
        for (int a = 0; a < Dim; ++a) s += 0.02F * static_cast<float>((a + 1) * cell[a]);
        return std::exp(s);
    });
    for_each_index(field.tiles().cell_bounds(),
                   [&](const Index<Dim>& cell) { relabelled.ref(rotated(cell)) = field.at(cell); });
    MonotoneCubicSampler<Dim> sample(field), sample_relabelled(relabelled);
    std::mt19937 rng(8);
    for (int i = 0; i < 3000; ++i) {
        const auto p = random_position<Dim>(rng, 2, 22);
        const float value = sample(p);
        ASSERT_NEAR(sample_relabelled(rotated(p)), value, 2e-6F * value);
    }
}

TYPED_TEST(CubicSamplerTest, SameBitsOnAnyThreadsAndInBatches) {
    constexpr int Dim = TypeParam::kDim;
    const auto field = noise(ragged_tiles<Dim>(Dim == 2 ? 15 : 4, 0.7));
    expect_same_on_any_threads([&] {
        auto moved = Field<float, Dim>::unfilled(field.tiles_ptr());
        for_each_tile(field.tiles(), [&](Slot slot) {
            MonotoneCubicSampler<Dim> sampler(field), again(field);
            std::vector<Vec<float, Dim>> positions;
            for (int i = 0; i < kTileCells<Dim>; ++i)
                positions.push_back(Vec<float, Dim>(field.tiles().origin(slot) + cell_in_tile<Dim>(i)) +
                                    Vec<float, Dim>(2 * field.tile(slot)[i]));
            sampler.sample_many(positions, {moved.tile(slot), kTileCells<Dim>});
            for (std::size_t i = 0; i < positions.size(); ++i) EXPECT_EQ(again(positions[i]), moved.tile(slot)[i]);
        });
        return hash_bytes(std::as_bytes(moved.values()));
    });
}

}  // namespace
}  // namespace spindrift

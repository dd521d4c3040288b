// SPDX-License-Identifier: Apache-2.0
#include "grid/measure.h"

#include <limits>
#include <numeric>

#include "base/simd.h"
#include "grid/test_support.h"

namespace spindrift {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

template <class D>
class MeasureTest : public ::testing::Test {
  protected:
    static constexpr int kDim = D::kDim;

    // Several blocks of tiles, and a background that must not count.
    static Field<float, kDim> noise() {
        Field<float, kDim> field(ragged_tiles<kDim>(kDim == 2 ? 15 : 4, 0.6), 100.0F);
        assign(field, [](const Index<kDim>& cell) { return scrambled(cell); });
        return field;
    }
};
TYPED_TEST_SUITE(MeasureTest, Dimensions);

TYPED_TEST(MeasureTest, SumsAndExtremesAgreeWithPlainLoops) {
    auto field = this->noise();
    auto other = field;
    for (std::size_t i = 0; i < other.values().size(); ++i)
        other.values()[i] = 0.5F + 0.25F * static_cast<float>(i % 7);
    const auto values = field.values();
    double plain_sum = 0, plain_dot = 0, squares = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        plain_sum += values[i];
        plain_dot += double{values[i]} * other.values()[i];
        squares += double{values[i]} * values[i];
    }
    EXPECT_NEAR(sum(field), plain_sum, 1e-9 * static_cast<double>(values.size()));
    EXPECT_NEAR(inner_product(field, other), plain_dot, 1e-9 * static_cast<double>(values.size()));
    EXPECT_NEAR(l2_norm(field), std::sqrt(squares), 1e-12 * squares);
    EXPECT_EQ(minimum(field), *std::min_element(values.begin(), values.end()));
    EXPECT_EQ(maximum(field), *std::max_element(values.begin(), values.end()));
    EXPECT_EQ(count_nonfinite(field), 0U);
}

// Float sums of this many equal values would stop growing.
TYPED_TEST(MeasureTest, SumIsKeptInDouble) {
    constexpr int Dim = TypeParam::kDim;
    Field<float, Dim> field(ragged_tiles<Dim>(Dim == 2 ? 15 : 4, 0.6));
    field.fill(1.0F + 0x1p-20F);
    const double cells = static_cast<double>(field.tiles().cell_count());
    EXPECT_EQ(sum(field), cells * (1.0 + 0x1p-20));
}

TYPED_TEST(MeasureTest, LargestMagnitudeMayBeNegative) {
    auto field = this->noise();
    field.values()[field.values().size() / 2] = -3;
    EXPECT_EQ(max_abs(field), 3.0F);
    EXPECT_EQ(minimum(field), -3.0F);
    field.values().back() = 4;
    EXPECT_EQ(max_abs(field), 4.0F);
    EXPECT_EQ(maximum(field), 4.0F);
    field.fill(-2);
    EXPECT_EQ(maximum(field), -2.0F);
    field.fill(2);
    EXPECT_EQ(minimum(field), 2.0F);
}

// Wherever it stands: first, last, any lane, any block.
TYPED_TEST(MeasureTest, NaNIsNeverLost) {
    auto field = this->noise();
    const std::size_t size = field.values().size();
    for (const std::size_t at : {std::size_t{0}, std::size_t{5}, std::size_t{8}, size / 2 + 3, size - 1}) {
        const float kept = std::exchange(field.values()[at], kNaN);
        EXPECT_TRUE(std::isnan(max_abs(field))) << at;
        EXPECT_TRUE(std::isnan(minimum(field))) << at;
        EXPECT_TRUE(std::isnan(maximum(field))) << at;
        EXPECT_TRUE(std::isnan(sum(field))) << at;
        EXPECT_EQ(count_nonfinite(field), 1U) << at;
        field.values()[at] = kept;
    }
    field.values()[1] = kInfinity;
    field.values()[size - 2] = -kInfinity;
    field.values()[size - 1] = kNaN;
    EXPECT_EQ(count_nonfinite(field), 3U);
    field.values()[size - 1] = 0;
    EXPECT_EQ(max_abs(field), kInfinity);
    EXPECT_EQ(minimum(field), -kInfinity);
    field.fill(kNaN);
    EXPECT_EQ(count_nonfinite(field), size);
}

TYPED_TEST(MeasureTest, NoCellsMeasureAsNothing) {
    constexpr int Dim = TypeParam::kDim;
    const Field<float, Dim> field(Tiles<Dim>::from_coordinates({}), 5.0F);
    EXPECT_EQ(sum(field), 0.0);
    EXPECT_EQ(max_abs(field), 0.0F);
    EXPECT_EQ(minimum(field), kInfinity);
    EXPECT_EQ(maximum(field), -kInfinity);
    EXPECT_EQ(count_nonfinite(field), 0U);
}

TYPED_TEST(MeasureTest, HashTellsValuesTilesAndBackgroundApart) {
    constexpr int Dim = TypeParam::kDim;
    auto field = this->noise();
    const auto before = state_hash(field);
    EXPECT_EQ(state_hash(Field<float, Dim>(field)), before);

    const float kept = field.values().back();
    field.values().back() = std::nextafter(kept, 2.0F);
    EXPECT_NE(state_hash(field), before);
    field.values().back() = kept;
    std::swap(field.values()[0], field.values()[1]);
    EXPECT_NE(state_hash(field), before);
    std::swap(field.values()[0], field.values()[1]);
    EXPECT_EQ(state_hash(field), before);

    // The same values on a set moved by one tile, and on the same set with another background.
    std::vector<Index<Dim>> moved;
    for (std::size_t s = 0; s < field.tiles().count(); ++s)
        moved.push_back(field.tiles().coordinate(static_cast<Slot>(s)) + Index<Dim>(64));
    Field<float, Dim> elsewhere(Tiles<Dim>::from_coordinates(moved), field.background());
    std::copy(field.values().begin(), field.values().end(), elsewhere.values().begin());
    EXPECT_NE(state_hash(elsewhere), before);
    Field<float, Dim> other(field.tiles_ptr(), field.background() + 1);
    std::copy(field.values().begin(), field.values().end(), other.values().begin());
    EXPECT_NE(state_hash(other), before);
}

TYPED_TEST(MeasureTest, ComponentsOfAFaceFieldAreNotInterchangeable) {
    constexpr int Dim = TypeParam::kDim;
    FaceField<Dim> faces(ragged_tiles<Dim>(1, 1.0));
    faces[0].fill(1);
    const auto before = state_hash(faces);
    std::swap(faces[0], faces[1]);
    EXPECT_NE(state_hash(faces), before);
}

TYPED_TEST(MeasureTest, SameBitsOnAnyThreadsAndInstructionSet) {
    const auto field = this->noise();
    const auto all = [&] {
        return std::vector{std::bit_cast<std::uint64_t>(sum(field)), std::bit_cast<std::uint64_t>(l2_norm(field)),
                           state_hash(field), std::bit_cast<std::uint64_t>(double{max_abs(field)})};
    };
    expect_same_on_any_threads(all);
    const auto best = all();
    const InstructionSet before = instruction_set();
    set_instruction_set(InstructionSet::baseline);
    EXPECT_EQ(all(), best);
    set_instruction_set(before);
}

TYPED_TEST(MeasureTest, FieldsOnDifferentTilesHaveNoProduct) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    constexpr int Dim = TypeParam::kDim;
    const Field<float, Dim> a(ragged_tiles<Dim>(1, 0.5, 1)), b(ragged_tiles<Dim>(1, 0.5, 2));
    EXPECT_DEATH(inner_product(a, b), "inner_product: left lives on");
}

}  // namespace
}  // namespace spindrift

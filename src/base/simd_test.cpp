// SPDX-License-Identifier: Apache-2.0
#include "base/simd.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/unroll.h"

#define SPINDRIFT_KERNEL_FILE "base/simd_test.inl"
#include "base/each_instruction_set.h"

namespace spindrift {
namespace {

constexpr Purpose kTest{"simd test"};

std::vector<float> values(std::size_t count, std::uint64_t id) {
    Random rng{1, id, 0, kTest};
    std::vector<float> out(count);
    for (float& v : out) v = rng.normal();
    return out;
}

// Each test runs on every set, against plain scalars: so the sets agree with each other, too.
class Simd : public testing::TestWithParam<InstructionSet> {
  protected:
    void SetUp() override {
        if (set_instruction_set(GetParam()) != GetParam()) GTEST_SKIP() << "not on this machine";
    }
    ~Simd() override { set_instruction_set(best_); }

    InstructionSet best_ = instruction_set();
};
INSTANTIATE_TEST_SUITE_P(Sets, Simd, testing::Values(InstructionSet::baseline, InstructionSet::avx2),
                         [](const auto& set) {
                             return std::string(set.param == InstructionSet::avx2 ? "avx2" : "baseline");
                         });

TEST_P(Simd, RowsAreLoadedAndStoredAnywhere) {
    const std::vector<float> from = values(20, 0);
    for (std::size_t offset = 0; offset <= 12; ++offset) {  // most of them not aligned
        std::vector<float> to(20, -9.0f);
        SPINDRIFT_PICK(copy_row)(to.data() + offset, from.data() + offset);
        for (std::size_t i = 0; i < 20; ++i) {
            EXPECT_EQ(to[i], i >= offset && i < offset + kRow ? from[i] : -9.0f) << offset;
        }
    }
}

TEST_P(Simd, ShiftsMoveByOneLane) {
    const std::vector<float> v{0, 1, 2, 3, 4, 5, 6, 7};
    std::vector<float> up(8), down(8);
    SPINDRIFT_PICK(shift_rows)(up.data(), down.data(), v.data(), -1, 8);
    EXPECT_EQ(up, (std::vector<float>{-1, 0, 1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(down, (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST_P(Simd, SelectChoosesLaneByLane) {
    const std::vector<float> v{5, 1, 3, 2, 9, -4, 3, 0};
    std::vector<float> out(8);
    SPINDRIFT_PICK(keep_below)(out.data(), v.data(), 3, 7);
    EXPECT_EQ(out, (std::vector<float>{7, 1, 7, 2, 7, -4, 7, 0}));
}

// The order of additions that rows.inl promises: eight rows in float per lane, then double, then across lanes.
double dot_by_scalars(const std::vector<float>& a, const std::vector<float>& b) {
    double lane[kRow] = {};
    for (std::size_t begin = 0; begin < a.size(); begin += 8 * kRow) {
        float part[kRow] = {};
        for (std::size_t i = begin; i < std::min(a.size(), begin + 8 * kRow); ++i) part[i % kRow] += a[i] * b[i];
        for (int l = 0; l < kRow; ++l) lane[l] += static_cast<double>(part[l]);
    }
    for (int l = 0; l < 4; ++l) lane[l] += lane[l + 4];
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

TEST_P(Simd, ProductsAreSummedInTheStatedOrder) {
    for (const std::size_t rows : {0u, 1u, 8u, 1003u}) {
        const std::vector<float> a = values(rows * kRow, 1), b = values(rows * kRow, 2);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(SPINDRIFT_PICK(dot_rows)(a.data(), b.data(), rows)),
                  std::bit_cast<std::uint64_t>(dot_by_scalars(a, b)))
            << rows;
    }
}

// AVX2 machines can fuse a·b + c, with other bits; they must not.
TEST_P(Simd, NothingIsFused) {
    const std::vector<float> a = values(8 * 100, 3), b = values(8 * 100, 4);
    std::vector<float> out(a.size());
    SPINDRIFT_PICK(multiply_add)(out.data(), a.data(), b.data(), 100);
    for (std::size_t i = 0; i < a.size(); ++i) {
        const volatile float product = a[i] * b[i];
        ASSERT_EQ(out[i], product + a[i]);
    }
}

TEST(Unrolled, CountsFromZero) {
    std::vector<std::size_t> seen;
    unrolled<4>([&](auto i) {
        static_assert(decltype(i)::value < 4);
        seen.push_back(i);
    });
    unrolled<0>([&](auto) { seen.clear(); });
    EXPECT_EQ(seen, (std::vector<std::size_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace spindrift

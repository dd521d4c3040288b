// SPDX-License-Identifier: Apache-2.0
// The seeds are fixed, so a test here passes always or never; limits are set where a sound generator would fail about
// once in 10^5 choices of the seed.
#include "base/random.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "base/hash.h"

namespace spindrift {
namespace {

constexpr std::uint64_t kSeed = 20011;
constexpr Purpose kFirst{"first"};
constexpr Purpose kSecond{"second"};

// How far chi-square lies above its mean, in standard deviations (Wilson and Hilferty's cube root).
double chi_square_deviation(const std::vector<int>& counts, double expected) {
    double chi2 = 0;
    for (const int n : counts) chi2 += (n - expected) * (n - expected) / expected;
    const double k = static_cast<double>(counts.size()) - 1;
    return (std::cbrt(chi2 / k) - (1 - 2 / (9 * k))) / std::sqrt(2 / (9 * k));
}

// Too even is as wrong as too uneven.
constexpr double kLimit = 4.4;

// Random123's known answers, file kat_vectors.
TEST(Philox, GivesThePublishedAnswers) {
    using detail::philox4x32;
    using Answer = detail::PhiloxCounter;
    static_assert(philox4x32({0, 0, 0, 0}, {0, 0}) == Answer{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    constexpr std::uint32_t f = 0xffffffff;
    EXPECT_EQ(philox4x32({f, f, f, f}, {f, f}), (Answer{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              (Answer{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, IsAFunctionOfItsArguments) {
    Random a{kSeed, 7, 3, kFirst};
    Random b{kSeed, 7, 3, kFirst};
    for (int i = 0; i < 100; ++i) ASSERT_EQ(a.next32(), b.next32());
    static_assert(Random{1, 2, 3, kFirst}.next32() == Random{1, 2, 3, Purpose{"first"}}.next32());
}

// Every bit of every argument counts, and changes about half of the bits drawn.
TEST(Random, EveryBitOfTheArgumentsMatters) {
    const auto drawn = [](std::uint64_t seed, std::uint64_t id, std::uint32_t step, Purpose purpose) {
        Random rng{seed, id, step, purpose};
        return std::array{rng.next32(), rng.next32(), rng.next32(), rng.next32(),
                          rng.next32(), rng.next32(), rng.next32(), rng.next32()};
    };
    const auto base = drawn(kSeed, 5, 9, kFirst);
    const auto expect_new = [&](const std::array<std::uint32_t, 8>& other, const char* what, int bit) {
        int changed = 0;
        for (std::size_t i = 0; i < 8; ++i) changed += std::popcount(base[i] ^ other[i]);
        EXPECT_NEAR(changed, 128, kLimit * 8) << what << ", bit " << bit;  // 256 bits: deviation 8
    };
    for (int bit = 0; bit < 64; ++bit) {
        const std::uint64_t flip = std::uint64_t{1} << bit;
        expect_new(drawn(kSeed ^ flip, 5, 9, kFirst), "seed", bit);
        expect_new(drawn(kSeed, 5 ^ flip, 9, kFirst), "id", bit);
        if (bit < 32) expect_new(drawn(kSeed, 5, 9 ^ static_cast<std::uint32_t>(flip), kFirst), "step", bit);
    }
    expect_new(drawn(kSeed, 5, 9, kSecond), "purpose", 0);
    // Arguments that trade places are others.
    expect_new(drawn(kSeed, 9, 5, kFirst), "id and step exchanged", 0);
    expect_new(drawn(5, kSeed, 9, kFirst), "seed and id exchanged", 0);
}

TEST(Random, UniformIsUniform) {
    Random rng{kSeed, 1, 1, kFirst};
    std::vector<int> counts(1024);
    constexpr int kDraws = 1 << 20;
    for (int i = 0; i < kDraws; ++i) {
        const float u = rng.uniform();
        ASSERT_GE(u, 0.0f);
        ASSERT_LT(u, 1.0f);
        ++counts[static_cast<std::size_t>(u * 1024)];
    }
    EXPECT_LT(std::abs(chi_square_deviation(counts, kDraws / 1024.0)), kLimit);
}

// Two successive draws as a point of the square: serial correlation shows as crowded cells.
TEST(Random, PairsFillTheSquare) {
    Random rng{kSeed, 2, 1, kFirst};
    std::vector<int> counts(64 * 64);
    constexpr int kDraws = 1 << 20;
    for (int i = 0; i < kDraws; ++i) {
        const auto x = rng.uniform_int(64), y = rng.uniform_int(64);
        ++counts[x * 64 + y];
    }
    EXPECT_LT(std::abs(chi_square_deviation(counts, kDraws / 4096.0)), kLimit);
}

// Streams that differ by one in one argument: their first draws, neighbour against neighbour.
TEST(Random, NeighboursAreNotCorrelated) {
    using Stream = std::function<Random(std::uint32_t)>;
    const std::vector<std::pair<const char*, Stream>> directions{
        {"id",
         [](std::uint32_t i) {
             return Random{kSeed, i, 4, kFirst};
         }},
        {"high half of id",
         [](std::uint32_t i) {
             return Random{kSeed, std::uint64_t{i} << 32, 4, kFirst};
         }},
        {"step",
         [](std::uint32_t i) {
             return Random{kSeed, 4, i, kFirst};
         }},
        {"seed",
         [](std::uint32_t i) {
             return Random{i, 4, 4, kFirst};
         }},
    };
    constexpr int kCount = 200000;
    for (const auto& [name, stream] : directions) {
        double product = 0, mean = 0;
        std::vector<int> counts(256);
        float before = stream(0).uniform();
        for (std::uint32_t i = 1; i <= kCount; ++i) {
            const float u = stream(i).uniform();
            product += (before - 0.5) * (u - 0.5);
            mean += u - 0.5;
            ++counts[static_cast<std::size_t>(before * 16) * 16 + static_cast<std::size_t>(u * 16)];
            before = u;
        }
        // A product of two independent uniforms has variance 1/144, one has 1/12.
        EXPECT_LT(std::abs(product) / std::sqrt(kCount / 144.0), kLimit) << name;
        EXPECT_LT(std::abs(mean) / std::sqrt(kCount / 12.0), kLimit) << name;
        EXPECT_LT(std::abs(chi_square_deviation(counts, kCount / 256.0)), kLimit) << name;
    }
}

TEST(Random, PurposesAreIndependent) {
    double product = 0;
    constexpr int kCount = 200000;
    for (std::uint64_t i = 0; i < kCount; ++i) {
        product += (Random{kSeed, i, 1, kFirst}.uniform() - 0.5) * (Random{kSeed, i, 1, kSecond}.uniform() - 0.5);
    }
    EXPECT_LT(std::abs(product) / std::sqrt(kCount / 144.0), kLimit);
}

// Ids that use both halves of their 64 bits, against steps, purposes and blocks: were two of these mixed up in the
// layout, blocks would come twice.
TEST(Random, StreamsNeverMeet) {
    std::set<std::array<std::uint32_t, 4>> seen;
    constexpr std::uint32_t n = 8;
    for (std::uint32_t low = 0; low < n; ++low)
        for (std::uint64_t high = 0; high < n; ++high)
            for (std::uint32_t step = 0; step < n * n; ++step)
                for (const Purpose purpose : {kFirst, kSecond}) {
                    Random rng{kSeed, high << 32 | low, step, purpose};
                    for (std::uint32_t block = 0; block < n; ++block) {
                        seen.insert({rng.next32(), rng.next32(), rng.next32(), rng.next32()});
                    }
                }
    EXPECT_EQ(seen.size(), n * n * n * n * 2 * n);
}

TEST(Random, UniformRangeKeepsItsUpperEndOut) {
    // Between 1 and 2 floats are 2^-23 apart, and draws 2^-24: without care one in 2^24 would round up to 2.
    const float next = std::nextafter(1.0f, 2.0f);
    Random rng{kSeed, 3, 1, kFirst};
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(rng.uniform(1.0f, next), 1.0f);
    EXPECT_EQ(rng.uniform(5.0f, 5.0f), 5.0f);

    // 16 floats, each equally likely, the first included.
    const float hi = 1.0f + 16 * std::numeric_limits<float>::epsilon();
    std::vector<int> counts(16);
    constexpr int kDraws = 160000;
    for (int i = 0; i < kDraws; ++i) {
        const float x = rng.uniform(1.0f, hi);
        ASSERT_GE(x, 1.0f);
        ASSERT_LT(x, hi);
        ++counts[static_cast<std::size_t>((x - 1.0f) / std::numeric_limits<float>::epsilon())];
    }
    EXPECT_LT(std::abs(chi_square_deviation(counts, kDraws / 16.0)), kLimit);

    double sum = 0;
    for (int i = 0; i < kDraws; ++i) sum += rng.uniform(-3.0f, 5.0f);
    EXPECT_LT(std::abs(sum / kDraws - 1.0) / (8 / std::sqrt(12.0 * kDraws)), kLimit);
}

TEST(Random, UniformIntIsFair) {
    for (const std::uint32_t n : {2u, 3u, 6u, 10u, 1000u}) {
        Random rng{kSeed, n, 1, kFirst};
        std::vector<int> counts(n);
        const int draws = 200 * static_cast<int>(n) + 100000;
        for (int i = 0; i < draws; ++i) {
            const std::uint32_t k = rng.uniform_int(n);
            ASSERT_LT(k, n);
            ++counts[k];
        }
        EXPECT_LT(std::abs(chi_square_deviation(counts, draws / static_cast<double>(n))), kLimit) << n;
    }
    EXPECT_EQ((Random{kSeed, 1, 1, kFirst}.uniform_int(1)), 0u);
}

// With n = 3·2^30 a remainder would double the chance of the lowest third, a bare product that of every third number.
TEST(Random, UniformIntIsFairForLargeNumbers) {
    constexpr std::uint32_t n = 3u << 30;
    Random rng{kSeed, 4, 1, kFirst};
    std::vector<int> thirds(3), residues(3);
    constexpr int kDraws = 300000;
    for (int i = 0; i < kDraws; ++i) {
        const std::uint32_t k = rng.uniform_int(n);
        ASSERT_LT(k, n);
        ++thirds[k >> 30];
        ++residues[k % 3];
    }
    EXPECT_LT(std::abs(chi_square_deviation(thirds, kDraws / 3.0)), kLimit);
    EXPECT_LT(std::abs(chi_square_deviation(residues, kDraws / 3.0)), kLimit);
}

TEST(PortableLog, IsTheLogarithm) {
    for (double x = 0x1p-40; x < 1e6; x *= 1.01) {
        ASSERT_NEAR(detail::portable_log(x), std::log(x), 4e-15 * std::max(1.0, std::abs(std::log(x)))) << x;
    }
    EXPECT_EQ(detail::portable_log(1.0), 0.0);
}

// The quantile put into the distribution gives back the probability; one part in 10^7 of x is x² in 10^7 of the tail.
TEST(NormalQuantile, InvertsTheDistribution) {
    const auto tail_below = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
    for (double p = 0x1p-33; p < 0.5; p *= 1.003) {
        const double x = detail::normal_quantile(p);
        ASSERT_NEAR(tail_below(x) / p, 1.0, 2e-7 * (1 + x * x)) << p;
        ASSERT_NEAR(tail_below(-detail::normal_quantile(1 - p)) / p, 1.0, 3e-7 * (1 + x * x)) << p;
    }
    EXPECT_EQ(detail::normal_quantile(0.5), 0.0);
    EXPECT_NEAR(detail::normal_quantile(0.975), 1.959963985, 1e-6);
}

TEST(Random, NormalHasTheRightMoments) {
    Random rng{kSeed, 5, 1, kFirst};
    constexpr int kDraws = 1000000;
    double m1 = 0, m2 = 0, m3 = 0, m4 = 0;
    int beyond3 = 0, beyond4 = 0;
    for (int i = 0; i < kDraws; ++i) {
        const double x = rng.normal();
        ASSERT_LT(std::abs(x), 6.34);
        m1 += x;
        m2 += x * x;
        m3 += x * x * x;
        m4 += x * x * x * x;
        beyond3 += std::abs(x) > 3;
        beyond4 += std::abs(x) > 4;
    }
    // Variances of x, x², x³, x⁴ are 1, 2, 15, 96.
    const double root = std::sqrt(kDraws);
    EXPECT_LT(std::abs(m1) / root, kLimit);
    EXPECT_LT(std::abs(m2 - kDraws) / (root * std::sqrt(2.0)), kLimit);
    EXPECT_LT(std::abs(m3) / (root * std::sqrt(15.0)), kLimit);
    EXPECT_LT(std::abs(m4 - 3.0 * kDraws) / (root * std::sqrt(96.0)), kLimit);
    // Tails: 2699.8 and 63.3 of a million.
    EXPECT_NEAR(beyond3, 2699.8, kLimit * std::sqrt(2699.8));
    EXPECT_NEAR(beyond4, 63.3, kLimit * std::sqrt(63.3));
}

// Of 10^5 draws of 32 bits all but a few differ once rounded to floats.
TEST(Random, NormalUsesAllBitsOfItsDraw) {
    Random rng{kSeed, 7, 1, kFirst};
    std::set<float> seen;
    for (int i = 0; i < 100000; ++i) seen.insert(rng.normal());
    EXPECT_GT(seen.size(), 99000u);
}

// In bins of equal probability by the C library's distribution, which shares nothing with our quantile.
TEST(Random, NormalIsNormal) {
    Random rng{kSeed, 6, 1, kFirst};
    constexpr int kDraws = 1 << 19;
    std::vector<int> counts(512);
    for (int i = 0; i < kDraws; ++i) {
        const double p = 0.5 * std::erfc(-rng.normal() / std::sqrt(2.0));
        ++counts[static_cast<std::size_t>(p * 512)];
    }
    EXPECT_LT(std::abs(chi_square_deviation(counts, kDraws / 512.0)), kLimit);
}

// Every result of a run hangs on these bits.  If this fails, either the compiler breaks the arithmetic (contraction,
// fast-math) or the numbers were changed: then say so in CHANGELOG, since all runs with particles change.
TEST(Random, BitsAreTheSameForEver) {
    Hasher uniforms, ranges, integers, normals;
    for (std::uint64_t id = 0; id < 1000; ++id) {
        Random rng{kSeed, id, 11, kFirst};
        for (int i = 0; i < 10; ++i) {
            uniforms.add(rng.uniform());
            ranges.add(rng.uniform(-1.5f, 2.25f));
            integers.add(rng.uniform_int(1000003));
            normals.add(rng.normal());
        }
    }
    EXPECT_EQ(hex(uniforms.digest()), "d2e79036a90c709e");
    EXPECT_EQ(hex(ranges.digest()), "2d0d19be0e886530");
    EXPECT_EQ(hex(integers.digest()), "e2ce85200b884294");
    EXPECT_EQ(hex(normals.digest()), "44617d43bba30fa9");
}

}  // namespace
}  // namespace spindrift

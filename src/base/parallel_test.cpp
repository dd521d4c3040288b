// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/vec.h"

namespace spindrift {
namespace {

constexpr Purpose kTest{"parallel test"};

// Each test runs on several numbers of threads, more than there may be cores included.
class Parallel : public testing::TestWithParam<int> {
  protected:
    Parallel() { EXPECT_EQ(set_thread_count(GetParam()), GetParam()); }
    ~Parallel() override { set_thread_count(0); }
};
INSTANTIATE_TEST_SUITE_P(Threads, Parallel, testing::Values(1, 2, 3, 7));

TEST_P(Parallel, ThreadCountIsWhatWasAskedFor) {
    EXPECT_EQ(thread_count(), GetParam());
    set_thread_count(0);
    EXPECT_EQ(thread_count(), std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

TEST_P(Parallel, EachBlockIsVisitedOnce) {
    for (const std::size_t count : {0u, 1u, 2u, 3u, 64u, 1000u}) {
        std::vector<std::atomic<int>> visits(count);
        parallel_blocks(count, [&](std::size_t block) { ++visits.at(block); });
        for (std::size_t b = 0; b < count; ++b) EXPECT_EQ(visits[b], 1) << "block " << b << " of " << count;
    }
}

TEST_P(Parallel, RangesCoverEachItemOnce) {
    constexpr std::size_t kGrain = 10;
    for (const std::size_t size : {0u, 1u, 9u, 10u, 11u, 100u, 12345u}) {
        std::vector<std::atomic<int>> visits(size);
        parallel_ranges(size, kGrain, [&](std::size_t begin, std::size_t end) {
            EXPECT_EQ(begin % kGrain, 0u);
            EXPECT_LT(begin, end);
            EXPECT_LE(end - begin, kGrain);
            for (std::size_t i = begin; i < end; ++i) ++visits.at(i);
        });
        for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(visits[i], 1) << "item " << i << " of " << size;
    }
}

// Blocks wait for each other, so that they can only end if as many threads as asked for work at once.
TEST_P(Parallel, ThreadsReallyRunTogether) {
    const int threads = GetParam();
    std::atomic<int> arrived{0};
    std::mutex mutex;
    std::set<std::thread::id> ids;
    parallel_blocks(static_cast<std::size_t>(threads), [&](std::size_t) {
        ++arrived;
        while (arrived < threads) std::this_thread::yield();
        const std::lock_guard lock(mutex);
        ids.insert(std::this_thread::get_id());
    });
    EXPECT_EQ(static_cast<int>(ids.size()), threads);
}

TEST_P(Parallel, FunctionMayBeConstOrTemporary) {
    std::atomic<int> calls{0};
    const auto named = [&](std::size_t) { ++calls; };
    parallel_blocks(5, named);
    parallel_blocks(5, [&, own = std::vector<int>(3)](std::size_t) mutable { calls += static_cast<int>(own.size()); });
    EXPECT_EQ(calls, 20);
}

// Terms of very different size: any other order of additions, or any other cut into blocks, gives other bits.
float awkward(std::size_t i) {
    Random rng{1, i, 0, kTest};
    return std::ldexp(rng.uniform(-1.0f, 1.0f), static_cast<int>(rng.uniform_int(40)));
}
float sum_of_awkward(std::size_t size, std::size_t grain) {
    return parallel_sum(size, grain, 0.0f, [](std::size_t begin, std::size_t end) {
        float sum = 0;
        for (std::size_t i = begin; i < end; ++i) sum += awkward(i);
        return sum;
    });
}
float sum_in_order(std::size_t size, std::size_t grain) {
    float sum = 0;
    for (std::size_t begin = 0; begin < size; begin += grain) {
        float part = 0;
        for (std::size_t i = begin; i < std::min(size, begin + grain); ++i) part += awkward(i);
        sum += part;
    }
    return sum;
}

TEST_P(Parallel, SumsHaveTheSameBits) {
    constexpr std::size_t kSize = 50001;
    const float expected = sum_in_order(kSize, 64);
    ASSERT_NE(expected, sum_in_order(kSize, 65)) << "these terms cannot tell one order from another";
    for (int again = 0; again < 20; ++again) {
        EXPECT_EQ(std::bit_cast<std::uint32_t>(sum_of_awkward(kSize, 64)), std::bit_cast<std::uint32_t>(expected));
    }
}

TEST_P(Parallel, SumsOfNothingAreZero) {
    EXPECT_EQ(sum_of_awkward(0, 64), 0.0f);
    EXPECT_EQ(parallel_max(std::size_t{0}, 64, -7.0, [](std::size_t, std::size_t) { return 1.0; }), -7.0);
}

TEST_P(Parallel, SumsOfVectors) {
    using V = Vec<double, 2>;
    const V sum = parallel_sum(std::size_t{1001}, 8, V{}, [](std::size_t begin, std::size_t end) {
        V part;
        for (std::size_t i = begin; i < end; ++i) part += V(1.0, static_cast<double>(i));
        return part;
    });
    EXPECT_EQ(sum, V(1001, 500500));
}

TEST_P(Parallel, MaxFindsTheLargestWhereverItIs) {
    constexpr std::size_t kSize = 1000;
    for (const std::size_t place : {std::size_t{0}, std::size_t{499}, kSize - 1}) {
        const auto largest = [&](double floor) {
            return parallel_max(kSize, 16, floor, [&](std::size_t begin, std::size_t end) {
                return begin <= place && place < end ? 5.0 : -1.0 - static_cast<double>(begin);
            });
        };
        EXPECT_EQ(largest(0.0), 5.0);
        EXPECT_EQ(largest(9.0), 9.0);
    }
}

// A blown-up velocity must not vanish from the time step's limit.
TEST_P(Parallel, MaxDoesNotHideNan) {
    constexpr std::size_t kSize = 100;
    for (const std::size_t place : {std::size_t{0}, std::size_t{50}, kSize - 1}) {
        const double largest = parallel_max(kSize, 1, 0.0, [&](std::size_t begin, std::size_t) {
            return begin == place ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(begin);
        });
        EXPECT_TRUE(std::isnan(largest)) << place;
    }
}

TEST_P(Parallel, ExceptionsReachTheCaller) {
    for (const std::size_t count : {1u, 2u, 500u}) {
        try {
            parallel_blocks(count, [&](std::size_t block) {
                if (block == count / 2) throw std::runtime_error("block " + std::to_string(block));
            });
            FAIL() << "nothing was thrown for " << count << " blocks";
        } catch (const std::runtime_error& e) {
            EXPECT_EQ(e.what(), "block " + std::to_string(count / 2));
        }
    }
    // All is well afterwards, on all threads.
    std::atomic<int> visits{0};
    parallel_blocks(100, [&](std::size_t) { ++visits; });
    EXPECT_EQ(visits, 100);
    EXPECT_EQ(thread_count(), GetParam());
}

TEST_P(Parallel, LoopsMayNest) {
    constexpr std::size_t kOuter = 20, kInner = 30;
    std::vector<std::atomic<int>> visits(kOuter * kInner);
    parallel_blocks(kOuter,
                    [&](std::size_t a) { parallel_blocks(kInner, [&](std::size_t b) { ++visits[a * kInner + b]; }); });
    for (const auto& v : visits) EXPECT_EQ(v, 1);
}

TEST_P(Parallel, ExceptionsPassThroughNestedLoops) {
    EXPECT_THROW(parallel_blocks(10,
                                 [](std::size_t a) {
                                     parallel_blocks(10, [a](std::size_t b) {
                                         if (a == 3 && b == 7) throw std::runtime_error("inner");
                                     });
                                 }),
                 std::runtime_error);
    std::atomic<int> visits{0};
    parallel_blocks(100, [&](std::size_t) { ++visits; });
    EXPECT_EQ(visits, 100);
}

// What is written before a loop is seen inside, and what is written inside is seen after.
TEST_P(Parallel, ResultsAreVisibleAfterTheLoop) {
    std::vector<int> values(10000, 1);
    for (int round = 0; round < 20; ++round) {
        parallel_ranges(values.size(), 100, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) values[i] *= -1;
        });
    }
    for (const int v : values) ASSERT_EQ(v, 1);
}

TEST(ParallelDeathTest, NegativeThreadCountsAreRefused) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(set_thread_count(-1), "-1 threads were asked for");
}

}  // namespace
}  // namespace spindrift

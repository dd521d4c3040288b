// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

// The sanitizers' allocators stop the program at an absurd size, unless asked to answer like malloc.
#if defined(__SANITIZE_ADDRESS__)
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
#elif defined(__SANITIZE_THREAD__)
extern "C" const char* __tsan_default_options() { return "allocator_may_return_null=1"; }
#endif

namespace spindrift {
namespace {

bool aligned(const void* p, std::size_t to) { return reinterpret_cast<std::uintptr_t>(p) % to == 0; }

TEST(Memory, BlocksBeginOnCacheLinesAndLargeOnesOnHugePages) {
    constexpr std::size_t kMiB = std::size_t{1} << 20;
    for (const std::size_t bytes :
         {std::size_t{1}, std::size_t{63}, std::size_t{65}, std::size_t{1000}, kMiB, 16 * kMiB + 1}) {
        void* block = allocate_block(bytes);
        EXPECT_TRUE(aligned(block, bytes >= 8 * kMiB ? 2 * kMiB : 64)) << bytes;
        std::memset(block, 0xff, bytes);
        release_block(block, bytes);
    }
}

TEST(Memory, NothingNeedsNoBlock) {
    EXPECT_EQ(allocate_block(0), nullptr);
    release_block(nullptr, 0);
    EXPECT_EQ(Buffer<float>(0).size(), 0u);
}

TEST(Memory, UseAndPeakAreAccounted) {
    const std::size_t before = memory_use().bytes;
    reset_peak_memory();
    {
        const Buffer<float> a(1000);
        EXPECT_EQ(memory_use().bytes, before + 4000);
        {
            const Buffer<double> b(500);
            EXPECT_EQ(memory_use().bytes, before + 8000);
        }
        EXPECT_EQ(memory_use().bytes, before + 4000);
    }
    EXPECT_EQ(memory_use().bytes, before);
    EXPECT_EQ(memory_use().peak, before + 8000);
    reset_peak_memory();
    EXPECT_EQ(memory_use().peak, before);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(Memory, AReleasedBlockServesTheNextOfNearlyItsSize) {
    constexpr std::size_t kBytes = std::size_t{1} << 20;
    void* const first = allocate_block(kBytes);
    release_block(first, kBytes);
    const std::size_t before = memory_use().bytes;
    void* const second = allocate_block(kBytes - 4000);
    EXPECT_EQ(second, first);
    EXPECT_EQ(memory_use().bytes, before + kBytes - 4000) << "what is accounted is what was asked for";
    void* const third = allocate_block(kBytes);
    EXPECT_NE(third, first);
    release_block(second, kBytes - 4000);
    release_block(third, kBytes);
}
#endif

TEST(Memory, CopiesAreEqualAndTakeTheBlockThatIsThere) {
    Buffer<int> from(1000003);
    for (std::size_t n = 0; n < from.size(); ++n) from[n] = static_cast<int>(n * 7919);
    const auto equal = [&](const Buffer<int>& b) {
        return b.size() == from.size() && std::memcmp(b.data(), from.data(), b.size() * sizeof(int)) == 0;
    };
    Buffer<int> copy(from), same_size(from.size()), other_size(10);
    const int* const block = same_size.data();
    same_size = from;
    other_size = from;
    EXPECT_TRUE(equal(copy) && equal(same_size) && equal(other_size));
    EXPECT_EQ(same_size.data(), block);
    copy = copy;  // NOLINT: assigning a buffer to itself leaves it
    EXPECT_TRUE(equal(copy));
}

TEST(Memory, IsAccountedFromSeveralThreads) {
    const std::size_t before = memory_use().bytes;
    const auto work = [] {
        for (std::size_t i = 1; i < 2000; ++i) const Buffer<char> b(i);
    };
    std::thread other(work);
    work();
    other.join();
    EXPECT_EQ(memory_use().bytes, before);
}

void expect_out_of_memory(void (*allocate)(), const std::string& wanted) {
    const std::size_t before = memory_use().bytes;
    try {
        allocate();
        FAIL() << "nothing was thrown";
    } catch (const std::bad_alloc& e) {
        const std::string text = e.what();
        EXPECT_NE(text.find("out of memory"), std::string::npos) << text;
        EXPECT_NE(text.find(wanted), std::string::npos) << text;
        EXPECT_NE(text.find("lower the resolution"), std::string::npos) << text;
    }
    EXPECT_EQ(memory_use().bytes, before);
}

TEST(Memory, AbsurdSizesGiveAClearError) {
    expect_out_of_memory([] { allocate_block(std::size_t{1} << 60); }, "1099511627776 MiB");
    // Rounded up to whole pages this would come out small.
    expect_out_of_memory([] { allocate_block(std::numeric_limits<std::size_t>::max()); }, "18446744073709551615 bytes");
    expect_out_of_memory([] { Buffer<double> b(std::size_t{1} << 58); }, "2305843009213693952 bytes");
}

// 2^61 + 1 doubles are 8 bytes, if multiplied carelessly.
TEST(Memory, SizeInBytesDoesNotWrapAround) {
    expect_out_of_memory([] { Buffer<double> b((std::size_t{1} << 61) + 1); }, "bytes");
}

TEST(Buffer, CopiesAreIndependent) {
    Buffer<int> a(3);
    for (int i = 0; i < 3; ++i) a[static_cast<std::size_t>(i)] = i;
    Buffer<int> b = a;
    b[1] = 7;
    EXPECT_EQ(a[1], 1);
    EXPECT_EQ(b[1], 7);
    EXPECT_EQ(b[2], 2);
    a = b;
    EXPECT_EQ(a[1], 7);
    EXPECT_NE(a.data(), b.data());
}

TEST(Buffer, MovesTakeTheBlockAlong) {
    const std::size_t before = memory_use().bytes;
    {
        Buffer<int> a(100);
        const int* data = a.data();
        Buffer<int> b = std::move(a);
        EXPECT_EQ(b.data(), data);
        EXPECT_EQ(b.size(), 100u);
        EXPECT_EQ(a.size(), 0u);  // NOLINT(bugprone-use-after-move): an empty buffer is what a move leaves behind
        EXPECT_EQ(a.data(), nullptr);

        Buffer<int> c(50);
        c = std::move(b);
        EXPECT_EQ(c.data(), data);
        EXPECT_EQ(memory_use().bytes, before + 400);  // the 50 are gone

        const std::vector<Buffer<int>> many(10, Buffer<int>(10));
        EXPECT_EQ(memory_use().bytes, before + 800);
    }
    EXPECT_EQ(memory_use().bytes, before);
}

TEST(Buffer, SurvivesAssignmentToItself) {
    Buffer<int> a(1);
    a[0] = 5;
    const Buffer<int>& same = a;
    a = same;
    EXPECT_EQ(a[0], 5);
}

}  // namespace
}  // namespace spindrift

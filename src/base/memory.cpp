// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

#include <fmt/format.h>
#include <sys/mman.h>

#include "base/parallel.h"

namespace spindrift {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::atomic<std::size_t> bytes_now{0};
std::atomic<std::size_t> bytes_peak{0};

// Under a sanitizer every block is the system's own, so that a use after release shows.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kKeepsBlocks = false;
#else
constexpr bool kKeepsBlocks = true;
#endif
// Smaller ones are the allocator's business.
constexpr std::size_t kLeastKept = std::size_t{256} << 10;

// Random access to large fields is bound by address translation: huge pages are asked for where a block spans several.
bool wants_huge_pages(std::size_t bytes) { return bytes >= 4 * kHugePage; }

// What is asked of the system for a block: up to a quarter more where blocks are kept, so that fields of nearly the
// same size can take each other's place.  Pages that are never touched cost nothing.
std::size_t rounded_size(std::size_t bytes) {
    std::size_t unit = kCacheLine;
    if (kKeepsBlocks && bytes >= kLeastKept)
        unit = std::max(kPage, std::bit_floor(bytes) / 4);
    else if (wants_huge_pages(bytes))
        unit = kHugePage;
    return bytes > ~std::size_t{0} - unit ? 0 : (bytes + unit - 1) / unit * unit;
}

// Memory of the system's own, which goes back to it whole: none is lost between blocks that come and go.
void* map_block(std::size_t size, bool huge) {
    const std::size_t slack = huge ? kHugePage : 0;
    if (size > ~std::size_t{0} - slack) return nullptr;
    void* const mapped =
        mmap(nullptr, size + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, /*fd=*/-1, /*offset=*/0);
    if (mapped == MAP_FAILED) return nullptr;
    if (!huge) return mapped;
    // Begin on a huge page, and give back what lies before and behind.
    const auto from = reinterpret_cast<std::uintptr_t>(mapped);
    const std::uintptr_t begin = (from + kHugePage - 1) / kHugePage * kHugePage;
    if (begin > from) munmap(mapped, begin - from);
    void* const block = reinterpret_cast<void*>(begin);
    if (slack > begin - from) munmap(static_cast<char*>(block) + size, slack - (begin - from));
    madvise(block, size, MADV_HUGEPAGE);  // only advice: refusal costs speed, nothing else
    return block;
}

// Released blocks that wait for the next field of their size.  The fields of a step come and go many times; fresh
// memory would have to be mapped and cleared by the system each time.  Blocks in use and waiting ones together never
// exceed the most that was in use at once by more than a quarter, which is what rounding may add.
class WaitingBlocks {
  public:
    WaitingBlocks() { blocks_.reserve(kMostBlocks); }
    void* take(std::size_t size) {
        const std::scoped_lock lock(mutex_);
        for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block)
            if (block->size == size) {
                void* found = block->data;
                blocks_.erase(std::next(block).base());
                bytes_ -= size;
                return found;
            }
        return nullptr;
    }
    void add(void* data, std::size_t size) noexcept {
        const std::scoped_lock lock(mutex_);
        if (blocks_.size() == blocks_.capacity()) return static_cast<void>(munmap(data, size));
        blocks_.push_back({data, size});
        bytes_ += size;
    }
    // Gives the oldest back to the system until no more than this is left.
    void shrink_to(std::size_t most) {
        const std::scoped_lock lock(mutex_);
        auto block = blocks_.begin();
        for (; block != blocks_.end() && bytes_ > most; ++block) {
            munmap(block->data, block->size);
            bytes_ -= block->size;
        }
        blocks_.erase(blocks_.begin(), block);
    }

  private:
    static constexpr std::size_t kMostBlocks = 256;
    struct Block {
        void* data;
        std::size_t size;
    };
    std::mutex mutex_;
    std::vector<Block> blocks_;
    std::size_t bytes_ = 0;
};

// Never destroyed: fields that live as long as the program are released after it would be.
WaitingBlocks& waiting_blocks() {
    static auto* const blocks = new WaitingBlocks;
    return *blocks;
}

double mib(std::size_t bytes) { return static_cast<double>(bytes) / (1024.0 * 1024.0); }

}  // namespace

OutOfMemory::OutOfMemory(std::size_t bytes)
    : text_(fmt::format("out of memory: {} bytes ({:.0f} MiB) were asked for while {:.0f} MiB were in use; "
                        "lower the resolution, or close other programs",
                        bytes, mib(bytes), mib(bytes_now.load()))) {}

MemoryUse memory_use() { return {bytes_now.load(), bytes_peak.load()}; }
void reset_peak_memory() {
    waiting_blocks().shrink_to(0);
    bytes_peak.store(bytes_now.load());
}

void* allocate_block(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    const std::size_t size = rounded_size(bytes);
    const bool huge = wants_huge_pages(bytes), may_wait = kKeepsBlocks && bytes >= kLeastKept;
    void* block = may_wait ? waiting_blocks().take(size) : nullptr;
    const bool is_fresh = block == nullptr;
    if (is_fresh && size > 0) {
        const auto fresh = [&] {
            return may_wait ? map_block(size, huge) : std::aligned_alloc(huge ? kHugePage : kCacheLine, size);
        };
        block = fresh();
        if (block == nullptr) {
            waiting_blocks().shrink_to(0);
            block = fresh();
        }
    }
    if (block == nullptr) throw OutOfMemory(bytes);

    const std::size_t now = bytes_now.fetch_add(bytes) + bytes;
    std::size_t peak = bytes_peak.load();
    while (peak < now && !bytes_peak.compare_exchange_weak(peak, now)) {
    }
    if (is_fresh && may_wait) {
        const std::size_t most = std::max(peak, now);
        waiting_blocks().shrink_to(most + most / 4 - now);
    }
    return block;
}

void release_block(void* block, std::size_t bytes) noexcept {
    if (block == nullptr) return;
    bytes_now.fetch_sub(bytes);
    if (kKeepsBlocks && bytes >= kLeastKept)
        waiting_blocks().add(block, rounded_size(bytes));
    else
        std::free(block);
}

void copy_block(void* to, const void* from, std::size_t bytes) {
    constexpr std::size_t kPart = std::size_t{128} << 10;
    parallel_ranges(bytes, kPart, [&](std::size_t begin, std::size_t end) {
        std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin, end - begin);
    });
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"

#include <atomic>
#include <cstdlib>

#include <fmt/format.h>
#include <sys/mman.h>

namespace spindrift {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::atomic<std::size_t> bytes_now{0};
std::atomic<std::size_t> bytes_peak{0};

double mib(std::size_t bytes) { return static_cast<double>(bytes) / (1024.0 * 1024.0); }

}  // namespace

OutOfMemory::OutOfMemory(std::size_t bytes)
    : text_(fmt::format("out of memory: {} bytes ({:.0f} MiB) were asked for while {:.0f} MiB were in use; "
                        "lower the resolution, or close other programs",
                        bytes, mib(bytes), mib(bytes_now.load()))) {}

MemoryUse memory_use() { return {bytes_now.load(), bytes_peak.load()}; }
void reset_peak_memory() { bytes_peak.store(bytes_now.load()); }

void* allocate_block(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    // Random access to large fields is bound by address translation: ask for huge pages where a block spans several.
    const bool huge = bytes >= 4 * kHugePage;
    const std::size_t alignment = huge ? kHugePage : kCacheLine;
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void* block = rounded < bytes ? nullptr : std::aligned_alloc(alignment, rounded);
    if (block == nullptr) throw OutOfMemory(bytes);
    if (huge) madvise(block, rounded, MADV_HUGEPAGE);  // only advice: refusal costs speed, nothing else

    const std::size_t now = bytes_now.fetch_add(bytes) + bytes;
    std::size_t peak = bytes_peak.load();
    while (peak < now && !bytes_peak.compare_exchange_weak(peak, now)) {
    }
    return block;
}

void release_block(void* block, std::size_t bytes) noexcept {
    if (block == nullptr) return;
    std::free(block);
    bytes_now.fetch_sub(bytes);
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// A vector whose memory is counted as that of Buffers is.
#pragma once

#include <vector>

#include "base/memory.h"

namespace spindrift {

template <class T>
struct CountedAllocator {
    using value_type = T;
    CountedAllocator() = default;
    template <class U>
    CountedAllocator(const CountedAllocator<U>&) {}
    T* allocate(std::size_t count) { return static_cast<T*>(allocate_block(count * sizeof(T))); }
    void deallocate(T* block, std::size_t count) noexcept { release_block(block, count * sizeof(T)); }
    friend bool operator==(const CountedAllocator&, const CountedAllocator&) { return true; }
};

template <class T>
using CountedVector = std::vector<T, CountedAllocator<T>>;

}  // namespace spindrift

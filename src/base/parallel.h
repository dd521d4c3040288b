// SPDX-License-Identifier: Apache-2.0
// The one place that makes threads.  Work is cut into blocks whose size never depends on the number of threads, and
// sums are formed block by block and added in block order, so that every result has the same bits on any number of
// threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "base/check.h"

namespace spindrift {

// Threads used by all loops from now on; 0 asks for one per core.  Returns the number in force.  Not to be called
// from inside a loop.
int set_thread_count(int count);
int thread_count();

namespace detail {
// A call through a pointer, so that the thread library stays out of this header.
void run_blocks(std::size_t count, void* context, void (*call)(void* context, std::size_t block));
}  // namespace detail

// Calls f(block) for each block in [0, count), in any order and on any thread.  An exception of f reaches the caller.
template <class F>
void parallel_blocks(std::size_t count, F&& f) {
    if (count == 1) return static_cast<void>(f(std::size_t{0}));
    using Function = std::remove_reference_t<F>;
    detail::run_blocks(count, const_cast<void*>(static_cast<const void*>(&f)),
                       [](void* context, std::size_t block) { (*static_cast<Function*>(context))(block); });
}

// Calls f(begin, end) for consecutive ranges of at most `grain` items.
template <class F>
void parallel_ranges(std::size_t size, std::size_t grain, F&& f) {
    DCHECK(grain > 0, "parallel_ranges: ranges of no items");
    parallel_blocks((size + grain - 1) / grain,
                    [&](std::size_t block) { f(block * grain, std::min(size, (block + 1) * grain)); });
}

// The sum over all ranges of what f(begin, end) returns, added in the order of the ranges.
template <class T, class F>
T parallel_sum(std::size_t size, std::size_t grain, T zero, F&& f) {
    std::vector<T> partial((size + grain - 1) / grain, zero);
    parallel_ranges(size, grain, [&](std::size_t begin, std::size_t end) { partial[begin / grain] = f(begin, end); });
    T sum = zero;
    for (const T& p : partial) sum += p;
    return sum;
}

// The largest of what f(begin, end) returns, or `floor` if that is larger.  A NaN from any range is the result.
template <class T, class F>
T parallel_max(std::size_t size, std::size_t grain, T floor, F&& f) {
    std::vector<T> partial((size + grain - 1) / grain, floor);
    parallel_ranges(size, grain, [&](std::size_t begin, std::size_t end) { partial[begin / grain] = f(begin, end); });
    T largest = floor;
    for (const T& p : partial)
        if (!(p <= largest)) {
            largest = p;
            if (p != p) return p;
        }
    return largest;
}

}  // namespace spindrift

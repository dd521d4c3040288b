// SPDX-License-Identifier: Apache-2.0
// Loops that are certain to be unrolled before anything else is optimised, so that small arrays indexed by them become
// registers.  Where that failed, interpolation ran at half its speed.
#pragma once

#include <cstddef>
#include <utility>

#include "base/simd.h"

namespace spindrift {

namespace detail {
template <class F, std::size_t... I>
SPINDRIFT_INLINE constexpr void call_with_each(F&& f, std::index_sequence<I...>) {
    (f(std::integral_constant<std::size_t, I>{}), ...);
}
}  // namespace detail

// Calls f with the constants 0 to N - 1.
template <std::size_t N, class F>
SPINDRIFT_INLINE constexpr void unrolled(F&& f) {
    detail::call_with_each(std::forward<F>(f), std::make_index_sequence<N>{});
}

}  // namespace spindrift

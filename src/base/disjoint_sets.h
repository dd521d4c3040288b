// SPDX-License-Identifier: Apache-2.0
// Sets of numbers that grow together: `parent` leads each number towards the root of its set, at first itself.
#pragma once

#include <cstddef>
#include <type_traits>

namespace spindrift {

template <class Parents>
auto root_of(Parents& parent, std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

// The smaller number becomes the root, so that the outcome does not depend on the order of joining.
template <class Parents>
void join(Parents& parent, std::size_t i, std::size_t j) {
    i = root_of(parent, i);
    j = root_of(parent, j);
    using T = std::remove_reference_t<decltype(parent[0])>;
    if (i < j)
        parent[j] = static_cast<T>(i);
    else
        parent[i] = static_cast<T>(j);
}

}  // namespace spindrift

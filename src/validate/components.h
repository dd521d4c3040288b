// SPDX-License-Identifier: Apache-2.0
// In how many pieces something is.
#pragma once

#include <cstdint>
#include <vector>

#include "grid/tiles.h"

namespace spindrift {

// The cells of each piece of what is inside, counted; pieces join through the sides of cells.
template <int Dim, class Inside>
std::vector<int> component_sizes(const IndexBox<Dim>& box, Inside&& inside) {
    const Index<Dim> size = box.size();
    const auto number = [&](const Index<Dim>& cell) {
        std::size_t n = 0;
        for (int a = 0; a < Dim; ++a)
            n = n * static_cast<std::size_t>(size[a]) + static_cast<std::size_t>(cell[a] - box.lo[a]);
        return n;
    };
    std::vector<std::uint8_t> waiting(static_cast<std::size_t>(product(Vec<std::int64_t, Dim>(size))));
    for_each_index(box, [&](const Index<Dim>& cell) { waiting[number(cell)] = inside(cell) ? 1 : 0; });

    std::vector<int> sizes;
    std::vector<Index<Dim>> front;
    for_each_index(box, [&](const Index<Dim>& start) {
        if (waiting[number(start)] == 0) return;
        waiting[number(start)] = 0;
        front.assign(1, start);
        sizes.push_back(0);
        while (!front.empty()) {
            const Index<Dim> cell = front.back();
            front.pop_back();
            ++sizes.back();
            for (int a = 0; a < Dim; ++a)
                for (const int way : {-1, 1}) {
                    const Index<Dim> beside = cell + unit<Dim>(a) * way;
                    if (!box.contains(beside) || waiting[number(beside)] == 0) continue;
                    waiting[number(beside)] = 0;
                    front.push_back(beside);
                }
        }
    });
    return sizes;
}

}  // namespace spindrift

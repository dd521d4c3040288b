// SPDX-License-Identifier: Apache-2.0
// A coarse grid of bricks, few of which are stored.  Rays jump over what is empty: an empty place knows
// how far the nearest one is.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/simd.h"
#include "base/vec.h"

namespace spindrift {

constexpr int kBrickSide = 8;         // cells
constexpr int kFarBrick = 127;        // bricks; longer distances take several jumps
constexpr float kBrickNudge = 1e-3F;  // cells; brings a ray surely over the side of a brick

struct BrickGrid {
    Index<3> size{};                      // bricks along each axis
    std::vector<std::int32_t> entries{};  // the number of a brick, or minus the distance to the nearest one, in bricks

    std::size_t index(const Index<3>& brick) const {
        return static_cast<std::size_t>((brick[0] * size[1] + brick[1]) * size[2] + brick[2]);
    }
    Index<3> brick_at(std::size_t index) const {
        const int n = static_cast<int>(index);
        return {n / (size[1] * size[2]), n / size[2] % size[1], n % size[2]};
    }

    // Numbers the places that are marked with 0, in order, and returns them; all others hold −kFarBrick.
    std::vector<std::size_t> number_bricks() {
        std::vector<std::size_t> kept;
        for (std::size_t place = 0; place < entries.size(); ++place)
            if (entries[place] == 0) {
                entries[place] = static_cast<std::int32_t>(kept.size());
                kept.push_back(place);
            }
        return kept;
    }

    // Distances along the axes, by one sweep up and one down over the 13 neighbours already passed.
    void find_distances() {
        const auto sweep = [&](int direction) {
            for_each_index(IndexBox<3>{Index<3>(0), size}, [&](Index<3> place) {
                if (direction < 0) place = size - Index<3>(1) - place;
                std::int32_t& entry = entries[index(place)];
                if (entry >= 0) return;
                for (int n = 0; n < 13; ++n) {
                    const Index<3> step(n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1);
                    const Index<3> from = place + step * direction;
                    if (!IndexBox<3>{Index<3>(0), size}.contains(from)) continue;
                    const std::int32_t distance = -std::min(entries[index(from)], 0) + 1;
                    entry = -std::min(-entry, distance);
                }
            });
        };
        sweep(1);
        sweep(-1);
    }
};

// A ray among bricks; `start` is counted so that bricks begin at multiples of their side.
struct BrickRay {
    Vec<float, 3> start, inverse;

    BrickRay(const Vec<float, 3>& start_, const Vec<float, 3>& direction)
        : start(start_), inverse(map([](float d) { return 1 / (std::abs(d) > 1e-9F ? d : 1e-9F); }, direction)) {}

    // Where it leaves a box of bricks, t1 at most.
    SPINDRIFT_INLINE float exit(const Index<3>& lo, const Index<3>& hi, float t1) const {
        float t = t1;
        for (int a = 0; a < 3; ++a)
            t = std::min(t,
                         (static_cast<float>((inverse[a] > 0 ? hi[a] : lo[a]) * kBrickSide) - start[a]) * inverse[a]);
        return t;
    }
};

}  // namespace spindrift

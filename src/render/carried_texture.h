// SPDX-License-Identifier: Apache-2.0
// A texture that a flow carries: several sets of ways that its points have come, whose pictures are laid over each
// other by weights that sum to 1.
#pragma once

#include <vector>

#include "grid/field.h"
#include "render/pattern.h"

namespace spindrift {

template <int Dim>
struct CarriedTexture {
    const Pattern* pattern = nullptr;              // none: no texture
    std::vector<const Field<float, Dim>*> ways{};  // m, set by set, axis by axis
    std::vector<float> weights{};                  // of the sets
    float amount = 1;                              // how much shows

    bool is_there() const { return pattern != nullptr; }

    // The mean over the sets of look(place, set) at the places that are now at `place`; way(set, axis) is read there.
    template <class T, class Way, class Look>
    T blend(const Vec<float, 3>& place, Way&& way, Look&& look) const {
        T sum{};
        for (std::size_t set = 0; set < weights.size(); ++set) {
            if (!(weights[set] > 0)) continue;
            Vec<float, 3> from = place;
            for (int axis = 0; axis < Dim; ++axis) from[axis] += way(static_cast<int>(set), axis);
            sum += look(from, static_cast<int>(set)) * weights[set];
        }
        return sum;
    }
};

}  // namespace spindrift

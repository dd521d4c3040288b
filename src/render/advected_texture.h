// SPDX-License-Identifier: Apache-2.0
// A texture advected by a flow: several sets of displacements of its points, whose pictures are blended by weights that
// sum to 1.
#pragma once

#include <vector>

#include "grid/field.h"
#include "render/pattern.h"

namespace spindrift {

template <int Dim>
struct AdvectedTexture {
    const Pattern* pattern = nullptr;                       // none: no texture
    std::vector<const Field<float, Dim>*> displacements{};  // m, set by set, axis by axis
    std::vector<float> weights{};                           // of the sets
    float amount = 1;                                       // how much shows

    bool is_there() const { return pattern != nullptr; }

    // The mean over the sets of look(place, set) at the places that are now at `place`; displacement(set, axis) is read
    // there.
    template <class T, class Displacement, class Look>
    T blend(const Vec<float, 3>& place, Displacement&& displacement, Look&& look) const {
        T sum{};
        for (std::size_t set = 0; set < weights.size(); ++set) {
            if (!(weights[set] > 0)) continue;
            Vec<float, 3> from = place;
            for (int axis = 0; axis < Dim; ++axis) from[axis] += displacement(static_cast<int>(set), axis);
            sum += look(from, static_cast<int>(set)) * weights[set];
        }
        return sum;
    }
};

}  // namespace spindrift

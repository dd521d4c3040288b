// SPDX-License-Identifier: Apache-2.0
// Groups of cells that have one value in common, as the pressure in a bubble.  With P, which copies the value of a
// group to its cells, the problem is Pᵀ A P y = Pᵀ b and x = P y.  Conjugate gradients solves it in fields of cells if
// every vector is averaged over each group: A becomes Π A Π, with Π = P (Pᵀ P)⁻¹ Pᵀ.
#pragma once

#include "grid/field.h"

namespace spindrift {

template <int Dim>
void average_over(const std::vector<CellGroup>& groups, Field<float, Dim>& field) {
    for (const CellGroup& group : groups) {
        double sum = 0;
        for (const auto& [slot, cell] : group) sum += double{field.tile(slot)[cell]};
        const auto mean = static_cast<float>(sum / static_cast<double>(group.size()));
        for (const auto& [slot, cell] : group) field.tile(slot)[cell] = mean;
    }
}

}  // namespace spindrift

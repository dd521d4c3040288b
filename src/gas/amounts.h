// SPDX-License-Identifier: Apache-2.0
// How much there is of a substance, ∫ (a − ambient), and a correction after which advection keeps it.
//
// Paths keep volumes only nearly, and the bounds on interpolation cut off more on one side of an edge than on the
// other:
//   missing = (J − 1) (a − ambient) + what the bounds cut off,   J = det ∂(start of a path) / ∂(its end).
// That is given back within a tile's size, to cells in proportion to how far they are from the bounds of what they were
// interpolated from: no value passes these, edges move rather than smear, and what is uniform stays so.  What the
// ledger still misses then is given in the same way  [BermejoConde02], by shares as large as what was missing there,
// whatever its sign: where nothing was, nothing is changed.
#pragma once

#include "schemes/advection.h"
#include "schemes/domain_boundary.h"

namespace spindrift {

struct Amount {
    double net = 0;       // Σ (a − ambient) over all cells of the domain but solid ones
    double absolute = 0;  // Σ |a − ambient|
};
template <int Dim>
Amount amount(const Field<float, Dim>& a, double ambient, const DomainBoundary<Dim>& boundary);

// What the flow advects out through the sides of the domain in a step, as Σ (a − ambient), and its absolute sums by
// tile. What comes in is ambient.
template <int Dim>
double outflow(std::vector<double>& by_tile, const Field<float, Dim>& a, double ambient, const FaceField<Dim>& velocity,
               const DomainBoundary<Dim>& boundary, double dt, AdvectionScheme scheme);

// Adds what a gas that swells should gain, (a − ambient) ∇·u dt, to what is missing, and returns the sum.
template <int Dim>
double add_swelling(Field<float, Dim>& missing, const Field<float, Dim>& a, double ambient,
                    const Field<float, Dim>& divergence, const DomainBoundary<Dim>& boundary, double dt);

// Moves what has been advected, within its limits, so that it sums to `wanted`.
template <int Dim>
void keep_amount(Field<float, Dim>& a, AdvectionLimits<Dim>& limits, double wanted, double ambient,
                 const DomainBoundary<Dim>& boundary);

}  // namespace spindrift

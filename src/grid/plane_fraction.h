// SPDX-License-Identifier: Apache-2.0
// How much of a cell lies below a plane.
#pragma once

#include "base/vec.h"

namespace spindrift {

// The part of a unit cell where phi + gradient·x < 0, x from its centre.  0 or 1 by the sign of phi where there is no
// slope.
template <int Dim>
double fraction_below(double phi, Vec<double, Dim> gradient);

// The gradient of a signed distance at a cell, from its neighbours along each axis.  Its size is one by definition;
// what differences give is the direction.  at(step) is the distance, in cells, at the cell beside, where `box` contains
// it.
template <int Dim, class At>
Vec<double, Dim> distance_gradient(double here, const Index<Dim>& cell, const IndexBox<Dim>& box, At&& at) {
    Vec<double, Dim> gradient;
    const auto beside = [&](const Index<Dim>& step) { return box.contains(cell + step) ? at(step) : here; };
    for (int a = 0; a < Dim; ++a) gradient[a] = 0.5 * (beside(unit<Dim>(a)) - beside(Index<Dim>(0) - unit<Dim>(a)));
    const double size = length(gradient);
    return size > 1e-6 ? gradient / size : gradient;
}

}  // namespace spindrift

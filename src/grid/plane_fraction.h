// SPDX-License-Identifier: Apache-2.0
// How much of a cell lies below a plane.
#pragma once

#include "base/vec.h"

namespace spindrift {

// The part of a unit cell where phi + gradient·x < 0, x from its centre.  0 or 1 by the sign of phi where there is no
// slope.
template <int Dim>
double fraction_below(double phi, Vec<double, Dim> gradient);

}  // namespace spindrift

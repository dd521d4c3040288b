// SPDX-License-Identifier: Apache-2.0
// What a substance does at a wall: a side of the box or the surface of a solid.
#pragma once

#include <functional>

#include "base/vec.h"

namespace spindrift {

enum class WallKind {
    insulated,  // nothing goes through: ∂a/∂n = 0
    fixed,      // a has a value on the wall
    flux        // κ ∂a/∂n has one, n pointing out of the gas: so much comes in per area and time
};

template <int Dim>
struct SubstanceWall {
    WallKind kind = WallKind::insulated;
    // Of the substance, or of the flux in its unit times m/s.  Called by many threads at once.
    std::function<double(const Vec<double, Dim>& place, double time)> value{};
    bool is_uniform = false;  // the value is the same all over the wall

    double at(const Vec<double, Dim>& place, double time) const { return value ? value(place, time) : 0; }
};

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// The boundary condition of an advected quantity on a wall: a side of the domain or the surface of a solid.
#pragma once

#include <functional>

#include "base/vec.h"

namespace spindrift {

enum class WallValueKind {
    insulated,  // ∂a/∂n = 0: no flux
    fixed,      // Dirichlet: a is given
    flux        // Neumann: κ ∂a/∂n is given, n pointing out of the fluid: so much comes in per area and time
};

template <int Dim>
struct WallValue {
    WallValueKind kind = WallValueKind::insulated;
    // Of the substance, or of the flux in its unit times m/s.  Called by many threads at once.
    std::function<double(const Vec<double, Dim>& place, double time)> value{};
    bool is_uniform = false;  // the value is the same all over the wall

    double at(const Vec<double, Dim>& place, double time) const { return value ? value(place, time) : 0; }
};

}  // namespace spindrift

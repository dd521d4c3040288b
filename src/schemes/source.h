// SPDX-License-Identifier: Apache-2.0
// Where a fluid comes from: a shape that moves what is in it while it is on.  Functions are called by many threads at
// once.
#pragma once

#include <functional>
#include <limits>

#include "base/vec.h"

namespace spindrift {

template <int Dim>
struct Source {
    std::function<double(const Vec<double, Dim>& place, double time)> distance{};  // m, negative inside
    // Of what is in it, m/s; none: it does not move the fluid.
    std::function<Vec<double, Dim>(const Vec<double, Dim>& place, double time)> velocity{};
    // Of the shape itself, m/s: what leaves it leaves relative to that.  None: it stands still.
    std::function<Vec<double, Dim>(const Vec<double, Dim>& place, double time)> motion{};
    double start = 0, end = std::numeric_limits<double>::infinity();  // s

    bool is_on(double time) const { return time >= start && time < end; }
};

}  // namespace spindrift

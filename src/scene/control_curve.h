// SPDX-License-Identifier: Apache-2.0
// The curves of a scene's controls, and how far something travels along them.
#pragma once

#include <functional>
#include <optional>

#include "geometry/curve.h"
#include "scene/description.h"

namespace spindrift {

// Nothing where its points do not make a curve, which is an error of the scene; see check_settings().
template <int Dim>
std::optional<Curve<Dim>> curve_of(const scene::CurveControl& control);

// ∫ C dt from `start` to t, m, as a function of t; 0 before.
std::function<double(double)> travelled(const TimeValue& speed, double start);

// How a speed changes over a part of a run: the paper's C(t) is monotonic.
struct SpeedChange {
    std::optional<double> turns_back{};  // s: its sign is another one from then on
    std::optional<double> turning{};     // s: it falls after it rose, or rises after it fell
};
SpeedChange speed_change(const TimeValue& speed, double from, double to);

}  // namespace spindrift

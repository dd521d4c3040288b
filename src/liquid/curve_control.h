// SPDX-License-Identifier: Apache-2.0
// A control that leads liquid along a curve.  [FF01] §10
//
//   x_p = F(s_p),   v_p = C(t) dF/ds,   ds_p/dt = C(t)
//
// with s the length along the curve, so that C is a speed in m/s.  Points between x_p and a place beside it in the
// plane across the curve move as on a rigid bar, u = v_p (1 − κ·(x − x_p)) with the curvature κ: a pocket of liquid
// keeps its shape in a bend.
#pragma once

#include <functional>
#include <optional>

#include "geometry/curve.h"
#include "liquid/control.h"

namespace spindrift {

template <int Dim>
struct CurveControl {
    Curve<Dim> curve;
    double radius = 0.1;                       // m, about the curve
    std::function<double(double time)> speed;  // C, m/s; from the end of the curve backwards where negative
    // ∫ C dt since the beginning, m: how far a stretch of the curve has travelled.
    std::function<double(double time)> travelled;
    // m, of the stretch that acts and travels, 0 for a point: it begins at one end of the curve and is gone beyond the
    // other.  None: all of the curve, all the time.
    std::optional<double> stretch{};
    double pull = 0;  // 1/s: velocity towards the curve per distance from it
};

// The parts of a curve that act at a time, by their parameters; two where a stretch passes the seam of a closed curve.
struct CurveSpan {
    double from, to;
};
template <int Dim>
std::vector<CurveSpan> acting_spans(const CurveControl<Dim>& control, double time);

template <int Dim>
Control<Dim> control_along(CurveControl<Dim> control);

}  // namespace spindrift

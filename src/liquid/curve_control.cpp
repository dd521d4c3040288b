// SPDX-License-Identifier: Apache-2.0
#include "liquid/curve_control.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace spindrift {
namespace {

// A rigid bar towards the inside of a bend would go backwards beyond its centre.
constexpr double kMostLead = 2;

template <int Dim>
WantedVelocity<Dim> wanted_at(const CurveControl<Dim>& control, const std::vector<CurveSpan>& spans, double speed,
                              const Vec<double, Dim>& place) {
    const Curve<Dim>& curve = control.curve;
    typename Curve<Dim>::Nearest nearest{.distance = std::numeric_limits<double>::infinity()};
    for (const CurveSpan& span : spans)
        if (const auto here = curve.nearest(place, span.from, span.to); here.distance < nearest.distance)
            nearest = here;
    const Vec<double, Dim> tangent = curve.tangent(nearest.parameter), from = place - curve.at(nearest.parameter);
    const double lead = std::clamp(1 - dot(curve.curvature(nearest.parameter), from), 0.0, kMostLead);
    return {nearest.distance - control.radius, tangent * (speed * lead) - from * control.pull, tangent};
}

}  // namespace

template <int Dim>
std::vector<CurveSpan> acting_spans(const CurveControl<Dim>& control, double time) {
    const Curve<Dim>& curve = control.curve;
    const double length = curve.length();
    if (!control.stretch || *control.stretch >= length) return {{0, curve.end()}};
    const double way = control.travelled(time);
    double from = way < 0 || (way == 0 && control.speed(time) < 0) ? length - *control.stretch + way : way;
    double to = from + *control.stretch;
    if (!curve.is_closed()) {
        if (to < 0 || from > length) return {};
        return {{curve.parameter_at(std::max(from, 0.0)), curve.parameter_at(std::min(to, length))}};
    }
    const double turns = std::floor(from / length);
    from -= turns * length;
    to -= turns * length;
    std::vector<CurveSpan> spans{{curve.parameter_at(from), curve.parameter_at(std::min(to, length))}};
    if (to > length) spans.push_back({0, curve.parameter_at(to - length)});
    return spans;
}

template <int Dim>
Control<Dim> control_along(CurveControl<Dim> settings) {
    const auto shared = std::make_shared<const CurveControl<Dim>>(std::move(settings));
    Control<Dim> out;
    out.is_distance_exact = true;
    out.field_at = [shared](double time) -> typename Control<Dim>::Field {
        auto spans = acting_spans(*shared, time);
        if (spans.empty()) return nullptr;
        return [shared, spans = std::move(spans), speed = shared->speed(time)](const Vec<double, Dim>& place) {
            return wanted_at(*shared, spans, speed, place);
        };
    };
    return out;
}

#define INSTANTIATE(Dim)                                                                 \
    template std::vector<CurveSpan> acting_spans(const CurveControl<Dim>&, double time); \
    template Control<Dim> control_along(CurveControl<Dim>);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

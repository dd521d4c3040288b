// SPDX-License-Identifier: Apache-2.0
// What a control must have to lead liquid anywhere.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "scene/checks.h"
#include "scene/control_curve.h"

namespace spindrift {
namespace {

using scene::Vec3;

// Whether the number of points makes a curve of its kind.
bool check_count(const scene::CurveControl& curve, const Complain& complain) {
    const std::size_t size = curve.points.size();
    if (curve.interpolation == scene::CurveKind::bezier) {
        const bool fits = size >= 3 && size % 3 == (curve.closed ? 0U : 1U);
        if (!fits)
            complain("points", fmt::format("are {}, which do not make pieces of a Bézier curve", size),
                     fmt::format("write point, handle, handle, {}",
                                 curve.closed ? "point, handle, handle: 3, 6, 9, …" : "point: 4, 7, 10, … points"));
        return fits;
    }
    const std::size_t least = curve.closed ? 3 : 2;
    if (size < least)
        complain("points", fmt::format("are {}", size),
                 fmt::format("a {}curve needs {} at least", curve.closed ? "closed " : "", least));
    return size >= least;
}

void check_points(const scene::CurveControl& curve, int dim, const Complain& complain) {
    if (!check_count(curve, complain)) return;
    const std::size_t size = curve.points.size();
    for (std::size_t k = 0; k < size; ++k) {
        const std::size_t next = (k + 1) % size;
        if (curve.points[k] != curve.points[next] || (next == 0 && !curve.closed)) continue;
        return complain(fmt::format("points[{}]", next),
                        fmt::format("is {}, the same as points[{}]: the curve has no direction there",
                                    place_text(curve.points[next], dim), k),
                        next == 0 ? "leave it out: closed = true joins the last point to the first" : "leave out one");
    }
}

void check_path(const scene::CurveControl& curve, int dim, const Complain& complain) {
    constexpr int kSamples = 256;
    Vec3 last{};
    for (int k = 0; k <= kSamples; ++k) {
        const double s = static_cast<double>(k) / kSamples;
        const Vec3 place = curve.path->at(s);
        if (!std::isfinite(length(place)))
            return complain("path", fmt::format("has no finite value at s = {:.4g}", s),
                            "keep divisions, roots and logarithms away from such places");
        if (k > 0 && place == last)
            return complain(
                "path",
                fmt::format("stands still at {} from s = {:.4g} to {:.4g}: the curve has no direction there",
                            place_text(place, dim), s - 1.0 / kSamples, s),
                "let it move on with s everywhere");
        last = place;
    }
}

void complain_of_region(const scene::Control& control, int dim, const Complain& complain) {
    if (control.region_min.has_value() != control.region_max.has_value())
        return complain(control.region_min ? "region_min" : "region_max", "stands without its other corner",
                        "give both region_min and region_max, or none");
    for (int axis = 0; axis < dim && control.region_min; ++axis)
        if (!((*control.region_min)[axis] < (*control.region_max)[axis]))
            return complain("region_max",
                            fmt::format("is {} along {}, not above region_min, {}", (*control.region_max)[axis],
                                        "xyz"[axis], (*control.region_min)[axis]),
                            "region_min is the lower corner, region_max the upper one");
}

}  // namespace

void check_settings(const scene::CurveControl& curve, int dim, const Complain& complain) {
    if (!curve.path) return check_points(curve, dim, complain);
    if (curve.closed)
        return complain("closed", "is for curves by points", "a path is closed when it ends where it begins");
    check_path(curve, dim, complain);
}

void check_settings(const scene::AttractControl& control, int, const Complain& complain) {
    if (!control.strength.varies() && !(control.strength.at(0) >= 0))
        complain("strength", fmt::format("is {}, which pushes liquid away", control.strength.at(0)),
                 "make it positive; a [[force]] of kind \"attractor\" may push");
}

void check_settings(const scene::Control& control, int dim, const Complain& complain) {
    if (control.end && *control.end <= control.start)
        complain("end", fmt::format("is {} s, not after start, {} s: it would never act", *control.end, control.start),
                 "");
    complain_of_region(control, dim, complain);
}

void check_controls(const SceneDescription& scene, const Complain& complain) {
    for (std::size_t i = 0; i < scene.control.size(); ++i) {
        const scene::Control& control = scene.control[i];
        const auto* curve = std::get_if<scene::CurveControl>(&control.kind);
        if (curve == nullptr) continue;
        const double end = std::min(end_time(scene), control.end.value_or(end_time(scene)));
        if (const auto t = speed_change(curve->speed, control.start, end).turns_back)
            complain(fmt::format("control[{}].speed", i),
                     fmt::format("changes its sign at {:.4g} s: what it leads would turn back along the curve", *t),
                     "keep it above 0 or below 0 throughout, and write another control for the way back");
    }
}

}  // namespace spindrift

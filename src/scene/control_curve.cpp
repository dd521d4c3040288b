// SPDX-License-Identifier: Apache-2.0
#include "scene/control_curve.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace spindrift {
namespace {

// Pieces that a path by expressions is cut into: of a circle it is off by less than a millionth of its radius.
constexpr int kPathPieces = 256;
// s, between which an expression of time is smooth.
constexpr double kSmoothFor = 1.0 / 240;
constexpr double kMostPieces = 1 << 20;

// Moments at which a speed is looked at.
constexpr int kMoments = 1000;

// By Gauss's rule of three points, exact to the fifth power: of what lies between two keyframes.
double integral(const TimeValue& value, double from, double to) {
    const double half = 0.5 * (to - from), middle = 0.5 * (from + to), apart = half * std::sqrt(0.6);
    return half * (5 * value.at(middle - apart) + 8 * value.at(middle) + 5 * value.at(middle + apart)) / 9;
}

const Keyframes* keyframes(const TimeValue& value) { return std::get_if<Keyframes>(&value.value().form()); }

}  // namespace

template <int Dim>
std::optional<Curve<Dim>> curve_of(const scene::CurveControl& control) {
    using Place = Vec<double, Dim>;
    if (control.path) {
        const auto place = [path = *control.path](double s) { return components<Dim>(path.at(s)); };
        Place last = place(0);
        for (int k = 1; k <= kPathPieces; ++k) {
            const Place next = place(static_cast<double>(k) / kPathPieces);
            if (!(length(next - last) > 0)) return std::nullopt;  // neither where it has no value
            last = next;
        }
        return Curve<Dim>::along(place, kPathPieces);
    }
    std::vector<Place> points;
    for (const scene::Vec3& p : control.points) points.push_back(components<Dim>(p));
    const std::size_t size = points.size();
    for (std::size_t k = 0; k < size; ++k)
        if (points[k] == points[(k + 1) % size] && (control.closed || k + 1 < size)) return std::nullopt;
    if (control.interpolation == scene::CurveKind::bezier) {
        if (size < 3 || size % 3 != (control.closed ? 0U : 1U)) return std::nullopt;
        return Curve<Dim>::bezier(points, control.closed);
    }
    if (size < (control.closed ? 3U : 2U)) return std::nullopt;
    return control.interpolation == scene::CurveKind::straight ? Curve<Dim>::straight(points, control.closed)
                                                               : Curve<Dim>::catmull_rom(points, control.closed);
}

std::function<double(double)> travelled(const TimeValue& speed, double start) {
    if (!speed.varies()) return [at = speed.at(0), start](double t) { return at * std::max(0.0, t - start); };
    if (const Keyframes* given = keyframes(speed)) {
        std::vector<double> ends{start};
        for (const Keyframe& key : given->keys)
            if (key.t > start) ends.push_back(key.t);
        return [speed, ends = std::move(ends)](double t) {
            double sum = 0;
            for (std::size_t k = 0; k < ends.size() && ends[k] < t; ++k)
                sum += integral(speed, ends[k], k + 1 < ends.size() ? std::min(t, ends[k + 1]) : t);
            return sum;
        };
    }
    return [speed, start](double t) {
        const double count = std::min(std::ceil((t - start) / kSmoothFor), kMostPieces);
        double sum = 0;
        for (double k = 0; k < count; ++k)
            sum += integral(speed, start + (t - start) * k / count, start + (t - start) * (k + 1) / count);
        return sum;
    };
}

SpeedChange speed_change(const TimeValue& speed, double from, double to) {
    SpeedChange change;
    if (!speed.varies() || !(to > from)) return change;
    std::vector<double> moments(kMoments + 1), speeds;
    for (int k = 0; k <= kMoments; ++k) moments[static_cast<std::size_t>(k)] = from + (to - from) * k / kMoments;
    if (const Keyframes* given = keyframes(speed))
        for (const Keyframe& key : given->keys)
            if (key.t > from && key.t < to) moments.push_back(key.t);
    std::sort(moments.begin(), moments.end());
    double largest = 0;
    for (const double t : moments) {
        speeds.push_back(speed.at(t));
        largest = std::max(largest, std::abs(speeds.back()));
    }
    const double least = 1e-9 * largest;
    double sign = 0, trend = 0;
    for (std::size_t k = 0; k < speeds.size(); ++k) {
        const double now = std::abs(speeds[k]) > least ? std::copysign(1.0, speeds[k]) : 0;
        if (now * sign < 0 && !change.turns_back) change.turns_back = moments[k];
        if (now != 0) sign = now;
        if (k == 0) continue;
        const double step = speeds[k] - speeds[k - 1], goes = std::abs(step) > least ? std::copysign(1.0, step) : 0;
        if (goes * trend < 0 && !change.turning) change.turning = moments[k - 1];
        if (goes != 0) trend = goes;
    }
    return change;
}

template std::optional<Curve<2>> curve_of(const scene::CurveControl&);
template std::optional<Curve<3>> curve_of(const scene::CurveControl&);

}  // namespace spindrift

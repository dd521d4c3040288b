// SPDX-License-Identifier: Apache-2.0
#include "scene/expression/varying.h"

#include <algorithm>
#include <cstddef>

#include "base/check.h"

namespace spindrift {
namespace {

template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

// The slope at a key: the weighted harmonic mean of the slopes beside it, or 0 at an extreme and at both ends.
double slope(const std::vector<Keyframe>& keys, std::size_t i) {
    if (i == 0 || i + 1 == keys.size()) return 0;
    const double before = keys[i].t - keys[i - 1].t;
    const double after = keys[i + 1].t - keys[i].t;
    const double rise_before = (keys[i].value - keys[i - 1].value) / before;
    const double rise_after = (keys[i + 1].value - keys[i].value) / after;
    if (rise_before * rise_after <= 0) return 0;
    const double a = 2 * after + before;
    const double b = after + 2 * before;
    return (a + b) / (a / rise_before + b / rise_after);
}

// The last key at or before t, of keys that have one there and one after it.
std::size_t key_before(const std::vector<Keyframe>& keys, double t) {
    const auto next =
        std::upper_bound(keys.begin(), keys.end(), t, [](double s, const Keyframe& k) { return s < k.t; });
    return static_cast<std::size_t>(next - keys.begin()) - 1;
}

}  // namespace

double Keyframes::at(double t) const {
    CHECK(!keys.empty(), "keyframes without a key");
    if (!(t > keys.front().t)) return keys.front().value;
    if (t >= keys.back().t) return keys.back().value;
    const std::size_t i = key_before(keys, t);
    const Keyframe& a = keys[i];
    const Keyframe& b = keys[i + 1];
    if (interpolation == Interpolation::step) return a.value;

    const double span = b.t - a.t;
    const double s = (t - a.t) / span;
    if (interpolation == Interpolation::linear) return a.value + s * (b.value - a.value);

    // Cubic Hermite.
    const double r = 1 - s;
    return a.value * (1 + 2 * s) * r * r + b.value * (3 - 2 * s) * s * s +
           span * (slope(keys, i) * s * r * r - slope(keys, i + 1) * s * s * r);
}

double Keyframes::rate(double t) const {
    if (keys.empty() || t < keys.front().t || t >= keys.back().t) return 0;
    const std::size_t i = key_before(keys, t);
    const Keyframe &a = keys[i], &b = keys[i + 1];
    const double span = b.t - a.t, s = (t - a.t) / span, rise = (b.value - a.value) / span;
    if (interpolation == Interpolation::step) return 0;
    if (interpolation == Interpolation::linear) return rise;
    return 6 * rise * s * (1 - s) + slope(keys, i) * (1 - s) * (1 - 3 * s) + slope(keys, i + 1) * s * (3 * s - 2);
}

// Second order in the step, from t on where there is no time before.
double TimeValue::rate(double t) const {
    constexpr double kStep = 1e-4;  // s: 2e-5 of a swing at 100 rad/s, 1e-12 of the value by rounding
    if (!varies()) return 0;
    if (const auto* keyframes = std::get_if<Keyframes>(&value_.form())) return keyframes->rate(t);
    if (t < kStep) return (4 * at(t + kStep) - 3 * at(t) - at(t + 2 * kStep)) / (2 * kStep);
    return (at(t + kStep) - at(t - kStep)) / (2 * kStep);
}

double FieldValue::at(const Vec<double, 3>& place, double t) const {
    return std::visit(Overloaded{[](double constant) { return constant; },
                                 [&](const Keyframes& keyframes) { return keyframes.at(t); },
                                 [&](const Expression& expression) { return expression.at(place, t); }},
                      form_);
}

void FieldValue::evaluate(std::span<double> out, const Expression::Places& places, double t) const {
    if (const auto* expression = std::get_if<Expression>(&form_)) return expression->evaluate(out, places, t);
    std::fill(out.begin(), out.end(), at({}, t));
}

bool FieldValue::varies_in_space() const {
    const auto* expression = std::get_if<Expression>(&form_);
    return expression != nullptr && expression->uses_place();
}

bool FieldValue::varies_in_time() const {
    return std::visit(
        Overloaded{[](double) { return false; }, [](const Keyframes& keyframes) { return keyframes.keys.size() > 1; },
                   [](const Expression& expression) { return expression.uses_time(); }},
        form_);
}

}  // namespace spindrift

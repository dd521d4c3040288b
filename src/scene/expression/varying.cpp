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

}  // namespace

double Keyframes::at(double t) const {
    CHECK(!keys.empty(), "keyframes without a key");
    if (!(t > keys.front().t)) return keys.front().value;
    if (t >= keys.back().t) return keys.back().value;
    const auto next =
        std::upper_bound(keys.begin(), keys.end(), t, [](double s, const Keyframe& k) { return s < k.t; });
    const auto i = static_cast<std::size_t>(next - keys.begin()) - 1;
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

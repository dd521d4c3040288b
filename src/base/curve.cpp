// SPDX-License-Identifier: Apache-2.0
#include "base/curve.h"

#include <algorithm>
#include <cmath>

namespace spindrift {

std::size_t Curve::first_of(std::size_t count, double x) const {
    const auto above = std::upper_bound(x_.begin(), x_.end(), x) - x_.begin();
    const auto half = static_cast<std::ptrdiff_t>(count / 2), last = static_cast<std::ptrdiff_t>(size() - count);
    return static_cast<std::size_t>(std::clamp(above - half, std::ptrdiff_t{0}, last));
}

double Curve::linear(double x) const {
    const std::size_t n = first_of(2, x);
    const double part = (x - x_[n]) / (x_[n + 1] - x_[n]);
    return value_[n] + part * (value_[n + 1] - value_[n]);
}

double Curve::cubic(double x) const {
    const std::size_t first = first_of(4, x);
    double sum = 0;
    for (std::size_t i = first; i < first + 4; ++i) {
        double weight = 1;
        for (std::size_t k = first; k < first + 4; ++k)
            if (k != i) weight *= (x - x_[k]) / (x_[i] - x_[k]);
        sum += weight * value_[i];
    }
    return sum;
}

Extreme Curve::lowest(double from, double to) const {
    constexpr int kSamples = 4000;
    Extreme found{from, cubic(from)};
    for (int n = 1; n <= kSamples; ++n) {
        const double x = from + (to - from) * n / kSamples;
        if (const double value = cubic(x); value < found.value) found = {x, value};
    }
    return found;
}

Extreme Curve::highest(double from, double to) const {
    Curve upside_down = *this;
    for (double& value : upside_down.value_) value = -value;
    const Extreme found = upside_down.lowest(from, to);
    return {found.at, -found.value};
}

std::vector<double> Curve::falls_through(double level) const {
    std::vector<double> places;
    for (std::size_t n = 1; n < size(); ++n) {
        const double before = value_[n - 1] - level, after = value_[n] - level;
        if (before > 0 && after <= 0) places.push_back(x_[n - 1] + (x_[n] - x_[n - 1]) * before / (before - after));
    }
    return places;
}

Line fitted_line(const Curve& curve) {
    double x = 0, y = 0, xx = 0, xy = 0;
    const auto count = static_cast<double>(curve.size());
    for (std::size_t n = 0; n < curve.size(); ++n) {
        x += curve.x(n);
        y += curve.value(n);
        xx += curve.x(n) * curve.x(n);
        xy += curve.x(n) * curve.value(n);
    }
    const double slope = (count * xy - x * y) / (count * xx - x * x);
    return {(y - slope * x) / count, slope};
}

double fitted_exponent(const Curve& curve, double origin) {
    Curve logarithms;
    for (std::size_t n = 0; n < curve.size(); ++n)
        logarithms.add(std::log(curve.x(n) - origin), std::log(curve.value(n)));
    return fitted_line(logarithms).slope;
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// A function of one variable known at some points: a profile of a flow, a record over time.
#pragma once

#include <cstddef>
#include <vector>

namespace spindrift {

struct Extreme {
    double at = 0, value = 0;
};

class Curve {
  public:
    // Points come in ascending order.
    void add(double x, double value) {
        x_.push_back(x);
        value_.push_back(value);
    }
    std::size_t size() const { return x_.size(); }
    double x(std::size_t n) const { return x_[n]; }
    double value(std::size_t n) const { return value_[n]; }

    double linear(double x) const;
    // By the cubic through the four points around x.
    double cubic(double x) const;
    // Of the cubics, between `from` and `to`.
    Extreme lowest(double from, double to) const;
    Extreme highest(double from, double to) const;

    // Where it falls through a level, in order, by straight lines between points.
    std::vector<double> falls_through(double level) const;

  private:
    // The number of the first of `count` points around x.
    std::size_t first_of(std::size_t count, double x) const;

    std::vector<double> x_, value_;
};

// y = a + b x, fitted by least squares to the curve's points.
struct Line {
    double offset = 0, slope = 0;
};
Line fitted_line(const Curve& curve);
// The exponent of y = c (x − origin)^exponent, fitted to the logarithms of points with x > origin and y > 0.
double fitted_exponent(const Curve& curve, double origin);

}  // namespace spindrift

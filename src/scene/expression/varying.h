// SPDX-License-Identifier: Apache-2.0
// Numbers of a scene that may vary: a constant, keyframes, or an expression.
//
//   level = 0.5                                            constant
//   level = [[0, 0.5], [2, 0.8]]                           keyframes [time in s, value], straight lines between
//   level = {keyframes = […], interpolation = "smooth"}    the same, smooth between
//   level = "0.5 + 0.1 * sin(2*pi*t)"                      expression
#pragma once

#include <array>
#include <span>
#include <variant>
#include <vector>

#include "base/vec.h"
#include "scene/expression/expression.h"

namespace spindrift {

struct Keyframe {
    double t = 0;  // s
    double value = 0;
    friend bool operator==(const Keyframe&, const Keyframe&) = default;
};

// How values follow each other between two keyframes.  Before the first and after the last they stay.
//   smooth: a cubic through the keys that neither overshoots them nor starts or ends with a jerk [FritschButland84].
enum class Interpolation { linear, smooth, step };

struct Keyframes {
    std::vector<Keyframe> keys{};  // at least one, times rising
    Interpolation interpolation = Interpolation::linear;

    double at(double t) const;
    double rate(double t) const;  // its derivative; at a key that of what follows
    friend bool operator==(const Keyframes&, const Keyframes&) = default;
};

// A number that may vary in space and time.
class FieldValue {
  public:
    FieldValue(double constant = 0) : form_(constant) {}
    FieldValue(Keyframes keyframes) : form_(std::move(keyframes)) {}
    FieldValue(Expression expression) : form_(std::move(expression)) {}

    double at(const Vec<double, 3>& place, double t) const;
    void evaluate(std::span<double> out, const Expression::Places& places, double t) const;

    bool varies_in_space() const;
    bool varies_in_time() const;
    const std::variant<double, Keyframes, Expression>& form() const { return form_; }

    friend bool operator==(const FieldValue&, const FieldValue&) = default;

  private:
    std::variant<double, Keyframes, Expression> form_;
};

// A number that may vary in time.  An expression in it knows t alone.
class TimeValue {
  public:
    TimeValue(double constant = 0) : value_(constant) {}
    explicit TimeValue(FieldValue value) : value_(std::move(value)) {}

    double at(double t) const { return value_.at({}, t); }
    // The derivative: of keyframes that of what lies between them, of an expression by differences.
    double rate(double t) const;
    bool varies() const { return value_.varies_in_time(); }
    const FieldValue& value() const { return value_; }

    friend bool operator==(const TimeValue&, const TimeValue&) = default;

  private:
    FieldValue value_;
};

// The third component is 0 in 2D.
struct FieldVector {
    std::array<FieldValue, 3> component{};

    Vec<double, 3> at(const Vec<double, 3>& place, double t) const {
        return {component[0].at(place, t), component[1].at(place, t), component[2].at(place, t)};
    }
    friend bool operator==(const FieldVector&, const FieldVector&) = default;
};

struct TimeVector {
    std::array<TimeValue, 3> component{};

    TimeVector() = default;
    TimeVector(const Vec<double, 3>& v) : component{v[0], v[1], v[2]} {}
    Vec<double, 3> at(double t) const { return {component[0].at(t), component[1].at(t), component[2].at(t)}; }
    Vec<double, 3> rate(double t) const { return {component[0].rate(t), component[1].rate(t), component[2].rate(t)}; }
    bool varies() const { return component[0].varies() || component[1].varies() || component[2].varies(); }
    friend bool operator==(const TimeVector&, const TimeVector&) = default;
};

}  // namespace spindrift

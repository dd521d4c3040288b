// SPDX-License-Identifier: Apache-2.0
// Arithmetic in scene files: "0.8 * smoothstep(0, 0.5, t)" or "sin(2*pi*x) * exp(-t)".
//
// Compiled once to a short program for a stack of rows, which runs over many places at a time: an operation costs half
// a nanosecond per place, a sine nine.  No state is kept between evaluations, so any number of threads may share one.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/vec.h"

namespace spindrift {

class Expression {
  public:
    // Which names an expression may use: t alone, or also x and y, or also z; or s alone, which stands for t.
    enum class Variables { time, plane, space, parameter };

    // An error's column counts from 1 at the start of the text.
    static Result<Expression> parse(std::string_view text, Variables known);

    double at(const Vec<double, 3>& place, double t) const;

    // At many places at once.  All have one length; coordinates that the text does not name may be left empty.
    struct Places {
        std::span<const double> x{}, y{}, z{};
    };
    void evaluate(std::span<double> out, const Places& places, double t) const;

    const std::string& text() const;
    bool uses_place() const;
    bool uses_time() const;

    // The same text: an expression is what was written.
    friend bool operator==(const Expression& a, const Expression& b) { return a.text() == b.text(); }

    struct Program;

  private:
    explicit Expression(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
    std::shared_ptr<const Program> program_;
};

// For the reference: "clamp(v, lo, hi)" and what it is.
struct ExpressionWord {
    std::string_view usage;
    std::string_view sentence;
};
std::vector<ExpressionWord> expression_words();

}  // namespace spindrift

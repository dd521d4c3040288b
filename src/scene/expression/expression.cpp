// SPDX-License-Identifier: Apache-2.0
#include "scene/expression/expression.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "base/check.h"
#include "scene/expression/program.h"

namespace spindrift {
namespace {

// Places worked on together: rows of the whole stack take 16 KiB.
constexpr std::size_t kBlock = 64;

double modulo(double a, double b) { return a - b * std::floor(a / b); }
double sign(double v) { return v > 0 ? 1 : v < 0 ? -1 : 0; }
double clamp(double v, double lo, double hi) { return std::min(std::max(v, lo), hi); }
double truth(bool condition) { return condition ? 1 : 0; }
double smoothstep(double lo, double hi, double v) {
    if (!(lo < hi)) return truth(v >= lo);
    const double s = clamp((v - lo) / (hi - lo), 0, 1);
    return s * s * (3 - 2 * s);
}

// A stack of rows of `Width` values.  A row is given from outside or lies in the machine; the operands of an operation
// are the topmost rows, its result takes the place of the lowest.
template <std::size_t Width>
class Machine {
  public:
    // To clear all rows would take longer than to run a short program.
    Machine() {
        rows_[0][0] = 0;
        stack_[0] = rows_[0];
    }

    const double* run(const Expression::Program& program, const std::array<const double*, 3>& place, double time,
                      std::size_t count) {
        size_ = 0;
        count_ = count;
        for (const Instruction& i : program.code) step(i, place, time);
        return stack_[0];
    }

  private:
    // One value needs no loop.
    std::size_t count() const { return Width == 1 ? 1 : count_; }

    void push(const double* values) { stack_[size_++] = values; }
    void push(double value) {
        double* row = rows_[size_];
        for (std::size_t i = 0; i < count(); ++i) row[i] = value;
        push(row);
    }

    template <class F>
    void unary(F f) {
        const double* a = stack_[size_ - 1];
        double* out = rows_[size_ - 1];
        for (std::size_t i = 0; i < count(); ++i) out[i] = f(a[i]);
        stack_[size_ - 1] = out;
    }
    template <class F>
    void binary(F f) {
        const double* a = stack_[size_ - 2];
        const double* b = stack_[size_ - 1];
        double* out = rows_[size_ - 2];
        for (std::size_t i = 0; i < count(); ++i) out[i] = f(a[i], b[i]);
        size_ -= 1;
        stack_[size_ - 1] = out;
    }
    template <class F>
    void ternary(F f) {
        const double* a = stack_[size_ - 3];
        const double* b = stack_[size_ - 2];
        const double* c = stack_[size_ - 1];
        double* out = rows_[size_ - 3];
        for (std::size_t i = 0; i < count(); ++i) out[i] = f(a[i], b[i], c[i]);
        size_ -= 2;
        stack_[size_ - 1] = out;
    }

    void step(const Instruction& instruction, const std::array<const double*, 3>& place, double time) {
        switch (instruction.op) {
            case Op::constant: return push(instruction.constant);
            case Op::x: return push(place[0]);
            case Op::y: return push(place[1]);
            case Op::z: return push(place[2]);
            case Op::t: return push(time);
            case Op::negate: return unary([](double v) { return -v; });
            case Op::logical_not: return unary([](double v) { return truth(v == 0); });
            case Op::square: return unary([](double v) { return v * v; });
            case Op::abs: return unary([](double v) { return std::abs(v); });
            case Op::sign: return unary(sign);
            case Op::floor: return unary([](double v) { return std::floor(v); });
            case Op::ceil: return unary([](double v) { return std::ceil(v); });
            case Op::round: return unary([](double v) { return std::round(v); });
            case Op::sqrt: return unary([](double v) { return std::sqrt(v); });
            case Op::cbrt: return unary([](double v) { return std::cbrt(v); });
            case Op::exp: return unary([](double v) { return std::exp(v); });
            case Op::log: return unary([](double v) { return std::log(v); });
            case Op::log2: return unary([](double v) { return std::log2(v); });
            case Op::log10: return unary([](double v) { return std::log10(v); });
            case Op::sin: return unary([](double v) { return std::sin(v); });
            case Op::cos: return unary([](double v) { return std::cos(v); });
            case Op::tan: return unary([](double v) { return std::tan(v); });
            case Op::asin: return unary([](double v) { return std::asin(v); });
            case Op::acos: return unary([](double v) { return std::acos(v); });
            case Op::atan: return unary([](double v) { return std::atan(v); });
            case Op::sinh: return unary([](double v) { return std::sinh(v); });
            case Op::cosh: return unary([](double v) { return std::cosh(v); });
            case Op::tanh: return unary([](double v) { return std::tanh(v); });
            case Op::bessel_j0: return unary([](double v) { return ::j0(v); });
            case Op::bessel_j1: return unary([](double v) { return ::j1(v); });
            case Op::sech: return unary([](double v) { return 1 / std::cosh(v); });
            case Op::add: return binary([](double a, double b) { return a + b; });
            case Op::subtract: return binary([](double a, double b) { return a - b; });
            case Op::multiply: return binary([](double a, double b) { return a * b; });
            case Op::divide: return binary([](double a, double b) { return a / b; });
            case Op::modulo: return binary(modulo);
            case Op::power: return binary([](double a, double b) { return std::pow(a, b); });
            case Op::atan2: return binary([](double a, double b) { return std::atan2(a, b); });
            case Op::hypot: return binary([](double a, double b) { return std::hypot(a, b); });
            case Op::min: return binary([](double a, double b) { return std::min(a, b); });
            case Op::max: return binary([](double a, double b) { return std::max(a, b); });
            case Op::step: return binary([](double edge, double v) { return truth(v >= edge); });
            case Op::less: return binary([](double a, double b) { return truth(a < b); });
            case Op::less_equal: return binary([](double a, double b) { return truth(a <= b); });
            case Op::greater: return binary([](double a, double b) { return truth(a > b); });
            case Op::greater_equal: return binary([](double a, double b) { return truth(a >= b); });
            case Op::equal: return binary([](double a, double b) { return truth(a == b); });
            case Op::not_equal: return binary([](double a, double b) { return truth(a != b); });
            case Op::logical_and: return binary([](double a, double b) { return truth(a != 0 && b != 0); });
            case Op::logical_or: return binary([](double a, double b) { return truth(a != 0 || b != 0); });
            case Op::clamp: return ternary(clamp);
            case Op::mix: return ternary([](double a, double b, double s) { return a + (b - a) * s; });
            case Op::smoothstep: return ternary(smoothstep);
            case Op::select: return ternary([](double c, double a, double b) { return c != 0 ? a : b; });
        }
    }

    double rows_[kExpressionStack][Width];
    const double* stack_[kExpressionStack];
    std::size_t size_ = 0;
    std::size_t count_ = 0;
};

}  // namespace

double fold(Op op, const std::array<double, 3>& values) {
    Expression::Program program;
    for (std::size_t i = 0; i < static_cast<std::size_t>(operands(op)); ++i)
        program.code.push_back({Op::constant, values[i]});
    program.code.push_back({op});
    return *Machine<1>().run(program, {}, 0, 1);
}

Result<Expression> Expression::parse(std::string_view text, Variables known) {
    Result<Program> program = compile_expression(text, known);
    if (!program) return std::move(program).errors();
    return Expression(std::make_shared<const Program>(std::move(program).value()));
}

double Expression::at(const Vec<double, 3>& place, double t) const {
    return *Machine<1>().run(*program_, {&place[0], &place[1], &place[2]}, t, 1);
}

void Expression::evaluate(std::span<double> out, const Places& places, double t) const {
    // Coordinates that are not named may be missing: any readable row serves.
    const std::array<std::span<const double>, 3> given{places.x, places.y, places.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t size = given[axis].size();
        CHECK(size == out.size() || (size == 0 && !program_->uses_axis[axis]), "evaluate '{}': {} of {} places", text(),
              size, out.size());
    }
    const auto row = [&](std::span<const double> coordinate, std::size_t begin) {
        return coordinate.empty() ? out.data() + begin : coordinate.data() + begin;
    };

    Machine<kBlock> machine;
    for (std::size_t begin = 0; begin < out.size(); begin += kBlock) {
        const std::size_t count = std::min(kBlock, out.size() - begin);
        const double* result =
            machine.run(*program_, {row(places.x, begin), row(places.y, begin), row(places.z, begin)}, t, count);
        std::copy_n(result, count, out.data() + begin);
    }
}

const std::string& Expression::text() const { return program_->text; }
bool Expression::uses_place() const {
    return program_->uses_axis[0] || program_->uses_axis[1] || program_->uses_axis[2];
}
bool Expression::uses_time() const { return program_->uses_time; }

std::vector<ExpressionWord> expression_words() {
    std::vector<ExpressionWord> words;
    for (const ExpressionFunction& f : kExpressionFunctions) words.push_back({f.usage, f.sentence});
    return words;
}

}  // namespace spindrift

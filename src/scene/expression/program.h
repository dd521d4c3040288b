// SPDX-License-Identifier: Apache-2.0
// What an expression is compiled to: operations that take their operands from a stack and leave their result there.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scene/expression/expression.h"

namespace spindrift {

enum class Op : std::uint8_t {
    constant,
    x,
    y,
    z,
    t,  // push
    negate,
    logical_not,
    square,
    abs,
    sign,
    floor,
    ceil,
    round,
    sqrt,
    cbrt,
    exp,
    log,
    log2,
    log10,  // of one
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    sinh,
    cosh,
    tanh,
    bessel_j0,
    bessel_j1,
    sech,
    add,
    subtract,
    multiply,
    divide,
    modulo,
    power,
    atan2,
    hypot,
    min,
    max,
    step,  // of two
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    logical_and,
    logical_or,
    clamp,
    mix,
    smoothstep,
    select,  // of three
};

struct Instruction {
    Op op;
    double constant = 0;
};

// Deep enough for a hand-written formula; rows of it fit the first cache.
constexpr int kExpressionStack = 32;

struct Expression::Program {
    std::string text;
    std::vector<Instruction> code;
    std::array<bool, 3> uses_axis{};
    bool uses_time = false;
};

// Operands an operation takes.
constexpr int operands(Op op) {
    if (op <= Op::t) return 0;
    if (op <= Op::sech) return 1;
    if (op <= Op::logical_or) return 2;
    return 3;
}

// The functions by name.  A function with `repeated` takes any number of operands from two on.
struct ExpressionFunction {
    std::string_view name;
    Op op;
    bool repeated;
    std::string_view usage;
    std::string_view sentence;
};
constexpr std::array kExpressionFunctions{
    ExpressionFunction{"abs", Op::abs, false, "abs(v)", "without its sign"},
    ExpressionFunction{"acos", Op::acos, false, "acos(v)", "angle in radians"},
    ExpressionFunction{"asin", Op::asin, false, "asin(v)", "angle in radians"},
    ExpressionFunction{"atan", Op::atan, false, "atan(v)", "angle in radians"},
    ExpressionFunction{"atan2", Op::atan2, false, "atan2(y, x)", "angle of the direction (x, y), in radians"},
    ExpressionFunction{"cbrt", Op::cbrt, false, "cbrt(v)", "cube root"},
    ExpressionFunction{"ceil", Op::ceil, false, "ceil(v)", "next whole number above"},
    ExpressionFunction{"clamp", Op::clamp, false, "clamp(v, lo, hi)", "v, but not below lo nor above hi"},
    ExpressionFunction{"cos", Op::cos, false, "cos(v)", "of an angle in radians"},
    ExpressionFunction{"cosh", Op::cosh, false, "cosh(v)", "hyperbolic cosine"},
    ExpressionFunction{"exp", Op::exp, false, "exp(v)", "e to the power v"},
    ExpressionFunction{"floor", Op::floor, false, "floor(v)", "next whole number below"},
    ExpressionFunction{"hypot", Op::hypot, false, "hypot(a, b)", "sqrt(a^2 + b^2)"},
    ExpressionFunction{"if", Op::select, false, "if(condition, a, b)", "a where the condition holds, else b"},
    ExpressionFunction{"j0", Op::bessel_j0, false, "j0(v)", "Bessel's function of the first kind, order 0"},
    ExpressionFunction{"j1", Op::bessel_j1, false, "j1(v)", "Bessel's function of the first kind, order 1"},
    ExpressionFunction{"log", Op::log, false, "log(v)", "natural logarithm"},
    ExpressionFunction{"log10", Op::log10, false, "log10(v)", "logarithm to base 10"},
    ExpressionFunction{"log2", Op::log2, false, "log2(v)", "logarithm to base 2"},
    ExpressionFunction{"max", Op::max, true, "max(a, b, …)", "the largest"},
    ExpressionFunction{"min", Op::min, true, "min(a, b, …)", "the smallest"},
    ExpressionFunction{"mix", Op::mix, false, "mix(a, b, s)", "a at s = 0, b at s = 1, a straight line between"},
    ExpressionFunction{"mod", Op::modulo, false, "mod(a, b)", "a − b floor(a / b), from 0 to b"},
    ExpressionFunction{"pow", Op::power, false, "pow(a, b)", "a to the power b"},
    ExpressionFunction{"round", Op::round, false, "round(v)", "nearest whole number, halves away from 0"},
    ExpressionFunction{"sech", Op::sech, false, "sech(v)", "1 / cosh(v), the shape of a solitary wave"},
    ExpressionFunction{"sign", Op::sign, false, "sign(v)", "−1, 0 or 1"},
    ExpressionFunction{"sin", Op::sin, false, "sin(v)", "of an angle in radians"},
    ExpressionFunction{"sinh", Op::sinh, false, "sinh(v)", "hyperbolic sine"},
    ExpressionFunction{"smoothstep", Op::smoothstep, false, "smoothstep(lo, hi, v)",
                       "0 below lo, 1 above hi, smooth between"},
    ExpressionFunction{"sqrt", Op::sqrt, false, "sqrt(v)", "square root"},
    ExpressionFunction{"step", Op::step, false, "step(edge, v)", "0 below the edge, 1 from there on"},
    ExpressionFunction{"tan", Op::tan, false, "tan(v)", "of an angle in radians"},
    ExpressionFunction{"tanh", Op::tanh, false, "tanh(v)", "hyperbolic tangent"},
};

// Compiles the text; the evaluation of constant parts is done here, once.
Result<Expression::Program> compile_expression(std::string_view text, Expression::Variables known);

// The value of an operation on constants.
double fold(Op op, const std::array<double, 3>& operands);

}  // namespace spindrift

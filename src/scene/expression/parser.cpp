// SPDX-License-Identifier: Apache-2.0
// From text to a program, by recursive descent, one function per level of precedence:
//
//   choice := or ['?' choice ':' choice]     comparison := sum [('<' | '<=' | '>' | '>=' | '==' | '!=') sum]
//   or := and {'||' and}                     sum := product {('+' | '-') product}
//   and := comparison {'&&' comparison}      product := unary {('*' | '/' | '%') unary}
//   unary := ('-' | '+' | '!') unary | power      power := primary ['^' unary]     (so -2^2 is -4 and 2^-1 is a half)
#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/suggest.h"
#include "scene/expression/program.h"

namespace spindrift {
namespace {

// A formula nested deeper is a mistake, and would overflow the parser's own stack.
constexpr int kDeepestNesting = 100;

struct NamedConstant {
    std::string_view name;
    double value;
};
constexpr std::array kConstants{NamedConstant{"pi", std::numbers::pi}, NamedConstant{"tau", 2 * std::numbers::pi},
                                NamedConstant{"e", std::numbers::e}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class Parser {
  public:
    Parser(std::string_view text, Expression::Variables known) : text_(text), known_(known) {}

    Result<Expression::Program> program() {
        skip_blanks();
        if (at_end()) fail(0, "the expression is empty", "write a number or a formula such as \"2 * t\"");
        choice();
        if (!error_ && !at_end()) unexpected();
        if (error_) return *error_;
        program_.text = std::string(text_);
        return std::move(program_);
    }

  private:
    // What stands at the reading position.
    bool at_end() const { return position_ >= text_.size(); }
    char peek(std::size_t ahead = 0) const {
        return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
    }
    void skip_blanks() {
        while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++position_;
    }
    bool accept(std::string_view symbol) {
        if (error_ || text_.substr(position_, symbol.size()) != symbol) return false;
        position_ += symbol.size();
        skip_blanks();
        return true;
    }
    void expect(std::string_view symbol, std::string_view purpose) {
        if (error_ || accept(symbol)) return;
        fail(position_, fmt::format("a '{}' is missing {}", symbol, purpose));
    }

    // The first mistake ends the parse; whatever is called after it does nothing.
    void fail(std::size_t position, std::string what, std::string remedy = "") {
        if (error_) return;
        error_ = Error{.what = std::move(what),
                       .remedy = std::move(remedy),
                       .where = {.line = 1, .column = static_cast<int>(position) + 1}};
        position_ = text_.size();
    }
    void unexpected() {
        const char c = peek();
        if (at_end()) return fail(position_, "the expression ends too early");
        if (c == '=') return fail(position_, "'=' does not compare", "write '==' for \"is equal to\"");
        const bool printable = c > ' ' && c < 127;
        fail(position_,
             printable ? fmt::format("'{}' is not expected here", c) : "a character that is not expected here");
    }
    bool deeper() {
        if (++depth_ > kDeepestNesting) fail(position_, "the expression is nested too deeply");
        return !error_;
    }

    void emit(Op op, double constant = 0) {
        if (error_) return;
        std::vector<Instruction>& code = program_.code;

        // An operation on constants alone is done now.
        const auto count = static_cast<std::size_t>(operands(op));
        bool folds = count > 0 && code.size() >= count;
        std::array<double, 3> values{};
        for (std::size_t i = 0; i < count && folds; ++i) {
            const Instruction& operand = code[code.size() - count + i];
            folds = operand.op == Op::constant;
            values[i] = operand.constant;
        }
        if (folds) {
            code.resize(code.size() - count);
            code.push_back({Op::constant, fold(op, values)});
        } else {
            code.push_back({op, constant});
        }

        height_ += 1 - operands(op);
        if (height_ > kExpressionStack) fail(position_, "the expression is nested too deeply");
    }

    void choice() {
        if (!deeper()) return;
        either();
        if (accept("?")) {
            choice();
            expect(":", "after the first part of a choice 'condition ? a : b'");
            choice();
            emit(Op::select);
        }
        --depth_;
    }
    void either() {
        both();
        while (accept("||")) {
            both();
            emit(Op::logical_or);
        }
    }
    void both() {
        comparison();
        while (accept("&&")) {
            comparison();
            emit(Op::logical_and);
        }
    }

    std::optional<Op> comparison_sign() {
        static constexpr std::array<std::pair<std::string_view, Op>, 6> kSigns{{{"<=", Op::less_equal},
                                                                                {">=", Op::greater_equal},
                                                                                {"==", Op::equal},
                                                                                {"!=", Op::not_equal},
                                                                                {"<", Op::less},
                                                                                {">", Op::greater}}};
        for (const auto& [symbol, op] : kSigns)
            if (accept(symbol)) return op;
        return std::nullopt;
    }
    void comparison() {
        sum();
        const std::optional<Op> op = comparison_sign();
        if (!op) return;
        sum();
        emit(*op);
        const std::size_t second = position_;
        if (comparison_sign())
            fail(second, "two comparisons in a row", "write '0 < t && t < 1' instead of '0 < t < 1'");
    }

    void sum() {
        product();
        for (;;) {
            const Op op = peek() == '+' ? Op::add : Op::subtract;
            if (!accept("+") && !accept("-")) return;
            product();
            emit(op);
        }
    }
    void product() {
        unary();
        for (;;) {
            const Op op = peek() == '*' ? Op::multiply : peek() == '/' ? Op::divide : Op::modulo;
            if (peek() == '*' && peek(1) == '*')
                return fail(position_, "'**' is not an operator", "powers are 'a ^ b'");
            if (!accept("*") && !accept("/") && !accept("%")) return;
            unary();
            emit(op);
        }
    }
    void unary() {
        if (!deeper()) return;
        if (accept("-")) {
            unary();
            emit(Op::negate);
        } else if (peek() == '!' && peek(1) != '=' && accept("!")) {
            unary();
            emit(Op::logical_not);
        } else if (accept("+")) {
            unary();
        } else {
            power();
        }
        --depth_;
    }
    void power() {
        primary();
        if (!accept("^")) return;
        unary();
        if (!error_ && program_.code.back().op == Op::constant && program_.code.back().constant == 2) {
            program_.code.pop_back();
            --height_;
            emit(Op::square);
        } else {
            emit(Op::power);
        }
    }

    void primary() {
        if (error_) return;
        if (accept("(")) {
            choice();
            expect(")", "for the '(' before");
        } else if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) {
            number();
        } else if (is_letter(peek())) {
            name();
        } else {
            unexpected();
        }
    }

    void number() {
        double value = 0;
        const char* begin = text_.data() + position_;
        const auto [end, fault] = std::from_chars(begin, text_.data() + text_.size(), value);
        if (fault != std::errc{} || !std::isfinite(value))
            return fail(position_, "this number is too large or too small");
        const std::size_t start = std::exchange(position_, position_ + static_cast<std::size_t>(end - begin));
        if (is_letter(peek()))
            return fail(
                position_,
                fmt::format("'{}' follows the number {} directly", peek(), text_.substr(start, position_ - start)),
                "multiplication is written out: 2 * t; units are not: all numbers are in SI units");
        skip_blanks();
        emit(Op::constant, value);
    }

    void name() {
        const std::size_t start = position_;
        while (is_letter(peek()) || is_digit(peek())) ++position_;
        const std::string_view word = text_.substr(start, position_ - start);
        skip_blanks();
        for (const ExpressionFunction& f : kExpressionFunctions)
            if (f.name == word) return call(f, start);
        for (const NamedConstant& c : kConstants)
            if (c.name == word) return emit(Op::constant, c.value);
        if (!variable(word)) unknown(word, start);
    }
    bool variable(std::string_view word) {
        using Variables = Expression::Variables;
        const bool has_place = known_ == Variables::plane || known_ == Variables::space;
        if (word == (known_ == Variables::parameter ? "s" : "t")) {
            program_.uses_time = true;
            emit(Op::t);
        } else if ((word == "x" || word == "y") && has_place) {
            program_.uses_axis[word == "x" ? 0 : 1] = true;
            emit(word == "x" ? Op::x : Op::y);
        } else if (word == "z" && known_ == Variables::space) {
            program_.uses_axis[2] = true;
            emit(Op::z);
        } else {
            return false;
        }
        return true;
    }
    void unknown(std::string_view word, std::size_t start) {
        using Variables = Expression::Variables;
        if (word == "z" && known_ == Variables::plane) return fail(start, "there is no z in a 2D scene");
        if (known_ == Variables::parameter && (word == "t" || word == "x" || word == "y" || word == "z"))
            return fail(start, fmt::format("'{}' is not known here: this value varies along the curve alone", word),
                        "use s, which runs from 0 to 1");
        if (word == "x" || word == "y" || word == "z")
            return fail(start, fmt::format("'{}' is not known here: this value may vary in time, not in space", word),
                        "use t, the time in seconds");
        std::vector<std::string> words{known_ == Variables::parameter ? "s" : "t"};
        if (known_ == Variables::plane || known_ == Variables::space) words.insert(words.end(), {"x", "y"});
        if (known_ == Variables::space) words.emplace_back("z");
        for (const NamedConstant& c : kConstants) words.emplace_back(c.name);
        for (const ExpressionFunction& f : kExpressionFunctions) words.emplace_back(f.name);
        std::string small(word);
        for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        const bool is_small = std::find(words.begin(), words.end(), small) != words.end();
        const std::string guess = word.size() > 1 || is_small ? did_you_mean(small, words) : "";
        fail(start, fmt::format("there is no '{}' in expressions", word.substr(0, 40)),
             guess.empty() ? "docs/scene-reference.md lists the names" : guess);
    }

    void call(const ExpressionFunction& f, std::size_t start) {
        if (!accept("("))
            return fail(start, fmt::format("'{}' is a function", f.name), fmt::format("write {}", f.usage));
        int count = 0;
        do {
            choice();
            ++count;
            if (f.repeated && count > 1) emit(f.op);
        } while (accept(","));
        expect(")", fmt::format("at the end of {}(…", f.name));
        const bool fits = f.repeated ? count >= 2 : count == operands(f.op);
        if (!fits)
            return fail(start, fmt::format("{} has {} operand{} here", f.name, count, count == 1 ? "" : "s"),
                        fmt::format("write {}", f.usage));
        if (!f.repeated) emit(f.op);
    }

    std::string_view text_;
    Expression::Variables known_;
    std::size_t position_ = 0;
    int depth_ = 0;   // of calls under way
    int height_ = 0;  // of the stack when the program has run so far
    Expression::Program program_;
    std::optional<Error> error_;
};

}  // namespace

Result<Expression::Program> compile_expression(std::string_view text, Expression::Variables known) {
    return Parser(text, known).program();
}

}  // namespace spindrift

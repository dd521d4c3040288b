// SPDX-License-Identifier: Apache-2.0
#include "base/result.h"

#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "base/check.h"

namespace spindrift {
namespace {

constexpr std::string_view kIndent = "    ";

// A text of several lines stays one block: all lines but the first are indented.
std::string as_block(std::string_view lines) {
    while (!lines.empty() && lines.back() == '\n') lines.remove_suffix(1);
    std::string out;
    for (const char c : lines) {
        out += c;
        if (c == '\n') out += kIndent;
    }
    return out;
}

[[noreturn]] void misused(detail::Caller caller, const char* expectation, const std::string& message) {
    check_failed(caller.file, caller.line, expectation, message);
}

}  // namespace

std::string text(const Location& where) {
    std::string out = where.file;
    if (where.line == 0) return out;  // a column without its line says nothing
    if (!out.empty()) out += ':';
    out += fmt::format("{}", where.line);
    if (where.column != 0) out += fmt::format(":{}", where.column);
    return out;
}

std::string text(const Error& error) {
    std::string out = text(error.where);
    if (!out.empty()) out += ": ";
    out += as_block(error.what);
    if (!error.remedy.empty()) out += fmt::format("\n{}{}", kIndent, as_block(error.remedy));
    return out;
}

void Errors::add(Errors others) {
    list_.insert(list_.end(), std::make_move_iterator(others.list_.begin()),
                 std::make_move_iterator(others.list_.end()));
}

std::string Errors::text() const {
    std::string out;
    for (const Error& error : list_) {
        if (!out.empty()) out += '\n';
        out += spindrift::text(error);
    }
    return out;
}

void detail::check_some_errors(const Errors& errors, Caller caller) {
    if (errors.empty()) misused(caller, "!errors.empty()", "a Result was made of an empty list of errors");
}

void detail::value_of_errors(const Errors& errors, Caller caller) {
    misused(caller, "result", "the value of a Result was asked for that holds errors:\n" + errors.text());
}

void detail::errors_of_value(Caller caller) {
    misused(caller, "!result", "the errors of a Result were asked for that holds none");
}

}  // namespace spindrift

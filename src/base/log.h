// SPDX-License-Identifier: Apache-2.0
// What the program says while it works.  Goes to standard error, so that standard output holds results alone (--json).
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/core.h>

namespace spindrift {

enum class LogLevel { debug, info, warning, error, off };
constexpr LogLevel kQuiet = LogLevel::warning;  // -q
constexpr LogLevel kVerbose = LogLevel::debug;  // -v

std::string_view name(LogLevel level);

// What lies below the level is not shown.  Returns the level before; it starts as info.
LogLevel set_log_level(LogLevel level);
LogLevel log_level();

// Warnings of this process so far, shown or not: a --strict run fails when they grew from its start to its end.
std::int64_t warning_count();

struct LogRecord {
    LogLevel level;
    std::string_view text;  // lives as long as the call
};
using LogSink = std::function<void(const LogRecord&)>;

// Sends records to `sink` instead of standard error, back there if it is empty; returns the sink before.  A sink is
// called by one thread at a time and must not log itself.
LogSink set_log_sink(LogSink sink);

// The sink at the start, for others that want to pass records on.
void log_to_stderr(const LogRecord& record);

namespace detail {
void log(LogLevel level, fmt::string_view format, fmt::format_args args);
}

template <class... Args>
void log_debug(fmt::format_string<Args...> format, Args&&... args) {
    detail::log(LogLevel::debug, format, fmt::make_format_args(args...));
}
template <class... Args>
void log_info(fmt::format_string<Args...> format, Args&&... args) {
    detail::log(LogLevel::info, format, fmt::make_format_args(args...));
}
template <class... Args>
void log_warning(fmt::format_string<Args...> format, Args&&... args) {
    detail::log(LogLevel::warning, format, fmt::make_format_args(args...));
}
template <class... Args>
void log_error(fmt::format_string<Args...> format, Args&&... args) {
    detail::log(LogLevel::error, format, fmt::make_format_args(args...));
}

}  // namespace spindrift

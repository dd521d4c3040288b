// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_color_sinks.h>

namespace spindrift {
namespace {

std::atomic<LogLevel> threshold{LogLevel::info};
std::atomic<std::int64_t> warnings{0};

struct Output {
    std::mutex mutex;
    LogSink sink = log_to_stderr;
};
Output& output() {
    static Output instance;
    return instance;
}

spdlog::level::level_enum spdlog_level(LogLevel level) {
    switch (level) {
        case LogLevel::debug: return spdlog::level::debug;
        case LogLevel::info: return spdlog::level::info;
        case LogLevel::warning: return spdlog::level::warn;
        case LogLevel::error: return spdlog::level::err;
        case LogLevel::off: break;
    }
    return spdlog::level::off;
}

// Errors as the command line tells them, warnings alike; what is only told stands by itself.
const char* pattern(LogLevel level) {
    switch (level) {
        case LogLevel::error: return "%^spindrift:%$ %v";
        case LogLevel::warning: return "%^spindrift: warning:%$ %v";
        default: return "%v";
    }
}

// Colours are left out by spdlog where standard error is not a terminal.
std::unique_ptr<spdlog::logger> stderr_logger(LogLevel level) {
    auto logger = std::make_unique<spdlog::logger>("", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    logger->set_pattern(pattern(level));
    logger->set_level(spdlog::level::trace);
    return logger;
}

}  // namespace

std::string_view name(LogLevel level) {
    switch (level) {
        case LogLevel::debug: return "debug";
        case LogLevel::info: return "info";
        case LogLevel::warning: return "warning";
        case LogLevel::error: return "error";
        case LogLevel::off: break;
    }
    return "off";
}

LogLevel set_log_level(LogLevel level) { return threshold.exchange(level); }
LogLevel log_level() { return threshold.load(); }
std::int64_t warning_count() { return warnings.load(); }

LogSink set_log_sink(LogSink sink) {
    if (!sink) sink = log_to_stderr;
    const std::lock_guard lock(output().mutex);
    return std::exchange(output().sink, std::move(sink));
}

void log_to_stderr(const LogRecord& record) {
    static const std::array<std::unique_ptr<spdlog::logger>, 3> loggers{
        stderr_logger(LogLevel::info), stderr_logger(LogLevel::warning), stderr_logger(LogLevel::error)};
    const std::size_t which = record.level == LogLevel::error ? 2 : record.level == LogLevel::warning ? 1 : 0;
    loggers[which]->log(spdlog_level(record.level), spdlog::string_view_t(record.text.data(), record.text.size()));
}

void detail::log(LogLevel level, fmt::string_view format, fmt::format_args args) {
    if (level == LogLevel::warning) ++warnings;
    if (level < threshold.load()) return;
    const std::string text = fmt::vformat(format, args);
    const std::lock_guard lock(output().mutex);
    output().sink({level, text});
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace spindrift {
namespace {

// Keeps what is logged during a test, and leaves the log as it was.
class Log : public testing::Test {
  protected:
    Log()
        : sink_before_(set_log_sink([this](const LogRecord& r) {
              lines_.push_back(std::string(name(r.level)) + ": " + std::string(r.text));
          })) {}
    ~Log() override {
        set_log_sink(sink_before_);
        set_log_level(level_before_);
    }
    void log_one_of_each() const {
        log_debug("d {}", 1);
        log_info("i {}", 2);
        log_warning("w {}", 3);
        log_error("e {}", 4);
    }

    using Lines = std::vector<std::string>;
    Lines lines_;
    LogLevel level_before_ = log_level();
    LogSink sink_before_;
};

TEST_F(Log, ShowsInfoAndAboveAtFirst) {
    log_one_of_each();
    EXPECT_EQ(lines_, (Lines{"info: i 2", "warning: w 3", "error: e 4"}));
}

TEST_F(Log, ShowsWhatTheLevelAsksFor) {
    EXPECT_EQ(set_log_level(kVerbose), LogLevel::info);
    log_one_of_each();
    EXPECT_EQ(std::exchange(lines_, {}), (Lines{"debug: d 1", "info: i 2", "warning: w 3", "error: e 4"}));

    EXPECT_EQ(set_log_level(kQuiet), kVerbose);
    log_one_of_each();
    EXPECT_EQ(std::exchange(lines_, {}), (Lines{"warning: w 3", "error: e 4"}));

    set_log_level(LogLevel::error);
    log_one_of_each();
    EXPECT_EQ(std::exchange(lines_, {}), (Lines{"error: e 4"}));

    set_log_level(LogLevel::off);
    log_one_of_each();
    EXPECT_EQ(lines_, Lines{});
}

TEST_F(Log, CountsWarningsEvenWhenTheyAreNotShown) {
    set_log_level(LogLevel::off);
    const std::int64_t before = warning_count();
    log_one_of_each();
    log_one_of_each();
    EXPECT_EQ(warning_count() - before, 2);
    EXPECT_EQ(lines_, Lines{});
}

TEST_F(Log, KeepsLinesOfThreadsWhole) {
    const std::int64_t before = warning_count();
    const auto work = [](int thread) {
        for (int i = 0; i < 500; ++i) log_warning("thread {} line {}", thread, i);
    };
    std::thread other(work, 1);
    work(2);
    other.join();

    EXPECT_EQ(warning_count() - before, 1000);
    ASSERT_EQ(lines_.size(), 1000u);
    int next[3] = {0, 0, 0};
    for (const std::string& line : lines_) {
        const int thread = line.find("thread 1") != std::string::npos ? 1 : 2;
        EXPECT_EQ(line, fmt::format("warning: thread {} line {}", thread, next[thread]++));
    }
}

TEST_F(Log, GoesToStandardErrorAndLeavesStandardOutputClean) {
    set_log_sink({});
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    log_info("frame {} of {}", 3, 24);
    log_warning("{}", "{} is not a format here");
    const std::string out = testing::internal::GetCapturedStdout();
    const std::string err = testing::internal::GetCapturedStderr();

    EXPECT_EQ(out, "");
    // Not a terminal, so no colours.
    EXPECT_EQ(err, "frame 3 of 24\nspindrift: warning: {} is not a format here\n");
}

TEST_F(Log, SinkMayPassRecordsOn) {
    set_log_sink([this](const LogRecord& r) {
        lines_.emplace_back(r.text);
        log_to_stderr(r);
    });
    testing::internal::CaptureStderr();
    log_error("both");
    const std::string err = testing::internal::GetCapturedStderr();
    EXPECT_EQ(lines_, Lines{"both"});
    EXPECT_EQ(err, "spindrift: both\n");
}

}  // namespace
}  // namespace spindrift

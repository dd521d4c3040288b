// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/progress.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include <fmt/format.h>
#include <unistd.h>

#include "apps/cli/common.h"

namespace spindrift::cli {
namespace {

constexpr int kBarCells = 24;
constexpr std::size_t kRecentFrames = 12;
constexpr std::chrono::milliseconds kDrawEvery{100};

// Whole cells and the eighths of the next.
std::string bar(double share) {
    const char* eighths[] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const int filled = static_cast<int>(std::clamp(share, 0.0, 1.0) * kBarCells * 8);
    std::string out;
    for (int cell = 0; cell < kBarCells; ++cell)
        out += filled >= 8 * (cell + 1) ? "█" : eighths[std::max(0, filled - 8 * cell)];
    return out;
}

// By how much a liquid's volume is off; a gas has none.
std::string volume_text(double volume, double error) {
    return volume > 0 ? fmt::format("  volume {:+.2f} %", 100 * error) : "";
}

}  // namespace

Progress::Progress(bool shown)
    : on_terminal_(shown && ::isatty(STDERR_FILENO) != 0), in_lines_(shown && !on_terminal_) {
    if (!on_terminal_) return;
    // Records of the log go above the bar.
    sink_before_ = set_log_sink([this](const LogRecord& record) {
        clear();
        log_to_stderr(record);
        std::fflush(stderr);
    });
}

Progress::~Progress() {
    if (!on_terminal_) return;
    clear();
    set_log_sink(sink_before_);
}

void Progress::started(const RunStart& start) {
    frame_ = std::max(0, start.frame);
    last_frame_ = start.last_frame;
    if (!in_lines_) return;
    if (start.checkpoint.empty())
        fmt::print(stderr, "{}\n", count_text(last_frame_, "frame"));
    else if (start.frame >= last_frame_)
        fmt::print(stderr, "frames up to {} are there already\n", start.frame);
    else
        fmt::print(stderr, "goes on after frame {}{} of {}\n", start.frame,
                   start.steps > 0 ? fmt::format(" and {} steps", start.steps) : "", last_frame_);
}

void Progress::step_done(const StepRecord& step) {
    line_ = fmt::format("frame {}/{}  step {}{}", step.frame, last_frame_, step.step,
                        volume_text(step.report.volume, step.report.volume_error));
    if (on_terminal_ && std::chrono::steady_clock::now() - drawn_ > kDrawEvery) draw();
}

void Progress::frame_done(const FrameRecord& frame) {
    frame_ = frame.frame;
    if (frame.frame > 0) recent_seconds_.push_back(frame.seconds);
    if (recent_seconds_.size() > kRecentFrames) recent_seconds_.pop_front();
    line_ = fmt::format("frame {}/{}{}", frame.frame, last_frame_, volume_text(frame.volume, frame.volume_error));
    if (on_terminal_) draw();
    if (!in_lines_) return;
    fmt::print(stderr, "frame {}/{}  {}  {}  {:.2f} m/s{}{}\n", frame.frame, last_frame_,
               count_text(frame.steps, "step"), duration_text(frame.seconds), frame.max_speed,
               volume_text(frame.volume, frame.volume_error), time_left());
    std::fflush(stderr);
}

std::string Progress::time_left() const {
    if (recent_seconds_.empty() || frame_ >= last_frame_) return "";
    const double mean = std::accumulate(recent_seconds_.begin(), recent_seconds_.end(), 0.0) /
                        static_cast<double>(recent_seconds_.size());
    return fmt::format("  {} left", duration_text(mean * (last_frame_ - frame_)));
}

void Progress::draw() {
    drawn_ = std::chrono::steady_clock::now();
    const double share = last_frame_ > 0 ? static_cast<double>(frame_) / last_frame_ : 1;
    fmt::print(stderr, "\r\033[K{}▏{}{}", bar(share), line_, time_left());
    std::fflush(stderr);
}

void Progress::clear() const { fmt::print(stderr, "\r\033[K"); }

}  // namespace spindrift::cli

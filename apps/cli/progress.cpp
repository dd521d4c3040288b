// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/progress.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "apps/cli/common.h"

namespace spindrift::cli {
namespace {

constexpr int kBarCells = 24, kFewestBarCells = 6;
constexpr int kUsualColumns = 80;
constexpr std::size_t kRecentFrames = 12;
constexpr std::chrono::milliseconds kDrawEvery{100};

// Whole cells and the eighths of the next.
std::string bar(double share, int cells) {
    const char* eighths[] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const int filled = static_cast<int>(std::clamp(share, 0.0, 1.0) * cells * 8);
    std::string out;
    for (int cell = 0; cell < cells; ++cell)
        out += filled >= 8 * (cell + 1) ? "█" : eighths[std::max(0, filled - 8 * cell)];
    return out;
}

// Characters, not bytes.
int width_of(const std::string& text) {
    return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}
std::string cut_to(const std::string& text, int width) {
    std::size_t end = 0;
    for (int seen = 0; end < text.size(); ++end)
        if ((text[end] & 0xC0) != 0x80 && ++seen > width) break;
    return text.substr(0, end);
}

int terminal_columns() {
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsualColumns;
}

}  // namespace

std::string line_with_bar(double share, const std::string& text, int columns) {
    // A terminal may go on to the next line when its last column is written.
    const int room = columns - 1, cells = std::min(kBarCells, room - width_of(text) - 1);
    if (cells < kFewestBarCells) return cut_to(text, room);
    return bar(share, cells) + "▏" + text;
}

Progress::Progress(const Settings& settings)
    : settings_(settings),
      on_terminal_(settings.shown && ::isatty(STDERR_FILENO) != 0),
      in_lines_(settings.shown && !on_terminal_) {
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
        print_note(fmt::format("{}\n", count_text(last_frame_, "frame")));
    else if (start.frame >= last_frame_)
        print_note(fmt::format("frames up to {} are there already\n", start.frame));
    else
        print_note(fmt::format("continues after frame {}{} of {}\n", start.frame,
                               start.steps > 0 ? " and " + count_text(start.steps, "step") : "", last_frame_));
}

void Progress::step_done(const StepRecord& step) {
    frame_ = step.frame - 1;
    volume_ = volume_text(step.report.volume_error);
    stage_ = fmt::format("step {}", step.step + 1);
    if (on_terminal_ && std::chrono::steady_clock::now() - drawn_ > kDrawEvery) draw();
}

void Progress::stage_begins(std::string_view stage) {
    stage_ = stage;
    if (on_terminal_) draw();
}

void Progress::frame_done(const FrameRecord& frame) {
    frame_ = frame.frame;
    if (frame.frame > 0) recent_seconds_.push_back(frame.seconds);
    if (recent_seconds_.size() > kRecentFrames) recent_seconds_.pop_front();
    volume_ = volume_text(frame.report.volume_error);
    stage_ = frame_ < last_frame_ ? "step 1" : "";
    if (on_terminal_) draw();
    if (!in_lines_) return;
    print_note(fmt::format("frame {}/{}  {}  {}  {:.2f} m/s{}{}\n", frame.frame, last_frame_,
                           count_text(frame.steps, "step"), duration_text(frame.seconds), frame.report.max_speed,
                           volume_, time_left()));
}

// By how much a liquid's volume is off.
std::string Progress::volume_text(double error) const {
    return settings_.has_volume ? fmt::format("  volume {:+.2f} %", 100 * error) : "";
}

std::string Progress::elapsed() const {
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start_).count();
    return seconds < 60 ? fmt::format("{} s", seconds) : duration_text(static_cast<double>(seconds));
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
    // What matters most comes first: a narrow terminal shows no more.
    const std::string text =
        fmt::format("frame {}/{}{}  {} elapsed{}{}", std::min(frame_ + 1, last_frame_), last_frame_,
                    stage_.empty() ? "" : "  " + stage_, elapsed(), time_left(), volume_);
    print_note("\r\033[K" + line_with_bar(share, text, terminal_columns()));
}

void Progress::clear() const { print_note("\r\033[K"); }

}  // namespace spindrift::cli

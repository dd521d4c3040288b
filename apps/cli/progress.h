// SPDX-License-Identifier: Apache-2.0
// How far a run is: one line that is drawn again and again on a terminal, a line per frame elsewhere.  On standard
// error.
#pragma once

#include <chrono>
#include <deque>
#include <string>
#include <string_view>

#include "base/log.h"
#include "session/run.h"

namespace spindrift::cli {

class Progress {
  public:
    struct Settings {
        bool shown = true;
        bool has_volume = true;  // a gas has none
    };
    explicit Progress(const Settings& settings);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void started(const RunStart& start);
    void step_done(const StepRecord& step);
    void frame_done(const FrameRecord& frame);
    void stage_begins(std::string_view stage);

  private:
    std::string volume_text(double error) const;
    std::string time_left() const;
    std::string elapsed() const;
    void draw();
    void clear() const;

    Settings settings_;
    bool on_terminal_;
    bool in_lines_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    LogSink sink_before_{};
    int frame_ = 0;
    int last_frame_ = 0;
    std::string stage_{"starting"};        // what is going on
    std::string volume_{};                 // of the last step
    std::deque<double> recent_seconds_{};  // of the last frames: later ones often take longer than early ones
    std::chrono::steady_clock::time_point drawn_{};
};

// A bar and a text in one line of so many characters: first the bar gives way, then the end of the text.
std::string line_with_bar(double share, const std::string& text, int columns);

}  // namespace spindrift::cli

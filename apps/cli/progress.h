// SPDX-License-Identifier: Apache-2.0
// How far a run is: one line that is drawn again and again on a terminal, a line per frame elsewhere.  On standard
// error.
#pragma once

#include <chrono>
#include <deque>
#include <string>

#include "base/log.h"
#include "session/run.h"

namespace spindrift::cli {

class Progress {
  public:
    explicit Progress(bool shown);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void started(const RunStart& start);
    void step_done(const StepRecord& step);
    void frame_done(const FrameRecord& frame);

  private:
    std::string time_left() const;
    void draw();
    void clear() const;

    bool on_terminal_;
    bool in_lines_;
    LogSink sink_before_{};
    int frame_ = 0;
    int last_frame_ = 0;
    std::string line_{};                   // what the terminal shows after the bar
    std::deque<double> recent_seconds_{};  // of the last frames: later ones often take longer than early ones
    std::chrono::steady_clock::time_point drawn_{};
};

}  // namespace spindrift::cli

// SPDX-License-Identifier: Apache-2.0
// What fell short in a frame, told when it begins and when it has become worse.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "session/output/records.h"
#include "session/output/run_checkpoint.h"

namespace spindrift {

class FrameFaults {
  public:
    // A sentence for each that has not been told.  Nothing in the scene explains a speed above `plausible_speed`, m/s.
    std::vector<std::string> found(const FrameProgress& done, const FrameRecord& record, double plausible_speed);

  private:
    bool overflow_told_ = false, lost_told_ = false, speed_told_ = false;
    double drift_told_ = 0;
    std::map<std::string, double> amount_drift_told_{};
};

}  // namespace spindrift

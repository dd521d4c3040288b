// SPDX-License-Identifier: Apache-2.0
// log.jsonl: one JSON object per line and event, only ever added to.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "base/result.h"
#include "session/output/records.h"

namespace spindrift {

class RunLog {
  public:
    static Result<RunLog> open(const std::filesystem::path& file);

    // `fields` are the inside of a JSON object: "\"frame\":3".
    Result<void> event(const std::string& event, const std::string& fields);
    Result<void> add(const StepRecord& step);
    Result<void> add(const FrameRecord& frame);

  private:
    RunLog(std::filesystem::path file, std::ofstream stream) : file_(std::move(file)), stream_(std::move(stream)) {}
    std::filesystem::path file_;
    std::ofstream stream_;
};

}  // namespace spindrift

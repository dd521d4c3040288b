// SPDX-License-Identifier: Apache-2.0
// Whether a run's folder holds what its manifest says.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace spindrift {

struct Verdict {
    int frames = 0;
    int files = 0;
    int checkpoints = 0;
    std::uint64_t bytes = 0;
    bool is_complete = false;  // all frames that were asked for are there
    Errors faults{};           // each names its file
};

// Reads every file.  An error is a folder without a run in it.
Result<Verdict> verify_run(const std::filesystem::path& folder);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// A run's checkpoint: the state of its simulation, how far its frame is, and which run it belongs to.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "session/output/records.h"
#include "session/simulation.h"

namespace spindrift {

Result<void> write_run_checkpoint(const std::filesystem::path& file, const Simulation& simulation,
                                  const FrameProgress& progress, const Snapshot& probes, const std::string& scene_hash);

struct RunCheckpoint {
    FrameProgress progress{};
    std::string scene_hash{};
    std::string state_hash{};  // of the state as it is stored
    Snapshot state{};
    Snapshot probes{};
};
Result<RunCheckpoint> read_run_checkpoint(const std::filesystem::path& file);

std::string state_hash(const Simulation& simulation);

}  // namespace spindrift

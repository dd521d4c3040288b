// SPDX-License-Identifier: Apache-2.0
// Taking over the run that is in a folder.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "base/result.h"
#include "session/output/manifest.h"
#include "session/output/output_folder.h"
#include "session/output/records.h"
#include "session/simulation.h"

namespace spindrift {

// The manifest of the run in the folder, if it may be continued as `identity`; errors say what differs.
Result<Manifest> manifest_to_continue(const std::filesystem::path& folder, const RunIdentity& identity);

struct Resumed {
    FrameProgress progress{.frame = -1};
    Snapshot probes{};
    std::filesystem::path checkpoint{};  // empty when there is none to go on from
};

// Loads the newest checkpoint that is whole and whose frames are listed; with `from`, the newest at the end of that
// frame or of one before it.  Passes over damaged ones with a warning.
Result<Resumed> load_checkpoint(Simulation& simulation, const OutputFolder& folder, const Manifest& there,
                                std::optional<int> from);

// Removes the files of all frames after this one.
void remove_files_after(const std::filesystem::path& folder, const std::vector<FrameRecord>& frames, int frame);

// A warning when files that are listed are missing or have another size.
void warn_of_missing_files(const std::filesystem::path& folder, const std::vector<FrameRecord>& frames);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// The frame loop: steps, files that show frames, checkpoints to go on from.
//
// A frame that lies between two steps is shown by a copy of the state, moved on to its time (Simulation::show).  The
// checkpoint of a frame holds the state itself, at the end of the last step before it; so does a frame's state_hash.
//
// The bits of all frames depend on the simulation alone: not on threads, nor on where a run was stopped, killed and
// resumed.  What has its name in the folder is whole at every moment; the manifest lists what is complete.
#pragma once

#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "session/output/manifest.h"
#include "session/probes/probe.h"
#include "session/simulation.h"

namespace spindrift {

struct RunSettings {
    std::filesystem::path folder{};
    int first_frame = 0;  // files are written from here on
    int last_frame = 0;
    double fps = 24;
    std::optional<int> min_substeps{};
    int max_substeps = 200;
    int checkpoint_every = 10;              // frames; 0: only when stopped
    double checkpoint_after_seconds = 600;  // and at the next frame, when the last one is this old
    int keep_checkpoints = 2;               // 0: all
    bool resume = false;                    // go on with the run that is in the folder, or begin
    std::optional<int> from{};              // go on from the last checkpoint at or before this frame
    bool film = false;                      // of the pictures, at the end
    double film_fps = 24;                   // pictures that it shows in a second
    bool strict = false;                    // a warning ends the run
    std::vector<Probe> probes{};
    std::vector<std::string> warnings{};  // of the scene: the manifest keeps them for the report
    double plausible_speed = std::numeric_limits<double>::infinity();  // m/s: more is warned of, once
};

struct RunStart {
    int frame = -1;  // the last one that is there already
    int steps = 0;   // and steps of the next
    int last_frame = 0;
    std::filesystem::path checkpoint{};  // empty when it begins at the beginning
};

// Whoever watches a run.  Called from the thread that runs it.
struct RunObserver {
    std::function<void(const RunStart&)> started{};
    std::function<void(const StepRecord&)> step_done{};
    std::function<void(const Simulation&)> frame_shown{};  // its fields are those of the frame
    std::function<void(const FrameRecord&)> frame_done{};
    std::function<void(std::string_view)> stage_begins{};  // what is no step: "writing files"
    std::function<bool()> stop_wanted{};                   // asked after each step
};

struct RunOutcome {
    RunStatus status = RunStatus::finished;
    std::string failure{};  // why it failed
    int frame = -1;         // the last one that is complete
    int frames_made = 0;    // by this call
    double seconds = 0;
};

// `identity` says what the run is made from; a manifest with another one is not continued.  `manifest` holds the rest
// that the manifest is to say.  Errors are those of files and folders; what is complete stays, and can be resumed.
Result<RunOutcome> run(Simulation& simulation, Manifest manifest, const RunSettings& settings,
                       const RunObserver& observer = {});

}  // namespace spindrift

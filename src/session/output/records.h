// SPDX-License-Identifier: Apache-2.0
// What a run tells of its steps, frames and files: to whoever watches, to log.jsonl and to the manifest.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "io/whole_file.h"
#include "schemes/step_report.h"
#include "session/substance_amount.h"

namespace spindrift {

struct StepRecord {
    int frame = 0;  // under way
    int step = 0;   // of the frame, from 1
    double time = 0;
    int halvings = 0;  // times the step was taken again with half its length
    double seconds = 0;
    StepReport report{};
    bool has_volume = true;                  // false: a gas
    std::vector<SubstanceAmount> amounts{};  // of a gas
};

// Adds a step to those of its frame: iterations and counts are summed, of residuals and divergence the largest is kept,
// and the rest is that of the last step.
void accumulate(StepReport& frame, const StepReport& step);
// What the steps of a frame did, and measures of the state that is shown.
StepReport frame_report(StepReport steps, StepReport shown);

// How far a frame is: a checkpoint keeps it, so that a frame stopped halfway reports as a whole one.
struct FrameProgress {
    int frame = 0;  // the last one that is complete; -1 before the first
    int steps = 0;  // taken towards the next
    int retries = 0;
    int unconverged = 0;  // pressure solves that gave up
    double seconds = 0;
    StepReport report{};  // of these steps together
};

struct FileRecord {
    std::string path;  // from the output folder
    FileChecksum checksum{};
};

struct FrameRecord {
    int frame = 0;
    double time = 0;  // s
    int steps = 0;
    int retries = 0;
    double seconds = 0;  // of computing and writing
    std::size_t particles = 0;
    bool has_volume = true;  // false: a gas
    StepReport report{};     // of the state that is shown, with the solves and counts of all steps of the frame
    int unconverged = 0;     // pressure solves that gave up
    double rss_mib = 0;
    std::string state_hash{};
    std::vector<SubstanceAmount> amounts{};                // of a gas
    std::vector<std::pair<std::string, double>> stages{};  // seconds by stage
    std::vector<FileRecord> files{};
};

// The one list of what a report tells besides its failure: f(name, value) for each.  Files leave out what is a liquid's
// alone where there is none.
template <class Report, class F>
void for_each_number(Report& r, bool has_volume, F&& f) {
    f("cells", r.cells);
    f("tiles", r.tiles);
    if (has_volume) {
        f("volume", r.volume);
        f("volume_error", r.volume_error);
        f("largest_body_error", r.largest_body_error);
        f("bodies", r.bodies);
        f("lost", r.lost);
        f("overflow", r.overflowed);
        f("spray_volume", r.spray_volume);
        f("control_energy", r.control_energy);
        f("surface_steps", r.surface_steps);
        f("corrections", r.corrections);
        f("escaped", r.escaped);
        f("seeded", r.seeded);
        f("removed", r.removed);
        f("drops", r.drops);
        f("bubbles", r.bubbles);
        f("separating", r.separating);
        f("clamped_faces", r.clamped_faces);
    }
    f("max_speed", r.max_speed);
    f("divergence", r.divergence);
    const auto solve = [&](const std::string& name, auto& s) {
        f(name + "_iterations", s.iterations);
        f(name + "_residual", s.residual);
        f(name + "_converged", s.converged);
    };
    solve("pressure", r.pressure);
    solve("viscosity", r.viscosity);
    solve(has_volume ? "extrapolation" : "diffusion", has_volume ? r.extrapolation : r.diffusion);
}

// One JSON object on one line, without the newline.
std::string json_line(const StepRecord& step);
std::string json_line(const FrameRecord& frame);

}  // namespace spindrift

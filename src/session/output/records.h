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

// Sums over the steps of a frame: a checkpoint keeps them, so that a frame stopped halfway reports as a whole one.
struct FrameProgress {
    int frame = 0;  // the last one that is complete; -1 before the first
    int steps = 0;  // taken towards the next
    int retries = 0;
    int pressure_iterations = 0;
    int unconverged = 0;    // pressure solves that gave up
    double divergence = 0;  // the largest
    double seconds = 0;
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
    std::size_t cells = 0;
    std::size_t particles = 0;
    bool has_volume = true;         // false: a gas, of which the next five say nothing
    double volume = 0;              // m³ (m²)
    double volume_error = 0;        // relative, against what was put in and let out
    double largest_body_error = 0;  // |volume error| of the connected body that is off most, as a part of all liquid
    double lost = 0;                // m³ (m²) since the beginning: what became too thin for the grid
    double overflow = 0;            // m³ (m²) since the beginning: what flowed in where there was no room
    double max_speed = 0;           // m/s
    double divergence = 0;          // 1/s
    int pressure_iterations = 0;
    int unconverged = 0;  // pressure solves that gave up
    double rss_mib = 0;
    std::string state_hash{};
    std::vector<SubstanceAmount> amounts{};                // of a gas
    std::vector<std::pair<std::string, double>> stages{};  // seconds by stage
    std::vector<FileRecord> files{};
};

// One JSON object on one line, without the newline.
std::string json_line(const StepRecord& step);
std::string json_line(const FrameRecord& frame);

}  // namespace spindrift

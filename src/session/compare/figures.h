// SPDX-License-Identifier: Apache-2.0
// What a run came to, in a few numbers.
#pragma once

#include <string>
#include <vector>

#include "session/compare/comparison.h"

namespace spindrift {

struct RunFigures {
    bool has_volume = true;
    double seconds = 0;
    double seconds_per_frame = 0;  // not a number before the first step
    double steps_per_frame = 0;    // not a number before the first step
    int retries = 0;
    int unconverged = 0;
    std::size_t cells = 0;      // the most
    std::size_t particles = 0;  // the most
    double rss_mib = 0;         // the most
    double max_speed = 0;       // of all frames
    double divergence = 0;      // the largest of all frames, 1/s
    double volume = 0;          // in the end
    double volume_error = 0;    // the largest, with its sign
    // In the last frame that has them; not a number where none has.  Steps do not end with frames, and the last frame
    // lies between two: its energies are not measured.
    double energy_time = 0;  // s
    double kinetic_energy = 0;
    double potential_energy = 0;
};
RunFigures figures_of(const ComparedRun& run);

// A row of the table for people: the same figure of each run.
struct FigureRow {
    std::string what{};
    std::vector<std::string> values{};
};
std::vector<FigureRow> figure_rows(const std::vector<ComparedRun>& runs);

}  // namespace spindrift

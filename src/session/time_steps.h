// SPDX-License-Identifier: Apache-2.0
// How long the next step is.  Depends on the state and on settings of the scene alone, so that a run stopped in
// mid-frame goes on with the same steps.
//
// Where a simulation can be shown between its steps, frames do not matter to them.  Else a step ends at each frame:
// what is left of it is divided evenly, so that no tiny step remains for its end.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "session/simulation.h"

namespace spindrift {

struct StepChoice {
    double dt = 0;          // s
    double steps_left = 1;  // with this one; 1 when it ends the frame.  A double, as a runaway may need any number
};

// `remaining` and `longest` are in s; `longest` may be infinite.
inline StepChoice next_step(double remaining, double longest) {
    // A stretch that is longer than n steps by rounding alone does not take one more.
    constexpr double kRounding = 1e-9;
    const double steps = std::max(1.0, std::ceil(remaining / longest - kRounding));
    return {.dt = remaining / steps, .steps_left = steps};
}

// By the number of steps that a frame has at least: where none is given, at least one if a step must end at each frame.
inline double longest_step(const Simulation& simulation, double fps, std::optional<int> min_substeps) {
    if (!min_substeps && simulation.shows_between_steps()) return std::numeric_limits<double>::infinity();
    return 1 / (fps * min_substeps.value_or(1));
}

// Whether a moment that is `remaining` away is reached without a step of `dt`.
inline bool lies_within_step(double remaining, double dt) {
    constexpr double kRounding = 1e-9;
    return remaining < (1 - kRounding) * dt;
}

// The step to take before the frame at this time can be shown; none when it can be.
std::optional<StepChoice> step_towards(const Simulation& simulation, double frame_time, double fps,
                                       std::optional<int> min_substeps);

// Why a frame that has taken `taken` steps is given up, and how to go on.
std::string too_many_steps_text(int frame, const StepChoice& choice, int taken, int max_substeps,
                                const std::string& limit);

struct StepOutcome {
    StepReport report{};
    int halvings = 0;
    std::string failure{};  // how often it failed and why, when it did not work at all
};

// Takes a step of dt; if that fails, of half its length, and half of that, until it works or is pointless.
StepOutcome take_step(Simulation& simulation, double dt);

}  // namespace spindrift

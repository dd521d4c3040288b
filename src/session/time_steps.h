// SPDX-License-Identifier: Apache-2.0
// How a frame is divided into steps: evenly over what is left of it, so that no tiny step remains for its end.  Depends
// on the state alone, so that a run stopped in mid-frame goes on with the same steps.
#pragma once

#include <algorithm>
#include <cmath>
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

struct StepOutcome {
    StepReport report{};
    int halvings = 0;
    std::string failure{};  // how often it failed and why, when it did not work at all
};

// Takes a step of dt; if that fails, of half its length, and half of that, until it works or is pointless.
StepOutcome take_step(Simulation& simulation, double dt);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "session/time_steps.h"

#include <fmt/format.h>

#include "base/log.h"
#include "base/profile.h"
#include "base/readable.h"

namespace spindrift {
namespace {

// 1/64 of a step is too short to be a matter of stability.
constexpr int kMostHalvings = 6;

std::string reason_to_retry(const StepReport& report) {
    if (!report.failure.empty()) return report.failure;
    for (const double value : {report.max_speed, report.divergence, report.volume})
        if (!std::isfinite(value)) return "the state holds values that are not finite";
    return "";
}

constexpr double kMostSubsteps = 100000;  // of time.max_substeps

// The least of 1, 2, 5, 10, 20, 50, … that is not below.
double nice_above(double steps) {
    for (double decade = 1; decade < kMostSubsteps; decade *= 10)
        for (const double digit : {1, 2, 5})
            if (digit * decade >= steps) return digit * decade;
    return kMostSubsteps;
}

}  // namespace

std::optional<StepChoice> step_towards(const Simulation& simulation, double frame_time, double fps,
                                       std::optional<int> min_substeps) {
    const double longest = longest_step(simulation, fps, min_substeps);
    const double remaining = frame_time - simulation.time();
    if (lies_within_step(remaining, 1e-6 * std::min(longest, 1 / fps))) return std::nullopt;
    const double dt = std::min(simulation.stable_dt(), longest);
    if (!simulation.shows_between_steps()) return next_step(remaining, dt);
    if (lies_within_step(remaining, dt)) return std::nullopt;
    return StepChoice{.dt = dt, .steps_left = std::max(1.0, std::floor(remaining / dt))};
}

std::string too_many_steps_text(int frame, const StepChoice& choice, int taken, int max_substeps,
                                const std::string& limit) {
    const double steps = choice.steps_left + taken;
    const std::string remedy =
        steps < kMostSubsteps
            ? fmt::format("to go on with this run: --resume --set time.max_substeps={:.0f}", nice_above(1.5 * steps))
            : "make the cells larger, or more frames per second";
    return fmt::format(
        "frame {} needs about {} time steps of {:.2g} s, more than time.max_substeps = {} allows; what limits the "
        "step is {}\n{}",
        frame, rounded_text(steps), choice.dt, max_substeps, limit, remedy);
}

StepOutcome take_step(Simulation& simulation, double dt) {
    StepOutcome outcome;
    {
        const ProfileScope scope("keeping");
        simulation.keep();
    }
    for (;; dt /= 2, ++outcome.halvings) {
        outcome.report = simulation.advance(dt);
        const std::string failure = reason_to_retry(outcome.report);
        if (failure.empty()) return outcome;
        if (outcome.halvings == kMostHalvings) {
            outcome.failure = fmt::format("{} times, down to {:.3g} s: {}", outcome.halvings + 1, dt, failure);
            return outcome;
        }
        log_info("a step of {:.3g} s is taken again with half its length: {}", dt, failure);
        simulation.go_back();
    }
}

}  // namespace spindrift

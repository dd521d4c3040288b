// SPDX-License-Identifier: Apache-2.0
#include "session/time_steps.h"

#include <fmt/format.h>

#include "base/log.h"
#include "base/profile.h"

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

}  // namespace

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

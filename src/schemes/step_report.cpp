// SPDX-License-Identifier: Apache-2.0
#include "schemes/step_report.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace spindrift {

void merge(SolveReport& all, const SolveReport& solve) {
    all.converged = all.converged && solve.converged;
    all.iterations += solve.iterations;
    all.residual = std::max(all.residual, solve.residual);
    all.measured_residual = std::max(all.measured_residual, solve.measured_residual);
    all.seconds += solve.seconds;
    all.regions_made_compatible = std::max(all.regions_made_compatible, solve.regions_made_compatible);
    if (all.failure.empty()) all.failure = solve.failure;
}

std::string failure_of(const StepReport& report) {
    if (!report.failure.empty()) return report.failure;
    const std::pair<const SolveReport*, std::string> solves[] = {{&report.pressure, "pressure"},
                                                                 {&report.viscosity, "viscosity"},
                                                                 {&report.diffusion, "diffusion"},
                                                                 {&report.extrapolation, "extrapolation"}};
    for (const auto& [solve, name] : solves)
        if (!solve->failure.empty()) return name + ": " + solve->failure;
    // An extrapolation need not be exact: one that gave up early is reported, and serves.
    for (const auto& [solve, name] : solves)
        if (!solve->converged && solve != &report.extrapolation) return "the " + name + " solve did not converge";
    if (!std::isfinite(report.max_speed)) return "a velocity is not finite";
    return "";
}

}  // namespace spindrift

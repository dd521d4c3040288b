// SPDX-License-Identifier: Apache-2.0
// What a probe measures of a simulation between two steps, and of the step that it has taken.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scene/description.h"
#include "session/simulation.h"

namespace spindrift {

struct ProbeColumn {
    std::string name;
    std::string unit;  // SI; in 2D per metre of depth
};

struct Probe {
    std::string name;
    std::string text;                  // what the scene says of it: another text is another probe
    std::optional<double> rate{};      // rows per second; none: one for each step
    std::vector<ProbeColumn> columns;  // besides the time
    // One value for each column; not a number where there is nothing to measure.  The report is that of the last step,
    // and says nothing before the first.
    std::function<std::vector<double>(const Simulation&, const StepReport&)> measure;
};

std::vector<Probe> make_probes(const SceneDescription& scene);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Plots over time as inline SVG.  Colours, fonts and what happens under the pointer come from the page (page_style.h).
#pragma once

#include <string>
#include <vector>

namespace spindrift {

struct Series {
    std::string name{};            // shown when there are several
    std::vector<double> values{};  // one per place on the time axis; gaps where they are not finite
};

enum class PlotKind { lines, stacked_areas };

struct Plot {
    std::string title{};
    std::string unit{};
    PlotKind kind = PlotKind::lines;
    bool from_zero = false;  // the axis begins at zero, or ends there
    std::vector<Series> series{};
};

// A <figure>.  `times` (s) rise.
std::string svg_figure(const Plot& plot, const std::vector<double>& times);

// Round numbers that lie between lo and hi, about `wanted` of them.
std::vector<double> ticks(double lo, double hi, int wanted);

}  // namespace spindrift

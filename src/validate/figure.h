// SPDX-License-Identifier: Apache-2.0
// A number that was measured on a run, what it should be, and how far it may be from that.
#pragma once

#include <optional>
#include <string>

namespace spindrift {

struct Figure {
    std::string name;     // "period"
    std::string variant;  // what was run: "gas", "level set alone"
    std::string grid;     // "64 × 64"
    double measured = 0;
    std::string unit{};  // of measured, reference and bounds: "%", "cells"; empty for a bare number
    std::optional<double> reference{};
    // What the best published solvers reach at this resolution.  A figure without bounds is for comparison.
    std::optional<double> least{}, most{};

    bool is_judged() const { return least || most; }
    // A measured value that is no number is within no bounds.
    bool is_ok() const { return !(least && !(measured >= *least)) && !(most && !(measured <= *most)); }

    Figure& at_most(double bound) { return most = bound, *this; }
    Figure& at_least(double bound) { return least = bound, *this; }
    // Within a part of the reference.
    Figure& near(double expected, double part) {
        reference = expected;
        const double off = part * (expected < 0 ? -expected : expected);
        return at_least(expected - off).at_most(expected + off);
    }
    // Within ± bound: for errors that have a sign.
    Figure& within(double bound) { return at_least(-bound).at_most(bound); }
};

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Pictures of several runs at the same times: a row for each run, a column for each time.
#pragma once

#include <filesystem>
#include <vector>

#include "io/png.h"
#include "session/compare/comparison.h"

namespace spindrift {

struct FilmStrip {
    struct Shown {
        int frame = -1;  // none if negative
        double time = 0;
        Pixels8 picture{};
    };
    std::vector<double> times{};             // s, evenly from the beginning to the end of the shortest run
    std::vector<std::vector<Shown>> rows{};  // of each run at each time; empty where it has no picture

    bool empty() const { return times.empty(); }
};

// Empty when no run has pictures.
FilmStrip film_strip(const std::filesystem::path& folder, const std::vector<ComparedRun>& runs);

// All of it in one picture, with labels.
Pixels8 picture_of(const FilmStrip& strip, const std::vector<ComparedRun>& runs);

}  // namespace spindrift

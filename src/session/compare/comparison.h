// SPDX-License-Identifier: Apache-2.0
// What several runs of one scene gave, side by side: read from their folders, written as a page, as JSON, as a table in
// Markdown and as a film strip.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "scene/description.h"
#include "session/output/manifest.h"

namespace spindrift {

constexpr const char* kComparisonPage = "comparison.html";
constexpr const char* kComparisonJson = "comparison.json";
constexpr const char* kComparisonTable = "comparison.md";
constexpr const char* kComparisonStrip = "comparison.png";

// The scene with a probe of its totals at every frame, from which energies are read.
SceneDescription with_comparison_probe(SceneDescription scene);

// One run.  Series have a value for each frame of the manifest, not a number where there is none.
struct ComparedRun {
    std::string label{};
    std::filesystem::path folder{};  // inside that of the comparison
    Manifest manifest{};
    std::vector<double> kinetic_energy{};    // J (in 2D J per metre of depth)
    std::vector<double> potential_energy{};  // J
};

struct Comparison {
    std::string title{};
    std::string description{};
    std::vector<ComparedRun> runs{};
};

// `folder` / `inside` holds a run of with_comparison_probe().
Result<ComparedRun> read_compared_run(const std::filesystem::path& folder, const std::filesystem::path& inside,
                                      const std::string& label);

// Writes all four files into the folder.
Result<void> write_comparison(const std::filesystem::path& folder, const Comparison& comparison);

// One JSON object on one line: what the run came to, without its frames.
std::string json_line(const ComparedRun& run);

}  // namespace spindrift

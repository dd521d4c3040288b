// SPDX-License-Identifier: Apache-2.0
// What can be made of a run's volumes afterwards, without simulating again: meshes, whitewater, pictures, the
// film.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace spindrift {

struct StageSettings {
    std::filesystem::path folder{};
    std::vector<std::string> overrides{};  // of camera, render, whitewater and output: "camera.fov_degrees=30"
    int first_frame = 0;
    int last_frame = 1 << 30;
};

struct StageObserver {
    std::function<void(int frame, int of)> frame_done{};
    std::function<bool()> stop_wanted{};
};

// Where meshes and pictures go while the run is still being computed: the rest of its folder belongs to the run.
constexpr const char* kPreviewFolder = "preview";

// Each returns how many files it made, and lists them in the manifest.  Of a run in progress, meshes and pictures are
// made of the frames that are there, into kPreviewFolder, and not listed.  Errors: no run there, volumes that are
// missing or damaged, settings that would need another simulation.
Result<int> mesh_run(const StageSettings& settings, const StageObserver& observer = {});
// Not of a run in progress, whose own whitewater goes on from its files.
Result<int> whitewater_run(const StageSettings& settings, const StageObserver& observer = {});
Result<int> render_run(const StageSettings& settings, const StageObserver& observer = {});
Result<int> film_run(const StageSettings& settings);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// What can be made of a run's volumes afterwards, without simulating again: meshes, pictures, the film.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace spindrift {

struct StageSettings {
    std::filesystem::path folder{};
    std::vector<std::string> overrides{};  // of camera, render and output: "camera.fov_degrees=30"
    int first_frame = 0;
    int last_frame = 1 << 30;
};

struct StageObserver {
    std::function<void(int frame, int of)> frame_done{};
    std::function<bool()> stop_wanted{};
};

// Each returns how many files it made, and lists them in the manifest.  Errors: no run there, volumes that are missing
// or damaged, settings that would need another simulation.
Result<int> mesh_run(const StageSettings& settings, const StageObserver& observer = {});
Result<int> render_run(const StageSettings& settings, const StageObserver& observer = {});
Result<int> film_run(const StageSettings& settings);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// From a scene to a run of it.
#pragma once

#include <memory>

#include "base/result.h"
#include "scene/description.h"
#include "session/output/manifest.h"
#include "session/run.h"
#include "session/simulation.h"

namespace spindrift {

// The simulation that the scene's method stands for, at its start.
Result<std::unique_ptr<Simulation>> make_simulation(const SceneDescription& scene);

// Whether make_simulation() would find mistakes, without making anything large.
Result<void> check_simulation(const SceneDescription& scene);

// Of the scene and of the files it names.
Result<RunIdentity> run_identity(const SceneDescription& scene);

// The start of all file names: what the scene says, or the name of its file.
std::string output_name(const SceneDescription& scene);

// A manifest without frames, with all that the scene decides.
Result<Manifest> new_manifest(const SceneDescription& scene, const std::vector<std::string>& overrides);

// What the scene says of frames, steps and checkpoints.
RunSettings run_settings(const SceneDescription& scene);

// From a scene to a run of it, for whoever runs scenes; `settings` are run_settings() with a folder.
Result<RunOutcome> run_scene(const SceneDescription& scene, const RunSettings& settings,
                             const RunObserver& observer = {}, const std::vector<std::string>& overrides = {});

}  // namespace spindrift

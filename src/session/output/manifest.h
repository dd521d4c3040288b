// SPDX-License-Identifier: Apache-2.0
// manifest.json: what a run is made from and what it has made so far.  Written anew after every frame, in one step, and
// sealed with a hash of itself.  docs/file-formats.md lists its fields.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/output/records.h"

namespace spindrift {

constexpr const char* kManifestName = "manifest.json";

struct Machine {
    std::string cpu{};
    std::string system{};
    std::string instruction_set{};
    int cores = 0;
    int threads = 0;
};
Machine this_machine();

// What decides the bits of a run.
struct RunIdentity {
    std::string version{};     // of the program
    std::string scene_hash{};  // of the simulation's text below and of the files it names
    std::string simulation{};  // the scene as normalised text, without names, pictures, output and the number of frames
    std::uint64_t seed = 0;
};

enum class RunStatus { running, finished, stopped, failed };

struct Manifest {
    std::string name{};  // of the files
    std::string title{};
    std::string method{};
    int dim = 0;
    double fps = 24;
    int last_frame = 0;  // asked for
    RunStatus status = RunStatus::running;
    std::string failure{};

    RunIdentity identity{};
    std::string scene_file{};
    std::string scene_text{};  // as it was read
    std::vector<std::string> overrides{};
    std::vector<std::string> warnings{};  // of the scene, when it was run
    Machine machine{};

    std::vector<FrameRecord> frames{};   // rising, without gaps
    std::vector<FileRecord> products{};  // of the run as a whole, such as the film
};

std::string name(RunStatus status);
// The name, or "interrupted": a run that was killed could not say so.
std::string status_text(RunStatus status, bool is_under_way);

Result<void> write_manifest(const std::filesystem::path& folder, const Manifest& manifest);
// An error unless a run is in the folder, whole or not.
Result<void> check_run_folder(const std::filesystem::path& folder);
Result<Manifest> read_manifest(const std::filesystem::path& folder);

// What another run's identity differs in, each as a line for people; empty when they are the same run.
std::vector<std::string> differences(const RunIdentity& there, const RunIdentity& here);

}  // namespace spindrift

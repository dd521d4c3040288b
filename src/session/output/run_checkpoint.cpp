// SPDX-License-Identifier: Apache-2.0
#include "session/output/run_checkpoint.h"

#include <fmt/format.h>

#include "io/checkpoint.h"

namespace spindrift {
namespace {

// The one list of what is kept of a frame's progress: `part` either adds or reads each.
template <class Part>
void for_each_part(Part&& part, FrameProgress& progress, std::string& scene_hash) {
    const auto integer = [&](const char* name, int& value) {
        std::int64_t wide = value;
        part(name, wide);
        value = static_cast<int>(wide);
    };
    part("scene_hash", scene_hash);
    integer("frame", progress.frame);
    integer("steps", progress.steps);
    integer("retries", progress.retries);
    integer("unconverged", progress.unconverged);
    // Both lists: a solve of either phase.
    for (const bool has_volume : {true, false})
        for_each_number(progress.report, has_volume, [&](const std::string& name, auto& value) {
            const std::string path = fmt::format("report/{}/{}", has_volume ? "liquid" : "gas", name);
            if constexpr (std::is_same_v<decltype(value), double&>) {
                part(path, value);
            } else {
                auto wide = static_cast<std::int64_t>(value);
                part(path, wide);
                value = static_cast<std::remove_reference_t<decltype(value)>>(wide);
            }
        });
}

}  // namespace

Result<void> write_run_checkpoint(const std::filesystem::path& file, const Simulation& simulation,
                                  const FrameProgress& progress, const Snapshot& probes,
                                  const std::string& scene_hash) {
    Snapshot run;
    FrameProgress progress_copy = progress;
    std::string hash_copy = scene_hash;
    for_each_part([&](const std::string& name, const auto& value) { run.add(name, value); }, progress_copy, hash_copy);
    Snapshot all;
    all.add_folder("run", run);
    all.add_folder("state", simulation.snapshot());
    all.add_folder("probes", probes);
    return write_checkpoint(file, all);
}

Result<RunCheckpoint> read_run_checkpoint(const std::filesystem::path& file) {
    auto all = read_checkpoint(file);
    if (!all) return std::move(all).errors();
    RunCheckpoint checkpoint;
    const Snapshot run = all.value().folder("run");
    SnapshotReader read(run);
    for_each_part(read, checkpoint.progress, checkpoint.scene_hash);
    if (!read.errors().empty()) {
        Errors placed;
        for (Error error : read.errors()) {
            error.where.file = file.string();
            placed.add(error);
        }
        return placed;
    }
    checkpoint.state = all.value().folder("state");
    checkpoint.probes = all.value().folder("probes");
    checkpoint.state_hash = hex(checkpoint.state.hash());
    return checkpoint;
}

std::string state_hash(const Simulation& simulation) { return hex(simulation.snapshot().hash()); }

}  // namespace spindrift

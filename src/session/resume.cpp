// SPDX-License-Identifier: Apache-2.0
#include "session/resume.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/log.h"
#include "base/readable.h"
#include "session/output/run_checkpoint.h"

namespace spindrift {

Result<Manifest> manifest_to_continue(const std::filesystem::path& folder, const RunIdentity& identity) {
    auto there = read_manifest(folder);
    if (!there) return there;
    auto different = differences(there.value().identity, identity);
    constexpr std::size_t kMostTold = 10;
    if (different.size() > kMostTold) {
        const std::size_t more = different.size() - kMostTold;
        different.resize(kMostTold);
        different.push_back(fmt::format("… and {} more", more));
    }
    if (!different.empty())
        return Error{.what = fmt::format("holds a run that differs:\n{}", fmt::join(different, "\n")),
                     .remedy =
                         "use the settings it was begun with (frames, time.max_substeps, output, camera and render "
                         "may change), or another folder: -o DIR",
                     .where = {.file = folder.string()}};
    return there;
}

Result<Resumed> load_checkpoint(Simulation& simulation, const OutputFolder& folder, const Manifest& there,
                                std::optional<int> from) {
    const int newest = there.frames.empty() ? -1 : there.frames.back().frame;
    for (const CheckpointFile& file : folder.checkpoints()) {
        if (file.frame > newest) continue;
        if (from && (file.frame > *from || file.steps > 0)) continue;
        const auto read = read_run_checkpoint(file.path);
        if (!read) {
            log_warning("{}\n    looking for an older checkpoint", read.errors().text());
            continue;
        }
        if (read.value().scene_hash != there.identity.scene_hash) {
            log_warning("{}: is a checkpoint of another run; looking for an older one", file.path.string());
            continue;
        }
        if (const auto loaded = simulation.load(read.value().state); !loaded) {
            return Error{.what = fmt::format("the checkpoint does not hold the state that this build has ({})",
                                             loaded.errors()[0].what),
                         .remedy =
                             "it is whole, so another version wrote it: resume with that one, or begin the run "
                             "again in another folder: -o DIR",
                         .where = {.file = file.path.string()}};
        }
        return Resumed{.progress = read.value().progress, .probes = read.value().probes, .checkpoint = file.path};
    }
    if (newest >= 0) log_warning("no checkpoint to go on from: begins again at frame 0");
    return Resumed{};
}

void remove_files_after(const std::filesystem::path& folder, const std::vector<FrameRecord>& frames, int frame) {
    std::error_code ignored;
    for (const FrameRecord& later : frames)
        if (later.frame > frame)
            for (const FileRecord& file : later.files) std::filesystem::remove(folder / file.path, ignored);
}

void warn_of_missing_files(const std::filesystem::path& folder, const std::vector<FrameRecord>& frames) {
    int missing = 0;
    std::string first;
    for (const FrameRecord& frame : frames)
        for (const FileRecord& file : frame.files) {
            std::error_code failure;
            const auto size = std::filesystem::file_size(folder / file.path, failure);
            if (!failure && size == file.checksum.bytes) continue;
            if (missing++ == 0) first = fmt::format("{} (frame {})", file.path, frame.frame);
        }
    if (missing > 0)
        log_warning("{} of earlier frames {} missing or damaged, the first is {}\n    --from FRAME makes {} again",
                    count_text(missing, "file"), missing == 1 ? "is" : "are", first, missing == 1 ? "it" : "them");
}

}  // namespace spindrift

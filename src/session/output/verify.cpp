// SPDX-License-Identifier: Apache-2.0
#include "session/output/verify.h"

#include <fmt/format.h>

#include "io/vdb.h"
#include "session/output/manifest.h"
#include "session/output/output_folder.h"
#include "session/output/run_checkpoint.h"

namespace spindrift {
namespace {

namespace fs = std::filesystem;

Error fault(const fs::path& file, const std::string& what, const std::string& remedy) {
    return {.what = what, .remedy = remedy, .where = {.file = file.string()}};
}

// The file as listed, and the frame that it says it shows.
void check_file(Verdict& verdict, const fs::path& file, const FileRecord& record, const FrameRecord* frame) {
    const std::string remedy =
        frame == nullptr ? "" : fmt::format("make it again: spindrift run … --from {}", frame->frame);
    ++verdict.files;
    const auto checksum = file_checksum(file);
    if (!checksum) {
        for (Error error : checksum.errors()) {
            error.remedy = remedy;
            verdict.faults.add(error);
        }
        return;
    }
    verdict.bytes += checksum.value().bytes;
    if (checksum.value().bytes != record.checksum.bytes)
        return verdict.faults.add(fault(
            file, fmt::format("has {} bytes; {} were written", checksum.value().bytes, record.checksum.bytes), remedy));
    if (checksum.value() != record.checksum)
        return verdict.faults.add(fault(file, "was changed after it was written: its hash does not match", remedy));
    if (frame == nullptr || file.extension() != ".vdb") return;
    const auto contents = read_vdb_contents(file);
    if (!contents) return verdict.faults.add(contents.errors());
    const auto hash = contents.value().metadata.find("state_hash");
    if (hash == contents.value().metadata.end() || hash->second != VdbMetadata::mapped_type(frame->state_hash))
        verdict.faults.add(fault(file, fmt::format("does not show the state of frame {}", frame->frame), remedy));
}

// Whole, of this run, and at the end of a frame with that frame's state.
void check_checkpoint(Verdict& verdict, const CheckpointFile& file, const Manifest& manifest) {
    ++verdict.checkpoints;
    const auto checkpoint = read_run_checkpoint(file.path);
    if (!checkpoint) return verdict.faults.add(checkpoint.errors());
    if (checkpoint.value().scene_hash != manifest.identity.scene_hash)
        return verdict.faults.add(fault(file.path, "belongs to another run", "remove it"));
    for (const FrameRecord& frame : manifest.frames)
        if (file.steps == 0 && frame.frame == file.frame && frame.state_hash != checkpoint.value().state_hash)
            verdict.faults.add(fault(file.path, fmt::format("is not the state of frame {}", frame.frame), "remove it"));
}

}  // namespace

Result<Verdict> verify_run(const fs::path& folder) {
    if (auto there = check_run_folder(folder); !there) return std::move(there).errors();
    Verdict verdict;
    const auto read = read_manifest(folder);
    if (!read) {
        verdict.faults.add(read.errors());
        return verdict;
    }
    const Manifest& manifest = read.value();
    verdict.frames = static_cast<int>(manifest.frames.size());
    verdict.is_complete = !manifest.frames.empty() && manifest.frames.back().frame >= manifest.last_frame;

    int expected = 0;
    for (const FrameRecord& frame : manifest.frames) {
        if (frame.frame != expected++)
            verdict.faults.add(fault(folder / kManifestName, fmt::format("lacks frame {}", expected - 1), ""));
        expected = frame.frame + 1;
        for (const FileRecord& file : frame.files) check_file(verdict, folder / file.path, file, &frame);
    }
    for (const FileRecord& file : manifest.products) check_file(verdict, folder / file.path, file, nullptr);
    for (const CheckpointFile& file : OutputFolder(folder, manifest.name).checkpoints())
        check_checkpoint(verdict, file, manifest);
    return verdict;
}

}  // namespace spindrift

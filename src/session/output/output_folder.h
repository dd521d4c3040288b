// SPDX-License-Identifier: Apache-2.0
// The folder of a run: names of its files, one writer at a time, and its checkpoints.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/output/records.h"

namespace spindrift {

// Held while a run writes; the system frees it when the process ends, however that happens.
class FolderLock {
  public:
    static Result<FolderLock> take(const std::filesystem::path& folder);
    FolderLock(FolderLock&& other) noexcept;
    FolderLock& operator=(FolderLock&&) = delete;
    ~FolderLock();

  private:
    explicit FolderLock(int file) : file_(file) {}
    int file_;
};
// Whether a run is writing to the folder now.
bool is_locked(const std::filesystem::path& folder);

struct CheckpointFile {
    std::filesystem::path path;
    int frame = 0;  // the last one that is complete
    int steps = 0;  // taken towards the next
};

class OutputFolder {
  public:
    OutputFolder(std::filesystem::path folder, std::string name) : folder_(std::move(folder)), name_(std::move(name)) {}

    const std::filesystem::path& path() const { return folder_; }
    std::filesystem::path log_path() const { return folder_ / "log.jsonl"; }

    // Makes the folder, and one inside it.
    Result<void> make() const;
    Result<void> make_inside(const std::string& inside) const;
    bool has_manifest() const;
    // A file of a run without manifest that would be overwritten, if there is one.
    std::optional<std::filesystem::path> stray_file() const;
    // Files that a killed run left half-written.
    void remove_partial_files() const;

    // From the folder: "frames/NAME.0012.vdb".
    std::string frame_file(const std::string& folder, int frame, const std::string& extension) const;

    // "checkpoints/NAME.0012.h5", or "NAME.0012+003.h5" when three steps of frame 13 are taken.
    std::filesystem::path checkpoint_path(int frame, int steps) const;
    // Newest first.
    std::vector<CheckpointFile> checkpoints() const;
    // Removes the oldest until `keep` are left; 0 keeps all.
    void remove_old_checkpoints(int keep) const;
    void remove_checkpoints_after(int frame, int steps) const;

  private:
    std::filesystem::path folder_;
    std::string name_;
};

}  // namespace spindrift

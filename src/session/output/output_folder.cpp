// SPDX-License-Identifier: Apache-2.0
#include "session/output/output_folder.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "io/safe_file.h"
#include "session/output/manifest.h"

namespace spindrift {
namespace fs = std::filesystem;
namespace {

constexpr const char* kInside[] = {"frames", "mesh", "particles", "whitewater", "images", "probes", "checkpoints"};
constexpr const char* kLock = ".lock";

// "NAME.0012+003.h5" taken apart.
std::optional<CheckpointFile> parse_checkpoint(const fs::path& path, const std::string& name) {
    const std::string file = path.filename().string();
    if (!file.starts_with(name + ".") || !file.ends_with(".h5")) return std::nullopt;
    const char* at = file.data() + name.size() + 1;
    const char* end = file.data() + file.size() - 3;
    CheckpointFile found{.path = path};
    auto number = std::from_chars(at, end, found.frame);
    if (number.ec == std::errc() && number.ptr != end && *number.ptr == '+')
        number = std::from_chars(number.ptr + 1, end, found.steps);
    if (number.ec != std::errc() || number.ptr != end) return std::nullopt;
    return found;
}

Result<void> make_folder(const fs::path& folder) {
    std::error_code failure, not_asked;
    fs::create_directories(folder, failure);
    if (fs::is_directory(folder, not_asked)) return {};
    for (fs::path outer = folder; !outer.empty() && outer != outer.parent_path(); outer = outer.parent_path())
        if (fs::exists(outer, not_asked) && !fs::is_directory(outer, not_asked))
            return Error{.what = "is a file, not a folder",
                         .remedy = "name another folder with -o, or move the file away",
                         .where = {.file = outer.string()}};
    return file_error(folder, "cannot be made a folder", failure ? failure.value() : ENOTDIR);
}

}  // namespace

Result<FolderLock> FolderLock::take(const fs::path& folder) {
    const fs::path path = folder / kLock;
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) return file_error(path, "cannot be written", errno);
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) return FolderLock(file);
    const int failure = errno;
    ::close(file);
    if (failure == EWOULDBLOCK)
        return Error{.what = "another Spindrift is writing to this folder",
                     .remedy = "wait for it to end, or use another folder with -o",
                     .where = {.file = folder.string()}};
    // Some file systems have no locks: go on without.
    return FolderLock(-1);
}
FolderLock::FolderLock(FolderLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
FolderLock::~FolderLock() {
    if (file_ >= 0) ::close(file_);
}

bool is_locked(const fs::path& folder) {
    const int file = ::open((folder / kLock).c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const bool locked = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(file);
    return locked;
}

Result<void> OutputFolder::make() const { return make_folder(folder_); }
Result<void> OutputFolder::make_inside(const std::string& inside) const { return make_folder(folder_ / inside); }

bool OutputFolder::has_manifest() const {
    std::error_code ignored;
    return fs::exists(folder_ / kManifestName, ignored);
}

std::optional<fs::path> OutputFolder::stray_file() const {
    std::error_code ignored;
    for (const char* inside : kInside)
        for (const auto& entry : fs::directory_iterator(folder_ / inside, ignored)) return entry.path();
    return std::nullopt;
}

void OutputFolder::remove_partial_files() const {
    std::error_code ignored;
    const std::string suffix = partial_path("x").extension().string();
    const auto clean = [&](const fs::path& folder) {
        std::vector<fs::path> leftovers;
        for (const auto& entry : fs::directory_iterator(folder, ignored))
            if (entry.path().extension() == suffix) leftovers.push_back(entry.path());
        for (const fs::path& file : leftovers) fs::remove(file, ignored);
    };
    clean(folder_);
    for (const char* inside : kInside) clean(folder_ / inside);
}

std::string OutputFolder::frame_file(const std::string& folder, int frame, const std::string& extension) const {
    return fmt::format("{}/{}.{:04}.{}", folder, name_, frame, extension);
}

fs::path OutputFolder::checkpoint_path(int frame, int steps) const {
    return folder_ / "checkpoints" /
           (steps == 0 ? fmt::format("{}.{:04}.h5", name_, frame)
                       : fmt::format("{}.{:04}+{:03}.h5", name_, frame, steps));
}

std::vector<CheckpointFile> OutputFolder::checkpoints() const {
    std::vector<CheckpointFile> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder_ / "checkpoints", ignored))
        if (auto file = parse_checkpoint(entry.path(), name_)) found.push_back(std::move(*file));
    std::sort(found.begin(), found.end(), [](const CheckpointFile& a, const CheckpointFile& b) {
        return std::pair(a.frame, a.steps) > std::pair(b.frame, b.steps);
    });
    return found;
}

void OutputFolder::remove_old_checkpoints(int keep) const {
    if (keep <= 0) return;
    const std::vector<CheckpointFile> all = checkpoints();
    std::error_code ignored;
    for (std::size_t i = static_cast<std::size_t>(keep); i < all.size(); ++i) fs::remove(all[i].path, ignored);
}

void OutputFolder::remove_checkpoints_after(int frame, int steps) const {
    std::error_code ignored;
    for (const CheckpointFile& file : checkpoints())
        if (std::pair(file.frame, file.steps) > std::pair(frame, steps)) fs::remove(file.path, ignored);
}

}  // namespace spindrift

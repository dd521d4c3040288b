// SPDX-License-Identifier: Apache-2.0
#include "io/safe_file.h"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace spindrift {
namespace {

// 0, or the number of what went wrong.
int flush_to_disk(const std::filesystem::path& path, int flags) {
    const int file = ::open(path.c_str(), flags);
    if (file < 0) return errno;
    const int failure = ::fsync(file) == 0 ? 0 : errno;
    ::close(file);
    return failure;
}

const char* remedy_for(int error_number) {
    switch (error_number) {
        case ENOSPC:
        case EDQUOT:
        case EFBIG: return "make room on the disk, or write elsewhere";
        case EACCES:
        case EPERM:
        case EROFS: return "check the permissions of the file and its folder";
        case ENOENT:
        case ENOTDIR: return "check the path";
        default: return "";
    }
}

}  // namespace

Error file_error(const std::filesystem::path& path, const char* what, int error_number) {
    const std::string reason =
        error_number == 0 ? "unknown reason" : std::error_code(error_number, std::generic_category()).message();
    return {.what = fmt::format("{}: {}", what, reason),
            .remedy = remedy_for(error_number),
            .where = {.file = path.string()}};
}

std::filesystem::path partial_path(const std::filesystem::path& path) {
    std::filesystem::path partial = path;
    return partial += ".partial";
}

Result<void> publish_file(const std::filesystem::path& partial, const std::filesystem::path& path) {
    if (const int failure = flush_to_disk(partial, O_RDONLY))
        return file_error(path, "cannot be brought to the disk", failure);
    if (std::rename(partial.c_str(), path.c_str()) != 0) return file_error(path, "cannot be given its name", errno);
    // The name itself lies in the folder.  Some file systems do not flush folders; the file is whole all the same.
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    flush_to_disk(folder, O_RDONLY | O_DIRECTORY);
    return {};
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// A file that has its name is whole: it is written under another name, brought to the disk, and renamed.
//
//   const std::filesystem::path partial = partial_path(path);
//   … write to partial …
//   return publish_file(partial, path);
#pragma once

#include <filesystem>

#include "base/result.h"

namespace spindrift {

// In the same folder, so that renaming is one step; always the same, so that a killed run leaves one file behind at
// most.
std::filesystem::path partial_path(const std::filesystem::path& path);

// Flushes the partial file to the disk and gives it its name, in place of what had it before.
Result<void> publish_file(const std::filesystem::path& partial, const std::filesystem::path& path);

// What the system says about a file it would not read or write.  `error_number` is errno at that time.
Error file_error(const std::filesystem::path& path, const char* what, int error_number);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Files taken as a whole: small texts, and the checksum of a file of any size.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "base/result.h"

namespace spindrift {

Result<std::string> read_text_file(const std::filesystem::path& file);

// Written to another name and renamed: a file of this name is whole, or as it was before.
Result<void> write_text_file(const std::filesystem::path& file, std::string_view text);

// The digits of the hash are those that `xxhsum -H2` prints.
struct FileChecksum {
    std::uint64_t bytes = 0;
    Hash128 hash{};
    friend bool operator==(const FileChecksum&, const FileChecksum&) = default;
};
Result<FileChecksum> file_checksum(const std::filesystem::path& file);

}  // namespace spindrift

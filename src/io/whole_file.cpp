// SPDX-License-Identifier: Apache-2.0
#include "io/whole_file.h"

#include <cerrno>
#include <fstream>
#include <functional>
#include <vector>

#include "io/safe_file.h"

namespace spindrift {
namespace {

using std::filesystem::path;

// Hands the file over piece by piece.
Result<void> for_each_piece(const path& file, const std::function<void(std::span<const char>)>& use) {
    if (std::filesystem::is_directory(file)) return file_error(file, "cannot be read", EISDIR);
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return file_error(file, "cannot be read", errno);
    std::vector<char> piece(std::size_t{1} << 20);
    while (stream.read(piece.data(), static_cast<std::streamsize>(piece.size())), stream.gcount() > 0)
        use({piece.data(), static_cast<std::size_t>(stream.gcount())});
    if (stream.bad()) return file_error(file, "cannot be read", errno);
    return {};
}

}  // namespace

Result<std::string> read_text_file(const path& file) {
    std::string text;
    const auto read =
        for_each_piece(file, [&](std::span<const char> piece) { text.append(piece.begin(), piece.end()); });
    if (!read) return read.errors();
    return text;
}

Result<void> write_text_file(const path& file, std::string_view text) {
    const path partial = partial_path(file);
    errno = 0;
    std::ofstream stream(partial, std::ios::binary | std::ios::trunc);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    stream.close();
    if (!stream) {
        const int failure = errno;
        std::error_code ignored;
        std::filesystem::remove(partial, ignored);
        return file_error(file, "cannot be written", failure);
    }
    return publish_file(partial, file);
}

Result<FileChecksum> file_checksum(const path& file) {
    Hasher hasher;
    FileChecksum checksum;
    const auto read = for_each_piece(file, [&](std::span<const char> piece) {
        hasher.add_bytes(std::as_bytes(piece));
        checksum.bytes += piece.size();
    });
    if (!read) return read.errors();
    checksum.hash = hasher.digest128();
    return checksum;
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "geometry/mesh_text.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

namespace spindrift {

Result<std::string> bytes_of_file(const std::filesystem::path& path) {
    const auto failed = [&](const std::error_code& why) {
        return Error{"cannot be read: " + why.message(),
                     "check the path and its permissions; paths are relative to the scene",
                     {.file = path.string()}};
    };
    std::error_code fault;
    if (std::filesystem::is_directory(path, fault)) return failed(std::make_error_code(std::errc::is_a_directory));
    const auto size = std::filesystem::file_size(path, fault);
    if (fault) return failed(fault);
    std::ifstream file(path, std::ios::binary);
    std::string bytes(size, '\0');
    if (!file || !file.read(bytes.data(), static_cast<std::streamsize>(size)))
        return failed(std::error_code(errno, std::generic_category()));
    return bytes;
}

bool TextReader::next_line() {
    constexpr std::string_view kBlank = " \t\r\v\f";
    while (!rest_.empty()) {
        const std::size_t end = std::min(rest_.find('\n'), rest_.size());
        line_ = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        ++number_;
        line_ = line_.substr(0, line_.find('#'));
        if (line_.find_first_not_of(kBlank) != std::string_view::npos) return true;
    }
    return false;
}

std::string_view TextReader::word() {
    constexpr std::string_view kBlank = " \t\r\v\f";
    line_.remove_prefix(std::min(line_.find_first_not_of(kBlank), line_.size()));
    const std::string_view found = line_.substr(0, line_.find_first_of(kBlank));
    line_.remove_prefix(found.size());
    return found;
}

bool TextReader::numbers(Vec<float, 3>& to) {
    for (int a = 0; a < 3; ++a) {
        const auto value = number<float>(word());
        if (!value) return false;
        to[a] = *value;
    }
    return true;
}

Error TextReader::error(std::string what, std::string remedy) const {
    return {std::move(what), std::move(remedy), {.file = file_, .line = number_}};
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// PNG pictures of 8-bit sRGB, three bytes per pixel, row by row from the top.  The same pixels give the same bytes:
// fixed compression, no time, no text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace spindrift {

struct Pixels8 {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgb{};
};

// Crash-safe: the file has its name only when it is whole.
Result<void> write_png(const std::filesystem::path& path, int width, int height, std::span<const std::uint8_t> rgb);

// The same bytes, without a file.
std::string png_bytes(int width, int height, std::span<const std::uint8_t> rgb);

// Any PNG, brought to 8-bit RGB; what is transparent is laid over black.
Result<Pixels8> read_png(const std::filesystem::path& path);

// Row by row from the top.
struct Grey16 {
    int width = 0;
    int height = 0;
    std::vector<std::uint16_t> values{};
};

// Any PNG as plain numbers: those of the file, whatever gamma it states; colours by their luminance (Rec. 709), 8 bits
// brought to 16, transparency left out.  A picture of more than `most` pixels along a side is refused unread.
Result<Grey16> read_png_grey(const std::filesystem::path& path, int most);

}  // namespace spindrift

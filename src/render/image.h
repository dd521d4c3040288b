// SPDX-License-Identifier: Apache-2.0
// Pictures: linear red, green and blue per pixel, row by row from the top.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/vec.h"

namespace spindrift {

using Rgb = Vec<float, 3>;

// Light seen through a filter, or sent back by a coloured surface.
constexpr Rgb filtered(const Rgb& light, const Rgb& filter) {
    return {light[0] * filter[0], light[1] * filter[1], light[2] * filter[2]};
}
constexpr Rgb mixed(const Rgb& a, const Rgb& b, float part_of_b) { return a + (b - a) * part_of_b; }
// As the eye weighs them: the coefficients of Rec. 709.
constexpr float luminance(const Rgb& c) { return 0.2126F * c[0] + 0.7152F * c[1] + 0.0722F * c[2]; }

struct Image {
    int width = 0;
    int height = 0;
    std::vector<Rgb> pixels{};

    Image() = default;
    Image(int w, int h, const Rgb& fill = Rgb{});

    Rgb& at(int x, int y) { return pixels[index(x, y)]; }
    const Rgb& at(int x, int y) const { return pixels[index(x, y)]; }

  private:
    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
};

// 0 to 1 in, 0 to 1 out: the transfer curve of sRGB (IEC 61966-2-1) and back.
float srgb_from_linear(float linear);
float linear_from_srgb(float srgb);
// A colour by the numbers that people pick it with, 0 to 255.
Rgb rgb_from_srgb8(int red, int green, int blue);

// Spreads what is lost between two of the 256 steps over neighbouring pixels: a sky then shows no bands.
enum class Dither { off, on };

// Three bytes per pixel, as PNG and ffmpeg (rgb24) take them.  What is below 0 or not a number becomes 0.
std::vector<std::uint8_t> srgb8(const Image& image, Dither dither);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "render/image.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/parallel.h"

namespace spindrift {
namespace {

constexpr std::size_t kRowsPerBlock = 16;

// Between 0 and 1, evenly spread over any 3×3 pixels: interleaved gradient noise [Jimenez14].
float gradient_noise(int x, int y) {
    const float inner = 0.06711056F * static_cast<float>(x) + 0.00583715F * static_cast<float>(y);
    const float outer = 52.9829189F * (inner - std::floor(inner));
    return outer - std::floor(outer);
}

}  // namespace

Image::Image(int w, int h, const Rgb& fill) : width(w), height(h) {
    CHECK(w > 0 && h > 0, "a picture of {} × {} pixels", w, h);
    pixels.assign(static_cast<std::size_t>(w) * static_cast<std::size_t>(h), fill);
}

float srgb_from_linear(float linear) {
    return linear <= 0.0031308F ? 12.92F * linear : 1.055F * std::pow(linear, 1 / 2.4F) - 0.055F;
}
float linear_from_srgb(float srgb) {
    return srgb <= 0.04045F ? srgb / 12.92F : std::pow((srgb + 0.055F) / 1.055F, 2.4F);
}
Rgb rgb_from_srgb8(int red, int green, int blue) {
    return map([](int c) { return linear_from_srgb(static_cast<float>(c) / 255); }, Vec<int, 3>(red, green, blue));
}

std::vector<std::uint8_t> srgb8(const Image& image, Dither dither) {
    std::vector<std::uint8_t> bytes(image.pixels.size() * 3);
    parallel_ranges(static_cast<std::size_t>(image.height), kRowsPerBlock, [&](std::size_t begin, std::size_t end) {
        for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y)
            for (int x = 0; x < image.width; ++x) {
                const float rounding = dither == Dither::on ? gradient_noise(x, y) : 0.5F;
                const Rgb& pixel = image.at(x, y);
                std::uint8_t* out = &bytes[static_cast<std::size_t>(&pixel - image.pixels.data()) * 3];
                for (int c = 0; c < 3; ++c) {
                    const float value = pixel[c] > 0 ? std::min(pixel[c], 1.0F) : 0.0F;
                    out[c] = static_cast<std::uint8_t>(std::min(255 * srgb_from_linear(value) + rounding, 255.0F));
                }
            }
    });
    return bytes;
}

}  // namespace spindrift

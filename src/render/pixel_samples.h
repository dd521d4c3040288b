// SPDX-License-Identifier: Apache-2.0
// One ray per pixel; more where neighbours differ.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.h"
#include "render/image.h"

namespace spindrift {

namespace detail {

constexpr int kPixelBlock = 16;         // rays of a block pass through the same bricks
constexpr float kVisibleStep = 0.045F;  // of the screen's range: a larger one between neighbours looks jagged

// A square turned so that no two samples share a row or a column.
constexpr std::array<Vec<double, 2>, 4> kPixelSamples{
    {{-0.125, -0.375}, {0.375, -0.125}, {-0.375, 0.125}, {0.125, 0.375}}};

template <class F>
void for_each_pixel(const Image& image, F&& f) {
    const int across = (image.width + kPixelBlock - 1) / kPixelBlock;
    const int down = (image.height + kPixelBlock - 1) / kPixelBlock;
    parallel_blocks(static_cast<std::size_t>(across) * static_cast<std::size_t>(down), [&](std::size_t block) {
        const int x0 = static_cast<int>(block) % across * kPixelBlock;
        const int y0 = static_cast<int>(block) / across * kPixelBlock;
        for (int y = y0; y < std::min(y0 + kPixelBlock, image.height); ++y)
            for (int x = x0; x < std::min(x0 + kPixelBlock, image.width); ++x) f(x, y);
    });
}

// In steps as the eye sees them, about.
inline float contrast(const Rgb& a, const Rgb& b) {
    float most = 0;
    for (int c = 0; c < 3; ++c) most = std::max(most, std::abs(std::sqrt(a[c]) - std::sqrt(b[c])));
    return most;
}

inline bool looks_jagged(const Image& image, int x, int y) {
    const Rgb& here = image.at(x, y);
    for (const auto& [dx, dy] : {std::pair{1, 0}, std::pair{-1, 0}, std::pair{0, 1}, std::pair{0, -1}}) {
        const int u = x + dx, v = y + dy;
        if (u < 0 || v < 0 || u >= image.width || v >= image.height) continue;
        if (contrast(here, image.at(u, v)) > kVisibleStep) return true;
    }
    return false;
}

}  // namespace detail

// sample(x, y) is what the screen shows at a place in the picture, 0 to 1.  Samples are averaged as the screen shows
// them: a glint of the sun would else outshine the others.
template <class Sample>
Image sampled_image(int width, int height, Sample&& sample) {
    Image coarse(width, height);
    detail::for_each_pixel(coarse, [&](int x, int y) { coarse.at(x, y) = sample(x + 0.5, y + 0.5); });
    Image fine = coarse;
    detail::for_each_pixel(fine, [&](int x, int y) {
        if (!detail::looks_jagged(coarse, x, y)) return;
        Rgb sum;
        for (const Vec<double, 2>& s : detail::kPixelSamples) sum += sample(x + 0.5 + s[0], y + 0.5 + s[1]);
        fine.at(x, y) = sum / static_cast<float>(detail::kPixelSamples.size());
    });
    return fine;
}

}  // namespace spindrift

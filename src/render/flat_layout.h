// SPDX-License-Identifier: Apache-2.0
// Where things lie in a 2D picture: the part of the world that is shown, as large as it can be, a caption above it and
// a legend to its right, or below it where that leaves more room.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/vec.h"

namespace spindrift {

namespace detail {

// Of what is beside the picture proper, in dots of the letters.
constexpr double kFlatMargin = 8, kFlatCaption = 11, kLegendWidth = 76, kLegendHeight = 26;

inline int flat_letter_size(double width, double height) {
    return std::max(1, static_cast<int>((std::min(width, height) + 180) / 360));
}

}  // namespace detail

enum class LegendPlace { none, right, below };

struct FlatLayout {
    Box<double, 2> box;    // of what is shown: pixels, y down
    Box<double, 2> shown;  // m
    double per_metre = 1;  // pixels
    int letter = 1;        // size of text: pixels per dot
    LegendPlace legend = LegendPlace::none;

    FlatLayout(const Box<double, 2>& shown_, bool has_caption, bool has_legend, int width, int height);

    Vec<double, 2> world(double x, double y) const {
        return {shown.lo[0] + (x - box.lo[0]) / per_metre, shown.lo[1] + (box.hi[1] - y) / per_metre};
    }
    Vec<double, 2> pixel(const Vec<double, 2>& world) const {
        const Vec<double, 2> from = (world - shown.lo) * per_metre;
        return {box.lo[0] + from[0], box.hi[1] - from[1]};
    }
};

// Width and height, both even, of a picture that has the shape of what it shows and about as many pixels as 960 × 540;
// `framed` leaves room for the margin, the caption and, if wanted, the legend.
inline Vec<int, 2> flat_picture_size(const Vec<double, 2>& shown, bool framed, bool has_legend) {
    constexpr double kPixels = 960.0 * 540, kWidest = 1280, kHighest = 960;
    const double aspect = shown[0] / shown[1];
    double width = std::sqrt(kPixels * aspect), height = std::sqrt(kPixels / aspect);
    const double scale = std::min({1.0, kWidest / width, kHighest / height});
    width *= scale;
    height *= scale;
    if (framed) {
        // A legend goes where it takes less of the picture.
        const int letter = detail::flat_letter_size(width, height);
        const bool below = width > height * (detail::kLegendWidth / detail::kLegendHeight);
        width += letter * (2 * detail::kFlatMargin + (has_legend && !below ? detail::kLegendWidth : 0));
        height += letter *
                  (2 * detail::kFlatMargin + detail::kFlatCaption + (has_legend && below ? detail::kLegendHeight : 0));
    }
    const auto even = [](double pixels) { return std::max(2 * static_cast<int>(std::lround(0.5 * pixels)), 16); };
    return {even(width), even(height)};
}

}  // namespace spindrift

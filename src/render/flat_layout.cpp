// SPDX-License-Identifier: Apache-2.0
#include "render/flat_layout.h"

#include <algorithm>

namespace spindrift {

using namespace detail;

namespace {

constexpr double kMaxLegend = 1.0 / 3;  // of the picture's side: one that would take more is left out

}  // namespace

FlatLayout::FlatLayout(const Box<double, 2>& shown_, bool has_caption, bool has_legend, int width, int height)
    : shown(shown_), letter(flat_letter_size(width, height)) {
    const double margin = kFlatMargin * letter, caption = has_caption ? kFlatCaption * letter : 0;
    const Vec<double, 2> size = shown.size();
    const auto room_beside = [&](LegendPlace place) {
        const double right = place == LegendPlace::right ? kLegendWidth * letter : 0;
        const double below = place == LegendPlace::below ? kLegendHeight * letter : 0;
        return Vec<double, 2>{std::max(width - 2 * margin - right, 1.0),
                              std::max(height - 2 * margin - caption - below, 1.0)};
    };
    const auto scale = [&](LegendPlace place) {
        const Vec<double, 2> room = room_beside(place);
        return std::min(room[0] / size[0], room[1] / size[1]);
    };
    if (has_legend) {
        const bool fits_right = kLegendWidth * letter <= kMaxLegend * width;
        const bool fits_below = kLegendHeight * letter <= kMaxLegend * height;
        if (fits_right) legend = LegendPlace::right;
        if (fits_below && (!fits_right || scale(LegendPlace::below) > scale(LegendPlace::right)))
            legend = LegendPlace::below;
    }
    per_metre = scale(legend);
    const Vec<double, 2> room = room_beside(legend), half = size * (0.5 * per_metre);
    const Vec<double, 2> middle{margin + 0.5 * room[0], margin + caption + 0.5 * room[1]};
    box = {middle - half, middle + half};
}

}  // namespace spindrift

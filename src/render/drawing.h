// SPDX-License-Identifier: Apache-2.0
// Lines, bars and letters on a picture.  Places are in pixels from the upper left corner; a pixel's middle is at 0.5.
#pragma once

#include <string_view>

#include "render/image.h"

namespace spindrift {

using Place = Vec<float, 2>;

// Lays a colour over a pixel; outside the picture nothing happens.
void blend(Image& image, int x, int y, const Rgb& color, float cover);

// From corner to corner, with edges between pixels.
void draw_bar(Image& image, const Place& lo, const Place& hi, const Rgb& color, float cover = 1);
void draw_line(Image& image, const Place& a, const Place& b, float width, const Rgb& color, float cover = 1);
// At least a pixel wide: a smaller one is drawn fainter.
void draw_disc(Image& image, const Place& middle, float radius, const Rgb& color);
void draw_arrow(Image& image, const Place& from, const Place& to, float width, const Rgb& color);

// The built-in letters are 5 × 7 dots, each dot `scale` pixels wide, one dot between them.  `at` is the upper left
// corner.  Letters that are not there show as '?'.
void draw_text(Image& image, int x, int y, int scale, std::string_view text, const Rgb& color);
int text_width(std::string_view text, int scale);
int text_height(int scale);

// 0 to 1 to a colour: even steps in lightness from dark blue to yellow (viridis of matplotlib), and blue over grey to
// red, where the middle means something [Moreland09].
Rgb viridis(float t);
Rgb cool_to_warm(float t);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "render/drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

namespace spindrift {
namespace {

constexpr int kLetterWidth = 5, kLetterHeight = 7;

struct Letter {
    char code;
    std::array<std::uint8_t, kLetterHeight> rows;
};
constexpr Letter kLetters[] = {
#include "render/font.inl"
};

const Letter& letter(char code) {
    const auto* found = std::lower_bound(std::begin(kLetters), std::end(kLetters), code,
                                         [](const Letter& l, char c) { return l.code < c; });
    return found != std::end(kLetters) && found->code == code ? *found : letter('?');
}

Rgb along(std::span<const Vec<int, 3>> colors, float t) {
    const auto last = static_cast<float>(colors.size() - 1);
    const float at = std::clamp(t, 0.0F, 1.0F) * last;
    const auto i = static_cast<std::size_t>(std::min(at, last - 1));
    const auto color = [&](std::size_t n) { return rgb_from_srgb8(colors[n][0], colors[n][1], colors[n][2]); };
    return mixed(color(i), color(i + 1), at - static_cast<float>(i));
}

// Calls f(x, y, middle of the pixel) for pixels of the picture that touch a box.
template <class F>
void for_each_pixel(const Image& image, const Place& lo, const Place& hi, F&& f) {
    const int x0 = std::max(static_cast<int>(std::floor(lo[0])), 0),
              y0 = std::max(static_cast<int>(std::floor(lo[1])), 0);
    const int x1 = std::min(static_cast<int>(std::ceil(hi[0])), image.width);
    const int y1 = std::min(static_cast<int>(std::ceil(hi[1])), image.height);
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) f(x, y, Place(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F));
}

}  // namespace

void blend(Image& image, int x, int y, const Rgb& color, float cover) {
    if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
    image.at(x, y) = mixed(image.at(x, y), color, std::clamp(cover, 0.0F, 1.0F));
}

void draw_bar(Image& image, const Place& lo, const Place& hi, const Rgb& color, float cover) {
    for_each_pixel(image, lo, hi, [&](int x, int y, const Place& middle) {
        float part = cover;
        for (int a = 0; a < 2; ++a)
            part *= std::max(std::min(middle[a] + 0.5F, hi[a]) - std::max(middle[a] - 0.5F, lo[a]), 0.0F);
        blend(image, x, y, color, part);
    });
}

void draw_line(Image& image, const Place& a, const Place& b, float width, const Rgb& color, float cover) {
    const Place delta = b - a, reach(0.5F * width + 1);
    const float square = std::max(dot(delta, delta), 1e-12F);
    for_each_pixel(image, min(a, b) - reach, max(a, b) + reach, [&](int x, int y, const Place& middle) {
        const float t = std::clamp(dot(middle - a, delta) / square, 0.0F, 1.0F);
        const float distance = length(middle - a - delta * t);
        blend(image, x, y, color, cover * std::clamp(0.5F * width - distance + 0.5F, 0.0F, 1.0F));
    });
}

void draw_disc(Image& image, const Place& middle, float radius, const Rgb& color) {
    const float wide = std::max(radius, 0.5F), cover = (radius / wide) * (radius / wide);
    for_each_pixel(image, middle - Place(wide + 1), middle + Place(wide + 1), [&](int x, int y, const Place& at) {
        blend(image, x, y, color, cover * std::clamp(wide - length(at - middle) + 0.5F, 0.0F, 1.0F));
    });
}

void draw_arrow(Image& image, const Place& from, const Place& to, float width, const Rgb& color) {
    draw_line(image, from, to, width, color);
    const Place delta = to - from;
    const float size = length(delta);
    if (!(size > 0)) return;
    const Place back = delta * (-std::min(0.4F * size, 4 * width) / size), aside{-back[1], back[0]};
    draw_line(image, to, to + back + aside * 0.6F, width, color);
    draw_line(image, to, to + back - aside * 0.6F, width, color);
}

void draw_text(Image& image, int x, int y, int scale, std::string_view text, const Rgb& color) {
    for (const char c : text) {
        if (c != ' ') {
            const Letter& shape = letter(c);
            for (int row = 0; row < kLetterHeight * scale; ++row)
                for (int column = 0; column < kLetterWidth * scale; ++column)
                    if ((shape.rows[static_cast<std::size_t>(row / scale)] >> (kLetterWidth - 1 - column / scale) &
                         1) != 0)
                        blend(image, x + column, y + row, color, 1);
        }
        x += (kLetterWidth + 1) * scale;
    }
}

int text_width(std::string_view text, int scale) {
    return std::max(static_cast<int>(text.size()) * (kLetterWidth + 1) - 1, 0) * scale;
}
int text_height(int scale) { return kLetterHeight * scale; }

Rgb viridis(float t) {
    static constexpr std::array<Vec<int, 3>, 9> kColors{{{68, 1, 84},
                                                         {71, 44, 122},
                                                         {59, 81, 139},
                                                         {44, 113, 142},
                                                         {33, 144, 141},
                                                         {39, 173, 129},
                                                         {92, 200, 99},
                                                         {170, 220, 50},
                                                         {253, 231, 37}}};
    return along(kColors, t);
}

Rgb cool_to_warm(float t) {
    static constexpr std::array<Vec<int, 3>, 9> kColors{{{59, 76, 192},
                                                         {98, 130, 234},
                                                         {141, 176, 254},
                                                         {184, 208, 249},
                                                         {221, 221, 221},
                                                         {245, 196, 173},
                                                         {244, 154, 123},
                                                         {222, 96, 77},
                                                         {180, 4, 38}}};
    return along(kColors, t);
}

}  // namespace spindrift

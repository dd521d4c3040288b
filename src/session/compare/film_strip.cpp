// SPDX-License-Identifier: Apache-2.0
#include "session/compare/film_strip.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "render/drawing.h"
#include "session/report/thumbnail.h"

namespace spindrift {
namespace {

constexpr int kColumns = 5;
constexpr int kWidth = 200;  // of a picture, pixels
constexpr int kGap = 4;

struct Picture {
    const FrameRecord* frame = nullptr;
    const FileRecord* file = nullptr;
};

std::vector<Picture> pictures_of(const Manifest& manifest) {
    std::vector<Picture> all;
    for (const FrameRecord& frame : manifest.frames)
        for (const FileRecord& file : frame.files)
            if (file.path.starts_with("images/")) all.push_back({&frame, &file});
    return all;
}

// As pictures of runs were written: 8-bit sRGB.
void paste(Pixels8& onto, const Pixels8& picture, int left, int top) {
    for (int y = 0; y < picture.height; ++y)
        std::copy_n(&picture.rgb[static_cast<std::size_t>(y * picture.width * 3)], picture.width * 3,
                    &onto.rgb[static_cast<std::size_t>(((top + y) * onto.width + left) * 3)]);
}

}  // namespace

FilmStrip film_strip(const std::filesystem::path& folder, const std::vector<ComparedRun>& runs) {
    FilmStrip strip;
    double end = std::numeric_limits<double>::infinity();
    std::vector<std::vector<Picture>> pictures;
    for (const ComparedRun& run : runs) {
        pictures.push_back(pictures_of(run.manifest));
        if (!pictures.back().empty()) end = std::min(end, pictures.back().back().frame->time);
    }
    if (!std::isfinite(end)) return strip;
    for (int column = 0; column < kColumns; ++column) strip.times.push_back(end * column / (kColumns - 1));
    if (!(end > 0)) strip.times.resize(1);
    for (std::size_t r = 0; r < runs.size(); ++r) {
        auto& row = strip.rows.emplace_back();
        for (const double time : strip.times) {
            FilmStrip::Shown& shown = row.emplace_back();
            const auto away = [&](const Picture& p) { return std::abs(p.frame->time - time); };
            const auto nearest =
                std::min_element(pictures[r].begin(), pictures[r].end(),
                                 [&](const Picture& a, const Picture& b) { return away(a) < away(b); });
            if (nearest == pictures[r].end()) continue;
            auto pixels = read_png(folder / runs[r].folder / nearest->file->path);
            if (!pixels) continue;  // was removed
            shown = {.frame = nearest->frame->frame,
                     .time = nearest->frame->time,
                     .picture = thumbnail(pixels.value(), kWidth)};
        }
    }
    return strip;
}

Pixels8 picture_of(const FilmStrip& strip, const std::vector<ComparedRun>& runs) {
    // Columns as wide and rows as high as their largest picture, with a line of text above each.
    const int text = text_height(2) + 2 * kGap;
    int column = 0;
    std::vector<int> heights;
    for (const auto& row : strip.rows) {
        int& height = heights.emplace_back(0);
        for (const FilmStrip::Shown& shown : row) {
            column = std::max(column, shown.picture.width);
            height = std::max(height, shown.picture.height);
        }
    }
    const int columns = static_cast<int>(strip.times.size());
    const int width = columns * (column + kGap) - kGap;
    int height = text;
    for (const int h : heights) height += h + text;

    // Labels first, then pictures over the plain ground.
    Image ground(width, height, Rgb(1.0F));
    const Rgb ink(0.02F);
    for (int c = 0; c < columns; ++c)
        draw_text(ground, c * (column + kGap) + kGap, kGap, 2,
                  fmt::format("{:.2f} s", strip.times[static_cast<std::size_t>(c)]), ink);
    int top = text;
    for (std::size_t r = 0; r < strip.rows.size(); ++r) {
        draw_text(ground, kGap, top + kGap, 2, runs[r].label, ink);
        top += text + heights[r];
    }
    Pixels8 out{width, height, srgb8(ground, Dither::off)};
    top = text;
    for (std::size_t r = 0; r < strip.rows.size(); ++r) {
        top += text;
        for (int c = 0; c < columns; ++c)
            if (const auto& shown = strip.rows[r][static_cast<std::size_t>(c)]; shown.frame >= 0)
                paste(out, shown.picture, c * (column + kGap), top);
        top += heights[r];
    }
    return out;
}

}  // namespace spindrift

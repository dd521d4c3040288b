// SPDX-License-Identifier: Apache-2.0
#include "render/flat_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "base/parallel.h"
#include "grid/activation.h"
#include "grid/cubic_sampler.h"
#include "render/drawing.h"
#include "render/flat_layout.h"

namespace spindrift {
namespace {

constexpr std::size_t kRowsPerBlock = 8;
constexpr int kContours = 10;  // lines of equal pressure over the range

const Rgb kPaper = rgb_from_srgb8(246, 246, 243);
const Rgb kAir = rgb_from_srgb8(255, 255, 255);
const Rgb kInk = rgb_from_srgb8(40, 44, 52);
const Rgb kFoam = rgb_from_srgb8(168, 200, 230);  // lighter than the liquid, darker than the air

// One number per pixel, and some beyond the border for differences.
struct Sheet {
    int width, height;
    std::vector<float> values;

    Sheet(int w, int h)
        : width(w), height(h), values(static_cast<std::size_t>(w + 2) * static_cast<std::size_t>(h + 2)) {}
    float& at(int x, int y) {
        return values[static_cast<std::size_t>(y + 1) * static_cast<std::size_t>(width + 2) +
                      static_cast<std::size_t>(x + 1)];
    }
    float at(int x, int y) const { return const_cast<Sheet*>(this)->at(x, y); }
    // Change per pixel.
    float slope(int x, int y) const {
        return 0.5F * std::hypot(at(x + 1, y) - at(x - 1, y), at(x, y + 1) - at(x, y - 1));
    }
};

// Fills a sheet with make_sampler()(position) at the pixels' middles; the position is in world metres.
template <class MakeSampler>
Sheet sampled(const FlatLayout& layout, int width, int height, MakeSampler&& make_sampler) {
    Sheet sheet(width, height);
    parallel_ranges(static_cast<std::size_t>(height + 2), kRowsPerBlock, [&](std::size_t begin, std::size_t end) {
        auto sampler = make_sampler();
        for (int y = static_cast<int>(begin) - 1; y < static_cast<int>(end) - 1; ++y)
            for (int x = -1; x <= width; ++x) sheet.at(x, y) = sampler(layout.world(x + 0.5, y + 0.5));
    });
    return sheet;
}

// The field continued along straight lines for two cells beyond the container, whatever it holds there: liquid that
// touches a wall reaches it in the picture.
Field<float, 2> extended(const Field<float, 2>& field, const FlatView& view) {
    const Vec<double, 2> lo = view.grid.cell_from_world(view.container.lo);
    const Vec<double, 2> hi = view.grid.cell_from_world(view.container.hi);
    const IndexBox<2> cells{map([](double c) { return static_cast<int>(std::floor(c + 1e-3)); }, lo),
                            map([](double c) { return static_cast<int>(std::ceil(c - 1e-3)); }, hi)};
    const IndexBox<2> reached = cells.expanded(2);
    const auto near = clip(dilate_tiles(field.tiles_ptr(), 1), reached);
    auto out = Field<float, 2>::unfilled(near, field.background());
    assign(out, [&](const Index<2>& cell) {
        const Index<2> edge = max(cells.lo, min(cells.hi - Index<2>(1), cell));
        const Index<2> mirrored = max(cells.lo, min(cells.hi - Index<2>(1), edge * 2 - cell));
        return edge == cell ? field.at(cell) : 2 * field.at(edge) - field.at(mirrored);
    });
    return out;
}

Vec<float, 2> cell_position(const FlatView& view, const Vec<double, 2>& world) {
    return Vec<float, 2>(view.grid.cell_from_world(world));
}

// Kept half a cell from the walls: what flows along them is known on the inside only.
Vec<float, 2> velocity_position(const FlatView& view, const Vec<double, 2>& world) {
    const Vec<double, 2> half(0.5 * view.grid.dx);
    return cell_position(view, max(view.container.lo + half, min(view.container.hi - half, world)));
}

// How much of a pixel is inside, by the distance of its middle.
float inside_part(const Sheet& distance, int x, int y) {
    return std::clamp(0.5F - distance.at(x, y) / std::max(distance.slope(x, y), 1e-12F), 0.0F, 1.0F);
}

Sheet overlay_values(const FlatView& view, const FlatLayout& layout, int width, int height) {
    if (view.overlay == FlatOverlay::velocity) {
        CHECK(view.velocity != nullptr, "a picture of velocities without them");
        return sampled(layout, width, height, [&] {
            return [&, sample = FaceSampler<2>(*view.velocity)](const Vec<double, 2>& p) mutable {
                return length(sample(velocity_position(view, p)));
            };
        });
    }
    CHECK(view.pressure != nullptr, "a picture of pressures without them");
    const Field<float, 2> pressure = extended(*view.pressure, view);
    return sampled(layout, width, height, [&] {
        return [&, sample = LinearSampler<2>(pressure)](const Vec<double, 2>& p) mutable {
            return sample(cell_position(view, p)) * view.pressure_unit;
        };
    });
}

// Smallest and largest value that is visible in the liquid; speeds begin at 0.
Vec<float, 2> range_of(const FlatView& view, const FlatLayout& layout, const Sheet& values, const Sheet& phi,
                       const Sheet* solid) {
    if (view.range) return *view.range;
    Vec<float, 2> range{std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()};
    for (int y = 0; y < phi.height; ++y)
        for (int x = 0; x < phi.width; ++x) {
            const Vec<double, 2> middle{x + 0.5, y + 0.5};
            const bool in_solid = solid != nullptr && solid->at(x, y) < 0;
            if (!(phi.at(x, y) < 0) || in_solid || !layout.box.contains(middle)) continue;
            if (!view.container.contains(layout.world(middle[0], middle[1]))) continue;
            if (const float v = values.at(x, y); std::isfinite(v))
                range = {std::min(range[0], v), std::max(range[1], v)};
        }
    if (range[0] > range[1]) range = {0, 0};
    if (view.overlay == FlatOverlay::velocity) range[0] = 0;
    return range;
}

Rgb overlay_color(FlatOverlay overlay, float t) {
    return overlay == FlatOverlay::velocity ? viridis(t) : cool_to_warm(t);
}

// With lines where the pressure passes a tenth of the range.
Rgb liquid_color(const FlatView& view, const Sheet& values, const Vec<float, 2>& range, int x, int y) {
    const float scale = range[1] > range[0] ? 1 / (range[1] - range[0]) : 0;
    const float t = (values.at(x, y) - range[0]) * scale;
    const Rgb color = overlay_color(view.overlay, t);
    if (view.overlay != FlatOverlay::pressure) return color;
    const float level = t * kContours, line = std::clamp(std::round(level), 1.0F, kContours - 1.0F);
    const float off = std::abs(level - line), pixel = values.slope(x, y) * scale * kContours;
    if (!(pixel > 1e-4F)) return color;
    return mixed(color, kInk, 0.6F * std::clamp(1 - off / pixel, 0.0F, 1.0F));
}

// Of each pixel: that of the first component where no other is.
std::vector<Rgb> mixture_colors(const FlatView& view, const FlatLayout& layout, int width, int height) {
    std::vector<Rgb> colors(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), view.liquid_color);
    for (const FlatView::Component& component : view.components) {
        const Field<float, 2> part = extended(*component.part, view);
        const Sheet parts = sampled(layout, width, height, [&] {
            return [&, sample = LinearSampler<2>(part)](const Vec<double, 2>& p) mutable {
                return sample(cell_position(view, p));
            };
        });
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                colors[static_cast<std::size_t>(y * width + x)] +=
                    (component.color - view.liquid_color) * std::clamp(parts.at(x, y), 0.0F, 1.0F);
    }
    return colors;
}

// Liquid, then solids, each laid over what was there by the part of the pixel it covers; `visible` is the part of the
// container that is shown, in pixels.
void fill_shapes(Image& image, const FlatView& view, const Box<float, 2>& visible, const Sheet& phi, const Sheet* solid,
                 const Sheet* values, const Vec<float, 2>& range, const std::vector<Rgb>& mixture) {
    parallel_ranges(static_cast<std::size_t>(image.height), kRowsPerBlock, [&](std::size_t begin, std::size_t end) {
        for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y)
            for (int x = 0; x < image.width; ++x) {
                const Place low(static_cast<float>(x), static_cast<float>(y));
                const Place part = max(min(low + Place(1.0F), visible.hi) - max(low, visible.lo), Place(0.0F));
                const float in_box = part[0] * part[1];
                if (in_box == 0) continue;
                Rgb color = view.liquid_color;
                if (values != nullptr)
                    color = liquid_color(view, *values, range, x, y);
                else if (!mixture.empty())
                    color = mixture[static_cast<std::size_t>(y * image.width + x)];
                blend(image, x, y, color, in_box * inside_part(phi, x, y));
                if (solid != nullptr) blend(image, x, y, view.solid_color, in_box * inside_part(*solid, x, y));
            }
    });
}

// Spray has its own speed, and the pressure of the air.
void draw_drops(Image& image, const FlatView& view, const FlatLayout& layout, const Vec<float, 2>& range) {
    const float scale = range[1] > range[0] ? 1 / (range[1] - range[0]) : 0;
    for (const Drop<2>& drop : view.drops) {
        const Vec<double, 2> place(drop.position);
        if (!view.container.contains(place) || !layout.shown.contains(place)) continue;
        const float value = view.overlay == FlatOverlay::velocity ? length(drop.velocity) : 0;
        Rgb color = view.overlay == FlatOverlay::none ? view.liquid_color
                                                      : overlay_color(view.overlay, (value - range[0]) * scale);
        if (drop.kind == DropKind::foam) color = kFoam;
        if (drop.kind == DropKind::bubble) color = mixed(color, kFoam, 0.6F);
        draw_disc(image, Place(layout.pixel(place)), drop.radius * static_cast<float>(layout.per_metre), color);
    }
}

constexpr int kTicks = 4;

std::string legend_title(const FlatView& view) {
    return view.overlay == FlatOverlay::velocity ? "speed m/s" : "pressure Pa";
}

// Three digits, and no powers of ten for numbers that people read at a glance.
std::string number(float v) {
    return std::abs(v) >= 1000 && std::abs(v) < 1e5F ? fmt::format("{:.0f}", v) : fmt::format("{:.3g}", v);
}

void draw_legend_right(Image& image, const FlatView& view, const FlatLayout& layout, const Vec<float, 2>& range) {
    const int s = layout.letter, x = image.width - 68 * s;
    const int top = static_cast<int>(layout.box.lo[1]) + 16 * s;
    const int bottom = std::max(static_cast<int>(layout.box.hi[1]) - 6 * s, top + 20 * s);
    draw_text(image, x, top - 15 * s, s, legend_title(view), kInk);
    for (int y = top; y < bottom; ++y) {
        const float t = static_cast<float>(bottom - y) / static_cast<float>(bottom - top);
        for (int i = 0; i < 8 * s; ++i) blend(image, x + i, y, overlay_color(view.overlay, t), 1);
    }
    for (int tick = 0; tick <= kTicks; ++tick) {
        const float t = static_cast<float>(tick) / kTicks;
        const int y = bottom - static_cast<int>(t * static_cast<float>(bottom - top));
        draw_text(image, x + 11 * s, y - 3 * s, s, number(range[0] + t * (range[1] - range[0])), kInk);
    }
}

void draw_legend_below(Image& image, const FlatView& view, const FlatLayout& layout, const Vec<float, 2>& range) {
    const int s = layout.letter, y = image.height - 28 * s;
    const int left = static_cast<int>(layout.box.lo[0]) + text_width(legend_title(view), s) + 6 * s;
    const int right = std::max(static_cast<int>(layout.box.hi[0]) - 16 * s, left + 20 * s);
    draw_text(image, static_cast<int>(layout.box.lo[0]), y, s, legend_title(view), kInk);
    for (int x = left; x < right; ++x) {
        const float t = static_cast<float>(x - left) / static_cast<float>(right - left);
        for (int i = 0; i < 8 * s; ++i) blend(image, x, y + i, overlay_color(view.overlay, t), 1);
    }
    for (int tick = 0; tick <= kTicks; ++tick) {
        const float t = static_cast<float>(tick) / kTicks;
        const std::string text = number(range[0] + t * (range[1] - range[0]));
        const int x = left + static_cast<int>(t * static_cast<float>(right - left));
        draw_text(image, x - text_width(text, s) / 2, y + 11 * s, s, text, kInk);
    }
}

// On a lattice in the picture; the fastest as long as the lattice is wide.
void draw_arrows(Image& image, const FlatView& view, const FlatLayout& layout, const Sheet& phi, float fastest) {
    if (!(fastest > 0)) return;
    FaceSampler<2> sample(*view.velocity);
    const int spacing = 14 * layout.letter;
    for (int y = spacing / 2; y < phi.height; y += spacing)
        for (int x = spacing / 2; x < phi.width; x += spacing) {
            const Vec<double, 2> world = layout.world(x + 0.5, y + 0.5);
            if (phi.at(x, y) >= 0 || !view.container.contains(world) || !layout.shown.contains(world)) continue;
            if (view.solid_distance && view.solid_distance(world) < 0) continue;
            const Vec<float, 2> v = sample(velocity_position(view, world)) * (static_cast<float>(spacing) / fastest);
            const Place from(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
            const Place arrow{
                std::clamp(v[0], -2.0F * static_cast<float>(spacing), 2.0F * static_cast<float>(spacing)),
                std::clamp(-v[1], -2.0F * static_cast<float>(spacing), 2.0F * static_cast<float>(spacing))};
            draw_arrow(image, from - arrow * 0.5F, from + arrow * 0.5F, 0.6F * static_cast<float>(layout.letter) + 0.4F,
                       rgb_from_srgb8(255, 255, 255));
        }
}

}  // namespace

Image render_flat(const FlatView& view, int width, int height) {
    CHECK(view.phi != nullptr && !view.phi->empty(), "a picture of a liquid without its field");
    CHECK(!view.container.empty() && view.grid.dx > 0, "a picture of a liquid without a container");
    const bool coloured = view.overlay != FlatOverlay::none;
    const FlatLayout layout(view.shown.empty() ? view.container : view.shown, !view.caption.empty(), coloured, width,
                            height);
    const Field<float, 2> surface = extended(*view.phi, view);
    const Sheet phi = sampled(layout, width, height, [&] {
        return [&, sample = MonotoneCubicSampler<2>(surface)](const Vec<double, 2>& p) mutable {
            return sample(cell_position(view, p));
        };
    });
    const bool has_solids = static_cast<bool>(view.solid_distance);
    const auto distance = [&](const Vec<double, 2>& p) { return static_cast<float>(view.solid_distance(p)); };
    const Sheet solid = has_solids ? sampled(layout, width, height, [&] { return distance; }) : Sheet(0, 0);
    const Sheet* solids = has_solids ? &solid : nullptr;
    const Sheet values = coloured ? overlay_values(view, layout, width, height) : Sheet(0, 0);
    const Vec<float, 2> range = coloured ? range_of(view, layout, values, phi, solids) : Vec<float, 2>();

    // The part of the container that is shown.
    const Vec<double, 2> low = layout.pixel(view.container.lo), high = layout.pixel(view.container.hi);
    const Box<float, 2> visible{Place(max(layout.box.lo, {low[0], high[1]})),
                                Place(min(layout.box.hi, {high[0], low[1]}))};
    Image image(width, height, kPaper);
    draw_bar(image, visible.lo, visible.hi, kAir);
    const bool mixes = !coloured && !view.components.empty();
    fill_shapes(image, view, visible, phi, solids, coloured ? &values : nullptr, range,
                mixes ? mixture_colors(view, layout, width, height) : std::vector<Rgb>());
    draw_drops(image, view, layout, range);
    if (view.overlay == FlatOverlay::velocity) draw_arrows(image, view, layout, phi, range[1]);

    // Its outline, outside of what it holds.
    const Place lo = visible.lo, hi = visible.hi;
    const auto line = static_cast<float>(layout.letter);
    draw_bar(image, {lo[0] - line, lo[1] - line}, {hi[0] + line, lo[1]}, kInk);
    draw_bar(image, {lo[0] - line, hi[1]}, {hi[0] + line, hi[1] + line}, kInk);
    draw_bar(image, {lo[0] - line, lo[1]}, {lo[0], hi[1]}, kInk);
    draw_bar(image, {hi[0], lo[1]}, {hi[0] + line, hi[1]}, kInk);
    if (layout.legend == LegendPlace::right) draw_legend_right(image, view, layout, range);
    if (layout.legend == LegendPlace::below) draw_legend_below(image, view, layout, range);
    draw_text(image, 6 * layout.letter, 5 * layout.letter, layout.letter, view.caption, kInk);
    return image;
}

}  // namespace spindrift

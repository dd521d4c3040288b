// SPDX-License-Identifier: Apache-2.0
#include "products/drawn_controls.h"

#include <algorithm>
#include <cmath>

#include "liquid/curve_control.h"
#include "scene/control_curve.h"

namespace spindrift {
namespace {

const Rgb kColor = rgb_from_srgb8(235, 110, 20);
constexpr int kLines = 240;    // that a curve is drawn as
constexpr double kArrows = 9;  // along it

template <int Dim>
class CurveDrawing {
  public:
    CurveDrawing(Image& image, const Curve<Dim>& curve, const PixelOf& pixel_of)
        : image_(image),
          curve_(curve),
          pixel_of_(pixel_of),
          width_(std::max(1.0F, static_cast<float>(std::min(image.width, image.height)) / 300)) {}

    void draw(const CurveSpan& span, bool acts) const {
        const double from = curve_.length_to(span.from), to = curve_.length_to(span.to);
        const int count = std::max(1, static_cast<int>(std::ceil(kLines * (to - from) / curve_.length())));
        std::optional<Place> last = pixel(from);
        for (int k = 1; k <= count; ++k) {
            const std::optional<Place> next = pixel(from + (to - from) * k / count);
            if (last && next) draw_line(image_, *last, *next, acts ? 2.5F * width_ : width_, kColor, acts ? 1 : 0.7F);
            last = next;
        }
    }
    // Each at a place that is a whole number of arrows along the curve, and at the head of the span.
    void draw_arrows(const CurveSpan& span, double speed) const {
        const double apart = curve_.length() / kArrows, size = 0.25 * apart * (speed < 0 ? -1 : 1);
        const double from = curve_.length_to(span.from), to = curve_.length_to(span.to);
        for (double at = std::ceil(from / apart) * apart; at <= to; at += apart) draw_head(at, size);
        draw_head(speed < 0 ? from : to, size);
    }

  private:
    std::optional<Place> pixel(double length) const {
        return pixel_of_(in_space(curve_.at(curve_.parameter_at(length))));
    }
    void draw_head(double at, double size) const {
        const auto tail = pixel(std::clamp(at - size, 0.0, curve_.length())), head = pixel(at);
        if (tail && head) draw_arrow(image_, *tail, *head, 2.5F * width_, kColor);
    }

    Image& image_;
    const Curve<Dim>& curve_;
    const PixelOf& pixel_of_;
    float width_;
};

template <int Dim>
void draw_curve(Image& image, const scene::Control& control, const scene::CurveControl& given, double time,
                const PixelOf& pixel_of) {
    auto made = curve_of<Dim>(given);
    if (!made) return;
    const CurveControl<Dim> along{.curve = std::move(*made),
                                  .radius = given.radius,
                                  .speed = [speed = given.speed](double t) { return speed.at(t); },
                                  .travelled = travelled(given.speed, control.start),
                                  .stretch = given.stretch};
    const CurveDrawing<Dim> drawing(image, along.curve, pixel_of);
    drawing.draw({0, along.curve.end()}, false);
    if (time < control.start || time >= control.end.value_or(time + 1)) return;
    for (const CurveSpan& span : acting_spans(along, time)) {
        drawing.draw(span, true);
        if (given.speed.at(time) != 0) drawing.draw_arrows(span, given.speed.at(time));
    }
}

}  // namespace

void draw_controls(Image& image, const SceneDescription& scene, double time, const PixelOf& pixel_of) {
    for (const scene::Control& control : scene.control) {
        const auto* given = std::get_if<scene::CurveControl>(&control.kind);
        if (given == nullptr) continue;
        if (scene.dim == 2)
            draw_curve<2>(image, control, *given, time, pixel_of);
        else
            draw_curve<3>(image, control, *given, time, pixel_of);
    }
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "session/report/plot.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "session/report/html.h"

namespace spindrift {
namespace {

// The drawing in its own units; the page scales it.  The script of the page knows the same numbers.
constexpr double kWidth = 520, kHeight = 190;
constexpr double kLeft = 58, kRight = 500, kTop = 10, kBottom = 162;

struct Range {
    double lo = 0, hi = 1;
    double share(double value) const { return (value - lo) / (hi - lo); }
};

// Never empty: a value that stands still lies in the middle.
Range range_of(double lo, double hi) {
    if (!(lo <= hi)) return {};
    const double least = std::max(1e-12, 1e-6 * std::max(std::abs(lo), std::abs(hi)));
    if (hi - lo >= least) return {lo, hi};
    const double half = std::max(least, 0.05 * std::abs(lo));
    return {lo - half, hi + half};
}

Range range_of(const std::vector<Series>& series, bool from_zero) {
    double lo = INFINITY, hi = -INFINITY;
    for (const Series& s : series)
        for (const double value : s.values)
            if (std::isfinite(value)) lo = std::min(lo, value), hi = std::max(hi, value);
    if (from_zero && lo <= hi) lo = std::min(lo, 0.0), hi = std::max(hi, 0.0);
    const Range exact = range_of(lo, hi);
    const double air = 0.06 * (exact.hi - exact.lo);
    return {exact.lo - (from_zero && exact.lo == 0 ? 0 : air), exact.hi + (from_zero && exact.hi == 0 ? 0 : air)};
}

// As many decimals as the step between ticks has; powers of ten beyond that, with digits enough to tell two ticks
// apart.
std::string tick_text(double value, double step) {
    if (std::abs(value) < 1e-9 * step) return "0";
    if (step < 1e-3 || std::abs(value) >= 1e5) {
        const int digits = 2 + static_cast<int>(std::floor(std::log10(std::abs(value) / step) + 1e-9));
        return fmt::format("{:.{}g}", value, std::clamp(digits, 3, 17));
    }
    return fmt::format("{:.{}f}", value, std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9))));
}

class Drawing {
  public:
    Drawing(const Plot& plot, const std::vector<double>& times) : plot_(plot), times_(times), curves_(plot.series) {
        if (plot.kind == PlotKind::stacked_areas) stack();
        x_ = range_of(times.empty() ? 0 : times.front(), times.empty() ? 1 : times.back());
        y_ = range_of(curves_, plot.from_zero);
    }

    std::string figure() const {
        std::string out = fmt::format(
            "<figure><figcaption><b>{}</b> <span>{}</span><output></output></figcaption>\n"
            "<svg class=\"plot\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\" data-values=\"{}\">\n",
            html::escaped(plot_.title), html::escaped(plot_.unit), kWidth, kHeight, html::escaped(plot_.title),
            values_text());
        out += axes();
        // Of stacked areas the highest lies behind the others.
        for (std::size_t i = curves_.size(); i-- > 0;) out += curve(i);
        out += fmt::format("<line class=\"cursor\" y1=\"{}\" y2=\"{}\"/>\n</svg>\n", kTop, kBottom);
        if (curves_.size() > 1) out += legend();
        return out + "</figure>\n";
    }

  private:
    void stack() {
        for (std::size_t i = 1; i < curves_.size(); ++i)
            for (std::size_t k = 0; k < curves_[i].values.size(); ++k) curves_[i].values[k] += curves_[i - 1].values[k];
    }

    double x(double time) const { return kLeft + x_.share(time) * (kRight - kLeft); }
    double y(double value) const { return kBottom - y_.share(value) * (kBottom - kTop); }

    std::string axes() const {
        std::string out;
        const auto ys = ticks(y_.lo, y_.hi, 5), xs = ticks(x_.lo, x_.hi, 6);
        const auto step = [](const std::vector<double>& t) { return t.size() > 1 ? t[1] - t[0] : 1; };
        for (const double value : ys)
            out += fmt::format(
                "<line class=\"grid{}\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>"
                "<text class=\"y\" x=\"{}\" y=\"{:.1f}\">{}</text>\n",
                value == 0 ? " zero" : "", kLeft, kRight, y(value), y(value), kLeft - 7, y(value) + 4,
                tick_text(value, step(ys)));
        for (const double time : xs)
            out += fmt::format("<text class=\"x\" x=\"{:.1f}\" y=\"{}\">{}{}</text>\n", x(time), kBottom + 17,
                               tick_text(time, step(xs)), time == xs.back() ? " s" : "");
        return out;
    }

    // One stroke per stretch without gaps.
    std::string curve(std::size_t i) const {
        const std::vector<double>& values = curves_[i].values;
        const bool is_area = plot_.kind == PlotKind::stacked_areas;
        std::string out;
        for (std::size_t begin = 0; begin < values.size();) {
            std::size_t end = begin;
            std::string path;
            for (; end < values.size() && std::isfinite(values[end]); ++end)
                path += fmt::format("{}{:.1f} {:.1f}", end == begin ? "M" : "L", x(times_[end]), y(values[end]));
            if (end == begin + 1 && !is_area) path += "h.1";  // a dot, as the stroke has round ends
            if (is_area && end > begin)
                path += fmt::format("V{:.1f}H{:.1f}Z", y(std::max(0.0, y_.lo)), x(times_[begin]));
            if (!path.empty())
                out += fmt::format("<path class=\"{} s{}\" d=\"{}\"/>\n", is_area ? "area" : "line", i, path);
            begin = std::max(end, begin + 1);
        }
        return out;
    }

    std::string legend() const {
        std::string out = "<ul class=\"legend\">";
        for (std::size_t i = 0; i < plot_.series.size(); ++i)
            out += fmt::format("<li><i class=\"s{}\"></i>{}</li>", i, html::escaped(plot_.series[i].name));
        return out + "</ul>\n";
    }

    // What the pointer reads: every line, or the top of the stack.
    std::string values_text() const {
        if (curves_.empty()) return "";
        const std::size_t first = plot_.kind == PlotKind::stacked_areas ? curves_.size() - 1 : 0;
        std::string out;
        for (std::size_t k = 0; k < times_.size(); ++k)
            for (std::size_t i = first; i < curves_.size(); ++i) {
                const double value = k < curves_[i].values.size() ? curves_[i].values[k] : NAN;
                out += i > first ? " / " : k > 0 ? "," : "";
                out += std::isfinite(value) ? fmt::format("{:.4g}", value) : "–";
            }
        return out;
    }

    const Plot& plot_;
    const std::vector<double>& times_;
    std::vector<Series> curves_;
    Range x_, y_;
};

}  // namespace

std::vector<double> ticks(double lo, double hi, int wanted) {
    if (!(lo < hi) || wanted < 1) return {};
    // 1, 2 or 5 times a power of ten, whichever gives no more than wanted.
    const double power = std::pow(10, std::floor(std::log10((hi - lo) / wanted)));
    double step = power;
    for (const double factor : {2.0, 5.0, 10.0})
        if ((hi - lo) / step > wanted) step = factor * power;
    std::vector<double> out;
    const double first = std::ceil(lo / step - 1e-9), last = std::floor(hi / step + 1e-9);
    for (double k = first; k <= last; ++k) out.push_back(k == 0 ? 0 : k * step);
    return out;
}

std::string svg_figure(const Plot& plot, const std::vector<double>& times) { return Drawing(plot, times).figure(); }

}  // namespace spindrift

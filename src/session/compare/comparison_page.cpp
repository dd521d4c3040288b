// SPDX-License-Identifier: Apache-2.0
#include "session/compare/comparison_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "session/compare/figures.h"
#include "session/report/html.h"
#include "session/report/page_style.h"
#include "session/report/plot.h"
#include "session/report/report.h"

namespace spindrift {
namespace {

using html::escaped;

// Beside that of reports: rows of pictures that keep their order, and a table with a column for each run.
constexpr const char* kStyle = R"css(
.runs { display: grid; gap: 6px; overflow-x: auto; }
.runs h3 { grid-column: 1 / -1; margin: 10px 0 0; font-size: 15px; }
.runs figure { border: 0; background: none; padding: 0; }
.runs img { display: block; width: 100%; height: auto; border-radius: 6px; }
.runs figcaption { color: var(--soft); font-size: 13px; }
thead th { color: var(--ink); font-weight: 600; }
)css";

// Times of all frames of all runs, rising, each once.
std::vector<double> all_times(const Comparison& comparison) {
    std::vector<double> times;
    for (const ComparedRun& run : comparison.runs)
        for (const FrameRecord& frame : run.manifest.frames) times.push_back(frame.time);
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end(), [](double a, double b) { return b - a < 1e-9; }), times.end());
    return times;
}

// The run's values at these times, linear between its frames and none outside them.
std::vector<double> at_times(const Manifest& m, const std::vector<double>& values, const std::vector<double>& times) {
    std::vector<double> out(times.size(), NAN);
    for (std::size_t i = 0, k = 0; i < times.size() && !m.frames.empty(); ++i) {
        while (k + 1 < m.frames.size() && m.frames[k + 1].time <= times[i] + 1e-9) ++k;
        const double since = times[i] - m.frames[k].time;
        if (std::abs(since) < 1e-9)
            out[i] = values[k];
        else if (since > 0 && k + 1 < m.frames.size())
            out[i] = std::lerp(values[k], values[k + 1], since / (m.frames[k + 1].time - m.frames[k].time));
    }
    return out;
}

std::string strip_section(const Comparison& comparison, const FilmStrip& strip) {
    if (strip.empty()) return "";
    std::string out = fmt::format(
        "<section>\n<h2>At the same times</h2>\n<div class=\"runs\" style=\"grid-template-columns: repeat({}, "
        "minmax(120px, 1fr))\">\n",
        strip.times.size());
    for (std::size_t r = 0; r < strip.rows.size(); ++r) {
        out += fmt::format("<h3>{}</h3>\n", escaped(comparison.runs[r].label));
        for (const FilmStrip::Shown& shown : strip.rows[r]) {
            if (shown.frame < 0) {
                out += "<figure><figcaption>no picture</figcaption></figure>\n";
                continue;
            }
            const Pixels8& p = shown.picture;
            out += fmt::format(
                "<figure><img width=\"{}\" height=\"{}\" alt=\"frame {}\" src=\"{}\"><figcaption>{:.2f} "
                "s</figcaption></figure>\n",
                p.width, p.height, shown.frame, html::data_uri("image/png", png_bytes(p.width, p.height, p.rgb)),
                shown.time);
        }
    }
    return out + "</div>\n</section>\n";
}

std::string table_section(const Comparison& comparison) {
    std::string out = "<section>\n<h2>Figures</h2>\n<div class=\"card\"><table>\n<thead><tr><td></td>";
    for (const ComparedRun& run : comparison.runs)
        out += fmt::format("<th scope=\"col\"><a href=\"{}\">{}</a></th>",
                           escaped((run.folder / kReportName).generic_string()), escaped(run.label));
    out += "</tr></thead>\n";
    for (const FigureRow& row : figure_rows(comparison.runs)) {
        out += fmt::format("<tr><th scope=\"row\">{}</th>", escaped(row.what));
        for (const std::string& value : row.values) out += fmt::format("<td>{}</td>", escaped(value));
        out += "</tr>\n";
    }
    out += "</table></div>\n";
    for (const ComparedRun& run : comparison.runs)
        if (!run.manifest.failure.empty())
            out += fmt::format("<p class=\"failed\">{}: {}</p>\n", escaped(run.label), escaped(run.manifest.failure));
    return out + "</section>\n";
}

std::string plots_section(const Comparison& comparison) {
    const std::vector<double> times = all_times(comparison);
    if (times.empty()) return "";
    const Manifest& first = comparison.runs.front().manifest;
    const auto plot = [&](const char* title, const std::string& unit, bool from_zero, auto&& value) {
        Plot all{.title = title, .unit = unit, .from_zero = from_zero};
        for (const ComparedRun& run : comparison.runs) {
            std::vector<double> values;
            for (std::size_t i = 0; i < run.manifest.frames.size(); ++i) values.push_back(value(run, i));
            all.series.push_back({.name = run.label, .values = at_times(run.manifest, values, times)});
        }
        return svg_figure(all, times);
    };
    const auto of_report = [](double StepReport::*which, double scale) {
        return [=](const ComparedRun& run, std::size_t i) {
            const FrameRecord& frame = run.manifest.frames[i];
            return frame.has_volume ? scale * frame.report.*which : NAN;
        };
    };
    const bool has_volume = !first.frames.empty() && first.frames.front().has_volume;
    const std::string joule = first.dim == 2 ? "J/m" : "J";
    std::string out = "<section>\n<h2>Over time</h2>\n<div class=\"plots\">\n";
    if (has_volume) {
        out += plot("Volume", first.dim == 2 ? "m²" : "m³", false, of_report(&StepReport::volume, 1));
        out += plot("Volume error", "%, against what was put in and let out", true,
                    of_report(&StepReport::volume_error, 100));
    }
    out += plot("Kinetic energy", joule, true,
                [](const ComparedRun& run, std::size_t i) { return run.kinetic_energy[i]; });
    if (has_volume)
        out += plot("Potential energy", joule, false,
                    [](const ComparedRun& run, std::size_t i) { return run.potential_energy[i]; });
    out += plot("Divergence", "1/s, the largest left in a cell", true,
                [](const ComparedRun& run, std::size_t i) { return run.manifest.frames[i].report.divergence; });
    out += plot("Time per frame", "s, steps and files", true,
                [](const ComparedRun& run, std::size_t i) { return run.manifest.frames[i].seconds; });
    std::vector<std::string> numbers;
    for (const double time : times) numbers.push_back(fmt::format("{:.6g}", time));
    return out + fmt::format("</div>\n</section>\n<script>\nconst times = [{}], fps = {};\n{}</script>\n",
                             fmt::join(numbers, ","), first.fps, kPageScript);
}

}  // namespace

std::string comparison_page(const Comparison& comparison, const FilmStrip& strip) {
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{} – Spindrift</title>\n"
        "<style>{}{}</style>\n</head>\n<body>\n<main>\n<h1>{}</h1>\n",
        escaped(comparison.title), kPageStyle, kStyle, escaped(comparison.title));
    if (!comparison.description.empty()) out += fmt::format("<p>{}</p>\n", escaped(comparison.description));
    std::vector<std::string> labels;
    for (const ComparedRun& run : comparison.runs) labels.push_back(run.label);
    out += fmt::format("<p class=\"soft\">{} runs: {}</p>\n", labels.size(),
                       escaped(fmt::format("{}", fmt::join(labels, " · "))));
    out += strip_section(comparison, strip);
    out += table_section(comparison);
    out += plots_section(comparison);
    return out + "</main>\n</body>\n</html>\n";
}

}  // namespace spindrift

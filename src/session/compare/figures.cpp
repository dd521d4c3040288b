// SPDX-License-Identifier: Apache-2.0
#include "session/compare/figures.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/readable.h"

namespace spindrift {

RunFigures figures_of(const ComparedRun& run) {
    RunFigures f;
    int steps = 0;
    for (const FrameRecord& frame : run.manifest.frames) {
        f.has_volume = frame.has_volume;
        f.seconds += frame.seconds;
        steps += frame.steps;
        f.retries += frame.retries;
        f.unconverged += frame.unconverged;
        f.cells = std::max(f.cells, frame.report.cells);
        f.particles = std::max(f.particles, frame.particles);
        f.rss_mib = std::max(f.rss_mib, frame.rss_mib);
        f.max_speed = std::max(f.max_speed, frame.report.max_speed);
        f.divergence = std::max(f.divergence, frame.report.divergence);
        f.volume = frame.report.volume;
        if (std::abs(frame.report.volume_error) > std::abs(f.volume_error)) f.volume_error = frame.report.volume_error;
    }
    const int frames = run.manifest.frames.empty() ? 0 : run.manifest.frames.back().frame;
    f.seconds_per_frame = frames > 0 ? f.seconds / frames : NAN;
    f.steps_per_frame = frames > 0 ? static_cast<double>(steps) / frames : NAN;
    f.energy_time = f.kinetic_energy = f.potential_energy = NAN;
    for (std::size_t i = 0; i < run.kinetic_energy.size(); ++i)
        if (std::isfinite(run.kinetic_energy[i])) {
            f.energy_time = run.manifest.frames[i].time;
            f.kinetic_energy = run.kinetic_energy[i];
            f.potential_energy = run.potential_energy[i];
        }
    return f;
}

namespace {

// Not a number without a frame near this time.
double at_time(const ComparedRun& run, const std::vector<double>& values, double time) {
    for (std::size_t i = 0; i < values.size(); ++i)
        if (std::abs(run.manifest.frames[i].time - time) < 0.5 / run.manifest.fps) return values[i];
    return NAN;
}

}  // namespace

std::vector<FigureRow> figure_rows(const std::vector<ComparedRun>& runs) {
    std::vector<RunFigures> figures;
    for (const ComparedRun& run : runs) figures.push_back(figures_of(run));
    std::vector<FigureRow> rows;
    const auto add = [&](const char* what, auto&& text) {
        FigureRow& row = rows.emplace_back(FigureRow{.what = what, .values = {}});
        for (std::size_t i = 0; i < runs.size(); ++i) row.values.push_back(text(figures[i], runs[i].manifest));
    };
    const auto any = [&](auto&& has) { return std::any_of(figures.begin(), figures.end(), has); };
    const auto or_dash = [](double value, const std::string& text) { return std::isfinite(value) ? text : "–"; };

    add("run", [](const RunFigures&, const Manifest& m) {
        return fmt::format("{}, {} frames", name(m.status), m.frames.empty() ? 0 : m.frames.back().frame);
    });
    if (any([](const RunFigures& f) { return f.has_volume; })) {
        add("largest volume error", [](const RunFigures& f, const Manifest&) {
            return f.has_volume ? fmt::format("{:+.2f} %", 100 * f.volume_error) : "–";
        });
    }
    // All at the same time.
    double time = std::numeric_limits<double>::infinity();
    for (const RunFigures& f : figures)
        if (std::isfinite(f.energy_time)) time = std::min(time, f.energy_time);
    if (std::isfinite(time)) {
        const std::string joule = runs[0].manifest.dim == 2 ? "J/m" : "J";
        const auto energy = [&](const char* which, std::vector<double> ComparedRun::*values) {
            FigureRow& row = rows.emplace_back(
                FigureRow{.what = fmt::format("{} energy at {:.3g} s, {}", which, time, joule), .values = {}});
            for (const ComparedRun& run : runs) {
                const double value = at_time(run, run.*values, time);
                row.values.push_back(or_dash(value, fmt::format("{:.4g}", value)));
            }
        };
        energy("kinetic", &ComparedRun::kinetic_energy);
        energy("potential", &ComparedRun::potential_energy);
    }
    add("largest speed, m/s", [](const RunFigures& f, const Manifest&) { return fmt::format("{:.3g}", f.max_speed); });
    add("largest divergence left, 1/s",
        [](const RunFigures& f, const Manifest&) { return fmt::format("{:.2g}", f.divergence); });
    add("time per frame", [&](const RunFigures& f, const Manifest& m) {
        return or_dash(f.seconds_per_frame,
                       fmt::format("{:.2f} s on {}", f.seconds_per_frame, count_text(m.machine.threads, "thread")));
    });
    add("steps per frame", [&](const RunFigures& f, const Manifest&) {
        return or_dash(f.steps_per_frame, fmt::format("{:.1f}", f.steps_per_frame));
    });
    add("steps taken again", [](const RunFigures& f, const Manifest&) { return fmt::format("{}", f.retries); });
    add("most cells", [](const RunFigures& f, const Manifest&) { return rounded_text(static_cast<double>(f.cells)); });
    if (any([](const RunFigures& f) { return f.particles > 0; }))
        add("most particles", [](const RunFigures& f, const Manifest&) {
            return f.particles > 0 ? rounded_text(static_cast<double>(f.particles)) : "–";
        });
    return rows;
}

}  // namespace spindrift

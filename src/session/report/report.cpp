// SPDX-License-Identifier: Apache-2.0
#include "session/report/report.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/readable.h"
#include "io/whole_file.h"
#include "scene/read_scene.h"
#include "session/output/output_folder.h"
#include "session/probes/probe_log.h"
#include "session/report/html.h"
#include "session/report/page_style.h"
#include "session/report/pictures.h"
#include "session/report/plot.h"
#include "setup/mesh_warnings.h"
#include "setup/plausible_speed.h"

namespace spindrift {
namespace {

using html::escaped;

// Stages beyond these share a colour.
constexpr std::size_t kStageColours = 8;

struct Totals {
    bool has_volume = true;
    double seconds = 0;
    double rss_mib = 0;
    double max_speed = 0;
    double volume_error = 0;                        // the largest, with its sign
    double body_error = 0;                          // the largest of one body
    double lost = 0;                                // in the end, of what there is
    std::optional<SubstanceAmount> worst_amount{};  // with the largest error
    int steps = 0;
    int retries = 0;
    int unconverged = 0;
};

Totals totals_of(const std::vector<FrameRecord>& frames) {
    Totals t;
    for (const FrameRecord& frame : frames) {
        t.has_volume = frame.has_volume;
        t.seconds += frame.seconds;
        t.rss_mib = std::max(t.rss_mib, frame.rss_mib);
        t.max_speed = std::max(t.max_speed, frame.report.max_speed);
        if (std::abs(frame.report.volume_error) > std::abs(t.volume_error)) t.volume_error = frame.report.volume_error;
        t.body_error = std::max(t.body_error, frame.report.largest_body_error);
        if (frame.report.volume > 0) t.lost = frame.report.lost / frame.report.volume;
        for (const SubstanceAmount& a : frame.amounts)
            if (!t.worst_amount || std::abs(a.error) > std::abs(t.worst_amount->error)) t.worst_amount = a;
        t.steps += frame.steps;
        t.retries += frame.retries;
        t.unconverged += frame.unconverged;
    }
    return t;
}

// Seconds of each stage in each frame, the longest stages first; the shortest share a series.
std::vector<Series> stages_of(const std::vector<FrameRecord>& frames) {
    std::map<std::string, double> totals;
    for (const FrameRecord& frame : frames)
        for (const auto& [name, seconds] : frame.stages) totals[name] += seconds;
    std::vector<Series> stages;
    for (const auto& [name, seconds] : totals)
        stages.push_back({.name = name, .values = std::vector<double>(frames.size())});
    std::stable_sort(stages.begin(), stages.end(),
                     [&](const Series& a, const Series& b) { return totals[a.name] > totals[b.name]; });
    if (stages.size() > kStageColours + 1) {
        stages.resize(kStageColours + 1);
        stages.back().name = "other stages";
    }
    for (std::size_t i = 0; i < frames.size(); ++i)
        for (const auto& [name, seconds] : frames[i].stages) {
            const auto stage =
                std::find_if(stages.begin(), stages.end(), [&, &n = name](const Series& s) { return s.name == n; });
            (stage == stages.end() ? stages.back() : *stage).values[i] += seconds;
        }
    return stages;
}

// ——— Sections ———

std::string heading(const Manifest& m, const std::string& status, const SceneDescription* scene) {
    std::string grid;
    if (scene != nullptr) {
        const Vec<int, 3> cells = cell_counts(*scene);
        grid = m.dim == 2 ? fmt::format(" · {} × {} cells", cells[0], cells[1])
                          : fmt::format(" · {} × {} × {} cells", cells[0], cells[1], cells[2]);
    }
    std::string out = fmt::format("<h1>{}<span class=\"badge {}\">{}</span></h1>\n",
                                  escaped(m.title.empty() ? m.name : m.title), escaped(status), escaped(status));
    if (scene != nullptr && !scene->description.empty()) out += fmt::format("<p>{}</p>\n", escaped(scene->description));
    out += fmt::format("<p class=\"soft\">{} · {}D{} · {:g} frames per second</p>\n", escaped(m.method), m.dim, grid,
                       m.fps);
    if (!m.failure.empty()) out += fmt::format("<p class=\"failed\">{}</p>\n", escaped(m.failure));
    return out;
}

std::string key_figures(const Manifest& m, const Totals& t) {
    const int made = m.frames.empty() ? 0 : m.frames.back().frame;
    const auto item = [](const std::string& value, const std::string& what) {
        return fmt::format("<li><b>{}</b><span>{}</span></li>\n", escaped(value), escaped(what));
    };
    std::string out = "<ul class=\"figures\">\n";
    out += item(fmt::format("{} / {}", made, m.last_frame), "frames");
    if (t.has_volume) out += item(fmt::format("{:+.2f} %", 100 * t.volume_error), "largest volume error");
    if (t.body_error > 0)
        out += item(fmt::format("{:.2f} %", 100 * t.body_error), "largest error of one body, of all liquid");
    if (t.lost > 5e-5) out += item(fmt::format("{:.2f} %", 100 * t.lost), "lost: too thin for the grid");
    if (t.worst_amount)
        out += item(fmt::format("{:+.2f} %", 100 * t.worst_amount->error),
                    "largest error of an amount (" + t.worst_amount->name + ")");
    out += item(fmt::format("{:.3g} m/s", t.max_speed), "largest speed");
    out +=
        item(duration_text(t.seconds), fmt::format("in all, {} a frame", duration_text(t.seconds / std::max(1, made))));
    out += item(bytes_text(t.rss_mib * (1 << 20)), "most memory");
    out += item(fmt::format("{}", t.steps), fmt::format("steps, {} taken again", t.retries));
    return out + "</ul>\n";
}

// A curve for each substance of a gas, or each component of a mixture.
std::vector<Series> amounts_of(const std::vector<FrameRecord>& frames, double SubstanceAmount::*which, double scale) {
    std::vector<Series> all;
    for (std::size_t f = 0; f < frames.size(); ++f)
        for (std::size_t s = 0; s < frames[f].amounts.size(); ++s) {
            if (s == all.size())
                all.push_back({.name = frames[f].amounts[s].name, .values = std::vector<double>(f, NAN)});
            all[s].values.push_back(scale * frames[f].amounts[s].*which);
        }
    for (Series& series : all) series.values.resize(frames.size(), NAN);
    return all;
}

// How much there is of a liquid, or of each substance of a gas, and by how much that is off.
std::vector<Plot> plots_of_what_is_kept(const Manifest& m, const Totals& t) {
    const auto of_frames = [&](double StepReport::*which, double scale) {
        Series series;
        for (const FrameRecord& frame : m.frames) series.values.push_back(scale * frame.report.*which);
        return std::vector{std::move(series)};
    };
    const std::string volume_unit = m.dim == 2 ? "m²" : "m³";
    if (t.has_volume) {
        std::vector<Plot> plots{{.title = "Volume error",
                                 .unit = "%, against what was put in and let out",
                                 .from_zero = true,
                                 .series = of_frames(&StepReport::volume_error, 100)},
                                {.title = "Volume", .unit = volume_unit, .series = of_frames(&StepReport::volume, 1)}};
        if (!t.worst_amount) return plots;
        plots.push_back({.title = "Error of components",
                         .unit = "% of the volume, against what was put in and let out",
                         .from_zero = true,
                         .series = amounts_of(m.frames, &SubstanceAmount::error, 100)});
        plots.push_back({.title = "Volume of components",
                         .unit = volume_unit,
                         .from_zero = true,
                         .series = amounts_of(m.frames, &SubstanceAmount::amount, 1)});
        return plots;
    }
    if (!t.worst_amount) return {};
    return {{.title = "Error of amounts",
             .unit = "%, against start, sources, dissipation and outflow",
             .from_zero = true,
             .series = amounts_of(m.frames, &SubstanceAmount::error, 100)},
            {.title = "Amounts",
             .unit = m.dim == 2 ? "unit · m², above ambient" : "unit · m³, above ambient",
             .from_zero = true,
             .series = amounts_of(m.frames, &SubstanceAmount::amount, 1)}};
}

std::string plots(const Manifest& m, const Totals& t) {
    std::vector<double> times;
    std::vector<double> speed, dt, iterations, memory, cells;
    for (const FrameRecord& frame : m.frames) {
        const bool has_steps = frame.steps > 0;
        times.push_back(frame.time);
        speed.push_back(frame.report.max_speed);
        dt.push_back(has_steps ? 1e3 / (m.fps * frame.steps) : NAN);
        iterations.push_back(has_steps ? static_cast<double>(frame.report.pressure.iterations) / frame.steps : NAN);
        memory.push_back(frame.rss_mib);
        cells.push_back(static_cast<double>(frame.report.cells));
    }
    const auto line = [](const char* title, const char* unit, std::vector<double> values, bool from_zero) {
        return Plot{.title = title, .unit = unit, .from_zero = from_zero, .series = {{.values = std::move(values)}}};
    };
    const Plot all[] = {
        line("Largest speed", "m/s", std::move(speed), true),
        line("Time step", "ms, mean of a frame", std::move(dt), true),
        line("Pressure iterations", "a step", std::move(iterations), true),
        line(t.has_volume ? "Liquid cells" : "Gas cells", "", std::move(cells), true),
        Plot{.title = "Seconds by stage",
             .unit = "s a frame",
             .kind = PlotKind::stacked_areas,
             .from_zero = true,
             .series = stages_of(m.frames)},
        line("Memory", "MiB, resident", std::move(memory), true),
    };
    std::string out = "<section>\n<h2>Over time</h2>\n<div class=\"plots\">\n";
    for (const Plot& plot : plots_of_what_is_kept(m, t)) out += svg_figure(plot, times);
    for (const Plot& plot : all) out += svg_figure(plot, times);
    std::vector<std::string> numbers;
    for (const double time : times) numbers.push_back(fmt::format("{:.6g}", time));
    return out + fmt::format("</div>\n</section>\n<script>\nconst times = [{}], fps = {};\n{}</script>\n",
                             fmt::join(numbers, ","), m.fps, kPageScript);
}

// Rows of a probe beyond which a plot leaves some out; the file has them all.
constexpr std::size_t kMostPlotted = 2000;
std::vector<double> thinned(const std::vector<double>& values, std::size_t every) {
    std::vector<double> some;
    for (std::size_t i = 0; i < values.size(); i += every) some.push_back(values[i]);
    return some;
}

// A plot for each unit of a probe's columns, or for each column without a unit.
std::string probe_plots(const std::filesystem::path& folder, const Manifest& m) {
    std::string out;
    for (const FileRecord& file : m.products) {
        if (!file.path.starts_with(kProbeFolder)) continue;
        const auto table = read_probe_file(folder / file.path);
        if (!table || table.value().columns.empty() || table.value().columns[0].size() < 2) continue;
        const std::size_t every = 1 + table.value().columns[0].size() / kMostPlotted;
        std::map<std::string, Plot> plots;
        for (std::size_t c = 1; c < table.value().names.size(); ++c) {
            const std::string& name = table.value().names[c];
            const std::size_t bracket = name.find(" [");
            const std::string column = name.substr(0, bracket);
            const std::string unit =
                bracket == std::string::npos ? "" : name.substr(bracket + 2, name.size() - bracket - 3);
            if (column.ends_with("_mean")) continue;
            Plot& plot = plots[unit.empty() ? column : unit];
            plot.title = std::filesystem::path(file.path).stem().string();
            plot.unit = unit;
            plot.series.push_back({.name = column, .values = thinned(table.value().columns[c], every)});
        }
        for (auto& [key, plot] : plots) {
            if (plot.series.size() == 1) plot.title += ": " + plot.series[0].name;
            out += svg_figure(plot, thinned(table.value().columns[0], every));
        }
    }
    return out.empty() ? "" : "<section>\n<h2>Probes</h2>\n<div class=\"plots\">\n" + out + "</div>\n</section>\n";
}

std::string stage_table(const Manifest& m) {
    const std::vector<Series> stages = stages_of(m.frames);
    std::vector<double> sums;
    double all = 0, longest = 0;
    for (const Series& stage : stages) {
        double sum = 0;
        for (const double seconds : stage.values) sum += seconds;
        sums.push_back(sum);
        all += sum;
        longest = std::max(longest, sum);
    }
    if (!(all > 0)) return "";
    std::string out = "<section>\n<h2>Where the time went</h2>\n<div class=\"card\"><table>\n";
    for (std::size_t i = 0; i < stages.size(); ++i)
        out += fmt::format(
            "<tr><th scope=\"row\">{}</th><td class=\"number\">{:.2f} s</td><td class=\"number\">{:.0f} "
            "%</td><td class=\"bar\"><i class=\"s{}\" style=\"width: {:.1f}%\"></i></td></tr>\n",
            escaped(stages[i].name), sums[i], 100 * sums[i] / all, i, 100 * sums[i] / longest);
    return out + "</table></div>\n</section>\n";
}

// What fell short, and what the scene was warned of.
std::string notices(const Manifest& m, const Totals& t, const Result<SceneDescription>& scene) {
    std::vector<std::string> lines;
    const auto frames_with = [&](auto&& count) {
        std::vector<int> list;
        for (const FrameRecord& frame : m.frames)
            if (count(frame) > 0) list.push_back(frame.frame);
        const std::size_t shown = std::min<std::size_t>(list.size(), 12);
        return fmt::format("frame{} {}{}", list.size() == 1 ? "" : "s",
                           fmt::join(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                           shown < list.size() ? ", …" : "");
    };
    if (t.retries > 0)
        lines.push_back(fmt::format("{} taken again with half the length, in {}", count_text(t.retries, "step"),
                                    frames_with([](const FrameRecord& f) { return f.retries; })));
    if (t.unconverged > 0)
        lines.push_back(fmt::format("{} pressure solves did not converge, in {}", t.unconverged,
                                    frames_with([](const FrameRecord& f) { return f.unconverged; })));
    const double plausible = scene ? plausible_speed(scene.value()) : std::numeric_limits<double>::infinity();
    const auto is_absurd = [&](const FrameRecord& f) { return f.report.max_speed > plausible ? 1 : 0; };
    if (const auto count = std::count_if(m.frames.begin(), m.frames.end(), is_absurd); count > 0)
        lines.push_back(
            fmt::format("{} of {} frames are faster than anything in the scene explains ({:.3g} m/s; the fastest is "
                        "{:.3g} m/s), {}",
                        count, m.frames.size(), plausible, t.max_speed, frames_with(is_absurd)));
    lines.insert(lines.end(), m.warnings.begin(), m.warnings.end());
    if (!scene) lines.push_back("this version cannot read the scene any more:\n" + scene.errors().text());
    if (lines.empty()) return "<p class=\"soft\">No warnings, no step taken again, every solve converged.</p>\n";
    std::string out = "<ul class=\"notices\">\n";
    for (const std::string& line : lines) out += fmt::format("<li><pre>{}</pre></li>\n", escaped(line));
    return out + "</ul>\n";
}

std::string scene_section(const Manifest& m) {
    std::string out = fmt::format("<section>\n<h2>Scene</h2>\n<p class=\"soft\">{}</p>\n", escaped(m.scene_file));
    if (!m.overrides.empty())
        out += fmt::format("<p>Changed by the command line: <code>{}</code></p>\n",
                           escaped(fmt::format("{}", fmt::join(m.overrides, "  "))));
    return out + fmt::format("<div class=\"card\"><pre>{}</pre></div>\n</section>\n", escaped(m.scene_text));
}

std::string facts_section(const Manifest& m) {
    std::map<std::string, std::pair<int, std::uint64_t>> folders;
    for (const FrameRecord& frame : m.frames)
        for (const FileRecord& file : frame.files) {
            auto& [count, bytes] = folders[file.path.substr(0, file.path.find('/'))];
            ++count;
            bytes += file.checksum.bytes;
        }
    html::Facts facts{{"version", "spindrift " + m.identity.version},
                      {"method", m.method},
                      {"seed", fmt::format("{}", m.identity.seed)},
                      {"scene hash", m.identity.scene_hash},
                      {"hash of the last state", m.frames.empty() ? "none" : m.frames.back().state_hash},
                      {"processor", m.machine.cpu},
                      {"system", m.machine.system},
                      {"instruction set", m.machine.instruction_set},
                      {"threads", fmt::format("{} on {} cores", m.machine.threads, m.machine.cores)}};
    for (const auto& [folder, sum] : folders)
        facts.emplace_back(folder + "/", fmt::format("{}, {}", count_text(sum.first, "file"),
                                                     bytes_text(static_cast<double>(sum.second))));
    for (const FileRecord& file : m.products)
        facts.emplace_back(file.path, bytes_text(static_cast<double>(file.checksum.bytes)));
    return "<section>\n<h2>Made from, made by, made</h2>\n<div class=\"card\">" + html::table(facts) +
           "</div>\n</section>\n";
}

std::string page(const std::filesystem::path& folder, const Manifest& m, const std::string& status) {
    const auto scene = parse_scene(m.scene_text, m.scene_file, m.overrides);
    const Totals totals = totals_of(m.frames);
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{} – Spindrift</title>\n"
        "<style>{}</style>\n</head>\n<body>\n<main>\n",
        escaped(m.title.empty() ? m.name : m.title), kPageStyle);
    out += heading(m, status, scene ? &scene.value() : nullptr);
    out += key_figures(m, totals);
    out += film_section(folder, m);
    if (!m.frames.empty()) out += plots(m, totals);
    out += probe_plots(folder, m);
    out += stage_table(m);
    out += "<section>\n<h2>Warnings</h2>\n" + notices(m, totals, scene) + "</section>\n";
    out += scene_section(m);
    out += facts_section(m);
    return out + "</main>\n</body>\n</html>\n";
}

}  // namespace

Result<void> write_report(const std::filesystem::path& folder, const Manifest& manifest, bool is_under_way) {
    return write_text_file(folder / kReportName, page(folder, manifest, status_text(manifest.status, is_under_way)));
}

Result<void> report_run(const std::filesystem::path& folder) {
    const auto manifest = read_manifest(folder);
    if (!manifest) return manifest.errors();
    return write_report(folder, manifest.value(), is_locked(folder));
}

}  // namespace spindrift

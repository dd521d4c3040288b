// SPDX-License-Identifier: Apache-2.0
#include "session/compare/comparison.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/readable.h"
#include "io/png.h"
#include "io/whole_file.h"
#include "session/compare/comparison_page.h"
#include "session/compare/figures.h"
#include "session/compare/film_strip.h"
#include "session/probes/probe_log.h"

namespace spindrift {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kProbe = "comparison";

// Values of the table's column at the times of the frames, whose rows are at the same rate.
std::vector<double> column_at_frames(const ProbeTable& table, std::string_view name, const Manifest& m) {
    std::vector<double> values(m.frames.size(), NAN);
    const auto column = std::find_if(table.names.begin(), table.names.end(), [&](const std::string& n) {
        return n.starts_with(name) && n.substr(name.size()).starts_with(" [");
    });
    if (column == table.names.end() || table.columns.empty()) return values;
    const std::vector<double>& times = table.columns[0];
    const std::vector<double>& all = table.columns[static_cast<std::size_t>(column - table.names.begin())];
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto row = std::lower_bound(times.begin(), times.end(), m.frames[i].time - 0.25 / m.fps);
        if (row != times.end() && std::abs(*row - m.frames[i].time) < 0.25 / m.fps)
            values[i] = all[static_cast<std::size_t>(row - times.begin())];
    }
    return values;
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json summary_json(const ComparedRun& run) {
    const RunFigures f = figures_of(run);
    const Manifest& m = run.manifest;
    Json json{{"run", run.label},
              {"folder", run.folder.string()},
              {"method", m.method},
              {"overrides", m.overrides},
              {"status", name(m.status)},
              {"failure", m.failure},
              {"frames", m.frames.empty() ? 0 : m.frames.back().frame},
              {"threads", m.machine.threads},
              {"seconds", f.seconds},
              {"seconds_per_frame", number(f.seconds_per_frame)},
              {"steps_per_frame", number(f.steps_per_frame)},
              {"retries", f.retries},
              {"unconverged", f.unconverged},
              {"cells", f.cells},
              {"particles", f.particles},
              {"rss_mib", f.rss_mib},
              {"max_speed", f.max_speed},
              {"divergence", f.divergence},
              {"energy_time", number(f.energy_time)},
              {"kinetic_energy", number(f.kinetic_energy)},
              {"potential_energy", number(f.potential_energy)}};
    if (f.has_volume) {
        json["volume"] = f.volume;
        json["volume_error"] = f.volume_error;
    }
    return json;
}

Json frames_json(const ComparedRun& run) {
    Json list = Json::array();
    for (std::size_t i = 0; i < run.manifest.frames.size(); ++i) {
        const FrameRecord& frame = run.manifest.frames[i];
        Json json{{"frame", frame.frame},
                  {"time", frame.time},
                  {"steps", frame.steps},
                  {"seconds", frame.seconds},
                  {"kinetic_energy", number(run.kinetic_energy[i])},
                  {"potential_energy", number(run.potential_energy[i])},
                  {"max_speed", frame.report.max_speed},
                  {"divergence", frame.report.divergence},
                  {"cells", frame.report.cells},
                  {"particles", frame.particles}};
        if (frame.has_volume) {
            json["volume"] = frame.report.volume;
            json["volume_error"] = frame.report.volume_error;
        }
        list.push_back(std::move(json));
    }
    return list;
}

std::string json_text(const Comparison& comparison) {
    Json runs = Json::array();
    for (const ComparedRun& run : comparison.runs) {
        Json json = summary_json(run);
        json["series"] = frames_json(run);
        runs.push_back(std::move(json));
    }
    return Json{{"title", comparison.title}, {"runs", std::move(runs)}}.dump(1) + "\n";
}

// One row for each figure and one column for each run, as documentation shows them.
std::string markdown(const Comparison& comparison, bool has_strip) {
    std::string out = fmt::format("## {}\n\n", comparison.title);
    if (!comparison.description.empty()) out += comparison.description + "\n\n";
    if (has_strip) out += fmt::format("![{}]({})\n\n", comparison.title, kComparisonStrip);
    out += "| |";
    for (const ComparedRun& run : comparison.runs) out += fmt::format(" {} |", run.label);
    out += "\n|---|";
    for (std::size_t i = 0; i < comparison.runs.size(); ++i) out += "---|";
    out += "\n";
    for (const FigureRow& row : figure_rows(comparison.runs)) {
        out += fmt::format("| {} |", row.what);
        for (const std::string& value : row.values) out += fmt::format(" {} |", value);
        out += "\n";
    }
    return out;
}

}  // namespace

SceneDescription with_comparison_probe(SceneDescription scene) {
    scene::Probe probe{.name = kProbe, .kind = scene::TotalProbe{}, .rate = scene.time.fps};
    const auto is_taken = [&] {
        return std::any_of(scene.probe.begin(), scene.probe.end(),
                           [&](const scene::Probe& p) { return p.name == probe.name; });
    };
    while (is_taken()) probe.name += "_";
    scene.probe.push_back(std::move(probe));
    return scene;
}

Result<ComparedRun> read_compared_run(const std::filesystem::path& folder, const std::filesystem::path& inside,
                                      const std::string& label) {
    auto manifest = read_manifest(folder / inside);
    if (!manifest) return std::move(manifest).errors();
    ComparedRun run{.label = label, .folder = inside, .manifest = std::move(manifest).value()};
    // The name with the most underscores is that of with_comparison_probe().
    std::filesystem::path newest;
    for (std::string name = kProbe; std::filesystem::exists(folder / inside / kProbeFolder / (name + ".csv"));
         name += "_")
        newest = folder / inside / kProbeFolder / (name + ".csv");
    ProbeTable table;
    if (!newest.empty()) {
        auto read = read_probe_file(newest);
        if (!read) return std::move(read).errors();
        table = std::move(read).value();
    }
    run.kinetic_energy = column_at_frames(table, "kinetic_energy", run.manifest);
    run.potential_energy = column_at_frames(table, "potential_energy", run.manifest);
    return run;
}

Result<void> write_comparison(const std::filesystem::path& folder, const Comparison& comparison) {
    const FilmStrip strip = film_strip(folder, comparison.runs);
    if (!strip.empty()) {
        const Pixels8 picture = picture_of(strip, comparison.runs);
        if (auto written = write_png(folder / kComparisonStrip, picture.width, picture.height, picture.rgb); !written)
            return written;
    }
    if (auto written = write_text_file(folder / kComparisonJson, json_text(comparison)); !written) return written;
    if (auto written = write_text_file(folder / kComparisonTable, markdown(comparison, !strip.empty())); !written)
        return written;
    return write_text_file(folder / kComparisonPage, comparison_page(comparison, strip));
}

std::string json_line(const ComparedRun& run) { return summary_json(run).dump(); }

}  // namespace spindrift

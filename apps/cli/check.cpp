// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/common.h"
#include "apps/cli/verbs.h"
#include "base/parallel.h"
#include "scene/describe.h"
#include "scene/estimate.h"
#include "scene/methods.h"
#include "session/make_run.h"
#include "setup/mesh_warnings.h"

namespace spindrift::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
    SceneOptions scene;
    int threads = 0;
    bool strict = false;
    bool json = false;
};

Json json_from(const Error& error) {
    return {{"file", error.where.file},
            {"line", error.where.line},
            {"column", error.where.column},
            {"what", error.what},
            {"remedy", error.remedy}};
}
Json json_from(const Errors& errors) {
    Json list = Json::array();
    for (const Error& error : errors) list.push_back(json_from(error));
    return list;
}

int fail(const Errors& errors, bool json) {
    if (json) fmt::print("{}\n", Json{{"errors", json_from(errors)}}.dump());
    return complain(errors);
}

void print_text(const SceneDescription& scene, const Errors& warnings, const SceneEstimate& e) {
    for (const Error& warning : warnings) print_note(fmt::format("spindrift: warning: {}\n", text(warning)));
    const std::string cells = scene.dim == 2 ? fmt::format("{} × {}", e.cells[0], e.cells[1])
                                             : fmt::format("{} × {} × {}", e.cells[0], e.cells[1], e.cells[2]);
    fmt::print("{}{}\n", scene.title.empty() ? output_name(scene) : scene.title,
               warnings.empty() ? ": no errors, no warnings"
                                : fmt::format(": {}", count_text(static_cast<int>(warnings.size()), "warning")));
    fmt::print("  method   {}\n", choice_name(scene.method));
    fmt::print("  box      {} cells of {:.4g} m\n", cells, e.cell_size);
    if (!scene::has_surface(scene.method))
        fmt::print("  gas      {} cells{}\n", rounded_text(e.active_cells),
                   e.is_complete ? "" : " at most: the gas is sparse");
    else
        fmt::print("  liquid   {} cells at the start{}{}\n", rounded_text(e.liquid_cells),
                   e.poured_cells > 0 ? fmt::format(", about {} more flow in", rounded_text(e.poured_cells)) : "",
                   e.is_complete ? "" : ", without meshes");
    if (e.most_particles > 0) fmt::print("  surface  up to about {} particles\n", rounded_text(e.most_particles));
    fmt::print("  frames   {} at {:.4g} per second, {:.4g} s\n", frame_count(scene), scene.time.fps, end_time(scene));
    fmt::print(
        "  memory   about {}{}\n", bytes_text(e.memory_bytes),
        scene.whitewater.amount > 0 ? ", and that of whitewater: 100 bytes or so for each of its particles" : "");
    fmt::print("  disk     about {}\n", bytes_text(e.disk_bytes));
    fmt::print("  time     about {} on {}\n", duration_text(e.core_seconds / thread_count()),
               count_text(thread_count(), "thread"));
}

int check_scene(Options& options) {
    set_thread_count(options.threads);
    const auto scene = read_scene_of(options.scene);
    if (!scene) return fail(scene.errors(), options.json);
    if (const auto possible = check_simulation(scene.value()); !possible)
        return fail(as_typed(possible.errors(), options.scene), options.json);
    const Errors warnings = as_typed(all_warnings(scene.value()), options.scene);
    const SceneEstimate e = estimate(scene.value());
    if (options.json)
        fmt::print("{}\n", Json{{"errors", Json::array()},
                                {"warnings", json_from(warnings)},
                                {"method", std::string(choice_name(scene.value().method))},
                                {"dimensions", scene.value().dim},
                                {"cells", {e.cells[0], e.cells[1], e.cells[2]}},
                                {"cell_size", e.cell_size},
                                {"frames", frame_count(scene.value())},
                                {"liquid_cells", e.liquid_cells},
                                {"active_cells", e.active_cells},
                                {"most_cells", e.most_cells},
                                {"poured_cells", e.poured_cells},
                                {"particles", e.particles},
                                {"most_particles", e.most_particles},
                                {"steps_per_frame", e.steps_per_frame},
                                {"memory_bytes", e.memory_bytes},
                                {"disk_bytes", e.disk_bytes},
                                {"seconds", e.core_seconds / thread_count()}}
                               .dump());
    else
        print_text(scene.value(), warnings, e);
    return options.strict && !warnings.empty() ? kInputIsWrong : kAllGood;
}

}  // namespace

void add_check(const Verb& app, int& status) {
    auto options = std::make_shared<Options>();
    const Verb verb =
        app.add_verb("check", "check a scene: errors, warnings, and estimates of memory, disk space and time");
    add_scene_options(verb, options->scene);
    verb.add_number("--threads", options->threads, 1, 1024, "threads of the run (default: one per core)");
    verb.add_flag("--strict", options->strict, "treat warnings as errors");
    verb.add_flag("--json", options->json, "print one JSON object");
    verb.when_chosen([options, &status] { status = check_scene(*options); });
}

}  // namespace spindrift::cli

// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/common.h"
#include "apps/cli/verbs.h"
#include "io/safe_file.h"
#include "io/whole_file.h"
#include "scene/describe.h"
#include "scene/estimate.h"
#include "scene/read_scene.h"
#include "session/catalogue.h"

namespace spindrift::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
    std::string name;
    std::string folder = ".";
    bool json = false;
};

int list_scenes(const Options& options) {
    const std::vector<std::string> names = catalogue_names();
    if (names.empty())
        return complain(Error{.what = "the catalogue of scenes is not found",
                              .remedy = "name its folder in the environment variable SPINDRIFT_SCENES"});
    std::size_t width = 0;
    for (const std::string& name : names) width = std::max(width, name.size());
    int status = kAllGood;
    for (const std::string& name : names) {
        const auto scene = read_scene(catalogue_folder() / (name + ".toml"));
        if (!scene) {
            status = complain(scene.errors());
            continue;
        }
        const SceneDescription& s = scene.value();
        const Vec<int, 3> cells = cell_counts(s);
        const std::string size = s.dim == 2 ? fmt::format("{}×{}", cells[0], cells[1])
                                            : fmt::format("{}×{}×{}", cells[0], cells[1], cells[2]);
        if (options.json)
            fmt::print("{}\n", nlohmann::ordered_json{{"name", name},
                                                      {"title", s.title},
                                                      {"description", s.description},
                                                      {"method", std::string(choice_name(s.method))},
                                                      {"dimensions", s.dim},
                                                      {"cells", size},
                                                      {"frames", frame_count(s)},
                                                      {"tags", s.tags}}
                                   .dump());
        else
            fmt::print("{:<{}}  {:<10} {}, {}\n{:<{}}  {}\n", name, width, std::string(choice_name(s.method)), size,
                       count_text(frame_count(s), "frame"), "", width, s.description.empty() ? s.title : s.description);
    }
    return status;
}

int show_scene(const Options& options) {
    const auto file = find_scene(options.name);
    if (!file) return complain(file.errors());
    const auto text = read_text_file(file.value());
    if (!text) return complain(text.errors());
    fmt::print("{}", text.value());
    return kAllGood;
}

int copy_scene(const Options& options) {
    const auto file = find_scene(options.name);
    if (!file) return complain(file.errors());
    const fs::path target = fs::path(options.folder) / file.value().filename();
    std::error_code failure;
    fs::create_directories(options.folder, failure);
    if (fs::exists(target, failure)) return complain(file_error(target, "is not overwritten", EEXIST));
    const auto text = read_text_file(file.value());
    if (!text) return complain(text.errors());
    if (const auto written = write_text_file(target, text.value()); !written) return complain(written.errors());
    fmt::print("{}\n", target.string());
    return kAllGood;
}

}  // namespace

void add_scenes(const Verb& app, int& status) {
    auto options = std::make_shared<Options>();
    const Verb verb = app.add_verb("scenes", "list the catalogue of scenes");
    verb.add_flag("--json", options->json, "print one JSON object per scene");
    const Verb show = verb.add_verb("show", "print a scene");
    show.add_required("NAME", options->name, "name of the scene");
    const Verb copy = verb.add_verb("copy", "copy a scene into a folder, to change it");
    copy.add_required("NAME", options->name, "name of the scene");
    copy.add_text("DIR", options->folder, "folder (default: the current one)");
    verb.when_chosen([options, show, copy, &status] {
        status = show.is_chosen()   ? show_scene(*options)
                 : copy.is_chosen() ? copy_scene(*options)
                                    : list_scenes(*options);
    });
}

}  // namespace spindrift::cli

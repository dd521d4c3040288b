// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "apps/cli/common.h"
#include "apps/cli/stop_signal.h"
#include "apps/cli/verbs.h"
#include "base/log.h"
#include "base/parallel.h"
#include "session/output/output_folder.h"
#include "session/report/report.h"
#include "session/stages/later_stages.h"

namespace spindrift::cli {
namespace {

struct Options {
    StageSettings settings;
    std::string folder;
    std::string frames;
    int threads = 0;
    bool quiet = false;
};

using Stage = std::function<Result<int>(const StageSettings&, const StageObserver&)>;

int run_stage(const Options& options, const Stage& stage, const char* made) {
    StageSettings settings = options.settings;
    settings.folder = options.folder;
    if (!options.frames.empty()) {
        const auto range = parse_frames(options.frames);
        if (!range) return complain(range.errors());
        settings.first_frame = range.value().first;
        settings.last_frame = range.value().last;
    }
    set_log_level(options.quiet ? kQuiet : LogLevel::info);
    set_thread_count(options.threads);
    catch_stop_signals();
    const bool on_terminal = ::isatty(STDERR_FILENO) != 0 && !options.quiet;
    const StageObserver observer{.frame_done =
                                     [&](int frame, int of) {
                                         if (on_terminal) print_note(fmt::format("\r\033[Kframe {}/{}", frame, of));
                                     },
                                 .stop_wanted = stop_was_asked};
    const auto count = stage(settings, observer);
    if (on_terminal) print_note("\r\033[K");
    if (!count) return complain(count.errors());
    if (!is_locked(settings.folder))  // a run in progress makes its own when it ends
        if (auto told = report_run(settings.folder); !told) return complain(told.errors());
    log_info("{}: {}", count_text(count.value(), made), options.folder);
    return stop_was_asked() ? kStopped : kAllGood;
}

void add_stage(const Verb& app, int& status, const char* name, const char* sentence, const char* made, Stage stage) {
    auto options = std::make_shared<Options>();
    const Verb verb = app.add_verb(name, sentence);
    verb.add_required("DIR", options->folder, "output folder of the run");
    verb.add_text("--frames", options->frames, "frames up to this one, or A-B");
    verb.add_settings(options->settings.overrides,
                      "change a setting of camera, render, whitewater or output, such as --set camera.fov_degrees=30");
    verb.add_number("--threads", options->threads, 1, 1024, "number of threads (default: one per core)");
    verb.add_flag("-q,--quiet", options->quiet, "print warnings and errors only");
    verb.when_chosen([options, stage, made, &status] { status = run_stage(*options, stage, made); });
}

void add_report(const Verb& app, int& status) {
    auto folder = std::make_shared<std::string>();
    const Verb verb = app.add_verb("report", "write report.html of a run: film, plots, scene and machine");
    verb.add_required("DIR", *folder, "output folder of the run");
    verb.when_chosen([folder, &status] {
        const auto made = report_run(*folder);
        if (made) log_info("{}", (std::filesystem::path(*folder) / kReportName).string());
        status = made ? kAllGood : complain(made.errors());
    });
}

}  // namespace

void add_stages(const Verb& app, int& status) {
    add_stage(app, status, "mesh", "make meshes from the volumes of a run", "surface", mesh_run);
    add_stage(app, status, "whitewater", "make spray, foam and bubbles from the volumes of a run",
              "frame of whitewater", whitewater_run);
    add_stage(app, status, "render", "make pictures from the volumes of a run", "picture", render_run);
    add_stage(app, status, "film", "make a film from the pictures of a run", "film",
              [](const StageSettings& settings, const StageObserver&) { return film_run(settings); });
    add_report(app, status);
}

}  // namespace spindrift::cli

// SPDX-License-Identifier: Apache-2.0
#include "session/run.h"

#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "apps/cli/common.h"
#include "apps/cli/progress.h"
#include "apps/cli/stop_signal.h"
#include "apps/cli/verbs.h"
#include "base/log.h"
#include "base/parallel.h"
#include "scene/methods.h"
#include "session/make_run.h"
#include "session/report/report.h"
#include "setup/mesh_warnings.h"

namespace spindrift::cli {
namespace {

struct Options {
    SceneOptions scene;
    std::string output;
    std::string frames;
    int threads = 0;
    int from = -1;
    bool resume = false;
    bool strict = false;
    bool json = false;
    bool quiet = false;
    bool verbose = false;
};

// "frames 0 to 72"
std::string frames_text(const RunOutcome& outcome) {
    const int first = outcome.frame - outcome.frames_made + 1;
    if (outcome.frames_made == 0) return "no new frames";
    return outcome.frames_made == 1 ? fmt::format("frame {}", first)
                                    : fmt::format("frames {} to {}", first, outcome.frame);
}

int report(const RunOutcome& outcome, const RunSettings& settings, const std::string& command_hint) {
    switch (outcome.status) {
        case RunStatus::finished:
            log_info("{} in {}: {}", frames_text(outcome), duration_text(outcome.seconds),
                     (settings.folder / kReportName).string());
            return kAllGood;
        case RunStatus::stopped:
            log_info("stopped in frame {}; to go on: {}", outcome.frame + 1, command_hint);
            return kStopped;
        default: break;
    }
    complain(Error{.what = fmt::format("{}\n{}: {}", outcome.failure,
                                       outcome.frame < 0 ? "no frame is complete"
                                                         : fmt::format("frames up to {} are complete", outcome.frame),
                                       settings.folder.string())});
    return kFellShort;
}

int run_scene(Options& options) {
    set_log_level(options.quiet ? kQuiet : options.verbose ? kVerbose : LogLevel::info);
    set_thread_count(options.threads);

    // The scene, with every mistake at once.
    const auto scene = read_scene_of(options.scene);
    if (!scene) return complain(scene.errors());
    RunSettings settings = run_settings(scene.value());
    for (const Error& warning : as_typed(all_warnings(scene.value()), options.scene)) {
        settings.warnings.push_back(text(warning));
        log_warning("{}", settings.warnings.back());
    }
    if (options.strict && !settings.warnings.empty()) return kInputIsWrong;
    settings.folder = options.output.empty() ? "out/" + output_name(scene.value()) : options.output;
    settings.resume = options.resume;
    settings.strict = options.strict;
    if (options.from >= 0) settings.from = options.from;
    if (!options.frames.empty()) {
        const auto range = parse_frames(options.frames);
        if (!range) return complain(range.errors());
        settings.first_frame = range.value().first;
        settings.last_frame = range.value().last;
        // Expressions must hold in frames beyond those of the scene, too.
        SceneOptions longer = options.scene;
        longer.set.push_back(fmt::format("time.frames={}", settings.last_frame));
        if (settings.last_frame > frame_count(scene.value()))
            if (const auto checked = read_scene_of(longer); !checked) return complain(checked.errors());
    }

    // The run.
    catch_stop_signals();
    std::optional<Progress> progress(
        std::in_place,
        Progress::Settings{.shown = !options.quiet, .has_volume = scene::has_surface(scene.value().method)});
    const RunObserver observer{.started = [&](const RunStart& start) { progress->started(start); },
                               .step_done = [&](const StepRecord& step) { progress->step_done(step); },
                               .frame_done =
                                   [&](const FrameRecord& frame) {
                                       progress->frame_done(frame);
                                       if (!options.json) return;
                                       // Whoever read it has left.
                                       const bool is_read = std::puts(json_line(frame).c_str()) >= 0;
                                       if (!is_read || std::fflush(stdout) != 0) ask_to_stop();
                                   },
                               .stage_begins = [&](std::string_view stage) { progress->stage_begins(stage); },
                               .stop_wanted = stop_was_asked};
    const auto outcome = spindrift::run_scene(scene.value(), settings, observer, overrides_of(options.scene));
    progress.reset();
    if (!outcome) return complain(as_typed(outcome.errors(), options.scene));
    return report(outcome.value(), settings,
                  fmt::format("spindrift run {}{} -o {} --resume", typed(options.scene),
                              options.frames.empty() ? "" : " --frames " + options.frames,
                              quoted_for_shell(settings.folder.string())));
}

}  // namespace

void add_run(const Verb& app, int& status) {
    auto options = std::make_shared<Options>();
    const Verb verb = app.add_verb("run", "simulate a scene");
    add_scene_options(verb, options->scene);
    verb.add_text("-o,--output", options->output, "output folder (default: out/NAME)");
    verb.add_text("--frames", options->frames, "number of frames, or A-B to write files of these frames only");
    verb.add_number("--threads", options->threads, 1, 1024,
                    "number of threads (default: one per core); the result does not depend on it");
    verb.add_flag("--resume", options->resume, "continue the run in the output folder, if there is one");
    verb.add_number("--from", options->from, 0, 1000000,
                    "make this frame and all later ones again, starting at the last checkpoint before it");
    verb.add_flag("--strict", options->strict, "treat warnings as errors");
    verb.add_flag("--json", options->json, "print one JSON object per frame on standard output");
    verb.add_flag("-q,--quiet", options->quiet, "print warnings and errors only");
    verb.add_flag("-v,--verbose", options->verbose, "print more");
    verb.when_chosen([options, &status] { status = run_scene(*options); });
}

}  // namespace spindrift::cli

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/common.h"
#include "apps/cli/progress.h"
#include "apps/cli/stop_signal.h"
#include "apps/cli/verbs.h"
#include "base/log.h"
#include "base/parallel.h"
#include "scene/methods.h"
#include "session/compare/comparison.h"
#include "session/make_run.h"
#include "setup/mesh_warnings.h"

namespace spindrift::cli {
namespace {

struct Options {
    SceneOptions scene;
    std::string methods;
    std::vector<std::string> variants;
    std::string output;
    int frames = 0;
    int threads = 0;
    bool resume = false;
    bool json = false;
    bool quiet = false;
};

// One run of those compared.
struct Planned {
    std::string label{};
    std::string folder{};
    SceneOptions options{};
    std::unique_ptr<const SceneDescription> scene{};
};

// The parts between separators that stand in no quotes, without blanks around them; empty ones are left out.
std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts{""};
    char quote = 0;
    for (const char c : text) {
        if (quote == 0 && c == separator) {
            parts.emplace_back();
            continue;
        }
        if (quote != 0 && c == quote)
            quote = 0;
        else if (quote == 0 && (c == '"' || c == '\''))
            quote = c;
        parts.back() += c;
    }
    for (std::string& part : parts) {
        const std::size_t first = part.find_first_not_of(" \t");
        part = first == std::string::npos ? "" : part.substr(first, part.find_last_not_of(" \t") - first + 1);
    }
    std::erase(parts, "");
    return parts;
}

// A label as the name of a folder.
std::string folder_of(const std::string& label) {
    std::string name;
    for (const char c : label) {
        const bool is_plain =
            std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("._=-").find(c) != std::string::npos;
        if (is_plain)
            name += c;
        else if (!name.ends_with('-'))
            name += '-';
    }
    while (name.ends_with('-')) name.pop_back();
    constexpr std::size_t kLongest = 100;
    return name.substr(0, kLongest);
}

// Those given, or all of the scene's phase that there are.
Result<std::vector<std::string>> methods_of(Options& options) {
    std::vector<std::string> methods = split(options.methods, ',');
    if (!methods.empty() || !options.variants.empty()) return methods;
    const auto scene = read_scene_of(options.scene);
    if (!scene) return scene.errors();
    const auto phase = scene::row(scene.value().method).phase;
    for (const scene::MethodRow& row : scene::kMethods)
        if (row.phase == phase && scene::is_available(row.method)) methods.emplace_back(row.name);
    return methods;
}

// Mistakes of a method are told of --methods, which the user typed.
Errors as_compared(const Errors& errors) {
    Errors told;
    constexpr std::string_view kOne = "--method ";
    for (Error error : errors) {
        if (error.where.file.starts_with(kOne)) error.where.file.insert(kOne.size() - 1, "s");
        told.add(std::move(error));
    }
    return told;
}

// All runs, each checked before the first begins.
Result<std::vector<Planned>> plan_of(Options& options) {
    const auto methods = methods_of(options);
    if (!methods) return methods.errors();
    std::vector<std::string> with_methods = methods.value();
    if (with_methods.empty()) with_methods.emplace_back();  // that of the scene
    std::vector<std::string> variants = options.variants;
    if (variants.empty()) variants.emplace_back();

    std::vector<Planned> plan;
    Errors errors;
    for (const std::string& method : with_methods)
        for (const std::string& variant : variants) {
            Planned one;
            one.options = options.scene;
            if (!method.empty()) one.options.method = method;
            const std::vector<std::string> sets = split(variant, ';');
            one.options.set.insert(one.options.set.end(), sets.begin(), sets.end());
            if (options.frames > 0) one.options.set.push_back(fmt::format("time.frames={}", options.frames));
            one.label = fmt::format("{}", fmt::join(sets, ", "));
            if (with_methods.size() > 1 || sets.empty())
                one.label = method.empty() ? "as it is" : method + (sets.empty() ? "" : ", " + one.label);
            one.folder = folder_of(one.label);
            auto scene = read_scene_of(one.options);
            // A pipe can be read but once.
            options.scene.text = one.options.text;
            if (!scene) {
                errors.add(as_compared(scene.errors()));
                continue;
            }
            one.scene = std::make_unique<SceneDescription>(with_comparison_probe(std::move(scene).value()));
            if (const auto possible = check_simulation(*one.scene); !possible)
                errors.add(as_compared(as_typed(possible.errors(), one.options)));
            plan.push_back(std::move(one));
        }
    if (!errors.empty()) return errors;
    std::set<std::string> folders;
    for (const Planned& one : plan)
        if (!folders.insert(one.folder).second)
            return Error{.what = fmt::format("'{}' would be run twice", one.label),
                         .remedy = "name each method and each variant once"};
    if (plan.size() < 2)
        return Error{.what = "there is but one run, and nothing to compare it with",
                     .remedy =
                         "name several methods, as in --methods level-set,particle-level-set-2002, or several "
                         "--variant"};
    return plan;
}

int ended_with(RunStatus status) {
    return status == RunStatus::finished ? kAllGood : status == RunStatus::stopped ? kStopped : kFellShort;
}

int run_one(const Planned& one, const Options& options, const std::filesystem::path& folder) {
    RunSettings settings = run_settings(*one.scene);
    for (const Error& warning : as_typed(all_warnings(*one.scene), one.options))
        settings.warnings.push_back(text(warning));
    settings.folder = folder / one.folder;
    settings.resume = options.resume;
    std::optional<Progress> progress(
        std::in_place,
        Progress::Settings{.shown = !options.quiet, .has_volume = scene::has_surface(one.scene->method)});
    const RunObserver observer{.started = [&](const RunStart& start) { progress->started(start); },
                               .step_done = [&](const StepRecord& step) { progress->step_done(step); },
                               .frame_done = [&](const FrameRecord& frame) { progress->frame_done(frame); },
                               .stage_begins = [&](std::string_view stage) { progress->stage_begins(stage); },
                               .stop_wanted = stop_was_asked};
    const auto outcome = spindrift::run_scene(*one.scene, settings, observer, overrides_of(one.options));
    progress.reset();
    if (!outcome) return complain(as_compared(as_typed(outcome.errors(), one.options)));
    if (outcome.value().status == RunStatus::failed)
        complain(Error{.what = one.label + ": " + outcome.value().failure});
    return ended_with(outcome.value().status);
}

// Of the runs that have begun.
Result<Comparison> comparison_of(const std::vector<Planned>& plan, const std::filesystem::path& folder) {
    const SceneDescription& scene = *plan.front().scene;
    Comparison comparison{.title = scene.title.empty() ? output_name(scene) : scene.title,
                          .description = scene.description};
    for (const Planned& one : plan) {
        std::error_code ignored;
        if (!std::filesystem::exists(folder / one.folder / kManifestName, ignored)) continue;
        auto run = read_compared_run(folder, one.folder, one.label);
        if (!run) return std::move(run).errors();
        comparison.runs.push_back(std::move(run).value());
    }
    return comparison;
}

// Every different warning of the runs, once.
void warn(const std::vector<Planned>& plan) {
    std::set<std::string> told;
    for (const Planned& one : plan)
        for (const Error& warning : as_typed(all_warnings(*one.scene), one.options))
            if (told.insert(text(warning)).second) log_warning("{}: {}", one.label, text(warning));
}

int compare(Options& options) {
    set_log_level(options.quiet ? kQuiet : LogLevel::info);
    set_thread_count(options.threads);
    if (!options.scene.method.empty())
        return complain(Error{.what = "--method chooses one method, and compare is for several",
                              .remedy = "write --methods " + options.scene.method + ",…"});
    const auto plan = plan_of(options);
    if (!plan) return complain(plan.errors());
    warn(plan.value());
    const std::filesystem::path folder =
        options.output.empty() ? "out/" + output_name(*plan.value().front().scene) + "-comparison" : options.output;

    // A run that fails is part of the comparison; wrong input and a stop end it.
    catch_stop_signals();
    int status = kAllGood;
    for (const Planned& one : plan.value()) {
        log_info("{}: {}", one.label, (folder / one.folder).string());
        const int code = run_one(one, options, folder);
        if (code == kInputIsWrong) return code;
        status = std::max(status, code);
        if (code == kStopped) break;
    }
    const auto comparison = comparison_of(plan.value(), folder);
    if (!comparison) return complain(comparison.errors());
    if (const auto written = write_comparison(folder, comparison.value()); !written) return complain(written.errors());
    if (options.json)
        for (const ComparedRun& run : comparison.value().runs) fmt::print("{}\n", json_line(run));
    if (status == kStopped)
        log_info("stopped; to go on, give the same command with --resume");
    else
        log_info("{}", (folder / kComparisonPage).string());
    return status;
}

}  // namespace

void add_compare(const Verb& app, int& status) {
    auto options = std::make_shared<Options>();
    const Verb verb = app.add_verb("compare", "run a scene by several methods or with several settings, side by side");
    add_scene_options(verb, options->scene);
    verb.add_text("--methods", options->methods,
                  "simulation methods, as in a,b,c (default without --variant: all that there are)");
    verb.add_repeated("--variant", "PATH=VALUE[;PATH=VALUE...]", options->variants,
                      "a run with these settings, such as --variant time.cfl=1 --variant \"time.cfl=5; seed=2\"; "
                      "of each method, when there are several");
    verb.add_text("-o,--output", options->output, "output folder (default: out/NAME-comparison)");
    verb.add_number("--frames", options->frames, 1, 1000000, "number of frames");
    verb.add_number("--threads", options->threads, 1, 1024,
                    "number of threads (default: one per core); the result does not depend on it");
    verb.add_flag("--resume", options->resume, "continue the runs in the output folder");
    verb.add_flag("--json", options->json, "print one JSON object per run on standard output");
    verb.add_flag("-q,--quiet", options->quiet, "print warnings and errors only");
    verb.when_chosen([options, &status] { status = compare(*options); });
}

}  // namespace spindrift::cli

// SPDX-License-Identifier: Apache-2.0
#include "validate/trial.h"

#include <fmt/format.h>

#include "scene/read_scene.h"
#include "session/catalogue.h"
#include "session/make_run.h"
#include "session/time_steps.h"

namespace spindrift {

Result<Trial> Trial::of(Result<SceneDescription> scene) {
    if (!scene) return std::move(scene).errors();
    auto simulation = make_simulation(scene.value());
    if (!simulation) return std::move(simulation).errors();
    Trial trial;
    trial.scene_ = std::move(scene).value();
    trial.simulation_ = std::move(simulation).value();
    return trial;
}

Result<Trial> Trial::of_catalogue(const std::string& name, const std::vector<std::string>& overrides) {
    const auto file = find_scene(name);
    if (!file) return file.errors();
    return of(read_scene(file.value(), overrides));
}

Result<Trial> Trial::of_text(const std::string& text, const std::string& name,
                             const std::vector<std::string>& overrides) {
    return of(parse_scene(text, name, overrides));
}

Result<void> Trial::run_until(double time, const Watch& watch) {
    const RunSettings settings = run_settings(scene_);
    const double longest = longest_step(*simulation_, settings.fps, settings.min_substeps);
    constexpr double kRounding = 1e-9;  // of a frame
    while (simulation_->time() < time - kRounding / settings.fps) {
        const double frame_end = (frame_ + 1) / settings.fps,
                     end = simulation_->shows_between_steps() ? time : std::min(frame_end, time);
        const StepChoice choice = next_step(end - simulation_->time(), std::min(simulation_->stable_dt(), longest));
        const StepOutcome step = take_step(*simulation_, choice.dt);
        if (!step.failure.empty())
            return Error{.what = fmt::format("{}: a step at {:.4g} s failed {}", scene_.title, simulation_->time(),
                                             step.failure)};
        if (simulation_->time() > frame_end - kRounding / settings.fps) ++frame_;
        if (watch) watch(step.report);
    }
    return {};
}

std::string Trial::grid() const {
    const Vec<int, 3> cells = cell_counts(scene_);
    return scene_.dim == 2 ? fmt::format("{} × {}", cells[0], cells[1])
                           : fmt::format("{} × {} × {}", cells[0], cells[1], cells[2]);
}

}  // namespace spindrift

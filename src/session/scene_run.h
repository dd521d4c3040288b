// SPDX-License-Identifier: Apache-2.0
// For tests: scenes as users write and run them.  Text goes through the one call that the program uses, with all
// defaults: particles, volume control, tolerances, the choice of steps.  What steps report is checked in every run.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "grid/test_support.h"
#include "io/snapshot.h"
#include "scene/read_scene.h"
#include "session/make_run.h"

namespace spindrift {

// What the run of a liquid has come to: the fields of its last frame, and the worst of its steps.
template <int Dim>
struct SceneRun {
    Field<float, Dim> phi;
    FaceField<Dim> velocity;
    int steps = 0;
    double fastest = 0;       // m/s
    double volume_error = 0;  // the largest, relative

    double dx = 0;
    IndexBox<Dim> box{};
    Vec<double, Dim> centre_of(const Index<Dim>& cell) const {
        return (Vec<double, Dim>(cell) + Vec<double, Dim>(0.5)) * dx;
    }
    // The centre of the liquid, m, cells counted by a ramp across the surface.
    Vec<double, Dim> centre() const {
        Vec<double, Dim> sum(0.0);
        double total = 0;
        for_each_index(box, [&](const Index<Dim>& cell) {
            const double part = std::clamp(0.5 - phi.at(cell) / dx, 0.0, 1.0);
            sum += centre_of(cell) * part;
            total += part;
        });
        return sum / total;
    }
};

// Runs a scene and fails the test when a step failed or was taken again, when a solve did not converge, or when liquid
// was lost or found no room.
template <int Dim>
SceneRun<Dim> run_text(const std::string& text, const std::vector<std::string>& overrides = {}) {
    SceneRun<Dim> result;
    std::vector<std::string> all = overrides;
    for (const char* files : {"volumes", "mesh", "spray", "images", "film"})
        all.push_back(fmt::format("output.{}=false", files));
    const auto scene = parse_scene(text, "test.toml", all);
    EXPECT_TRUE(scene) << scene.errors().text();
    if (!scene) return result;
    result.dx = cell_size(scene.value());
    for (int a = 0; a < Dim; ++a) result.box.hi[a] = cell_counts(scene.value())[a];

    RunSettings settings = run_settings(scene.value());
    settings.folder = std::filesystem::temp_directory_path() / fmt::format("spindrift_scene_run_{}", ::getpid());
    settings.checkpoint_every = 0;
    std::filesystem::remove_all(settings.folder);
    RunObserver observer;
    observer.step_done = [&](const StepRecord& record) {
        const StepReport& report = record.report;
        EXPECT_EQ(record.halvings, 0) << "at " << record.time << " s";
        EXPECT_TRUE(report.pressure.converged && report.viscosity.converged && report.extrapolation.converged)
            << "at " << record.time << " s";
        EXPECT_EQ(report.lost, 0) << "at " << record.time << " s";
        EXPECT_EQ(report.overflowed, 0) << "at " << record.time << " s";
        ++result.steps;
        result.fastest = std::max(result.fastest, report.max_speed);
        result.volume_error = std::max(result.volume_error, std::abs(report.volume_error));
    };
    observer.frame_shown = [&](const Simulation& simulation) {
        const std::vector<FieldView> fields = simulation.fields();
        result.phi = *find_field<Field<float, Dim>>(fields, "surface");
        result.velocity = *find_field<FaceField<Dim>>(fields, "velocity");
    };
    const auto outcome = run_scene(scene.value(), settings, observer, all);
    EXPECT_TRUE(outcome) << outcome.errors().text();
    if (outcome) {
        EXPECT_EQ(outcome.value().status, RunStatus::finished) << outcome.value().failure;
    }
    std::filesystem::remove_all(settings.folder);
    return result;
}

inline std::unique_ptr<Simulation> simulation_of(const std::string& text) {
    const auto scene = parse_scene(text, "test.toml");
    EXPECT_TRUE(scene) << scene.errors().text();
    auto made = make_simulation(scene.value());
    EXPECT_TRUE(made) << made.errors().text();
    return std::move(made).value();
}

inline std::string bits_of(const Simulation& simulation) { return hex(simulation.snapshot().hash()); }

// Expects a simulation that goes on from a checkpoint to have the bits of one that went straight on.
// advance(simulation, steps) takes the steps and returns what else must be the same.
template <class Advance>
void expect_same_from_checkpoint(const std::string& text, int steps_before, int steps_after, Advance&& advance) {
    const auto straight = simulation_of(text), resumed = simulation_of(text);
    advance(*straight, steps_before);
    ASSERT_TRUE(resumed->load(straight->snapshot()));
    EXPECT_EQ(advance(*straight, steps_after), advance(*resumed, steps_after)) << text;
    EXPECT_EQ(bits_of(*straight), bits_of(*resumed)) << text;
}

// The same of simulations on any number of threads.
template <class Advance>
void expect_same_on_any_threads(const std::string& text, int steps, Advance&& advance) {
    expect_same_on_any_threads([&] {
        const auto simulation = simulation_of(text);
        const auto measured = advance(*simulation, steps);
        return std::pair(bits_of(*simulation), measured);
    });
}

}  // namespace spindrift

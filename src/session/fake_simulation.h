// SPDX-License-Identifier: Apache-2.0
// For tests: a few numbers that depend chaotically on every step taken so far, with failures on demand.
#pragma once

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "io/whole_file.h"
#include "session/simulation.h"

namespace spindrift {

class FakeSimulation : public Simulation {
  public:
    double longest_dt = std::numeric_limits<double>::infinity();  // longer steps fail
    bool fails_by_nan = false;                                    // instead of by saying so
    double volume_error = 0;
    double speed = 1;  // m/s
    double amount_error = 0;
    bool converges = true;
    double pace = 0.01;          // s, about the stable step
    bool ends_at_frames = true;  // or can be shown between steps

    double time() const override { return state_.time; }
    double stable_dt() const override { return pace * (0.7 + 0.6 * static_cast<double>(state_.cells.values()[0])); }
    std::string step_limit() const override { return "the pace of a fake"; }
    StepReport advance(double dt) override {
        for (float& x : state_.cells.values()) x = 3.9F * x * (1 - x) * (1 - static_cast<float>(dt));
        state_.time += dt;
        ++state_.step;
        StepReport report = measures();
        report.dt = dt;
        report.pressure = {.converged = converges, .iterations = 5};
        if (dt > longest_dt && fails_by_nan) report.max_speed = std::numeric_limits<double>::quiet_NaN();
        if (dt > longest_dt && !fails_by_nan) report.failure = "the step is too long";
        return report;
    }
    StepReport measures() const override {
        return {.max_speed = speed, .cells = 64, .tiles = 1, .volume = 2, .volume_error = volume_error};
    }
    bool shows_between_steps() const override { return !ends_at_frames; }
    StepReport show(double time) override {
        shown_ = state_.cells.values()[7] + (ends_at_frames ? 0.0F : static_cast<float>(time - state_.time));
        return measures();
    }
    std::vector<FieldView> fields() const override { return {{"cells", "", "numbers that change", &state_.cells}}; }
    std::vector<SubstanceAmount> amounts() const override { return {{"smoke", 0.5, amount_error}}; }
    void keep() override { kept_ = state_; }
    void go_back() override { state_ = kept_; }

    Snapshot snapshot() const override {
        Snapshot snapshot;
        snapshot.add("time", state_.time);
        snapshot.add("step", state_.step);
        snapshot.add("cells", state_.cells);
        return snapshot;
    }
    Result<void> load(const Snapshot& snapshot) override {
        SnapshotReader read(snapshot);
        read("time", state_.time);
        read("step", state_.step);
        read("cells", state_.cells);
        return read.errors();
    }
    std::vector<FrameOutput> outputs() const override {
        return {{"frames", "txt", [this](const std::filesystem::path& file, const FrameStamp& stamp) {
                     return write_text_file(file, fmt::format("{} {} {}\n", stamp.frame, stamp.state_hash,
                                                              ends_at_frames ? state_.cells.values()[7] : shown_));
                 }}};
    }

  private:
    struct State {
        double time = 0;
        std::int64_t step = 0;
        Field<float, 2> cells = [] {
            Field<float, 2> field(Tiles<2>::from_coordinates({{0, 0}}));
            for (std::size_t i = 0; i < field.values().size(); ++i)
                field.values()[i] = 0.2F + 0.009F * static_cast<float>(i);
            return field;
        }();
    };
    State state_{};
    State kept_{};
    float shown_ = 0;
};

}  // namespace spindrift

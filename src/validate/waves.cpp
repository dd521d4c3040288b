// SPDX-License-Identifier: Apache-2.0
// Waves: a standing one against linear theory, a solitary one on a flat bed, one that breaks.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "base/curve.h"
#include "liquid/gauges.h"
#include "validate/cases.h"
#include "validate/components.h"
#include "validate/trial.h"

namespace spindrift {
namespace {

// ——— Standing ———

// A wave one period long in a tank 2 m wide and 1 m deep, a third of a cell high, g = 1 m/s².
constexpr const char* kStandingWave = R"scene(
spindrift = 1
title = "Standing wave"
method = "particle-level-set-2002"
gravity = 1
domain = {size = [2, 1.5], origin = [-1, -1], resolution = 64}
time = {fps = 48, end = 20, min_substeps = 1}
fluid = {density = 1000, viscosity = 0, surface_tension = 0}
[[liquid]]
shape = "heights"
height = "0.01 * cos(pi * x)"
)scene";
constexpr double kWaveHeight = 0.01;
const double kFrequency = std::sqrt(std::numbers::pi * std::tanh(std::numbers::pi));  // ω² = g k tanh(k h)

// Height over the first, at 0.5 s, 1 s … 20 s, with kinematic viscosity 1/200 m²/s: the exact solution of the linear
// problem [Prosperetti81].
constexpr std::array<double, 40> kFading{
    0.64436,  -0.13390, -0.75749, -0.80524, -0.29142, 0.38050,  0.73066,  0.54269,  -0.00785, -0.50810,
    -0.61449, -0.28578, 0.21346,  0.52218,  0.44175,  0.06049,  -0.33158, -0.46106, -0.25978, 0.10488,
    0.36595,  0.35065,  0.09263,  -0.20859, -0.34007, -0.22454, 0.03717,  0.25104,  0.27245,  0.10254,
    -0.12468, -0.24653, -0.18709, -0.00275, 0.16802,  0.20766,  0.09957,  -0.06886, -0.17554, -0.15147};

// The part of the surface that is the wave: 2 ∫ η cos(k x) dx / L.
double wave_height(const Trial& trial) {
    const World<2>& world = trial.liquid_world<2>();
    const int columns = world.box.hi[0];
    double sum = 0;
    for (int i = 0; i < columns; ++i) {
        const double x = world.grid.world_of_centre({i, 0})[0];
        sum += last_crossing(trial.liquid<2>(), world, {i, 0}, 1) * std::cos(std::numbers::pi * x);
    }
    return 2 * sum / columns / kWaveHeight;
}

struct WaveRecord {
    std::string grid;
    Curve height;
};
Result<WaveRecord> standing_wave(const ValidationSettings& settings, double viscosity) {
    auto trial = Trial::of_text(kStandingWave, "standing-wave",
                                {fmt::format("domain.resolution={}", std::lround(64 * settings.scale)),
                                 fmt::format("fluid.viscosity={}", 1000 * viscosity)});
    if (!trial) return std::move(trial).errors();
    WaveRecord record{trial.value().grid(), {}};
    record.height.add(0, wave_height(trial.value()));
    auto ran = trial.value().run_until(
        20, [&](const StepReport&) { record.height.add(trial.value().time(), wave_height(trial.value())); });
    if (!ran) return std::move(ran).errors();
    return record;
}

// ——— Solitary ———

constexpr double kDepth = 1;

Curve surface_of(const Trial& trial) {
    const World<2>& world = trial.liquid_world<2>();
    Curve surface;
    for (int i = 0; i < world.box.hi[0]; ++i)
        surface.add(world.grid.world_of_centre({i, 0})[0], last_crossing(trial.liquid<2>(), world, {i, 0}, 1));
    return surface;
}

std::size_t highest_column(const Curve& surface) {
    std::size_t top = 0;
    for (std::size_t n = 1; n < surface.size(); ++n)
        if (surface.value(n) > surface.value(top)) top = n;
    return top;
}

// Where the wave is: the centroid of its potential energy, ∫ x (η − d)² / ∫ (η − d)², six depths to both sides of the
// crest.  A parabola through the crest alone, which is flat and rough at the size of a cell, scatters by a tenth of a
// depth.
double wave_place(const Trial& trial) {
    constexpr double kReach = 6 * kDepth;
    const Curve surface = surface_of(trial);
    double place = surface.x(highest_column(surface));
    // The window goes with the centroid: it must not follow the roughness of the crest.
    for (int round = 0; round < 4; ++round) {
        double sum = 0, moment = 0;
        for (std::size_t n = 0; n < surface.size(); ++n) {
            const double off = surface.x(n) - place,
                         weight = std::cos(std::min(std::abs(off) / kReach, 1.0) * M_PI / 2);
            const double height = weight * (surface.value(n) - kDepth);
            sum += height * height;
            moment += height * height * off;
        }
        place += moment / sum;
    }
    return place;
}

// The height of the crest, by a parabola.
double crest_height(const Trial& trial) {
    const Curve surface = surface_of(trial);
    const std::size_t top = highest_column(surface);
    const std::size_t reach = 10;
    const std::size_t from = top > reach ? top - reach : 0, to = std::min(top + reach, surface.size() - 1);
    // The surface is rough at the size of a cell; its crest is many cells wide.
    double count = 0, xx = 0, xxxx = 0, y = 0, xy = 0, xxy = 0;
    for (std::size_t n = from; n <= to; ++n) {
        const double x = surface.x(n) - surface.x(top), v = surface.value(n);
        count += 1;
        xx += x * x;
        xxxx += x * x * x * x;
        y += v;
        xy += x * v;
        xxy += x * x * v;
    }
    const double bend = (count * xxy - xx * y) / (count * xxxx - xx * xx), slope = xy / xx;
    const double middle = (y - bend * xx) / count;
    return middle - slope * slope / (4 * bend);
}

// ——— Breaking ———

struct Overturning {
    int gap = 0;   // cells of air between water above and water below, in one column
    int tube = 0;  // cells of the largest pocket of air that is closed
};

Overturning overturning(const Trial& trial) {
    const World<2>& world = trial.liquid_world<2>();
    const Field<float, 2>& phi = trial.liquid<2>().phi;
    const auto is_solid = [&](const Index<2>& cell) {
        return world.solid_distance && world.solid_distance(world.grid.world_of_centre(cell)) < 0;
    };
    Overturning found;
    for (int i = world.box.lo[0]; i < world.box.hi[0]; ++i) {
        int gap = 0, below = 0;  // below: cells of water so far
        for (int j = world.box.lo[1]; j < world.box.hi[1]; ++j) {
            if (is_solid({i, j})) continue;
            if (phi.at({i, j}) >= 0) {
                gap += below > 0 ? 1 : 0;
                continue;
            }
            found.gap = std::max(found.gap, gap);
            gap = 0;
            ++below;
        }
    }
    auto pockets =
        component_sizes<2>(world.box, [&](const Index<2>& cell) { return phi.at(cell) >= 0 && !is_solid(cell); });
    // The largest is the sky.
    std::sort(pockets.begin(), pockets.end());
    if (pockets.size() > 1) found.tube = pockets[pockets.size() - 2];
    return found;
}

}  // namespace

Result<void> validate_standing_wave(const ValidationSettings& settings) {
    const auto figure = [](const char* name, const char* variant, const WaveRecord& record, double measured,
                           const char* unit = "") {
        return Figure{.name = name, .variant = variant, .grid = record.grid, .measured = measured, .unit = unit};
    };
    const auto free = standing_wave(settings, 0);
    if (!free) return free.errors();
    const std::vector<double> falls = free.value().height.falls_through(0);
    const double period = falls.size() < 2 ? std::nan("") : (falls.back() - falls.front()) / double(falls.size() - 1);
    const double exact = 2 * std::numbers::pi / kFrequency;
    settings.found(figure("period", "inviscid", free.value(), period, "s").near(exact, 0.005));
    // The energy is the height's square: what of it is left of each period's.
    const double last = free.value().height.highest(19.99 - exact, 19.99).value, periods = std::round(20 / exact) - 0.5;
    const double loss = 100 * (1 - std::pow(std::abs(last), 2 / periods));
    settings.found(figure("energy lost per period", "inviscid", free.value(), loss, "%").at_least(-0.1).at_most(2));

    const auto slowed = standing_wave(settings, 1.0 / 200);
    if (!slowed) return slowed.errors();
    double squares = 0;
    for (std::size_t n = 0; n < kFading.size(); ++n) {
        const double t = 0.5 * static_cast<double>(n + 1);
        squares += std::pow(slowed.value().height.linear(std::min(t, 19.99)) - kFading[n], 2);
    }
    const double rms = std::sqrt(squares / static_cast<double>(kFading.size()));
    settings.found(figure("height against theory, rms", "Re 200", slowed.value(), rms).at_most(0.03));
    return {};
}

Result<void> validate_solitary_wave(const ValidationSettings& settings) {
    auto made = Trial::of_catalogue("solitary-wave-2d",
                                    {fmt::format("domain.resolution={}", std::lround(880 * settings.scale))});
    if (!made) return std::move(made).errors();
    Trial& trial = made.value();
    constexpr double kGravity = 9.81;
    // c² / g d = 1 + e − e²/20 − 3 e³/70, e = 0.2  [Grimshaw71].
    const double expected = 1.0944;
    // It settles over the first two depths; then twenty.
    const double wave_speed = expected * std::sqrt(kGravity * kDepth);
    if (auto ran = trial.run_until(2 * kDepth / wave_speed); !ran) return ran;
    const double start = crest_height(trial), begun = trial.time();
    Curve path;
    const auto record = [&](const StepReport&) { path.add(trial.time(), wave_place(trial)); };
    if (auto ran = trial.run_until(begun + 20 * kDepth / wave_speed, record); !ran) return ran;
    const auto figure = [&](const char* name, double measured, const char* unit) {
        return Figure{.name = name, .variant = "both sides", .grid = trial.grid(), .measured = measured, .unit = unit};
    };
    const double speed = fitted_line(path).slope / std::sqrt(kGravity * kDepth);
    settings.found(figure("speed", speed, "√(g d)").near(expected, 0.01));
    const double loss = 1 - (crest_height(trial) - kDepth) / (start - kDepth);
    settings.found(figure("crest lost over 20 depths", 100 * loss, "%").within(3));
    return {};
}

Result<void> validate_breaking_wave(const ValidationSettings& settings) {
    auto made = Trial::of_catalogue("breaking-wave-2d",
                                    {fmt::format("domain.resolution={}", std::lround(540 * settings.scale))});
    if (!made) return std::move(made).errors();
    Trial& trial = made.value();
    Overturning most;
    double volume_error = 0;
    for (int frame = 1; frame <= frame_count(trial.scene()); ++frame) {
        if (auto ran = trial.run_until(frame / trial.scene().time.fps,
                                       [&](const StepReport& report) {
                                           volume_error = std::max(volume_error, std::abs(report.volume_error));
                                       });
            !ran)
            return ran;
        const Overturning now = overturning(trial);
        most = {std::max(most.gap, now.gap), std::max(most.tube, now.tube)};
    }
    const auto figure = [&](const char* name, double measured, const char* unit) {
        return Figure{.name = name, .variant = "both sides", .grid = trial.grid(), .measured = measured, .unit = unit};
    };
    settings.found(figure("air below the overturned crest", most.gap, "cells").at_least(5));
    settings.found(figure("tube of air closed", most.tube, "cells").at_least(5));
    settings.found(figure("volume error, largest", 100 * volume_error, "%").at_most(0.5));
    return {};
}

}  // namespace spindrift

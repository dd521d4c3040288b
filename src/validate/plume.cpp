// SPDX-License-Identifier: Apache-2.0
// A turbulent plume: warm air from a small source in air at rest.  Far from the source it looks the same at every
// height, and how it widens, slows and thins out is known  (validate/plume_law.h).
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "validate/cases.h"
#include "validate/plume_law.h"
#include "validate/trial.h"

namespace spindrift {
namespace {

// A ball of radius 1 m lets out air 1 m/s² lighter than what is around it.  Left alone, the plume would be thinner than
// a cell and smooth for many radii: it is let out with some speed, so much that it neither gathers nor loses much of it
// at first, and noise stirs it on its first few metres.
constexpr const char* kPlume = R"scene(
spindrift = 1
title = "Plume"
method = "gas"
[domain]
size = [24, 40, 24]
origin = [-12, -2, -12]
resolution = 96
sides = {all = "open", bottom = "slip"}
[time]
fps = 1
end = 200
[gas]
cfl = 0.7
[[substance]]
name = "warmth"
buoyancy = 1
[[substance]]
name = "stirring"
dissipation = 0.6
[[source]]
shape = "sphere"
center = [0, 0, 0]
radius = 1
velocity = [0, 1.65, 0]
substance = "warmth"
value = 1
[[source]]
shape = "sphere"
center = [0, 0, 0]
radius = 1
substance = "stirring"
value = 1
[[force]]
kind = "turbulence"
strength = 4
radius = 0.7
frequency = 2
substance = "stirring"
)scene";
constexpr double kHeight = 40, kCells = 96;  // of the box, m, and cells over it
constexpr double kSwirls = 0.7;              // m, of the noise; finer than the grid they would only cost time

// In source radii, which are metres; and in seconds: at 30 radii the gas takes 5 s to cross a radius of the plume, and
// means begin after ten of these.  The law holds from five momentum lengths on; what is let out is measured on the
// first level above the source.
constexpr double kOutlet = 1, kTo = 30, kMomentumLengths = 5;
constexpr double kEntrainment = 0.13;  // of plumes: 0.10 to 0.16 [CarazzoKaminskiTait06]
constexpr double kSettled = 50, kEnd = 200, kBetween = 0.5;

struct MeasuredPlume {
    PlumeLaw law{};
    PlumeLevel outlet{};
};

Result<MeasuredPlume> run_plume(Trial& trial) {
    PlumeMean mean({trial.scene().domain.origin, trial.dx()}, cell_counts(trial.scene()));
    if (auto ran = trial.run_until(kSettled); !ran) return std::move(ran).errors();
    while (trial.time() < kEnd) {
        if (auto ran = trial.run_until(trial.time() + kBetween); !ran) return std::move(ran).errors();
        mean.add(trial.gas<3>());
    }
    const PlumeLevel outlet = mean.levels(kOutlet, kTo).front();
    const double from = std::min(kMomentumLengths * momentum_length(outlet), 0.5 * kTo);
    return MeasuredPlume{plume_law(mean.levels(from, kTo)), outlet};
}

}  // namespace

Result<void> validate_plume(const ValidationSettings& settings) {
    for (const std::string method : {"gas", "stable-fluids-1999"}) {
        const double cells = std::round(kCells * settings.scale);
        auto made = Trial::of_text(kPlume, "plume",
                                   {"method=" + method, fmt::format("domain.resolution={}", cells),
                                    fmt::format("force[0].radius={}", std::max(kSwirls, 1.5 * kHeight / cells))});
        if (!made) return std::move(made).errors();
        const auto plume = run_plume(made.value());
        if (!plume) return plume.errors();
        const auto& [origin, radius, speed, buoyancy, buoyancy_flux, entrainment] = plume.value().law;
        const auto found = [&](const char* name, double measured, double reference, double off) {
            Figure figure{.name = name, .variant = method, .grid = made.value().grid(), .measured = measured};
            figure.reference = reference;
            if (method == "gas" && off > 0) figure.at_least(reference - off).at_most(reference + off);
            settings.found(figure);
        };
        found("radius over height, exponent", radius, 1, 0.05);
        found("speed over height, exponent", speed, -1.0 / 3, 0.05);
        found("buoyancy over height, exponent", buoyancy, -5.0 / 3, 0.1);
        found("entrainment", entrainment, kEntrainment, 0.03);
        found("flux of buoyancy, exponent", buoyancy_flux, 0, 0);
        found("plume parameter of what is let out", plume_parameter(plume.value().outlet, kEntrainment), 1, 0);
        settings.found({.name = "virtual origin",
                        .variant = method,
                        .grid = made.value().grid(),
                        .measured = origin,
                        .unit = "m"});
    }
    return {};
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// A thermal: a ball of warm air that is let go in air at rest.  It takes in air, widens and slows; when it has
// forgotten how it began, only its buoyancy B and the height are left to tell its size and speed
// [MortonTaylorTurner56]:
//   r = a (z − z0),   z − z0 ~ B^¼ t^½,   a about ¼ in experiments
// z is the height of its front.  The line through r gives z0.  The time counts from the release: B has pushed since.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/curve.h"
#include "grid/measure.h"
#include "validate/cases.h"
#include "validate/trial.h"

namespace spindrift {
namespace {

// Radius 1 m, 1 m/s² lighter than what is around it.  Noise while it starts makes its sides uneven.
constexpr const char* kThermal = R"scene(
spindrift = 1
title = "Thermal"
method = "gas"
[domain]
size = [14, 18, 14]
origin = [-7, -3, -7]
resolution = 108
sides = {all = "open", bottom = "slip"}
[time]
fps = 4
end = 100
[gas]
cfl = 1
[[substance]]
name = "warmth"
initial = "x^2 + y^2 + z^2 < 1 ? 1 : 0"
buoyancy = 1
[[force]]
kind = "turbulence"
strength = 1
radius = 0.5
frequency = 1
substance = "warmth"
end = 2
)scene";
constexpr double kCells = 108;  // over its height

// No two thermals are alike: the mean of some that differ by their noise.
constexpr int kSeeds = 3;

constexpr double kFrom = 4, kTo = 13;         // m: where its front is followed
constexpr double kBetween = 0.5, kEnd = 100;  // s

struct Blob {
    double front = 0;   // m: the highest place with a tenth of the largest buoyancy
    double radius = 0;  // m: of an even ball that is as wide in the mean square
};

Blob measure(const Field<float, 3>& warmth, const GridTransform<3>& grid) {
    const Tiles<3>& tiles = warmth.tiles();
    const float edge = 0.1F * max_abs(warmth);
    double sum = 0, squares = 0, front = 0;
    Vec<double, 3> moment{};
    for (Slot slot = 0; slot < static_cast<Slot>(tiles.count()); ++slot)
        for (int n = 0; n < kTileCells<3>; ++n) {
            const Index<3> cell = tiles.origin(slot) + cell_in_tile<3>(n);
            const float here = warmth.tile(slot)[n];
            if (here == 0) continue;
            const Vec<double, 3> x = grid.world_of_centre(cell);
            sum += double{here};
            moment += x * double{here};
            squares += (x[0] * x[0] + x[2] * x[2]) * double{here};
            // Between cells, linearly.
            const float above = warmth.at(cell + unit<3>(1));
            if (here < edge || above >= edge) continue;
            front = std::max(front, x[1] + grid.dx * double{(here - edge) / (here - above)});
        }
    const Vec<double, 3> middle = moment / sum;
    const double square = squares / sum - middle[0] * middle[0] - middle[2] * middle[2];
    return {.front = front, .radius = std::sqrt(2.5 * square)};  // an even ball's is 2/5 of its radius squared
}

struct ThermalLaw {
    double widening = 0;  // a
    double exponent = 0;  // of z − z0 over time
};

Result<ThermalLaw> run_thermal(Trial& trial) {
    const GridTransform<3> grid{trial.scene().domain.origin, trial.dx()};
    Curve front, radius;
    for (Blob blob; blob.front < kTo && trial.time() < kEnd;) {
        if (auto ran = trial.run_until(trial.time() + kBetween); !ran) return std::move(ran).errors();
        blob = measure(trial.gas<3>().substances[0], grid);
        if (blob.front < kFrom) continue;
        front.add(trial.time(), blob.front);
        radius.add(blob.front, blob.radius);
    }
    const Line widening = fitted_line(radius);
    const double origin = -widening.offset / widening.slope;
    Curve height;
    for (std::size_t n = 0; n < front.size(); ++n) height.add(front.x(n), front.value(n) - origin);
    return ThermalLaw{.widening = widening.slope, .exponent = fitted_exponent(height, 0)};
}

}  // namespace

Result<void> validate_thermal(const ValidationSettings& settings) {
    for (const std::string method : {"gas", "stable-fluids-1999"}) {
        std::vector<double> exponents, widenings;
        std::string grid;
        for (int seed = 1; seed <= kSeeds; ++seed) {
            auto made = Trial::of_text(kThermal, "thermal",
                                       {"method=" + method, fmt::format("seed={}", seed),
                                        fmt::format("domain.resolution={}", std::lround(kCells * settings.scale))});
            if (!made) return std::move(made).errors();
            const auto law = run_thermal(made.value());
            if (!law) return law.errors();
            exponents.push_back(law.value().exponent);
            widenings.push_back(law.value().widening);
            grid = made.value().grid();
        }
        const auto found = [&](const std::string& name, const std::vector<double>& runs, double reference, double off) {
            Figure mean{.name = name, .variant = method, .grid = grid};
            mean.reference = reference;
            mean.measured = std::accumulate(runs.begin(), runs.end(), 0.0) / kSeeds;
            if (method == "gas") mean.at_least(reference - off).at_most(reference + off);
            settings.found(mean);
            const auto [least, most] = std::minmax_element(runs.begin(), runs.end());
            settings.found({.name = name + ", spread", .variant = method, .grid = grid, .measured = *most - *least});
        };
        found("exponent of front", exponents, 0.5, 0.05);
        found("radius over height", widenings, 0.25, 0.05);
    }
    return {};
}

}  // namespace spindrift

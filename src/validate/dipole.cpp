// SPDX-License-Identifier: Apache-2.0
// The dipole of Lamb and Chaplygin: two swirls of opposite sense within a circle of radius a = 1 that push each other
// along at U = 1 and, without viscosity, never change.  What the grid takes from them shows at their peaks.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "validate/cases.h"
#include "validate/trial.h"

namespace spindrift {
namespace {

// Between walls W apart the dipole's images, each of which it meets with −U a² / (n W)² on both sides, slow it.
double speed_between_walls(double width) { return 1 - std::numbers::pi * std::numbers::pi / (3 * width * width); }

struct Dipole {
    double peak = 0;   // the largest vorticity
    double place = 0;  // along its way: where the mean of y ω is
};

Dipole measure(const Trial& trial) {
    const FaceField<2>& u = trial.gas<2>().velocity;
    const GridTransform<2> grid{components<2>(trial.scene().domain.origin), trial.dx()};
    const Vec<int, 3> cells = cell_counts(trial.scene());
    Dipole d;
    double weight = 0, moment = 0;
    // Vorticity on the corners of cells.
    for_each_index(IndexBox<2>{{1, 1}, {cells[0], cells[1]}}, [&](const Index<2>& c) {
        const double turn = double{u[1].at(c)} - double{u[1].at({c[0] - 1, c[1]})} - double{u[0].at(c)} +
                            double{u[0].at({c[0], c[1] - 1})};
        const Vec<double, 2> x = grid.world_from_cell(Vec<double, 2>(c));
        d.peak = std::max(d.peak, std::abs(turn) / grid.dx);
        weight += turn * x[1];
        moment += turn * x[1] * x[0];
    });
    d.place = moment / weight;
    return d;
}

}  // namespace

Result<void> validate_dipole(const ValidationSettings& settings) {
    constexpr double kEnd = 10;
    for (const std::string method : {"gas", "stable-fluids-1999"}) {
        auto made = Trial::of_catalogue(
            "vortex-dipole",
            {"method=" + method, fmt::format("domain.resolution={}", std::lround(640 * settings.scale))});
        if (!made) return std::move(made).errors();
        Trial& trial = made.value();
        const Dipole before = measure(trial);
        if (auto ran = trial.run_until(kEnd); !ran) return ran;
        const Dipole after = measure(trial);
        const double expected = speed_between_walls(trial.scene().domain.size[1]);
        Figure lost{.name = "peak of vorticity lost over 10 radii",
                    .variant = method,
                    .grid = trial.grid(),
                    .measured = 100 * (1 - after.peak / before.peak),
                    .unit = "%"};
        Figure speed{.name = "speed",
                     .variant = method,
                     .grid = trial.grid(),
                     .measured = (after.place - before.place) / kEnd,
                     .reference = expected};
        const bool judged = method == "gas";
        settings.found(judged ? lost.within(2) : lost);
        settings.found(judged ? speed.near(expected, 0.01) : speed);
    }
    return {};
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Wind U past a cylinder of diameter D that lies across it, Re = U D / ν = 100: swirls leave it in turn, above and
// below, with a frequency f whose Strouhal number St = f D / U is known from experiments.  Its drag is the coefficient
// F / (½ ρ U² D) per length.  D = U = 1 here.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/curve.h"
#include "grid/sampler.h"
#include "validate/cases.h"
#include "validate/trial.h"

namespace spindrift {
namespace {

// Experiments between Re 50 and 180: St = −3.3265 / Re + 0.1816 + 1.6e-4 Re  [Williamson89].
constexpr double kStrouhal = -3.3265 / 100 + 0.1816 + 1.6e-4 * 100;

// Others' at Re 100, by a grid that follows the cylinder in a domain of 50 diameters  [Park98]; lift: amplitude.
constexpr double kDrag = 1.33, kLift = 0.33;

// As wide as it takes for the cylinder to block 2 % of the way, and its ends far enough not to matter: in
// a channel a third as wide and 8 diameters from the inflow, swirls are 4 % more frequent.
constexpr double kWidth = 50, kBefore = 16, kBehind = 12;

// Where the flow across is recorded: on the middle of the wake, where only swirls move the gas up and down.
const Vec<double, 2> kProbe{2, 0};

// The wake has settled after the first; the periods until the second are counted.
constexpr double kSettled = 40, kEnd = 70;

struct Shedding {
    std::string grid;
    double strouhal = 0;
    double unevenness = 0;      // longest less shortest period, per mean period
    double drag = 0, lift = 0;  // coefficients: mean over the recorded time; half of highest less lowest
};

// What the steps after the wake has settled did to the cylinder.
struct Load {
    double time = 0, drag = 0;  // integrals
    double highest = -1e9, lowest = 1e9;

    void add(const StepReport& report, double density) {
        const double per_coefficient = 0.5 * density;
        for (const SolidForce& cylinder : report.solids) {
            const Vec<double, 3> force = cylinder.force() / per_coefficient;
            time += report.dt;
            drag += force[0] * report.dt;
            highest = std::max(highest, force[1]);
            lowest = std::min(lowest, force[1]);
        }
    }
};

Shedding shedding(const Trial& trial, const Curve& across, const Load& load) {
    Shedding s{.grid = trial.grid()};
    s.drag = load.drag / load.time;
    s.lift = 0.5 * (load.highest - load.lowest);
    const std::vector<double> falls = across.falls_through(0);
    if (falls.size() < 2) return s;  // nothing is shed
    std::vector<double> periods;
    for (std::size_t n = 1; n < falls.size(); ++n) periods.push_back(falls[n] - falls[n - 1]);
    const auto [shortest, longest] = std::minmax_element(periods.begin(), periods.end());
    s.strouhal = static_cast<double>(periods.size()) / (falls.back() - falls.front());
    s.unevenness = (*longest - *shortest) * s.strouhal;
    return s;
}

Result<Shedding> run_street(const std::string& method, double cells_per_diameter) {
    auto made = Trial::of_catalogue("vortex-street",
                                    {"method=" + method, "gas.cfl=2", fmt::format("time.end={}", kEnd),
                                     fmt::format("domain.size=[{}, {}]", kBefore + kBehind, kWidth),
                                     fmt::format("domain.origin=[{}, {}]", -kBefore, -kWidth / 2),
                                     fmt::format("domain.resolution={}", std::lround(kWidth * cells_per_diameter))});
    if (!made) return std::move(made).errors();
    Trial& trial = made.value();
    const GridTransform<2> grid{components<2>(trial.scene().domain.origin), trial.dx()};
    Curve across;
    Load load;
    auto ran = trial.run_until(kEnd, [&](const StepReport& report) {
        if (trial.time() < kSettled) return;
        load.add(report, trial.scene().gas.density);
        LinearSampler<2> v(trial.gas<2>().velocity[1], face_centre<2>(1));
        across.add(trial.time(), double{v(Vec<float, 2>(grid.cell_from_world(kProbe)))});
    });
    if (!ran) return std::move(ran).errors();
    return shedding(trial, across, load);
}

}  // namespace

Result<void> validate_vortex_street(const ValidationSettings& settings) {
    struct Run {
        std::string method;
        double cells_per_diameter;
        bool judged;
    };
    for (const Run& run : {Run{"gas", 32, true}, Run{"gas", 16, false}, Run{"stable-fluids-1999", 16, false}}) {
        const auto ran = run_street(run.method, run.cells_per_diameter * settings.scale);
        if (!ran) return ran.errors();
        const Shedding& found = ran.value();
        const std::string variant = fmt::format("{}, D/dx = {}", run.method, run.cells_per_diameter * settings.scale);
        Figure strouhal{.name = "Strouhal number", .variant = variant, .grid = found.grid, .measured = found.strouhal};
        strouhal.reference = kStrouhal;
        settings.found(run.judged ? strouhal.near(kStrouhal, 0.02) : strouhal);
        Figure drag{.name = "drag", .variant = variant, .grid = found.grid, .measured = found.drag};
        drag.reference = kDrag;
        settings.found(run.judged ? drag.near(kDrag, 0.03) : drag);
        settings.found({.name = "lift, amplitude",
                        .variant = variant,
                        .grid = found.grid,
                        .measured = found.lift,
                        .reference = kLift});
        settings.found({.name = "unevenness of periods",
                        .variant = variant,
                        .grid = found.grid,
                        .measured = 100 * found.unevenness,
                        .unit = "%"});
    }
    return {};
}

}  // namespace spindrift

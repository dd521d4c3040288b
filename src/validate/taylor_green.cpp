// SPDX-License-Identifier: Apache-2.0
// Vortices of G. I. Taylor and A. E. Green in a periodic box of side L, carried along by a wind c:
//
//   u = c + U sin(k ξ) cos(k η) exp(−2 ν k² t),  v = c − U cos(k ξ) sin(k η) exp(−2 ν k² t),   (ξ, η) = (x, y) − c t
//
// With viscosity they fade and their energy as exp(−4 ν k² t); without, they should turn for ever.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "validate/cases.h"
#include "validate/trial.h"

namespace spindrift {
namespace {

constexpr double kWaveNumber = 2 * std::numbers::pi;

struct Vortices {
    double viscosity = 0;
    double wind = 0;
    double end = 0;
};

struct Difference {
    double energy = 0;    // relative to the exact one, less 1
    double velocity = 0;  // root mean square over the box, per U
};

Vec<double, 2> exact_velocity(const Vortices& v, const Vec<double, 2>& x, double t) {
    const double fading = std::exp(-2 * v.viscosity * kWaveNumber * kWaveNumber * t);
    const double a = kWaveNumber * (x[0] - v.wind * t), b = kWaveNumber * (x[1] - v.wind * t);
    return {fading * std::sin(a) * std::cos(b), -fading * std::cos(a) * std::sin(b)};
}

Difference difference(const Trial& trial, const Vortices& v) {
    const FaceField<2>& u = trial.gas<2>().velocity;
    const GridTransform<2> grid{components<2>(trial.scene().domain.origin), trial.dx()};
    const Vec<int, 3> cells = cell_counts(trial.scene());
    double energy = 0, exact_energy = 0, squares = 0;
    for_each_index(IndexBox<2>{{0, 0}, {cells[0], cells[1]}}, [&](const Index<2>& cell) {
        for (int axis = 0; axis < 2; ++axis) {
            const double exact = exact_velocity(v, grid.world_of_face(axis, cell), trial.time())[axis];
            const double found = u[axis].at(cell) - v.wind;
            energy += found * found;
            exact_energy += exact * exact;
            squares += (found - exact) * (found - exact);
        }
    });
    return {energy / exact_energy - 1, std::sqrt(squares / (double{1} * cells[0] * cells[1]))};
}

}  // namespace

Result<void> validate_taylor_green(const ValidationSettings& settings) {
    struct Case {
        const char* name;
        Vortices vortices;
        double most_energy, most_velocity;
    };
    // With Re = U L / ν = 100 until t = 10 L / 2πU, and inviscid until 2 L/U: what a good second-order solver
    // (Basilisk) has on 64² cells then is 0.0046, and half as much again is excellent.
    const double faded = 10 / kWaveNumber;
    const Case cases[] = {{"viscous", {.viscosity = 0.01, .end = faded}, 0.005, 1e-3},
                          {"viscous, in a wind", {.viscosity = 0.01, .wind = 1, .end = faded}, 0.005, 1e-3},
                          {"inviscid", {.end = 2}, 0.005, 1.5 * 0.00455412}};
    for (const std::string method : {"gas", "stable-fluids-1999"})
        for (const Case& c : cases) {
            const Vortices& v = c.vortices;
            auto trial = Trial::of_catalogue(
                "taylor-green",
                {"method=" + method, fmt::format("domain.resolution={}", std::lround(64 * settings.scale)),
                 fmt::format("gas.viscosity={}", v.viscosity),
                 fmt::format("gas.velocity=[\"{0} + sin(tau*x)*cos(tau*y)\", \"{0} - cos(tau*x)*sin(tau*y)\"]",
                             v.wind)});
            if (!trial) return std::move(trial).errors();
            if (auto ran = trial.value().run_until(v.end); !ran) return ran;
            const Difference d = difference(trial.value(), v);
            Figure energy{.name = fmt::format("{}: energy error", c.name),
                          .variant = method,
                          .grid = trial.value().grid(),
                          .measured = 100 * d.energy,
                          .unit = "%"};
            Figure velocity{.name = fmt::format("{}: velocity error", c.name),
                            .variant = method,
                            .grid = trial.value().grid(),
                            .measured = d.velocity};
            if (method == "gas") {
                energy.within(100 * c.most_energy);
                velocity.at_most(c.most_velocity);
            }
            settings.found(energy);
            settings.found(velocity);
        }
    return {};
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// What fluids do to solids: Couette flow between cylinders and its torque; torque and work of a solid that turns in a
// closed tank, against what the gas gains; the force of still water on a box.
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "validate/cases.h"
#include "validate/trial.h"

namespace spindrift {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kAirDensity = 1.2;  // the default of [gas]

int scaled(const ValidationSettings& settings, int cells) {
    return static_cast<int>(std::lround(cells * settings.scale));
}

// A round tank of gas in a box of 1 m, with a solid named "shaft" in its middle.
std::string tank_scene(int cells, double fps, double viscosity, double radius, const std::string& shaft) {
    return fmt::format(
        "spindrift = 1\nmethod = 'gas'\n[domain]\nsize = [1, 1]\nresolution = {}\n[time]\nfps = {}\nframes = 1000\n"
        "[gas]\nviscosity = {}\ndensity = {}\n"
        "[[solid]]\nname = 'tank'\nshape = 'box'\nmin = [-1, -1]\nmax = [2, 2]\nwall = 'no-slip'\n"
        "[[solid]]\nshape = 'sphere'\ncenter = [0.5, 0.5]\nradius = {}\nop = 'subtract'\nwall = 'no-slip'\n"
        "[[solid]]\nname = 'shaft'\ncenter = [0.5, 0.5]\nwall = 'no-slip'\n{}",
        cells, fps, viscosity, kAirDensity, radius, shaft);
}

const SolidForce* find_solid(const StepReport& report, const std::string& name) {
    for (const SolidForce& solid : report.solids)
        if (solid.name == name) return &solid;
    return nullptr;
}
// About z, N; not a number without such a solid.
double torque_on(const StepReport& report, const std::string& name) {
    const SolidForce* solid = find_solid(report, name);
    return solid != nullptr ? solid->torque()[2] : std::numeric_limits<double>::quiet_NaN();
}

// Couette flow:  u = A r + B / r  between a shaft of radius R₁ that turns at ω and a tank of radius R₂ at rest.  The
// torque of the gas on the shaft is −4πμ ω R₁² R₂² / (R₂² − R₁²) per length, that on the tank the opposite.
constexpr double kInner = 0.15, kOuter = 0.4, kRate = 2, kThick = 0.05;
constexpr double kRatio = kInner * kInner / (kOuter * kOuter - kInner * kInner);

struct Couette {
    std::string grid;
    double error = 0;            // root mean square, per speed of the shaft
    double shaft = 0, tank = 0;  // torques, per exact one
};
Result<Couette> run_couette(int cells) {
    // Steps shorten with the cells.
    auto made = Trial::of_text(tank_scene(cells, 6.25 * cells, kThick, kOuter,
                                          fmt::format("shape = 'sphere'\nradius = {}\nrotation_degrees = '{} * t'\n",
                                                      kInner, kRate * 180 / kPi)),
                               "couette");
    if (!made) return std::move(made).errors();
    Trial& trial = made.value();
    Couette found{.grid = trial.grid()};
    const double exact = 4 * kPi * kAirDensity * kThick * kRate * kRatio * kOuter * kOuter;
    // The slowest part of what is not steady fades in 0.13 s.
    const auto ran = trial.run_until(1.2, [&](const StepReport& report) {
        found.shaft = -torque_on(report, "shaft") / exact;
        found.tank = torque_on(report, "tank") / exact;
    });
    if (!ran) return std::move(ran).errors();
    double sum = 0;
    int count = 0;
    for_each_index(IndexBox<2>{{}, Index<2>(cells)}, [&](const Index<2>& cell) {
        const Vec<double, 2> r = Vec<double, 2>(cell[0], cell[1] + 0.5) * trial.dx() - Vec<double, 2>(0.5);
        const double radius = length(r);
        if (radius < kInner || radius > kOuter) return;
        const double u = -r[1] * kRate * kRatio * (kOuter * kOuter / (radius * radius) - 1);
        sum += std::pow(trial.gas<2>().velocity[0].at(cell) - u, 2);
        ++count;
    });
    found.error = std::sqrt(sum / count) / (kRate * kInner);
    return found;
}

// Angular momentum and energy of the gas between a round tank and an ellipse, and what its shear turns to heat.
struct Motion {
    double turn = 0, energy = 0, heat = 0;
};
constexpr double kTank = 0.45, kThin = 0.01;
constexpr std::array<double, 2> kRadii{0.28, 0.12};

// The angle of the ellipse grows as 60° t².
Motion motion_of(const Trial& trial) {
    Motion m;
    const double dx = trial.dx(), mass = kAirDensity * dx * dx, time = trial.time();
    const double angle = kPi / 3 * time * time, c = std::cos(angle), s = std::sin(angle);
    const int cells = cell_counts(trial.scene())[0];
    const FaceField<2>& velocity = trial.gas<2>().velocity;
    for_each_index(IndexBox<2>{Index<2>(1), Index<2>(cells - 1)}, [&](const Index<2>& cell) {
        const Vec<double, 2> r = (Vec<double, 2>(cell) + Vec<double, 2>(0.5)) * dx - Vec<double, 2>(0.5);
        const Vec<double, 2> own{c * r[0] + s * r[1], -s * r[0] + c * r[1]};
        if (length(r) > kTank || std::hypot(own[0] / kRadii[0], own[1] / kRadii[1]) < 1) return;
        const auto u = [&](int a, int i, int j) { return double{velocity[a].at(cell + Index<2>(i, j))}; };
        const double ux = 0.5 * (u(0, 0, 0) + u(0, 1, 0)), uy = 0.5 * (u(1, 0, 0) + u(1, 0, 1));
        m.turn += mass * (r[0] * uy - r[1] * ux);
        m.energy += 0.5 * mass * (ux * ux + uy * uy);
        const double along_x = (u(0, 1, 0) - u(0, 0, 0)) / dx, along_y = (u(1, 0, 1) - u(1, 0, 0)) / dx;
        const double shear =
            0.25 / dx *
            (u(0, 0, 1) + u(0, 1, 1) - u(0, 0, -1) - u(0, 1, -1) + u(1, 1, 0) + u(1, 1, 1) - u(1, -1, 0) - u(1, -1, 1));
        m.heat += mass * kThin * (2 * along_x * along_x + 2 * along_y * along_y + shear * shear);
    });
    return m;
}

}  // namespace

Result<void> validate_couette(const ValidationSettings& settings) {
    double coarser = 0;
    for (const int cells : {32, 64}) {
        const auto ran = run_couette(scaled(settings, cells));
        if (!ran) return ran.errors();
        const Couette& found = ran.value();
        const auto figure = [&](const char* name, double measured, const char* unit = "") {
            return Figure{.name = name, .variant = "gas", .grid = found.grid, .measured = measured, .unit = unit};
        };
        const bool judged = cells == 64;
        const auto judge = [&](Figure f, double bound) { settings.found(judged ? f.within(bound) : f); };
        judge(figure("velocity error", found.error), 0.0005);
        judge(figure("torque on the shaft, error", 100 * (found.shaft - 1), "%"), 1);
        judge(figure("torque on the tank, error", 100 * (found.tank - 1), "%"), 1);
        if (judged) settings.found(figure("order of the velocity", std::log2(coarser / found.error)).at_least(1.8));
        coarser = found.error;
    }
    return {};
}

Result<void> validate_turning_solid(const ValidationSettings& settings) {
    auto made =
        Trial::of_text(tank_scene(scaled(settings, 128), 100, kThin, kTank,
                                  fmt::format("shape = 'ellipsoid'\nradii = [{}, {}]\nrotation_degrees = '60 * t^2'\n",
                                              kRadii[0], kRadii[1])),
                       "turning-solid");
    if (!made) return std::move(made).errors();
    Trial& trial = made.value();
    if (auto ran = trial.run_until(0.2); !ran) return ran;
    const Motion start = motion_of(trial);
    double turn = 0, work = 0, heat = 0;
    Motion end;
    const auto ran = trial.run_until(1, [&](const StepReport& report) {
        end = motion_of(trial);
        turn -= (torque_on(report, "shaft") + torque_on(report, "tank")) * report.dt;
        work -= torque_on(report, "shaft") * 2 * kPi / 3 * trial.time() * report.dt;
        heat += end.heat * report.dt;
    });
    if (!ran) return ran;
    const auto figure = [&](const char* name, double measured) {
        return Figure{.name = name, .variant = "gas", .grid = trial.grid(), .measured = measured};
    };
    settings.found(figure("torque per angular momentum gained", turn / (end.turn - start.turn)).near(1, 0.05));
    settings.found(figure("work per energy and heat gained", work / (end.energy - start.energy + heat)).near(1, 0.05));
    return {};
}

// A box at rest in still water, anywhere among the cells, is pushed up by the weight of what it displaces.
Result<void> validate_buoyancy(const ValidationSettings& settings) {
    constexpr double kGravity = 9.81, kDensity = 1000, kWidth = 0.287, kHeight = 0.29;
    const double weight = kGravity * kDensity * kWidth * kHeight;
    for (const std::string method : {"particle-level-set-2002", "level-set"}) {
        auto made = Trial::of_text(
            fmt::format("spindrift = 1\nmethod = '{}'\n[domain]\nsize = [1, 1]\nresolution = {}\n[time]\nfps = 100\n"
                        "frames = 100\n[fluid]\ndensity = {}\n[[liquid]]\nshape = 'box'\nmin = [-1, -1]\n"
                        "max = [2, 0.8]\n[[solid]]\nname = 'box'\nshape = 'box'\nmin = [0.313, 0.21]\nmax = [{}, {}]\n",
                        method, scaled(settings, 64), kDensity, 0.313 + kWidth, 0.21 + kHeight),
            "buoyancy");
        if (!made) return std::move(made).errors();
        Trial& trial = made.value();
        Vec<double, 3> force(std::numeric_limits<double>::quiet_NaN());
        const auto ran = trial.run_until(0.05, [&](const StepReport& report) {
            if (const SolidForce* box = find_solid(report, "box")) force = box->force();
        });
        if (!ran) return ran;
        const auto figure = [&](const char* name, double measured) {
            return Figure{.name = name, .variant = method, .grid = trial.grid(), .measured = measured / weight};
        };
        settings.found(figure("force up, per weight of the water", force[1]).near(1, 0.005));
        settings.found(figure("force aside", force[0]).within(0.005));
    }
    return {};
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "liquid/step_parts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/profile.h"
#include "grid/refit.h"
#include "liquid/advance_velocity.h"
#include "liquid/escaped.h"
#include "liquid/inflow.h"
#include "liquid/speeds.h"
#include "liquid/volume_control.h"
#include "schemes/projection.h"

namespace spindrift {

template <int Dim>
bool is_finite(const FaceField<Dim>& velocity, StepReport& report) {
    if (!std::isfinite(largest_component(velocity))) report.failure = "a velocity is not finite";
    return report.failure.empty();
}

template <int Dim>
FaceField<Dim> surface_velocity(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double dt,
                                StepReport& report) {
    const ProfileScope scope("extrapolation");
    const World<Dim>& world = domain.world;
    FaceField<Dim> transport = liquid.velocity;
    merge(report.extrapolation, project_air(transport, liquid.phi, domain.boundaries, box_between_outlets(world), dt));
    for (FaceField<Dim>* field : {&transport, &liquid.velocity}) {
        blow(*field, liquid.phi, world.winds, world.grid, liquid.time, domain.reach());
        lead_out(*field, world);
    }
    return transport;
}

template <int Dim>
std::vector<double> account_for_escaped(LiquidState<Dim>& liquid, std::vector<Particle<Dim>> escaped,
                                        BodyMove<Dim> move, const LiquidDomain<Dim>& domain) {
    const ProfileScope scope("correction");
    BodyChange<Dim> change{std::move(move)};
    match_bodies(liquid, change, domain);
    absorb_air(liquid, escaped, domain, change);
    throw_spray(liquid, std::move(escaped), domain, &change);
    break_up(liquid, domain, change);
    close_accounts(liquid, change, domain);
    return std::move(change.volumes);
}

namespace {

// The acceleration at the beginning, by a trial of the first half step without it.
template <int Dim>
void find_acceleration(LiquidState<Dim>& liquid, LiquidDomain<Dim>& domain, double dt, PoissonSolver<Dim>& solver) {
    LiquidState<Dim> trial = liquid;
    StepReport of_trial;
    advance_velocity(trial, domain, dt / 2, dt, solver, of_trial);
    refit_boundaries(domain, liquid, liquid.time);
    refit(trial.acceleration, liquid.phi.tiles_ptr());
    liquid.acceleration = std::move(trial.acceleration);
    liquid.path_acceleration = liquid.acceleration;
    extrapolate_velocity(liquid, domain, dt / 2);
}

}  // namespace

template <int Dim>
bool begin_step(LiquidState<Dim>& liquid, LiquidDomain<Dim>& domain, double dt, PoissonSolver<Dim>& solver,
                StepReport& report) {
    refit_boundaries(domain, liquid, liquid.time);
    open_sources(liquid, domain, report);
    if (!is_finite(liquid.velocity, report)) return false;
    if (liquid.step == 0) {
        extrapolate_velocity(liquid, domain, dt / 2);
        if (domain.settings.time_order > 1) find_acceleration(liquid, domain, dt, solver);
        advance_velocity(liquid, domain, dt / 2, dt, solver, report);
    }
    return true;
}

template <int Dim>
double time_to_middle(const LiquidState<Dim>& liquid, double dt, double next) {
    return std::max(liquid.time + 0.5 * next - liquid.velocity_time, 0.5 * dt);
}

template <int Dim>
void measure(StepReport& report, const LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain) {
    const std::vector<double> volumes = final_volumes(liquid, domain);
    const double expected = liquid.ledger.expected();
    report.spray_volume = volume_of(liquid.spray) + pending_volume(liquid.absorbed);
    report.volume = volume_of(liquid.spray);
    for (const double volume : volumes) report.volume += volume;
    report.volume_error = expected > 0 ? (report.volume - expected) / expected : 0;
    report.largest_body_error = 0;
    for (std::size_t b = 1; b < volumes.size() && expected > 0; ++b)
        report.largest_body_error =
            std::max(report.largest_body_error, std::abs(volumes[b] - liquid.bodies.expected[b]) / expected);
    report.bodies = liquid.bodies.labels.count;
    report.lost = liquid.bodies.lost;
    report.overflowed = liquid.ledger.overflowed;
    report.tiles = liquid.tiles().count();
    report.particles = liquid.particles.count();
    report.drops = liquid.spray.count();
    report.max_speed = largest_speed(liquid.velocity, liquid.phi);
}

namespace {

// What controls set in the first half step is not in the velocity that limits it.
template <int Dim>
double first_control(const LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain) {
    if (liquid.step > 0) return 0;
    return fastest_control(domain.world.controls, liquid.phi, domain.world.grid,
                           {liquid.time, liquid.time + 0.5 * kLongestStep});
}

}  // namespace

template <int Dim>
StepLimit step_limit(const LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain) {
    const World<Dim>& w = domain.world;
    struct Speed {
        double value;
        std::string_view cause;
    };
    // Liquid gets to know of a solid that comes down on it a step late.
    const Speed speeds[] = {
        {largest_speed(liquid.velocity, liquid.phi), "the speed of the liquid"},
        {fastest_source(domain, liquid.time), "the speed of a source"},
        {first_control(liquid, domain), "the speed of a control"},
        {domain.settings.cfl / kSolidCfl * w.fastest_solid(liquid.time), "the speed of a moving solid"}};
    Speed fastest = speeds[0];
    for (const Speed& speed : speeds)
        if (speed.value > fastest.value) fastest = speed;
    // Gravity and forces add to the speed during the step itself: v dt + g dt² = cfl dx.
    const double weight = length(w.gravity(liquid.time));
    const double force = strongest_acceleration<Dim>(w.forces, {.grid = w.grid, .phi = &liquid.phi},
                                                     {liquid.time, liquid.time + kLongestStep}) +
                         strongest_attraction(w.attractions, {liquid.time, liquid.time + kLongestStep});
    const double pull = weight + force, distance = domain.settings.cfl * w.grid.dx;
    const bool is_forced = force > weight;
    const double fall = 4 * pull * distance, sum = fastest.value + std::sqrt(fastest.value * fastest.value + fall);
    const double dx = w.grid.dx;
    StepLimit limit{kLongestStep, "what changes in time by itself"};
    const auto shorten = [&](double dt, std::string_view cause) {
        if (dt < limit.dt) limit = {dt, cause};
    };
    const bool is_pulled = fall > fastest.value * fastest.value;
    if (sum > 0) shorten(2 * distance / sum, is_pulled ? (is_forced ? "a force" : "gravity") : fastest.cause);
    // The shortest wave of the grid, two cells long, has ω² = πg/dx; leaping over each other, surface and velocity
    // follow waves up to ω dt = 2.
    if (pull > 0)
        shorten(std::sqrt(dx / pull), is_forced ? "a force (the shortest waves, at this cell size)"
                                                : "gravity (the shortest waves, at this cell size)");
    double lightest = w.density;
    for (const LiquidComponent& component : w.components) lightest = std::min(lightest, component.density);
    shorten(capillary_dt(lightest, w.surface_tension, dx), "surface tension (capillary waves, at this cell size)");
    return limit;
}

#define INSTANTIATE(Dim)                                                                                           \
    template bool is_finite(const FaceField<Dim>&, StepReport&);                                                   \
    template FaceField<Dim> surface_velocity(LiquidState<Dim>&, const LiquidDomain<Dim>&, double, StepReport&);    \
    template std::vector<double> account_for_escaped(LiquidState<Dim>&, std::vector<Particle<Dim>>, BodyMove<Dim>, \
                                                     const LiquidDomain<Dim>&);                                    \
    template bool begin_step(LiquidState<Dim>&, LiquidDomain<Dim>&, double, PoissonSolver<Dim>&, StepReport&);     \
    template double time_to_middle(const LiquidState<Dim>&, double, double);                                       \
    template void measure(StepReport&, const LiquidState<Dim>&, const LiquidDomain<Dim>&);                         \
    template StepLimit step_limit(const LiquidState<Dim>&, const LiquidDomain<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// The step of [EMF02]: the surface moves with the velocity, particles correct it; then forces and pressure act on the
// velocity.
//
//   extrapolate the velocity beyond the surface                                      §3.3
//   advance φ and the particles; correct φ; redistance; correct φ; reseed            §3.2
//   advance the velocity: advect, diffuse, add forces, project                       §3.1, [FF01] §6–9
//
// The two alternate as in the leapfrog method: φ is known at the times t_n, the velocity half a step later, in the
// middle of the step in which the surface moves with it, so that paths and waves are of second order in dt.  The
// initial velocity is that of t_0: the first step begins by advancing it by dt / 2.  Steps change their length: at the
// end of each the velocity goes on to the middle of the one to come.
#include "liquid/particle_level_set_2002.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/profile.h"
#include "grid/refit.h"
#include "liquid/advance_velocity.h"
#include "liquid/escaped.h"
#include "liquid/inflow.h"
#include "liquid/initial_state.h"
#include "liquid/speeds.h"
#include "liquid/uncovered.h"
#include "liquid/volume_control.h"
#include "schemes/extrapolation.h"
#include "schemes/projection.h"
#include "schemes/viscosity.h"
#include "surface/curvature.h"
#include "surface/particle_level_set.h"

namespace spindrift {
namespace {

// Says so in the report if not: what is not finite cannot be advected.
template <int Dim>
bool is_finite(const FaceField<Dim>& velocity, StepReport& report) {
    if (!std::isfinite(largest_component(velocity))) report.failure = "a velocity is not finite";
    return report.failure.empty();
}

// The velocity that moves the surface: divergence-free beyond it, as far as a step of dt looks.  The velocity of liquid
// that gets there is not made so: air pressed out of a gap is faster than anything that presses it.
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

// Escaped particles become spray and absorbed air; the accounts of the bodies of liquid say who has lost or gained
// what.  Returns the volumes of the bodies.
template <int Dim>
std::vector<double> account_for_escaped(LiquidState<Dim>& liquid, std::vector<Particle<Dim>> escaped,
                                        BodyMove<Dim> move, const LiquidDomain<Dim>& domain) {
    const ProfileScope scope("correction");
    BodyChange<Dim> change{std::move(move)};
    match_bodies(liquid, change, domain);
    absorb_air(liquid, escaped, domain, change);
    throw_spray(liquid, std::move(escaped), domain, &change);
    close_accounts(liquid, change, domain);
    return std::move(change.volumes);
}

template <int Dim>
void reseed_particles(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double dt, StepReport& report) {
    const SeedingReport seeding = reseed_if_due(liquid.particles, liquid.phi, domain.tracking(), liquid.time, dt,
                                                static_cast<std::uint32_t>(liquid.step + 1));
    report.seeded += seeding.added;
    report.removed += seeding.removed;
}

// Moves the surface with the velocity, and the time on.
template <int Dim>
void advance_surface(LiquidState<Dim>& liquid, LiquidDomain<Dim>& domain, double dt, StepReport& report) {
    extrapolate_velocity(liquid, domain, dt);
    const FaceField<Dim> transport = surface_velocity(liquid, domain, dt, report);
    if (!is_finite(transport, report)) return;
    enter_inflow(liquid, domain, dt);

    // φ and the particles, corrected by each other.  [EMF02] §3.2
    BodyMove<Dim> move{};
    AdvanceReport<Dim> tracked = advance(liquid.phi, liquid.particles, transport, dt, domain.tracking(), [&] {
        fill_sources(liquid, domain, liquid.time + dt);  // what has left them
        liquid.time += dt;
        refit_boundaries(domain, liquid, liquid.time);
        move = traced_move(liquid.bodies.labels, liquid.phi, transport, dt, domain.grid);
        drain_sinks(liquid, move, domain);
    });
    report.surface_steps = tracked.sub_steps;
    report.corrections += tracked.corrections.count();
    report.escaped += tracked.removed.size();
    advect(liquid.absorbed, transport, dt, domain.grid.dx);
    const std::vector<double> volumes =
        account_for_escaped(liquid, std::move(tracked.removed), std::move(move), domain);
    restore_volumes(liquid, transport, domain, dt, volumes);
    remove_done(liquid.absorbed, liquid.phi);
}

// The acceleration at the beginning, by a trial of the first half step without it.
template <int Dim>
void find_acceleration(LiquidState<Dim>& liquid, LiquidDomain<Dim>& domain, double dt, PoissonSolver<Dim>& solver) {
    LiquidState<Dim> trial = liquid;
    StepReport of_trial;
    advance_velocity(trial, domain, dt / 2, dt, solver, of_trial);
    refit_boundaries(domain, liquid, liquid.time);
    refit(trial.acceleration, liquid.phi.tiles_ptr());
    liquid.acceleration = std::move(trial.acceleration);
    extrapolate_velocity(liquid, domain, dt / 2);
}

// Brings solids and sources to the time; in the first step, the velocity to the middle of the step.  False when the
// step cannot be taken.
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

// How long the velocity has to go on to the middle of the next step, which is hardly going to be longer than this one.
// After a step much longer than those that follow, it waits for the surface.
template <int Dim>
double time_to_middle(const LiquidState<Dim>& liquid, double dt, double next) {
    return std::max(liquid.time + 0.5 * next - liquid.velocity_time, 0.5 * dt);
}

// Enters what the state holds.
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
    report.drops = liquid.spray.size();
    report.max_speed = largest_speed(liquid.velocity, liquid.phi);
}

}  // namespace

template <int Dim>
struct ParticleLevelSet2002<Dim>::Work {
    LiquidDomain<Dim> domain;
    PoissonSolver<Dim> solver{};
};

template <int Dim>
StepReport ParticleLevelSet2002<Dim>::step(LiquidState<Dim>& liquid, double dt) {
    auto& [domain, solver] = *work_;
    StepReport report{.dt = dt};
    if (!begin_step(liquid, domain, dt, solver, report)) return report;
    advance_surface(liquid, domain, dt, report);
    if (!report.failure.empty()) return report;
    reseed_particles(liquid, domain, dt, report);
    const double next = std::min(dt, step_limit(liquid).dt);
    advance_velocity(liquid, domain, time_to_middle(liquid, dt, next), next, solver, report);

    ++liquid.step;
    measure(report, liquid, domain);
    report.failure = failure_of(report);
    return report;
}

template <int Dim>
StepReport ParticleLevelSet2002<Dim>::show(LiquidState<Dim>& liquid, double dt) {
    auto& [domain, solver] = *work_;
    StepReport report{.dt = dt};
    if (dt > 0) {
        if (!begin_step(liquid, domain, dt, solver, report)) return report;
        advance_surface(liquid, domain, dt, report);
        if (!report.failure.empty()) return report;
        advance_spray(liquid, domain, dt);
    } else {
        refit_boundaries(domain, liquid, liquid.time);
        extrapolate_velocity(liquid, domain, liquid.velocity_time - liquid.time);
    }
    synchronise_velocity(liquid, domain);
    measure(report, liquid, domain);
    return report;
}

template <int Dim>
StepReport ParticleLevelSet2002<Dim>::measured(const LiquidState<Dim>& liquid) const {
    StepReport report;
    refit_boundaries(work_->domain, liquid, liquid.time);
    measure(report, liquid, work_->domain);
    return report;
}

template <int Dim>
ParticleLevelSet2002<Dim>::ParticleLevelSet2002(World<Dim> world, LiquidSettings settings)
    : work_(new Work{.domain = LiquidDomain<Dim>(std::move(world), settings)}) {}
template <int Dim>
ParticleLevelSet2002<Dim>::~ParticleLevelSet2002() = default;
template <int Dim>
ParticleLevelSet2002<Dim>::ParticleLevelSet2002(ParticleLevelSet2002&&) noexcept = default;
template <int Dim>
const World<Dim>& ParticleLevelSet2002<Dim>::world() const {
    return work_->domain.world;
}

template <int Dim>
LiquidState<Dim> ParticleLevelSet2002<Dim>::initial_state(
    const std::function<double(const Vec<double, Dim>&)>& distance,
    const std::function<Vec<double, Dim>(const Vec<double, Dim>&)>& velocity) const {
    return spindrift::initial_state(work_->domain, distance, velocity);
}

template <int Dim>
StepLimit ParticleLevelSet2002<Dim>::step_limit(const LiquidState<Dim>& liquid) const {
    const LiquidDomain<Dim>& domain = work_->domain;
    const World<Dim>& w = domain.world;
    struct Speed {
        double value;
        std::string_view cause;
    };
    // Liquid gets to know of a solid that comes down on it a step late.
    const Speed speeds[] = {
        {largest_speed(liquid.velocity, liquid.phi), "the speed of the liquid"},
        {fastest_source(domain, liquid.time), "the speed of a source"},
        {domain.settings.cfl / kSolidCfl * w.fastest_solid(liquid.time), "the speed of a moving solid"}};
    Speed fastest = speeds[0];
    for (const Speed& speed : speeds)
        if (speed.value > fastest.value) fastest = speed;
    // Gravity and forces add to the speed during the step itself: v dt + g dt² = cfl dx.
    const double weight = length(w.gravity(liquid.time));
    const double force = strongest_acceleration<Dim>(w.forces, {.grid = w.grid, .phi = &liquid.phi},
                                                     {liquid.time, liquid.time + kLongestStep});
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
    shorten(capillary_dt(w.density, w.surface_tension, dx), "surface tension (capillary waves, at this cell size)");
    return limit;
}

template class ParticleLevelSet2002<2>;
template class ParticleLevelSet2002<3>;

}  // namespace spindrift

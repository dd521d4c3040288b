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
#include <utility>

#include "liquid/advance_velocity.h"
#include "liquid/escaped.h"
#include "liquid/inflow.h"
#include "liquid/initial_state.h"
#include "liquid/mixture.h"
#include "liquid/step_parts.h"
#include "liquid/volume_control.h"
#include "surface/particle_level_set.h"

namespace spindrift {
namespace {

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

    MixtureLimits<Dim> limits = advect_mixture(liquid, transport, domain, dt);

    // φ and the particles, corrected by each other.  [EMF02] §3.2
    BodyMove<Dim> move{};
    AdvanceReport<Dim> tracked = advance(liquid.phi, liquid.particles, transport, dt, domain.tracking(), [&] {
        fill_sources(liquid, domain, liquid.time + dt);  // what has left them
        fill_sources_with_components(liquid, domain, liquid.time + dt, &limits);
        liquid.time += dt;
        refit_boundaries(domain, liquid, liquid.time);
        move = traced_move(liquid.bodies.labels, liquid.phi, transport, dt, domain.grid);
        drain_sinks(liquid, move, domain);
    });
    report.surface_steps = tracked.sub_steps;
    report.corrections += tracked.corrections.count();
    report.escaped += tracked.removed.size();
    mix_in_landed_drops(liquid, domain, dt);
    advect(liquid.absorbed, transport, dt, domain.grid.dx);
    const std::vector<double> volumes =
        account_for_escaped(liquid, std::move(tracked.removed), std::move(move), domain);
    restore_volumes(liquid, transport, domain, dt, volumes);
    remove_done(liquid.absorbed, liquid.phi);
    settle_mixture(liquid, limits, transport, domain, dt);
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
    const std::function<Vec<double, Dim>(const Vec<double, Dim>&)>& velocity, const ComponentParts<Dim>& parts) const {
    LiquidState<Dim> liquid = spindrift::initial_state(work_->domain, distance, velocity);
    start_mixture(liquid, work_->domain, parts);
    return liquid;
}

template <int Dim>
ComponentVolumes ParticleLevelSet2002<Dim>::components(const LiquidState<Dim>& liquid) const {
    refit_boundaries(work_->domain, liquid, liquid.time);
    return component_totals(liquid, work_->domain);
}

template <int Dim>
StepLimit ParticleLevelSet2002<Dim>::step_limit(const LiquidState<Dim>& liquid) const {
    return spindrift::step_limit(liquid, work_->domain);
}

template class ParticleLevelSet2002<2>;
template class ParticleLevelSet2002<3>;

}  // namespace spindrift

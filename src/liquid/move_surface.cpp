// SPDX-License-Identifier: Apache-2.0
#include "liquid/move_surface.h"

#include <utility>

#include "liquid/advance_velocity.h"
#include "liquid/escaped.h"
#include "liquid/inflow.h"
#include "liquid/mixture.h"
#include "liquid/step_parts.h"
#include "liquid/volume_control.h"

namespace spindrift {

template <int Dim>
void move_surface(LiquidState<Dim>& liquid, LiquidDomain<Dim>& domain, TrackSurface<Dim>& track, double dt,
                  StepReport& report) {
    extrapolate_velocity(liquid, domain, dt);
    const FaceField<Dim> transport = surface_velocity(liquid, domain, dt, report);
    if (!is_finite(transport, report)) return;
    enter_inflow(liquid, domain, dt);

    MixtureLimits<Dim> limits = advect_mixture(liquid, transport, domain, dt);

    BodyMove<Dim> move{};
    AdvanceReport<Dim> tracked = track(liquid.phi, liquid.particles, transport, dt, domain.tracking(), [&] {
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

template <int Dim>
void reseed_particles(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double dt, StepReport& report) {
    const SeedingReport seeding = reseed_if_due(liquid.particles, liquid.phi, domain.tracking(), liquid.time, dt,
                                                static_cast<std::uint32_t>(liquid.step + 1));
    report.seeded += seeding.added;
    report.removed += seeding.removed;
}

#define INSTANTIATE(Dim)                                                                                        \
    template void move_surface(LiquidState<Dim>&, LiquidDomain<Dim>&, TrackSurface<Dim>&, double, StepReport&); \
    template void reseed_particles(LiquidState<Dim>&, const LiquidDomain<Dim>&, double, StepReport&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

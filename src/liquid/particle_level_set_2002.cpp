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

#include "liquid/advance_velocity.h"
#include "liquid/move_surface.h"
#include "liquid/step_parts.h"

namespace spindrift {

template <int Dim>
StepReport ParticleLevelSet2002<Dim>::step(LiquidState<Dim>& liquid, double dt) {
    StepReport report{.dt = dt};
    if (!begin_step(liquid, domain_, dt, solver_, report)) return report;
    advance_surface(liquid, dt, report);
    if (!report.failure.empty()) return report;
    reseed_particles(liquid, domain_, dt, report);
    const double next = std::min(dt, this->step_limit(liquid).dt);
    advance_velocity(liquid, domain_, time_to_middle(liquid, dt, next), next, solver_, report);

    ++liquid.step;
    measure(report, liquid, domain_);
    report.failure = failure_of(report);
    return report;
}

// φ and the particles, corrected by each other.  [EMF02] §3.2
template <int Dim>
void ParticleLevelSet2002<Dim>::advance_surface(LiquidState<Dim>& liquid, double dt, StepReport& report) {
    move_surface<Dim>(liquid, domain_, advance<Dim>, dt, report);
}

template class ParticleLevelSet2002<2>;
template class ParticleLevelSet2002<3>;

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// The step of [FF01 §3], beginning with its last part: the surface moves with the velocity that the step before has
// found.
//
//   VI.  update the liquid's volume: particles and implicit surface            §5, surface/hybrid_surface.h
//   III. update the velocity by (3.2): convection, viscosity, body forces      §6, liquid/advance_velocity.h
//   IV.  apply the velocities of moving objects                                §9, schemes/boundary.h
//   V.   enforce incompressibility                                             §7, 8, schemes/projection.h
//
// I and II, the environment as cells and the liquid as particles and an isocontour, come once: initial_state().
// Surface and velocity alternate as in the leapfrog method: see liquid/particle_level_set_2002.cpp.
#include "liquid/foster_fedkiw_2001.h"

#include <algorithm>

#include "liquid/advance_velocity.h"
#include "liquid/move_surface.h"
#include "liquid/step_parts.h"
#include "surface/hybrid_surface.h"

namespace spindrift {

template <int Dim>
StepReport FosterFedkiw2001<Dim>::step(LiquidState<Dim>& liquid, double dt) {
    StepReport report{.dt = dt};
    if (!begin_step(liquid, domain_, dt, solver_, report)) return report;

    // VI. The surface and its particles move in small steps that add up to the large one of the velocity.
    advance_surface(liquid, dt, report);
    if (!report.failure.empty()) return report;
    reseed_particles(liquid, domain_, dt, report);

    // III, IV and V.  The velocity goes on to the middle of the next step.
    const double next = std::min(dt, this->step_limit(liquid).dt);
    advance_velocity(liquid, domain_, time_to_middle(liquid, dt, next), next, solver_, report);

    ++liquid.step;
    measure(report, liquid, domain_);
    report.failure = failure_of(report);
    return report;
}

template <int Dim>
void FosterFedkiw2001<Dim>::advance_surface(LiquidState<Dim>& liquid, double dt, StepReport& report) {
    move_surface<Dim>(liquid, domain_, advance_hybrid<Dim>, dt, report);
}

template class FosterFedkiw2001<2>;
template class FosterFedkiw2001<3>;

}  // namespace spindrift

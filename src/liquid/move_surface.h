// SPDX-License-Identifier: Apache-2.0
// How the surface of a liquid moves with its velocity, whatever tracks it: with inflows, sinks, drops and the accounts
// of its bodies.
#pragma once

#include "liquid/domain.h"
#include "schemes/step_report.h"
#include "surface/particle_level_set.h"

namespace spindrift {

// A tracker: advance() of surface/particle_level_set.h, or advance_hybrid() of surface/hybrid_surface.h.
template <int Dim>
using TrackSurface = AdvanceReport<Dim>(Field<float, Dim>& phi, ParticleSet<Dim>& particles,
                                        const FaceField<Dim>& velocity, double dt, const SurfaceTracking<Dim>& tracking,
                                        const SurfaceConstraint& constrain);

// Moves the surface with the liquid's velocity, and the time on.
template <int Dim>
void move_surface(LiquidState<Dim>& liquid, LiquidDomain<Dim>& domain, TrackSurface<Dim>& track, double dt,
                  StepReport& report);

// Gives new particles to cells near the surface that hold few, when it is time to; at the end of a step of dt.
template <int Dim>
void reseed_particles(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double dt, StepReport& report);

}  // namespace spindrift

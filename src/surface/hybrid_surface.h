// SPDX-License-Identifier: Apache-2.0
// The hybrid surface of [FF01 §5]: a level set, and particles inside it.  The level set is smooth and loses what is
// thinner than a cell; particles keep it and are rough.  So the level set counts where the surface is smooth, and the
// particles where it bends.  A step
//
//   1. advances φ by upwind differences, in sub-steps of at most a cell, and the particles        §5.1, 5.3
//   2. lowers φ to φ_p = |x − x_p| − r of particles that poke out where |κ| is large               §5.4
//   3. deletes particles that are deep inside, and takes out those that have strayed from it       §5.4
//
// and from time to time cells beside the surface with few particles are given new ones: reseed_if_due().
#pragma once

#include "surface/particle_level_set.h"

namespace spindrift {

// A surface that bends more than this, 1/cells, is rough: see docs/methods/hybrid_surface.md.
constexpr double kRough = 0.25;

// The settings of a hybrid surface, all else as they are.
ParticleLevelSetSettings hybrid_surface(ParticleLevelSetSettings settings, double least_curvature = kRough);

// Advances surface and particles by dt with one velocity: what advance() in surface/particle_level_set.h is for the
// particle level set.  Particles that are removed have strayed: drops that are finer than the grid.
template <int Dim>
AdvanceReport<Dim> advance_hybrid(Field<float, Dim>& phi, ParticleSet<Dim>& particles, const FaceField<Dim>& velocity,
                                  double dt, const SurfaceTracking<Dim>& tracking,
                                  const SurfaceConstraint& constrain = {});

// Advances by the tracker of the settings.
template <int Dim>
AdvanceReport<Dim> advance_tracked(Field<float, Dim>& phi, ParticleSet<Dim>& particles, const FaceField<Dim>& velocity,
                                   double dt, const SurfaceTracking<Dim>& tracking,
                                   const SurfaceConstraint& constrain = {}) {
    return tracking.settings.tracker == SurfaceTracker::hybrid
               ? advance_hybrid(phi, particles, velocity, dt, tracking, constrain)
               : advance(phi, particles, velocity, dt, tracking, constrain);
}

}  // namespace spindrift

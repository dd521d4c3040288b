// SPDX-License-Identifier: Apache-2.0
// The particle level set: a surface as the zero of a signed distance, corrected by particles on both sides of it
// [EMF02 §3.2, Enright02].  Liquids, given flows, validation and tests all advance their surfaces by advance().
//
// A level set loses what is thinner than a cell.  Particles do not: they are advected with the flow, and each keeps the
// sign of its side.  A step
//
//   1. advects φ and the particles, along the same paths, in sub-steps of at most five cells;
//   2. corrects φ by the particles, redistances it, and corrects it again;
//   3. fits the radii of the particles to the surface, and removes those that have escaped too far.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "surface/level_set.h"
#include "surface/particle_correction.h"
#include "surface/particle_seeding.h"

namespace spindrift {

template <int Dim>
struct AdvanceReport {
    int sub_steps = 0;                     // of φ
    CorrectionReport corrections{};        // particles that counted, over both corrections
    std::vector<Particle<Dim>> removed{};  // escaped by more than settings.escape_distance, or in no tile any more
};

// What else decides where the surface is, between advection and correction: sources, sinks.
using SurfaceConstraint = std::function<void()>;

// Advances surface and particles by dt with one velocity, best that of the step's middle; φ, particles and velocity
// live on the same tiles.  The velocity must be known as far from the surface as a step reaches.  Without particles
// (ParticleSides::none) only the level set is advanced.
template <int Dim>
AdvanceReport<Dim> advance(Field<float, Dim>& phi, ParticleSet<Dim>& particles, const FaceField<Dim>& velocity,
                           double dt, const SurfaceTracking<Dim>& tracking, const SurfaceConstraint& constrain = {});

// Moves the particles on their own, in steps short enough for their paths.  Returns those that are in no tile any more.
template <int Dim>
std::vector<Particle<Dim>> advect_particles(ParticleSet<Dim>& particles, const FaceField<Dim>& velocity, double dt,
                                            int steps, const LevelSetGrid<Dim>& grid);
// How many that are, for paths of so many cells.
int steps_for_path(double cells);

// Moves particles along the normals of the surface by as much, in m, as φ beside them has been moved outwards by other
// means than the flow.  Else they would take that back at the next correction.
template <int Dim>
void follow_surface(ParticleSet<Dim>& particles, const Field<float, Dim>& phi, const Field<float, Dim>& moved,
                    const LevelSetGrid<Dim>& grid);

// Reseeds when a multiple of settings.reseed_interval lies in the step of dt that ends at `time`.  `step` tells the
// random numbers of one seeding from those of another.
template <int Dim>
SeedingReport reseed_if_due(ParticleSet<Dim>& particles, const Field<float, Dim>& phi,
                            const SurfaceTracking<Dim>& tracking, double time, double dt, std::uint32_t step);

}  // namespace spindrift

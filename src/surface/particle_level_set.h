// SPDX-License-Identifier: Apache-2.0
// Particles on both sides of a level set, which notice where it goes wrong and mend it [EMF02 §3.2, Enright02].
//
//   r_p = clamp(s_p φ(x_p), 0.1 dx, 0.5 dx)     the sphere of a particle of side s_p = ±1 touches the surface
//   φ_p(x) = s_p (r_p − |x − x_p|)              what a particle says of the cells around it
//
// Where spheres reach across the surface, φ⁺ = max(φ, φ_p) over those of positive particles, φ⁻ = min(φ, φ_p) over
// those of negative ones; φ becomes whichever changed, or of two the smaller in magnitude.  A step of a surface is
//
//   advect_level_set(phi, …);                       // in steps of at most a cell
//   move_particles(particles, …);                   // may go farther at once
//   rebin(particles, phi.tiles_ptr());
//   correct_level_set(phi, particles, …);           // after whatever changes φ
//   redistance(phi, …);
//   correct_level_set(phi, particles, …);
//   settle(particles, phi, grid);
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "particles/move.h"
#include "surface/level_set.h"

namespace spindrift {

// Level set alone; negative particles only, as in [FF01]; both sides.
enum class ParticleSides { none, inside, both };

struct ParticleLevelSetSettings {
    ParticleSides sides = ParticleSides::both;
    int per_cell = 16;
    double band = 3;  // cells on each side of the surface that hold particles
    // How far a sphere must reach across the surface before it counts, as a part of its radius: at 2 the particle has
    // escaped by its whole radius, as in the paper; at 0 every sphere that does not fit counts.  The method page shows
    // what this does.
    double overlap = 0.5;
    std::uint64_t seed = 0;
};

struct CorrectionReport {
    std::size_t inside = 0;   // negative particles that counted
    std::size_t outside = 0;  // positive ones
    std::size_t count() const { return inside + outside; }
};

// Mends φ from particles whose spheres reach across the surface.
template <int Dim>
CorrectionReport correct_level_set(Field<float, Dim>& phi, const ParticleSet<Dim>& particles,
                                   const LevelSetGrid<Dim>& grid, const ParticleLevelSetSettings& settings);

// Lets every sphere touch the surface again, as far as radii allow.  Particles that have escaped by more than `cells`
// are marked for removal at the next rebin, and returned in the order they have: after all mending, what they stand for
// is smaller than the grid.  Those of the liquid are spray.  Those of air went under: air has no pressure of its own
// here, and must not hold a hole open that the liquid flows into.
template <int Dim>
std::vector<Particle<Dim>> settle(ParticleSet<Dim>& particles, const Field<float, Dim>& phi,
                                  const LevelSetGrid<Dim>& grid,
                                  double cells = std::numeric_limits<double>::infinity());

struct SeedingReport {
    std::size_t added = 0;
    std::size_t removed = 0;
};

// Fills cells of the band that hold less than half the particles they should, thins out those with more than twice as
// many, farthest first, and removes what lies beyond the band.  Escaped particles stay, and where they are, φ is in
// doubt and nothing is seeded.  With an empty set, the first seeding.  `step` tells one seeding's chance from
// another's.  With `where`, only in tiles for which it is true.
template <int Dim>
SeedingReport reseed(ParticleSet<Dim>& particles, const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid,
                     const ParticleLevelSetSettings& settings, std::uint32_t step,
                     const std::function<bool(Slot)>& where = {});

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// How particles correct a level set [EMF02 §3.2, Enright02].
//
//   r_p = clamp(s_p φ(x_p), 0.1 dx, 0.5 dx)     the sphere of a particle of side s_p = ±1 touches the surface
//   φ_p(x) = s_p (r_p − |x − x_p|)              the distance that a particle gives to the cells around it
//
// Where spheres reach across the surface, φ⁺ = max(φ, φ_p) over those of positive particles, φ⁻ = min(φ, φ_p) over
// those of negative ones; φ becomes whichever changed, or the mean of the two.  A cell that would change sides goes to
// that of the particle nearest to its centre.
#pragma once

#include <cstdint>
#include <vector>

#include "particles/move.h"
#include "surface/level_set.h"

namespace spindrift {

// Level set alone; negative particles only, as in [FF01]; both sides.
enum class ParticleSides { none, inside, both };

// How surface and particles advance together: as in particle_level_set.h, or in hybrid_surface.h.
enum class SurfaceTracker { particle_level_set, hybrid };

// The defaults were chosen by measurement: docs/methods/particle_level_set.md.
struct ParticleLevelSetSettings {
    SurfaceTracker tracker = SurfaceTracker::particle_level_set;
    ParticleSides sides = ParticleSides::both;
    int per_cell = 16;
    double band = 2;  // cells on each side of the surface that hold particles
    // How far a sphere must reach across the surface before it counts, as a part of its radius: at 2 the particle has
    // escaped by its whole radius, as in the paper; at 0 every sphere that does not fit counts.
    double overlap = 0.5;
    // Cells on the wrong side, after correction, at which a particle is removed: what it stands for is smaller than the
    // grid, and in a liquid goes on as spray, or was air that went under.  Infinite where the velocity is exact and
    // every particle is right.
    double escape_distance = 0.15;
    // κ of the surface at a particle, 1/cells: where it bends less particles are ignored [FF01 §5.4]; at 0 they always
    // count.
    double least_curvature = 0;
    double reseed_interval = 0.2;  // s
    std::uint64_t seed = 0;
};

// What a surface is tracked with.
template <int Dim>
struct SurfaceTracking {
    LevelSetGrid<Dim> grid;
    ParticleLevelSetSettings settings{};

    bool has_particles() const { return settings.sides != ParticleSides::none; }
};

struct CorrectionReport {
    std::size_t inside = 0;   // negative particles that counted
    std::size_t outside = 0;  // positive ones
    std::size_t count() const { return inside + outside; }
    CorrectionReport& operator+=(const CorrectionReport& other) {
        inside += other.inside;
        outside += other.outside;
        return *this;
    }
};

// Corrects φ by the particles whose spheres reach across the surface.
template <int Dim>
CorrectionReport correct_level_set(Field<float, Dim>& phi, const ParticleSet<Dim>& particles,
                                   const SurfaceTracking<Dim>& tracking);

// Lets every sphere touch the surface again, as far as radii allow.  Particles that have escaped by more than
// settings.escape_distance are marked for removal at the next rebin, and returned in the order they have.
template <int Dim>
std::vector<Particle<Dim>> update_radii(ParticleSet<Dim>& particles, const Field<float, Dim>& phi,
                                        const SurfaceTracking<Dim>& tracking);

}  // namespace spindrift

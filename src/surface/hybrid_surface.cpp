// SPDX-License-Identifier: Apache-2.0
#include "surface/hybrid_surface.h"

#include <algorithm>
#include <cmath>

#include "base/profile.h"
#include "surface/particle_levels.h"
#include "surface/rough_surface.h"
#include "surface/upwind_advection.h"

namespace spindrift {
namespace {

// A particle pokes out when its place is outside, not just its sphere: as a part of its radius.
constexpr double kPoking = 1;
// Beside a smooth surface a particle has strayed when it is so far outside, in cells; nearer ones are wrong.
constexpr double kStray = 1;

// φ in cells at the particles of a tile: calls f(number, φ).
template <int Dim, class F>
void for_each_level(const ParticleSet<Dim>& particles, const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid,
                    Slot slot, F&& f) {
    TileBlock<Dim, 1> level;
    level.load(phi, slot, grid.box);
    const auto per_cell = static_cast<float>(1 / grid.dx);
    for (std::size_t n = particles.begin(slot); n < particles.end(slot); ++n)
        f(n, level(particles.place(n) - kCellCentre<Dim>) * per_cell);
}

// Particles are of use beside the surface alone.  They go at the next rebin.
template <int Dim>
void delete_deep(ParticleSet<Dim>& particles, const Field<float, Dim>& phi, const SurfaceTracking<Dim>& tracking) {
    // A cell more than the band in which they are seeded.
    const auto deep = static_cast<float>(-tracking.settings.band - 1);
    for_each_bin(particles, [&](Slot slot) {
        for_each_level(particles, phi, tracking.grid, slot, [&](std::size_t n, float level) {
            if (level < deep) particles.radius[n] = 0;
        });
    });
}

// Of the particles that were removed for being outside those that are drops: beside a smooth surface the level set is
// right, and they are wrong.
template <int Dim>
std::vector<Particle<Dim>> strays(const std::vector<Particle<Dim>>& removed, const Field<float, Dim>& phi,
                                  const SurfaceTracking<Dim>& tracking) {
    const Tiles<Dim>& tiles = phi.tiles();
    const auto cell_of = [](const Particle<Dim>& p) {
        return map([](double x) { return static_cast<int>(std::floor(x)); }, p.position);
    };
    std::vector<std::vector<Particle<Dim>>> by_tile(tiles.count());
    std::vector<std::uint8_t> asked(tiles.count(), 0);
    for (const Particle<Dim>& p : removed)
        if (const Slot slot = tiles.find(tile_of_cell(cell_of(p))); slot != kNoTile) {
            by_tile[static_cast<std::size_t>(slot)].push_back(p);
            asked[static_cast<std::size_t>(slot)] = 1;
        }
    const RoughSurface<Dim> surface(phi, tracking.grid, asked);
    for_each_tile(tiles, [&](Slot slot) {
        if (asked[static_cast<std::size_t>(slot)] == 0) return;
        const typename RoughSurface<Dim>::Tile bend(surface, slot);
        TileBlock<Dim, 1> level;
        level.load(phi, slot, tracking.grid.box);
        const Vec<double, Dim> origin(tiles.origin(slot));
        std::erase_if(by_tile[static_cast<std::size_t>(slot)], [&](const Particle<Dim>& p) {
            const Vec<float, Dim> place(p.position - origin);
            return bend(place) < tracking.settings.least_curvature &&
                   level(place - kCellCentre<Dim>) < kStray * tracking.grid.dx;
        });
    });
    std::vector<Particle<Dim>> drops;
    for (const auto& some : by_tile) drops.insert(drops.end(), some.begin(), some.end());
    return drops;
}

}  // namespace

ParticleLevelSetSettings hybrid_surface(ParticleLevelSetSettings settings, double least_curvature) {
    settings.tracker = SurfaceTracker::hybrid;
    if (settings.sides == ParticleSides::both) settings.sides = ParticleSides::inside;
    settings.least_curvature = least_curvature;
    settings.overlap = kPoking;
    return settings;
}

template <int Dim>
AdvanceReport<Dim> advance_hybrid(Field<float, Dim>& phi, ParticleSet<Dim>& particles, const FaceField<Dim>& velocity,
                                  double dt, const SurfaceTracking<Dim>& tracking, const SurfaceConstraint& constrain) {
    AdvanceReport<Dim> report;

    // Evolve the level set and the particles, apart from each other.
    {
        const ProfileScope scope("surface");
        report.sub_steps = advect_level_set_upwind(phi, velocity, dt, tracking.grid);
    }
    if (tracking.has_particles()) {
        const ProfileScope scope("particles");
        report.removed = advect_particles(particles, velocity, dt, steps_for_path(report.sub_steps), tracking.grid);
    }
    if (constrain) constrain();

    // Where the surface is rough, particles that poke out of it say where it is.
    const ProfileScope scope("correction");
    if (tracking.has_particles()) report.corrections = correct_level_set(phi, particles, tracking);
    redistance(phi, tracking.grid);
    if (!tracking.has_particles()) return report;
    report.corrections += correct_level_set(phi, particles, tracking);

    // Delete what is deep inside, and take out what has strayed.
    const std::vector<Particle<Dim>> outside = update_radii(particles, phi, tracking);
    const std::vector<Particle<Dim>> drops = strays(outside, phi, tracking);
    report.removed.insert(report.removed.end(), drops.begin(), drops.end());
    delete_deep(particles, phi, tracking);
    return report;
}

#define INSTANTIATE(Dim)                                                                                             \
    template AdvanceReport<Dim> advance_hybrid(Field<float, Dim>&, ParticleSet<Dim>&, const FaceField<Dim>&, double, \
                                               const SurfaceTracking<Dim>&, const SurfaceConstraint&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

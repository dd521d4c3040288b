// SPDX-License-Identifier: Apache-2.0
#include "surface/particle_level_set.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "base/profile.h"
#include "grid/sampler.h"
#include "particles/move.h"

namespace spindrift {
namespace {

// Steps of φ and of the particles, in cells: the rule of third order follows curved paths well up to here.
constexpr double kLongestStep = 5;
// Cells: particles do not follow a surface that has been moved by less.
constexpr float kLeastFollowed = 0.005F;

}  // namespace

int steps_for_path(double cells) {
    CHECK(cells < std::numeric_limits<int>::max(), "advance: a step of {} cells", cells);
    return std::max(1, static_cast<int>(std::ceil(cells / kLongestStep)));
}

template <int Dim>
std::vector<Particle<Dim>> advect_particles(ParticleSet<Dim>& particles, const FaceField<Dim>& velocity, double dt,
                                            int steps, const LevelSetGrid<Dim>& grid) {
    std::vector<Particle<Dim>> lost;
    for (int n = 0; n < steps; ++n) {
        // In solids they move on as φ does there.
        move_particles(particles, velocity, dt / steps, grid.dx, grid.box);
        const std::vector<Particle<Dim>> some = rebin(particles, velocity.tiles_ptr());
        lost.insert(lost.end(), some.begin(), some.end());
    }
    return lost;
}

template <int Dim>
AdvanceReport<Dim> advance(Field<float, Dim>& phi, ParticleSet<Dim>& particles, const FaceField<Dim>& velocity,
                           double dt, const SurfaceTracking<Dim>& tracking, const SurfaceConstraint& constrain) {
    const LevelSetGrid<Dim>& grid = tracking.grid;
    AdvanceReport<Dim> report;

    // Advect φ and the particles, apart from each other.
    {
        const ProfileScope scope("surface");
        report.sub_steps = steps_for_path(surface_speed(phi, velocity, grid).liquid * dt / grid.dx);
        for (int n = 0; n < report.sub_steps; ++n) advect_level_set(phi, velocity, dt / report.sub_steps, grid);
    }
    if (tracking.has_particles()) {
        const ProfileScope scope("particles");
        report.removed = advect_particles(particles, velocity, dt, report.sub_steps, grid);
    }
    if (constrain) constrain();

    // Correct φ by the particles, before and after redistancing, and fit the particles to it.
    const ProfileScope scope("correction");
    if (tracking.has_particles()) report.corrections = correct_level_set(phi, particles, tracking);
    redistance(phi, grid);
    if (tracking.has_particles()) {
        report.corrections += correct_level_set(phi, particles, tracking);
        const std::vector<Particle<Dim>> escaped = update_radii(particles, phi, tracking);
        report.removed.insert(report.removed.end(), escaped.begin(), escaped.end());
    }
    return report;
}

template <int Dim>
void follow_surface(ParticleSet<Dim>& particles, const Field<float, Dim>& phi, const Field<float, Dim>& moved,
                    const LevelSetGrid<Dim>& grid) {
    check_same_tiles("follow_surface", "particles", *particles.tiles, "phi", phi.tiles());
    const float least = kLeastFollowed * static_cast<float>(grid.dx), per_cell = static_cast<float>(1 / grid.dx);
    std::atomic<bool> has_moved{false};
    for_each_bin(particles, [&](Slot slot) {
        const float* by = moved.tile(slot);
        if (std::none_of(by, by + kTileCells<Dim>, [least](float v) { return std::abs(v) >= least; })) return;
        LinearSampler<Dim> level(phi);
        const Vec<float, Dim> origin(phi.tiles().origin(slot));
        for (std::size_t n = particles.begin(slot); n < particles.end(slot); ++n) {
            const Vec<float, Dim> at = particles.place(n);
            const Vec<float, Dim> slope = level.value_and_gradient(origin + at).gradient;
            const float steepness = length(slope), cells = by[offset_in_tile(Index<Dim>(at))] * per_cell;
            if (steepness > 0) particles.set_place(n, at + slope * (cells / steepness));
        }
        keep_inside(particles, slot, grid.box);
        has_moved = true;
    });
    if (has_moved) rebin(particles, phi.tiles_ptr());
}

template <int Dim>
SeedingReport reseed_if_due(ParticleSet<Dim>& particles, const Field<float, Dim>& phi,
                            const SurfaceTracking<Dim>& tracking, double time, double dt, std::uint32_t step) {
    const auto seedings = [&](double t) { return std::floor(t / tracking.settings.reseed_interval + 1e-6); };
    if (!tracking.has_particles() || !(seedings(time) > seedings(time - dt))) return {};
    return reseed(particles, phi, tracking, step);
}

#define INSTANTIATE(Dim)                                                                                           \
    template std::vector<Particle<Dim>> advect_particles(ParticleSet<Dim>&, const FaceField<Dim>&, double, int,    \
                                                         const LevelSetGrid<Dim>&);                                \
    template AdvanceReport<Dim> advance(Field<float, Dim>&, ParticleSet<Dim>&, const FaceField<Dim>&, double,      \
                                        const SurfaceTracking<Dim>&, const SurfaceConstraint&);                    \
    template void follow_surface(ParticleSet<Dim>&, const Field<float, Dim>&, const Field<float, Dim>&,            \
                                 const LevelSetGrid<Dim>&);                                                        \
    template SeedingReport reseed_if_due(ParticleSet<Dim>&, const Field<float, Dim>&, const SurfaceTracking<Dim>&, \
                                         double, double, std::uint32_t);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

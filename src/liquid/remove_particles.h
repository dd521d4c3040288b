// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "grid/transform.h"
#include "particles/particle_set.h"

namespace spindrift {

// Removes the particles for which unwanted(position in m, signed radius) holds, in tiles for which near(slot) does.
template <int Dim, class Near, class F>
void remove_particles(ParticleSet<Dim>& particles, const GridTransform<Dim>& grid, Near&& near, F&& unwanted) {
    if (particles.count() == 0) return;
    std::atomic<bool> any = false;
    for_each_bin(particles, [&](Slot slot) {
        if (!near(slot)) return;
        const Vec<double, Dim> corner(particles.tiles->origin(slot));
        for (std::size_t n = particles.begin(slot); n < particles.end(slot); ++n) {
            const Vec<double, Dim> p = grid.world_from_cell(corner + Vec<double, Dim>(particles.place(n)));
            if (!unwanted(p, particles.radius[n])) continue;
            particles.radius[n] = 0;
            any = true;
        }
    });
    if (any) rebin(particles, particles.tiles);
}

}  // namespace spindrift

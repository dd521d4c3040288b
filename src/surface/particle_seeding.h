// SPDX-License-Identifier: Apache-2.0
// Where the particles of a particle level set are seeded [EMF02 §3.2, Enright02].
#pragma once

#include <cstdint>
#include <functional>

#include "surface/particle_correction.h"

namespace spindrift {

struct SeedingReport {
    std::size_t added = 0;
    std::size_t removed = 0;
};

// Fills cells of the band that hold less than half the particles they should, thins out those with more than twice as
// many, farthest first, and removes particles outside the band.  Escaped particles stay, and within a cell of one
// nothing is seeded: φ may be wrong there.  With an empty set, the first seeding.  `step` tells the random numbers of
// one seeding from those of another.  With `where`, only in tiles for which it is true.
template <int Dim>
SeedingReport reseed(ParticleSet<Dim>& particles, const Field<float, Dim>& phi, const SurfaceTracking<Dim>& tracking,
                     std::uint32_t step, const std::function<bool(Slot)>& where = {});

}  // namespace spindrift

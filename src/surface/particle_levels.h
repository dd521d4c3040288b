// SPDX-License-Identifier: Apache-2.0
// φ at particles, for the files of the particle level set.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "particles/tile_block.h"
#include "surface/particle_correction.h"

namespace spindrift {

// Radii, in cells [EMF02 eq. 2].  A particle on the wrong side by more than the least radius has escaped: it does not
// know how far from it the surface was.  With the least radius, as in the paper, it would have to meet a cell's centre
// to be noticed; with the largest, sheets thinner than a cell stay whole.
constexpr float kLeastRadius = 0.1F, kLargestRadius = 0.5F;

inline float side_of(float radius) { return radius < 0 ? -1.0F : 1.0F; }

// With the side as its sign, of a particle at a level of φ in cells.
inline float touching_radius(float side, float level) {
    if (side * level < -kLeastRadius) return side * kLargestRadius;
    return side * std::clamp(side * level, kLeastRadius, kLargestRadius);
}

// Particles of each tile, by slot.
template <int Dim>
using ParticlesOfTiles = std::vector<std::vector<NewParticle<Dim>>>;

// Those nearer to the surface, on their own side, than part · radius + more cells.  With `where`, only in tiles for
// which it is true.
struct Nearness {
    float part, more;
};
template <int Dim>
ParticlesOfTiles<Dim> particles_nearer_than(const Nearness& nearness, const ParticleSet<Dim>& particles,
                                            const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid,
                                            const std::function<bool(Slot)>& where = {});

// Calls f(particle, its place seen from the tile) for the listed particles of a tile and of those around it.
template <int Dim, class F>
void for_each_around(const ParticlesOfTiles<Dim>& lists, const Tiles<Dim>& tiles, Slot slot, F&& f) {
    for_each_index(IndexBox<Dim>{Index<Dim>(-1), Index<Dim>(2)}, [&](const Index<Dim>& side) {
        const Slot from = tiles.neighbour(slot, neighbour_number(side));
        if (from == kNoTile || lists[static_cast<std::size_t>(from)].empty()) return;
        const Vec<float, Dim> shift(side * kTileSide);
        for (const NewParticle<Dim>& p : lists[static_cast<std::size_t>(from)]) f(p, p.position + shift);
    });
}

}  // namespace spindrift

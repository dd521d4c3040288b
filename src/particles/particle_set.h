// SPDX-License-Identifier: Apache-2.0
// Particles kept tile by tile: those of a tile lie side by side, tiles in the order of their slots.  Within a tile the
// order is that of arrival, which no thread count changes.  Rebinning, seeding, hashes and checkpoints go through all
// attributes alike (for_each_column).
//
// A place is counted in cells from the lower corner of the particle's tile: eight cells need few of a float's bits, so
// that a particle is as exact in a thousand cells as in ten.  20 bytes each in 3D without further attributes, and 8
// more while they change tiles.
#pragma once

#include <cstdint>
#include <vector>

#include "base/memory.h"
#include "grid/tiles.h"
#include "grid/transform.h"
#include "particles/particle_columns.h"

namespace spindrift {

// Ids count in the order of seeding.
template <int Dim>
struct ParticleSet : ParticleColumns<Dim, Buffer<float>, Buffer<std::uint32_t>> {
    TilesPtr<Dim> tiles;
    std::vector<std::size_t> first;  // of each tile, by slot; one more at the end
    Buffer<float> radius;            // cells, with the particle's side as its sign; zero when to be removed

    ParticleSet() = default;
    explicit ParticleSet(TilesPtr<Dim> on) : tiles(std::move(on)), first(tiles->count() + 1, 0) {}

    std::size_t begin(Slot slot) const { return first[static_cast<std::size_t>(slot)]; }
    std::size_t end(Slot slot) const { return first[static_cast<std::size_t>(slot) + 1]; }
};

// A particle on its own.
template <int Dim>
struct Particle {
    Vec<double, Dim> position;  // cells, from the grid's origin
    float radius = 0;           // cells, with the side as its sign
    std::uint32_t id = 0;
};

// A particle to be: its place in its tile, and its radius with the side as its sign.
template <int Dim>
struct NewParticle {
    Vec<float, Dim> position;
    float radius;
};

// Brings each particle to the tile it is in, on these tiles, and drops those of radius zero.  Particles in no tile are
// taken out and returned, in the order they had.
template <int Dim>
std::vector<Particle<Dim>> rebin(ParticleSet<Dim>& particles, const TilesPtr<Dim>& tiles);

// Adds a list of particles to each tile, by slot, after those it has.
template <int Dim>
void add_particles(ParticleSet<Dim>& particles, const std::vector<std::vector<NewParticle<Dim>>>& added);

// All of them, in order.
template <int Dim>
std::vector<Particle<Dim>> listed(const ParticleSet<Dim>& particles);

// Calls f(slot) for every tile with particles, in parallel.
template <int Dim, class F>
void for_each_bin(const ParticleSet<Dim>& particles, F&& f) {
    for_each_tile(*particles.tiles, [&](Slot slot) {
        if (particles.begin(slot) < particles.end(slot)) f(slot);
    });
}

// Of the tiles and the bits of all attributes.
template <int Dim>
std::uint64_t state_hash(const ParticleSet<Dim>& particles);

}  // namespace spindrift

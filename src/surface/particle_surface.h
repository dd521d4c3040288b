// SPDX-License-Identifier: Apache-2.0
// The surface of a liquid that is known by its particles alone [FF01 §5.1–5.2].
//
//   φ_p(x) = |x − x_p| − r,  φ = φ_p of the particle closest to x     the union of their spheres
//   |∇φ| = 1                                                          by fast marching from the cells beside φ = 0
//                                                                     [Sethian99]
//   φ_η = −S(φ⁰)(|∇φ| − 1),  S(φ) = φ / √(φ² + dx²)                   a few steps of first order, which smooth the
//   folds
//                                                                     between spheres
#pragma once

#include <cstdint>

#include "particles/particle_set.h"
#include "surface/level_set.h"

namespace spindrift {

// Makes φ the signed distance to φ = 0 in the whole band; first order.  The surface stays where it crosses between
// cells.
template <int Dim>
void march(Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid);

// Steps of the smoothing equation of half a cell each: every one rounds what is sharper than the grid.
template <int Dim>
void smooth(Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid, int steps);

// Particles that fill the liquid of φ, `per_cell` in each cell at places that keep away from each other, with spheres
// that just leave no holes.  Those of the outermost ones reach as far beyond the surface as others end before it.  On
// the tiles of φ.
template <int Dim>
ParticleSet<Dim> filled(const Field<float, Dim>& phi, const LevelSetGrid<Dim>& grid, int per_cell, std::uint64_t seed);

// The radius, in cells, of these spheres.
double covering_radius(int per_cell, int dim);

// A few: more would move the surface inwards.
constexpr int kSmoothingSteps = 6;

// φ, on the particles' tiles, of particles that fill the liquid, with spheres of one radius (cells).
template <int Dim>
Field<float, Dim> surface_of_particles(const ParticleSet<Dim>& particles, double radius, const LevelSetGrid<Dim>& grid,
                                       int smoothing_steps = kSmoothingSteps);

}  // namespace spindrift

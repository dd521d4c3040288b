// SPDX-License-Identifier: Apache-2.0
// Spray: water in the air that is too fine for the grid.  Particles of the liquid's inside that end up far outside it
// are drops; they fly as stones do until they land [EMF02 §3.4, FF01 §5.2].
//
// A drop weighs what the surface lost when it came off, no more: spheres of particles overlap, and the sum of them
// would make water.  Where a drop lands, its volume and its momentum go to the liquid there.
//
// Particles of air that end up inside the liquid are the reverse: air too fine for the grid, over which the surface has
// closed.  What the liquid gained by that, it draws together where they went under.
#pragma once

#include <cstdint>
#include <vector>

#include "base/vec.h"
#include "grid/field.h"
#include "grid/transform.h"
#include "particles/particle_set.h"

namespace spindrift {

template <int Dim>
struct SprayDrop {
    Vec<double, Dim> position;  // m
    Vec<double, Dim> velocity;  // m/s
    double volume = 0;          // m³ (m²)
    double radius = 0;          // m, as it is drawn
    std::uint32_t id = 0;       // of the particle it was
};

template <int Dim>
double volume_of(const std::vector<SprayDrop<Dim>>& drops);

// Makes drops of escaped particles, with the velocity there is where they are.  Together they weigh `missing` (m³), or
// all they can if that is less: each its sphere, or `share` (m³), a particle's share of a cell, where that is more.
template <int Dim>
void throw_drops(std::vector<SprayDrop<Dim>>& drops, const std::vector<Particle<Dim>>& escaped,
                 const FaceField<Dim>& velocity, const GridTransform<Dim>& grid, double missing, double share);

// Air that went under.
template <int Dim>
struct SunkAir {
    Index<Dim> cell;
    double volume = 0;  // m³ (m²)
};

template <int Dim>
double volume_of(const std::vector<SunkAir<Dim>>& air);

// Of the particles of air among those that escaped into liquid cells.  Together they hold `gained` (m³), or all they
// can, as drops do: each may stand for a bubble of `share`.
template <int Dim>
std::vector<SunkAir<Dim>> sunk_under(const std::vector<Particle<Dim>>& escaped, const Field<float, Dim>& phi,
                                     const GridTransform<Dim>& grid, double gained, double share);

// Takes it off the swelling of liquid cells; returns how much that is, m³.
template <int Dim>
double press_out(const std::vector<SunkAir<Dim>>& sunk, Field<float, Dim>& swelling, const Field<float, Dim>& phi,
                 double cell_volume);

// What surrounds drops in flight.
template <int Dim>
struct SprayWorld {
    GridTransform<Dim> grid;
    IndexBox<Dim> box;             // the container, in cells; endless along axes that repeat
    const Field<float, Dim>* phi;  // m
    // m, negative inside, everywhere and not just near the liquid; empty where there are none.
    std::function<double(const Vec<double, Dim>&)> solid;
    Vec<double, Dim> gravity;                                           // m/s²
    std::vector<std::function<double(const Vec<double, Dim>&)>> sinks;  // m, negative where drops vanish
};

struct FlightReport {
    double landed = 0;      // m³, in the liquid
    double flowed_out = 0;  // m³, into sinks
};

// Flies for dt.  Drops that come to lie in the liquid are taken out: `swelling` (a field of the liquid's tiles)
// receives their volume per cell volume, and `velocity` their momentum.
template <int Dim>
FlightReport fly(std::vector<SprayDrop<Dim>>& drops, Field<float, Dim>& swelling, FaceField<Dim>& velocity, double dt,
                 const SprayWorld<Dim>& world);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Spray: water in the air that is too fine for the grid.  Particles of the liquid's inside that end up far outside it
// are drops; they fly as stones do until they land [EMF02 §3.4, FF01 §5.2].
//
// A drop weighs what the surface lost when it came off, no more: spheres of particles overlap, and the sum of them
// would make water.  Volumes are spread as in sprays, by the law of [RosinRammler33] with exponent 3; the radius is
// that of the volume.  Where a drop lands, its momentum goes to the liquid there, and its volume: see absorbed.h.
//
// A drop that hits a wall or a solid bounces if it is fast.  If not, it wets it and runs down, slowed by friction,
// until it touches the liquid.
//
// Particles of air that end up inside the liquid are the reverse: air too fine for the grid, over which the surface has
// closed.  What the liquid gained by that, it draws together where they went under.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <vector>

#include "base/vec.h"
#include "grid/field.h"
#include "grid/transform.h"
#include "liquid/absorbed.h"
#include "particles/particle_list.h"
#include "particles/particle_set.h"

namespace spindrift {

// One drop, as it is taken out of a list and put into it.
template <int Dim>
struct SprayDrop {
    Vec<double, Dim> position;  // m
    Vec<double, Dim> velocity;  // m/s
    double volume = 0;          // m³ (m²)
    double radius = 0;          // m; of the volume, or DropSizes::largest: then it stands for several drops
    std::uint32_t id = 0;       // of the particle it was
};

// Drops in flight: places in m, and as attributes all that a drop has.  Further attributes come along.
template <int Dim>
struct Spray : ParticleList<Dim> {
    Spray();
    Spray(std::initializer_list<SprayDrop<Dim>> drops) : Spray() {
        for (const SprayDrop<Dim>& drop : drops) add(drop);
    }
    SprayDrop<Dim> drop(std::size_t n) const;
    void set_drop(std::size_t n, const SprayDrop<Dim>& drop);
    void add(const SprayDrop<Dim>& drop);
};

template <int Dim>
double volume_of(const Spray<Dim>& drops);

template <int Dim>
double sphere_volume(double radius) {
    return Dim == 2 ? M_PI * radius * radius : 4.0 / 3 * M_PI * radius * radius * radius;
}
template <int Dim>
double sphere_radius(double volume) {
    return Dim == 2 ? std::sqrt(volume / M_PI) : std::cbrt(volume * 3 / (4 * M_PI));
}

struct DropSizes {
    double missing;          // m³ (m²): what the surface lost, which drops weigh together if they can
    double share;            // m³ (m²): a particle's share of a cell
    double largest = 0.005;  // m: larger drops of water break up in the air
};

// Makes drops of escaped particles, with the velocity there is where they are.  Together they weigh what is missing, or
// all they can if that is less: the sum of their spheres, or of their shares of a cell where those are more.  What
// would weigh nothing is no drop.  Returns what they weigh.
template <int Dim>
double throw_drops(Spray<Dim>& drops, const std::vector<Particle<Dim>>& escaped, const FaceField<Dim>& velocity,
                   const GridTransform<Dim>& grid, const DropSizes& sizes);

// Of the particles of air among those that escaped into liquid cells.  Together they hold `gained` (m³), or all they
// can, as drops do: each may stand for a bubble of `share`.
template <int Dim>
std::vector<Absorbed<Dim>> absorbed_air(const std::vector<Particle<Dim>>& escaped, const Field<float, Dim>& phi,
                                        const GridTransform<Dim>& grid, double gained, double share);

// What surrounds drops in flight.
template <int Dim>
struct SprayWorld {
    GridTransform<Dim> grid;
    IndexBox<Dim> box;             // the container, in cells; endless along axes that repeat
    const Field<float, Dim>* phi;  // m
    // m, negative inside, everywhere and not just near the liquid; empty where there are none.
    std::function<double(const Vec<double, Dim>&)> solid;
    Vec<double, Dim> gravity;                                                       // m/s²
    std::function<Vec<double, Dim>(const Vec<double, Dim>& place)> acceleration{};  // by forces besides, m/s²
    double kept = 1;                                                                // of the velocity, by drag
    std::vector<std::function<double(const Vec<double, Dim>&)>> sinks;              // m, negative where drops vanish
};

template <int Dim>
struct FlightReport {
    std::vector<Absorbed<Dim>> landed{};  // in the liquid
    double flowed_out = 0;                // m³, into sinks
};

// Flies for dt.  Drops that come to lie in the liquid are taken out, and `velocity` receives their momentum.
template <int Dim>
FlightReport<Dim> fly(Spray<Dim>& drops, FaceField<Dim>& velocity, double dt, const SprayWorld<Dim>& world);

}  // namespace spindrift

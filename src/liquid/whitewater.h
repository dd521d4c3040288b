// SPDX-License-Identifier: Apache-2.0
// Whitewater: spray, foam and bubbles, made from the motion of a liquid that is known already [Ihmsen12].  It does not
// act back on the liquid, so that it can be made along with a run or from its files.
//
// Particles are born where air is entrained, see whitewater_births.h.  From one frame to the next
//
//   spray flies        dv/dt = g − k |v − w| (v − w),  k = 3/8 C_d ρ_air/ρ_water / r,  w the wind
//   foam drifts        dx/dt = u, the liquid's velocity, and stays on the surface
//   bubbles rise       dx/dt = v, which relaxes to u + U with the terminal velocity U against gravity
//
// and at a frame's end the type follows from φ at the particle's place.  The flow of a frame serves for the whole step
// that ends at it: where its surface is matters at the end alone, so that all lie right in each frame.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "grid/collocate.h"
#include "grid/transform.h"
#include "particles/particle_list.h"

namespace spindrift {

enum class WhitewaterType : std::uint8_t { spray, foam, bubble };

template <int Dim>
struct WhitewaterParticle {
    Vec<double, Dim> position;  // m
    Vec<double, Dim> velocity;  // m/s
    double radius = 0;          // m
    double age = 0;             // s
    double lifetime = 0;        // s: the age at which it vanishes; foam ages towards it fastest
    WhitewaterType type = WhitewaterType::foam;
    std::uint32_t id = 0;
};

// The type as an attribute is 0 (spray), 1 (foam) or 2 (bubble).
template <int Dim>
struct Whitewater : ParticleList<Dim> {
    Whitewater();
    WhitewaterParticle<Dim> particle(std::size_t n) const;
    void set_particle(std::size_t n, const WhitewaterParticle<Dim>& particle);
    void add(const WhitewaterParticle<Dim>& particle);
};

struct WhitewaterSettings {
    double amount = 1;          // factor on how many are born
    double min_speed = 1;       // m/s: slower liquid makes none
    double lifetime = 2;        // s, of foam where most air is entrained
    double radius = 0.005;      // m, on average
    double drag = 1;            // of spray in the air, as a factor
    std::size_t most = 200000;  // particles at a time
    std::uint64_t seed = 1;
};

// The liquid at the end of a step, and what surrounds it.
template <int Dim>
struct WhitewaterFlow {
    GridTransform<Dim> grid;
    IndexBox<Dim> box;                            // the container, in cells
    std::array<bool, Dim> repeats{};              // axes along which the box is periodic
    std::array<std::array<bool, 2>, Dim> open{};  // sides, lower and upper, through which all leaves
    const Field<float, Dim>* phi;                 // m
    const VectorField<Dim>* velocity;             // m/s, of the liquid, at cell centres
    Vec<double, Dim> gravity;                     // m/s²
    double viscosity = 0;                         // kinematic, m²/s
    // m, negative inside; empty where there are none.
    std::function<double(const Vec<double, Dim>&)> solid{};
    std::function<Vec<double, Dim>(const Vec<double, Dim>&)> wind{};  // m/s; empty: air at rest
};

struct WhitewaterReport {
    std::size_t born = 0, died = 0;
    bool is_limited = false;  // fewer were born than would have been without `most`
};

// Goes on by dt to the frame that the flow is of.  Births are random by `step`: no two steps of a run have the same.
template <int Dim>
WhitewaterReport advance_whitewater(Whitewater<Dim>& whitewater, const WhitewaterFlow<Dim>& flow, double dt,
                                    const WhitewaterSettings& settings, std::uint32_t step);

// At which speed a bubble rises in still liquid, m/s: the least of what a large and what a small one has.
double terminal_bubble_speed(double radius, double gravity, double viscosity);

}  // namespace spindrift

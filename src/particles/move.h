// SPDX-License-Identifier: Apache-2.0
// Particles advected by the flow, dx/dt = u(x), velocities linear between faces.
#pragma once

#include "grid/field.h"
#include "particles/particle_set.h"

namespace spindrift {

// Where particles may be.
template <int Dim>
struct Enclosure {
    IndexBox<Dim> box;                                  // the container, in cells
    std::array<std::array<bool, 2>, Dim> open{};        // sides that let particles out, below and above along each axis
    const Field<float, Dim>* solid_distance = nullptr;  // at cell centres, m, negative inside; where there are solids
};

enum class PathRule {
    midpoint,     // second order
    third_order,  // Heun's: half as much again per step, for steps more than twice as long
};

struct MoveReport {
    std::size_t held = 0;  // at walls and solids
    std::size_t left = 0;  // through open sides; their radius is zero now
};

// A step of dt with one velocity, best that of the step's middle.  It must be known as far beyond the particles as they
// go in two thirds of a step.  Those that come to another tile still count their place from the old one: rebin() comes
// next.
template <int Dim>
MoveReport move_particles(ParticleSet<Dim>& particles, const FaceField<Dim>& velocity, double dt, double dx,
                          const Enclosure<Dim>& enclosure, PathRule rule = PathRule::midpoint);

}  // namespace spindrift

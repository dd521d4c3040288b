// SPDX-License-Identifier: Apache-2.0
// Paths in the flow, dx/dt = u(x), velocities linear between faces, by Heun's rule of third order:
//
//   x + dt (u₁ + 3 u₃) / 4,   u₁ = u(x),   u₂ = u(x + dt u₁ / 3),   u₃ = u(x + 2/3 dt u₂)
//
// One velocity serves for the whole step, best that of its middle.  It must be known as far away as a path leads in two
// thirds of a step.
#pragma once

#include <array>
#include <memory>

#include "grid/field.h"
#include "particles/particle_set.h"

namespace spindrift {

// Moves places in one tile after the other: particles, or with dt < 0 cells back to where they came from.
template <int Dim>
class PathTracer {
  public:
    // `box` is the container, in cells: beyond it the velocity is that of the nearest face.
    PathTracer(const FaceField<Dim>& velocity, double dt, double dx, const IndexBox<Dim>& box);
    ~PathTracer();

    // Places are counted in cells from the tile's lower corner, before in the tile, afterwards anywhere.
    void move(Slot slot, const std::array<float*, Dim>& place, std::size_t count);

  private:
    struct Work;
    std::unique_ptr<Work> work_;
};

// Particles stay inside the box.  Those that come to another tile still count their place from the old one: rebin()
// comes next.
template <int Dim>
void move_particles(ParticleSet<Dim>& particles, const FaceField<Dim>& velocity, double dt, double dx,
                    const IndexBox<Dim>& box);

// Brings the particles of a tile that went through walls of the box back.
template <int Dim>
void keep_inside(ParticleSet<Dim>& particles, Slot slot, const IndexBox<Dim>& box);

extern template class PathTracer<2>;
extern template class PathTracer<3>;

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Implicit diffusion, stable for any step:  (I − κ dt ∇²) a_new = a  [Stam99] §2.2.  On the sides of the domain no
// flux, or the side's own value or flux, as the field's layout and DiffusionWalls say; at solids the same, to second
// order:
//   a given value where the way to the next point meets the solid [Gibou02]; a point nearer than a tenth of a cell is
//   not solved for but lies on the line from the wall to the points beyond it, so that no distance is too small;
//   a given flux, or none, by the open parts of cut cells and of their faces [Batty07].
// Velocity has the value of solids that do not slip.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "linear/poisson_solver.h"
#include "schemes/domain_boundary.h"
#include "schemes/field_layout.h"
#include "schemes/wall_value.h"

namespace spindrift {

// Boundary conditions on walls beside those of the layout.
template <int Dim>
struct DiffusionWalls {
    bool slip = false;                         // solids are slip walls for velocity
    std::span<const WallValue<Dim>> solids{};  // of a substance; solids beyond the list are insulated
    std::array<std::array<const WallValue<Dim>*, 2>, Dim> flux{};  // through sides; null: as the layout says
    double time = 0;
};

// κ in m²/s.  A field of cells, or a component of velocity with the layout of its faces.
template <int Dim>
SolveReport diffuse(Field<float, Dim>& field, const FieldLayout<Dim>& layout, const DomainBoundary<Dim>& boundary,
                    const DiffusionWalls<Dim>& walls, double kappa, double dt, PoissonSolver<Dim>& solver);

// The explicit step,  a += κ dt ∇²a,  with the same walls.  Not stable alone.
template <int Dim>
void add_diffusion(Field<float, Dim>& field, const FieldLayout<Dim>& layout, const DomainBoundary<Dim>& boundary,
                   const DiffusionWalls<Dim>& walls, double kappa, double dt);

// Points right beside a wall with a given value, and in it, follow from those beyond.  diffuse() ends with this.
template <int Dim>
void follow_walls(Field<float, Dim>& field, const FieldLayout<Dim>& layout, const DomainBoundary<Dim>& boundary,
                  const DiffusionWalls<Dim>& walls);

// What part θ of a step is to be implicit, the rest explicit: a half, for second order [CrankNicolson47], or as much
// more as it takes for the explicit part to make no pattern on the grid larger than three times of what it was.
// Advection comes between the two and makes smooth patterns of rough ones, so the implicit part cannot be relied on to
// damp much larger ones again.  With no growth at all, viscous vortices of CFL 0.5 lost 0.7 % of their energy.
template <int Dim>
double implicit_part(double kappa, double dt, double dx) {
    constexpr double kMostExplicit = 4;                    // turns the roughest pattern into −3 times itself
    const double rate = 4 * Dim * kappa * dt / (dx * dx);  // at which that pattern fades, per step
    return std::max(0.5, 1 - kMostExplicit / rate);
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// What the verbs of a gas's step read besides its state: the world, the settings, the boundary on the gas's tiles at
// the time it was brought to; and the solvers, which keep what serves many steps.
#pragma once

#include <utility>

#include "gas/state.h"
#include "gas/world.h"
#include "schemes/diffusion.h"

namespace spindrift {

template <int Dim>
struct GasDomain {
    GasWorld<Dim> world;
    GasSettings settings;
    DomainBoundary<Dim> boundary;
    double boundary_time = 0;  // when solids are where it has them
    DomainProjection<Dim> projection{};
    PoissonSolver<Dim> solver{};

    GasDomain(GasWorld<Dim> around, const GasSettings& how);

    double cell_volume() const;  // m³ (m²)
};

// Brings the boundary to the tiles of the gas, and moving solids to the time.
template <int Dim>
void refit_boundary(GasDomain<Dim>& domain, const GasState<Dim>& gas, double time);

// Moves solids on.  What is advected out of places that they leave is what was beside it.
template <int Dim>
void move_solids(GasDomain<Dim>& domain, GasState<Dim>& gas, double time);

extern template struct GasDomain<2>;
extern template struct GasDomain<3>;

}  // namespace spindrift

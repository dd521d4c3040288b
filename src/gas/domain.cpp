// SPDX-License-Identifier: Apache-2.0
#include "gas/domain.h"

#include <algorithm>
#include <cmath>

namespace spindrift {
namespace {

template <int Dim>
DomainBoundary<Dim> boundary_of(const GasWorld<Dim>& world) {
    const bool diffuses = std::ranges::any_of(world.substances, [](const auto& s) { return s.diffusion > 0; });
    return make_boundary(world.domain, world.solids, {.friction = world.viscosity > 0, .diffusion = diffuses});
}

}  // namespace

template <int Dim>
GasDomain<Dim>::GasDomain(GasWorld<Dim> around, const GasSettings& how)
    : world(std::move(around)), settings(how), boundary(boundary_of(world)) {}

template <int Dim>
double GasDomain<Dim>::cell_volume() const {
    return std::pow(world.domain.grid.dx, Dim);
}

template <int Dim>
void refit_boundary(GasDomain<Dim>& domain, const GasState<Dim>& gas, double time) {
    const GasWorld<Dim>& world = domain.world;
    if (domain.boundary.tiles == gas.tiles_ptr() && (!world.solids_move || domain.boundary_time == time)) return;
    refit(domain.boundary, gas.tiles_ptr(), world.solids, time);
    domain.boundary_time = time;
    domain.projection.forget();
}

template <int Dim>
void move_solids(GasDomain<Dim>& domain, GasState<Dim>& gas, double time) {
    for (Field<float, Dim>& a : gas.substances) extrapolate_into_solids(a, domain.boundary);
    for (Field<float, Dim>& way : gas.texture) extrapolate_into_solids(way, domain.boundary);
    refit_boundary(domain, gas, time);
}

template struct GasDomain<2>;
template struct GasDomain<3>;

#define INSTANTIATE(Dim)                                                         \
    template void refit_boundary(GasDomain<Dim>&, const GasState<Dim>&, double); \
    template void move_solids(GasDomain<Dim>&, GasState<Dim>&, double);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

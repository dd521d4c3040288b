// SPDX-License-Identifier: Apache-2.0
#include "liquid/domain.h"

#include <cmath>
#include <utility>
#include <vector>

#include "base/profile.h"
#include "grid/activation.h"
#include "grid/refit.h"
#include "liquid/escaped.h"

namespace spindrift {
namespace {

// Cells that interpolation and the surface's stencil reach beyond where a step goes.
constexpr int kStencilReach = 3;

}  // namespace

template <int Dim>
LiquidDomain<Dim>::LiquidDomain(World<Dim> around, const LiquidSettings& how)
    : world(std::move(around)), settings(how), grid{world.grid.dx, walled_box(world), reach() + 2} {
    end_sources_at_outlets(world);
    boundaries.domain = {.grid = world.grid, .box = grid.box};
    for (std::size_t axis = 0; axis < Dim; ++axis)
        for (const std::size_t end : {0, 1})
            boundaries.domain.sides[axis][end].kind =
                world.period[static_cast<int>(axis)] > 0 ? SideKind::periodic : world.sides[axis][end];
    boundaries.solid_distance = world.solid_distance;
    boundaries.solid_slip = world.solid_slip;
}

template <int Dim>
int LiquidDomain<Dim>::reach() const {
    return static_cast<int>(std::ceil(settings.cfl)) + kStencilReach;
}

template <int Dim>
double LiquidDomain<Dim>::cell_volume() const {
    return std::pow(world.grid.dx, Dim);
}

template <int Dim>
double LiquidDomain<Dim>::particle_volume() const {
    return cell_volume() / settings.particles.per_cell;
}

template <int Dim>
void refit_boundaries(LiquidDomain<Dim>& domain, const LiquidState<Dim>& liquid, double time) {
    const TilesPtr<Dim>& tiles = liquid.phi.tiles_ptr();
    if (domain.placed && domain.placed->time == time && domain.placed->tiles == tiles) return;
    domain.placed = typename LiquidDomain<Dim>::Placed{time, tiles};
    if (domain.world.solid_slips_at)
        domain.boundaries.solid_slips_at = [slips_at = domain.world.solid_slips_at, time](const Vec<double, Dim>& p) {
            return slips_at(p, time);
        };
    refit(domain.boundaries, tiles, moving_parts(domain.world, time), time);
}

template <int Dim>
void refit(LiquidState<Dim>& liquid, const TilesPtr<Dim>& tiles, LiquidDomain<Dim>& domain) {
    refit(liquid.phi, tiles);
    refit(liquid.velocity, tiles);
    refit(liquid.pressure, tiles);
    for (FaceField<Dim>* field : {&liquid.acceleration, &liquid.path_acceleration})
        if (!(*field)[0].empty()) refit(*field, tiles);
    if (!liquid.bodies.labels.field.empty()) refit(liquid.bodies.labels.field, tiles);
    std::vector<Particle<Dim>> left_behind;
    if (domain.has_particles()) left_behind = rebin(liquid.particles, tiles);
    refit_boundaries(domain, liquid, liquid.time);
    throw_spray(liquid, std::move(left_behind), domain);
    // Last: until then it says what the drops are made of.
    for (Field<float, Dim>& part : liquid.mixture.parts) refit(part, tiles);
}

template <int Dim>
void refit_tiles(LiquidState<Dim>& liquid, LiquidDomain<Dim>& domain) {
    const ProfileScope scope("tiles");
    const TilesPtr<Dim> wanted = tiles_for(liquid.phi, domain.grid);
    refit(liquid, same_tiles(*wanted, liquid.tiles()) ? liquid.phi.tiles_ptr() : wanted, domain);
}

template struct LiquidDomain<2>;
template struct LiquidDomain<3>;

#define INSTANTIATE(Dim)                                                                 \
    template void refit_boundaries(LiquidDomain<Dim>&, const LiquidState<Dim>&, double); \
    template void refit(LiquidState<Dim>&, const TilesPtr<Dim>&, LiquidDomain<Dim>&);    \
    template void refit_tiles(LiquidState<Dim>&, LiquidDomain<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

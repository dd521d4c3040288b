// SPDX-License-Identifier: Apache-2.0
#include "liquid/initial_state.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

#include "liquid/accounts.h"
#include "liquid/initial_surface.h"

namespace spindrift {
namespace {

// Until φ is a distance where the initial shape is not: as deep as redistancing is accurate.
constexpr int kInitialRedistances = 3;

// Tiles within `band` (m) of the liquid, found by the distance at their centres.
template <int Dim>
TilesPtr<Dim> tiles_near(const std::function<double(const Vec<double, Dim>&)>& distance, const World<Dim>& world,
                         double band) {
    std::vector<Index<Dim>> wanted;
    const TilesPtr<Dim> all = Tiles<Dim>::covering(world.box, world.period);
    const double half_diagonal = 0.5 * kTileSide * std::sqrt(double{Dim}) * world.grid.dx;
    for (std::size_t n = 0; n < all->count(); ++n) {
        const Vec<double, Dim> centre = world.grid.world_from_cell(Vec<double, Dim>(all->origin(static_cast<Slot>(n))) +
                                                                   Vec<double, Dim>(0.5 * kTileSide));
        if (distance(centre) < band + half_diagonal) wanted.push_back(all->coordinate(static_cast<Slot>(n)));
    }
    return Tiles<Dim>::from_coordinates(std::move(wanted), world.period);
}

}  // namespace

template <int Dim>
LiquidState<Dim> initial_state(LiquidDomain<Dim>& domain,
                               const std::function<double(const Vec<double, Dim>&)>& distance,
                               const std::function<Vec<double, Dim>(const Vec<double, Dim>&)>& velocity) {
    const World<Dim>& world = domain.world;
    const double band = domain.grid.band * world.grid.dx;
    const TilesPtr<Dim> tiles = tiles_near(distance, world, band);

    LiquidState<Dim> liquid;
    liquid.phi = Field<float, Dim>::unfilled(tiles, static_cast<float>(band));
    const auto free_surface = free_surface_distance(world, distance, solids_at(world, 0));
    std::atomic<bool> has_hidden_faces = false;
    assign(liquid.phi, [&](const Index<Dim>& cell) {
        const Vec<double, Dim> place = world.grid.world_of_centre(cell);
        const double value = free_surface(place);
        if (value < band && value != distance(place)) has_hidden_faces = true;
        return static_cast<float>(std::clamp(value, -band, band));
    });
    liquid.velocity = FaceField<Dim>(tiles);
    for (int axis = 0; axis < Dim; ++axis)
        assign(liquid.velocity[axis], [&](const Index<Dim>& cell) {
            return static_cast<float>(velocity(world.grid.world_of_face(axis, cell))[axis]);
        });
    liquid.pressure = Field<float, Dim>(tiles);
    liquid.particles = ParticleSet<Dim>(tiles);
    refit_boundaries(domain, liquid, 0);
    const double too_thin = take_out_thin_liquid(liquid.phi, domain.grid, domain.open_volume()) * domain.cell_volume();
    // Beside faces of the shape that are no surface the distance has to be found first: two cells at a time.
    if (has_hidden_faces) bound_slopes(liquid.phi, domain.grid);
    for (int n = has_hidden_faces ? kInitialRedistances : 1; n > 0; --n) redistance(liquid.phi, domain.grid);
    refit_tiles(liquid, domain);
    stop_at_walls(liquid.velocity, domain.boundaries);
    if (domain.has_particles()) reseed(liquid.particles, liquid.phi, domain.tracking(), 0);
    liquid.ledger.initial = domain.volume(liquid.phi) + too_thin;
    liquid.bodies.labels = found_bodies(liquid.phi, domain.boundaries, domain.grid);
    liquid.bodies.expected = body_volumes(liquid, domain);
    liquid.bodies.lost = std::exchange(liquid.bodies.expected[0], 0.0) + too_thin;
    return liquid;
}

#define INSTANTIATE(Dim)                                                                                               \
    template LiquidState<Dim> initial_state(LiquidDomain<Dim>&, const std::function<double(const Vec<double, Dim>&)>&, \
                                            const std::function<Vec<double, Dim>(const Vec<double, Dim>&)>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "liquid/given_flow.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "grid/activation.h"
#include "grid/collocate.h"
#include "grid/refit.h"

namespace spindrift {
namespace {

// Cells of distance kept on each side of the surface: room for particles, and for the stencils beyond them.
constexpr int kBand = 7;
// A step of the surface goes this many cells, summed over the axes; when the flow has become faster by then, not more
// than the limit.
constexpr double kSurfaceCfl = 0.8, kMostCfl = 0.95;
// More steps of the surface in one of the run are no flow but a mistake.
constexpr double kMostSteps = 10000;

template <int Dim>
TilesPtr<Dim> tiles_with_particles(const ParticleSet<Dim>& particles) {
    std::vector<Index<Dim>> held;
    for (std::size_t n = 0; n < particles.tiles->count(); ++n)
        if (particles.first[n] < particles.first[n + 1])
            held.push_back(particles.tiles->coordinate(static_cast<Slot>(n)));
    return Tiles<Dim>::from_coordinates(std::move(held), particles.tiles->period());
}

}  // namespace

template <int Dim>
GivenFlow<Dim>::GivenFlow(World<Dim> world, Velocity velocity, GivenFlowSettings settings)
    : world_(std::move(world)),
      velocity_(std::move(velocity)),
      settings_(settings),
      grid_{world_.grid.dx, walled_box(world_), kBand} {}

template <int Dim>
double GivenFlow<Dim>::volume(const Field<float, Dim>& phi) const {
    return liquid_cells(phi, grid_) * std::pow(grid_.dx, Dim);
}

template <int Dim>
LiquidState<Dim> GivenFlow<Dim>::initial_state(const std::function<double(const Vec<double, Dim>&)>& distance) const {
    const double band = kBand * grid_.dx;
    LiquidState<Dim> liquid;
    Field<float, Dim>& phi = liquid.phi;
    phi = Field<float, Dim>::unfilled(Tiles<Dim>::covering(world_.box, world_.period), static_cast<float>(band));
    assign(phi, [&](const Index<Dim>& cell) {
        return static_cast<float>(std::clamp(distance(world_.grid.world_of_centre(cell)), -band, band));
    });
    redistance(phi, grid_);
    refit(phi, tiles_for(phi, grid_));
    liquid.velocity = FaceField<Dim>(phi.tiles_ptr());
    velocity_(liquid.velocity, 0);
    liquid.pressure = Field<float, Dim>(phi.tiles_ptr());
    liquid.ledger.initial = volume(phi);
    liquid.particles = ParticleSet<Dim>(phi.tiles_ptr());
    reseed(liquid.particles, phi, grid_, settings_.particles, 0);
    return liquid;
}

// Σ|u| over the axes, the largest within the band; NaN when a velocity there is.
template <int Dim>
double GivenFlow<Dim>::largest_axis_sum(const LiquidState<Dim>& liquid) const {
    const auto band = static_cast<float>((kBand - 0.01) * grid_.dx);
    return parallel_max(liquid.tiles().count(), kTilesPerBlock<Dim>, 0.0, [&](std::size_t begin, std::size_t end) {
        double most = 0;
        for (std::size_t n = begin; n < end; ++n)
            for (int cell = 0; cell < kTileCells<Dim>; ++cell) {
                const auto slot = static_cast<Slot>(n);
                if (!(std::abs(liquid.phi.tile(slot)[cell]) < band)) continue;
                double sum = 0;
                for (int axis = 0; axis < Dim; ++axis) sum += std::abs(liquid.velocity[axis].tile(slot)[cell]);
                if (!(sum <= most)) most = sum;
                if (sum != sum) return sum;
            }
        return most;
    });
}

template <int Dim>
double GivenFlow<Dim>::stable_dt(const LiquidState<Dim>& liquid) const {
    const double fastest = largest_axis_sum(liquid);
    return fastest > 0 ? settings_.cfl * grid_.dx / fastest : std::numeric_limits<double>::infinity();
}

// One step of surface and particles with the velocity of its middle.  False when that turned out too fast.
template <int Dim>
bool GivenFlow<Dim>::carry(LiquidState<Dim>& liquid, double dt) const {
    velocity_(liquid.velocity, liquid.time + 0.5 * dt);
    if (!(largest_axis_sum(liquid) * dt <= kMostCfl * grid_.dx)) return false;

    // φ and particles apart, then together.  [EMF02] §3.2
    advect_level_set(liquid.phi, collocated(liquid.velocity), dt, grid_);
    move_particles(liquid.particles, liquid.velocity, dt, grid_.dx, Enclosure<Dim>{grid_.box});
    rebin(liquid.particles, liquid.phi.tiles_ptr());
    correct_level_set(liquid.phi, liquid.particles, grid_, settings_.particles);
    redistance(liquid.phi, grid_);
    correct_level_set(liquid.phi, liquid.particles, grid_, settings_.particles);
    settle(liquid.particles, liquid.phi, grid_);
    liquid.time += dt;
    follow(liquid);
    return true;
}

// Brings all to the tiles that surface and particles need now.
template <int Dim>
void GivenFlow<Dim>::follow(LiquidState<Dim>& liquid) const {
    const TilesPtr<Dim> tiles = unite(tiles_for(liquid.phi, grid_), tiles_with_particles(liquid.particles));
    if (same_tiles(*tiles, liquid.tiles())) return;
    refit(liquid.phi, tiles);
    refit(liquid.velocity, tiles);
    refit(liquid.pressure, tiles);
    rebin(liquid.particles, tiles);
}

template <int Dim>
StepReport GivenFlow<Dim>::step(LiquidState<Dim>& liquid, double dt) const {
    StepReport report{.dt = dt};
    const double start = liquid.time, end = start + dt;
    velocity_(liquid.velocity, start);
    double done = 0, fastest = largest_axis_sum(liquid);
    while (done < dt) {
        const double left = dt - done, needed = left * fastest / (kSurfaceCfl * grid_.dx);
        if (!(needed <= kMostSteps)) {
            report.failure =
                fmt::format("the given flow is too fast or not finite near the surface at {:.6g} s", liquid.time);
            return report;
        }
        const double steps = std::max(1.0, std::ceil(needed));
        if (carry(liquid, left / steps)) {
            done = steps > 1 ? done + left / steps : dt;
            ++report.surface_steps;
        }
        fastest = largest_axis_sum(liquid);
    }
    liquid.time = end;
    ++liquid.step;

    const double period = settings_.reseed_after;
    if (period > 0 && std::floor(end / period + 1e-6) > std::floor(start / period + 1e-6))
        reseed(liquid.particles, liquid.phi, grid_, settings_.particles, static_cast<std::uint32_t>(liquid.step));

    report.pressure.converged = true;  // there is nothing to solve
    report.tiles = liquid.tiles().count();
    report.volume = volume(liquid.phi);
    const double expected = liquid.ledger.expected();
    report.volume_error = expected > 0 ? (report.volume - expected) / expected : 0;
    report.max_speed = fastest;
    return report;
}

template class GivenFlow<2>;
template class GivenFlow<3>;

}  // namespace spindrift

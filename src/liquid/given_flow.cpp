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

// Cells that the stencils of the surface reach beyond where a step goes, and particles beyond the surface.
constexpr int kStencilReach = 5;
// A flow that has become faster than this many times settings.cfl by the middle of a step is given a shorter one.
constexpr double kMostSpeedup = 1.25;
// More parts of one step are no flow but a mistake.
constexpr int kMostParts = 10000;

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
      tracking_{{world_.grid.dx, walled_box(world_), static_cast<int>(std::ceil(settings.cfl)) + kStencilReach},
                settings.particles} {}

template <int Dim>
double GivenFlow<Dim>::volume(const Field<float, Dim>& phi) const {
    return liquid_cells(phi, tracking_.grid) * std::pow(tracking_.grid.dx, Dim);
}

template <int Dim>
LiquidState<Dim> GivenFlow<Dim>::initial_state(const std::function<double(const Vec<double, Dim>&)>& distance) const {
    const LevelSetGrid<Dim>& grid = tracking_.grid;
    const double band = grid.band * grid.dx;
    LiquidState<Dim> liquid;
    Field<float, Dim>& phi = liquid.phi;
    phi = Field<float, Dim>::unfilled(Tiles<Dim>::covering(world_.box, world_.period), static_cast<float>(band));
    assign(phi, [&](const Index<Dim>& cell) {
        return static_cast<float>(std::clamp(distance(world_.grid.world_of_centre(cell)), -band, band));
    });
    redistance(phi, grid);
    refit(phi, tiles_for(phi, grid));
    liquid.velocity = FaceField<Dim>(phi.tiles_ptr());
    velocity_(liquid.velocity, 0);
    liquid.pressure = Field<float, Dim>(phi.tiles_ptr());
    liquid.ledger.initial = volume(phi);
    liquid.particles = ParticleSet<Dim>(phi.tiles_ptr());
    reseed(liquid.particles, phi, tracking_, 0);
    return liquid;
}

// Σ|u| over the axes, the largest within the band; NaN when a velocity there is.
template <int Dim>
double GivenFlow<Dim>::speed(const LiquidState<Dim>& liquid) const {
    return surface_speed(liquid.phi, liquid.velocity, tracking_.grid).axis_sum;
}

template <int Dim>
double GivenFlow<Dim>::stable_dt(const LiquidState<Dim>& liquid) const {
    const double fastest = speed(liquid);
    return fastest > 0 ? settings_.cfl * tracking_.grid.dx / fastest : std::numeric_limits<double>::infinity();
}

// Brings all to the tiles that surface and particles need now.
template <int Dim>
void GivenFlow<Dim>::refit_tiles(LiquidState<Dim>& liquid) const {
    const TilesPtr<Dim> tiles = unite(tiles_for(liquid.phi, tracking_.grid), tiles_with_particles(liquid.particles));
    if (same_tiles(*tiles, liquid.tiles())) return;
    refit(liquid.phi, tiles);
    refit(liquid.velocity, tiles);
    refit(liquid.pressure, tiles);
    rebin(liquid.particles, tiles);
}

template <int Dim>
StepReport GivenFlow<Dim>::step(LiquidState<Dim>& liquid, double dt) const {
    StepReport report{.dt = dt};
    const double start = liquid.time, most = kMostSpeedup * settings_.cfl * tracking_.grid.dx;
    // In one part, or in more where the flow is faster in its middle than it was at the start.
    for (int parts = 1, done = 0; done < parts;) {
        const double part = dt / parts;
        velocity_(liquid.velocity, start + (done + 0.5) * part);
        const double fastest = speed(liquid);
        if (!(fastest * part <= most)) {
            parts *= 2, done *= 2;
            if (std::isfinite(fastest) && parts <= kMostParts) continue;
            report.failure =
                fmt::format("the given flow is too fast or not finite near the surface at {:.6g} s", liquid.time);
            return report;
        }
        const AdvanceReport<Dim> tracked =
            advance_tracked(liquid.phi, liquid.particles, liquid.velocity, part, tracking_);
        report.surface_steps += tracked.sub_steps;
        report.corrections += tracked.corrections.count();
        report.escaped += tracked.removed.size();
        report.max_speed = fastest;
        refit_tiles(liquid);
        ++done;
        liquid.time = done < parts ? start + done * part : start + dt;
    }
    ++liquid.step;
    const SeedingReport seeding = reseed_if_due(liquid.particles, liquid.phi, tracking_, liquid.time, dt,
                                                static_cast<std::uint32_t>(liquid.step));
    report.seeded = seeding.added;
    report.removed = seeding.removed;
    velocity_(liquid.velocity, liquid.time);

    report.pressure.converged = true;  // there is nothing to solve
    report.tiles = liquid.tiles().count();
    report.particles = liquid.particles.count();
    report.volume = volume(liquid.phi);
    const double expected = liquid.ledger.expected();
    report.volume_error = expected > 0 ? (report.volume - expected) / expected : 0;
    return report;
}

template class GivenFlow<2>;
template class GivenFlow<3>;

}  // namespace spindrift

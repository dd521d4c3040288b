// SPDX-License-Identifier: Apache-2.0
#include "liquid/inflow.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/profile.h"
#include "grid/activation.h"
#include "liquid/mixture.h"
#include "liquid/remove_particles.h"

namespace spindrift {
namespace {

// Cells by which φ may be off a distance where a source was filled before it is redistanced.
constexpr double kLittle = 0.1;

template <int Dim>
std::vector<const LiquidSource<Dim>*> sources_on(const World<Dim>& world, double time) {
    std::vector<const LiquidSource<Dim>*> on;
    for (const LiquidSource<Dim>& source : world.sources)
        if (source.is_on(time)) on.push_back(&source);
    return on;
}

}  // namespace

template <int Dim>
double fastest_source(const LiquidDomain<Dim>& domain, double time) {
    const World<Dim>& world = domain.world;
    double speed = 0;
    for (const LiquidSource<Dim>* source : sources_on(world, time)) {
        const TilesPtr<Dim> tiles = tiles_of(*source, time, world.grid, domain.grid, world.box, world.period);
        speed = std::max(speed, fastest_in(*source, time, world.grid, *tiles));
    }
    return speed;
}

template <int Dim>
void open_sources(LiquidState<Dim>& liquid, LiquidDomain<Dim>& domain, StepReport& report) {
    const ProfileScope scope("sources");
    const World<Dim>& world = domain.world;
    const LevelSetGrid<Dim>& grid = domain.grid;
    const double last_time = std::exchange(liquid.ledger.poured_until, liquid.time);
    const auto sources = sources_on(world, liquid.time);
    if (sources.empty()) return;
    bool first = false;
    for (const LiquidSource<Dim>* source : sources) {
        first |= !source->is_on(last_time);
        refit(liquid,
              unite(liquid.phi.tiles_ptr(), tiles_of(*source, liquid.time, world.grid, grid, world.box, world.period)),
              domain);
    }
    const double before = first ? domain.volume(liquid.phi) : 0;
    const bool mixes = first && liquid.mixture.is_there();
    const std::vector<double> components = mixes ? component_volumes(liquid, domain) : std::vector<double>();
    if (first) label_every_body(liquid.bodies.labels, liquid.phi);
    const double change = fill_sources(liquid, domain, liquid.time);
    fill_sources_with_components(liquid, domain, liquid.time);
    if (first) open_account(liquid, domain.volume(liquid.phi) - before);
    if (mixes) enter_change_of_components(liquid, components, domain);
    for (const LiquidSource<Dim>* source : sources) set_velocity_in(*source, liquid.velocity, liquid.time, world.grid);
    stop_at_walls(liquid.velocity, domain.boundaries);
    if (change > kLittle) {
        redistance(liquid.phi, grid);
        if (domain.has_particles()) {
            // What has escaped is for the end of the step to say.
            SurfaceTracking<Dim> tracking = domain.tracking();
            tracking.settings.escape_distance = std::numeric_limits<double>::infinity();
            report.corrections += correct_level_set(liquid.phi, liquid.particles, tracking).count();
            update_radii(liquid.particles, liquid.phi, tracking);
        }
    }
    if (!domain.has_particles()) return;
    // The surface that leaves them takes its particles with it, and needs others.
    const auto near_source = [&](Slot slot) {
        return std::any_of(sources.begin(), sources.end(), [&](const LiquidSource<Dim>* source) {
            return is_near(*source, liquid.tiles(), slot, liquid.time, world.grid, grid.band);
        });
    };
    const SeedingReport seeding =
        reseed(liquid.particles, liquid.phi, domain.tracking(), ~static_cast<std::uint32_t>(liquid.step), near_source);
    report.seeded += seeding.added;
    report.removed += seeding.removed;
}

template <int Dim>
void enter_inflow(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double dt) {
    const World<Dim>& world = domain.world;
    std::vector<double> in(liquid.mixture.expected.size(), 0.0);
    for (const LiquidSource<Dim>* source : sources_on(world, liquid.time)) {
        std::vector<double> flow = let_out(*source, liquid.phi, liquid.time, world.grid, domain.grid,
                                           domain.open_volume(), liquid.bodies.labels);
        // What is let out where there is no body goes to the one that receives most.
        const auto largest = std::max_element(flow.begin() + 1, flow.end());
        if (largest != flow.end()) *largest += std::exchange(flow[0], 0.0);
        for (std::size_t b = 0; b < flow.size(); ++b) {
            liquid.ledger.flowed_in += dt * flow[b];
            add_to_account(liquid.bodies, b, dt * flow[b]);
        }
        if (in.empty()) continue;
        const std::vector<double> of_components =
            components_let_out(liquid, *source, domain, std::accumulate(flow.begin(), flow.end(), 0.0));
        for (std::size_t i = 0; i < in.size(); ++i) in[i] += dt * of_components[i];
    }
    double overflow = 0;
    for (std::size_t b = 0; b < liquid.overflow.size(); ++b) {
        liquid.ledger.overflowed += dt * liquid.overflow[b];
        overflow += dt * liquid.overflow[b];
        add_to_account(liquid.bodies, b, -dt * liquid.overflow[b]);
    }
    // What finds no room is a part of all that comes in.
    double comes_in = 0;
    for (const double volume : in) comes_in += std::max(volume, 0.0);
    for (std::size_t i = 0; i < in.size(); ++i)
        liquid.mixture.expected[i] += in[i] - (comes_in > 0 ? overflow * std::max(in[i], 0.0) / comes_in : 0);
}

template <int Dim>
double fill_sources(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double time) {
    const GridTransform<Dim>& transform = domain.world.grid;
    double change = 0;
    for (const LiquidSource<Dim>* source : sources_on(domain.world, liquid.time)) {
        change = std::max(change, fill_source(liquid.phi, *source, time, transform, domain.grid) / domain.grid.dx);
        remove_particles(
            liquid.particles, transform,
            [&](Slot slot) { return is_near(*source, liquid.tiles(), slot, time, transform, 0); },
            [&](const Vec<double, Dim>& p, float radius) { return radius > 0 && source->distance(p, time) < 0; });
    }
    return change;
}

template <int Dim>
void drain_sinks(LiquidState<Dim>& liquid, const BodyMove<Dim>& move, const LiquidDomain<Dim>& domain) {
    const World<Dim>& world = domain.world;
    if (world.sinks.empty()) return;
    const BodyLabels<Dim> from{liquid.bodies.labels.count, move.came_from};
    const std::vector<double> before = body_cells(liquid.phi, domain.grid, domain.open_volume(), from);
    const bool mixes = liquid.mixture.is_there();
    const std::vector<double> components = mixes ? component_volumes(liquid, domain) : std::vector<double>();
    for (const LiquidSink<Dim>& sink : world.sinks) {
        drain(liquid.phi, sink, world.grid, domain.grid);
        remove_particles(
            liquid.particles, world.grid, [](Slot) { return true; },
            [&](const Vec<double, Dim>& p, float radius) { return radius < 0 && sink.distance(p) < 0; });
    }
    const std::vector<double> after = body_cells(liquid.phi, domain.grid, domain.open_volume(), from);
    for (std::size_t b = 0; b < after.size(); ++b) {
        const double drained = (before[b] - after[b]) * domain.cell_volume();
        liquid.ledger.flowed_out += drained;
        add_to_account(liquid.bodies, b, -drained);
    }
    if (mixes) enter_change_of_components(liquid, components, domain);
}

#define INSTANTIATE(Dim)                                                               \
    template double fastest_source(const LiquidDomain<Dim>&, double);                  \
    template void open_sources(LiquidState<Dim>&, LiquidDomain<Dim>&, StepReport&);    \
    template void enter_inflow(LiquidState<Dim>&, const LiquidDomain<Dim>&, double);   \
    template double fill_sources(LiquidState<Dim>&, const LiquidDomain<Dim>&, double); \
    template void drain_sinks(LiquidState<Dim>&, const BodyMove<Dim>&, const LiquidDomain<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

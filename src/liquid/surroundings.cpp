// SPDX-License-Identifier: Apache-2.0
#include "liquid/surroundings.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "base/profile.h"
#include "grid/activation.h"
#include "grid/refit.h"

namespace spindrift {
namespace {

// Cells that interpolation and the surface's stencil reach beyond where a step goes.
constexpr int kStencilReach = 3;
// Cells by which φ may be off a distance where a source was filled up before it is made one again.
constexpr double kLittle = 0.1;

// Takes out the particles for which unwanted(position in m, signed radius) holds, in tiles for which near(slot) does.
template <int Dim, class Near, class F>
void remove_particles(ParticleSet<Dim>& particles, const GridTransform<Dim>& grid, Near&& near, F&& unwanted) {
    if (particles.count() == 0) return;
    std::atomic<bool> any = false;
    for_each_bin(particles, [&](Slot slot) {
        if (!near(slot)) return;
        const Vec<double, Dim> corner(particles.tiles->origin(slot));
        for (std::size_t n = particles.begin(slot); n < particles.end(slot); ++n) {
            const Vec<double, Dim> p = grid.world_from_cell(corner + Vec<double, Dim>(particles.place(n)));
            if (!unwanted(p, particles.radius[n])) continue;
            particles.radius[n] = 0;
            any = true;
        }
    });
    if (any) rebin(particles, particles.tiles);
}

}  // namespace

template <int Dim>
Surroundings<Dim>::Surroundings(World<Dim> around, const LiquidSettings& how)
    : world(std::move(around)), settings(how), grid{world.grid.dx, walled_box(world), reach() + 2} {
    end_sources_at_outlets(world);
    boundaries.box = grid.box;
    boundaries.walls = world.walls;
    boundaries.grid = world.grid;
    boundaries.solid_distance = world.solid_distance;
    boundaries.solid_slip = world.solid_slip;
}

template <int Dim>
int Surroundings<Dim>::reach() const {
    return static_cast<int>(std::ceil(settings.cfl)) + kStencilReach;
}

template <int Dim>
double Surroundings<Dim>::cell_volume() const {
    return std::pow(world.grid.dx, Dim);
}

template <int Dim>
double Surroundings<Dim>::particle_volume() const {
    return cell_volume() / settings.particles.per_cell;
}

template <int Dim>
void Surroundings<Dim>::refit_boundaries(const LiquidState<Dim>& liquid, double time) {
    if (world.solid_slips_at)
        boundaries.solid_slips_at = [this, time](const Vec<double, Dim>& p) { return world.solid_slips_at(p, time); };
    refit(boundaries, liquid.phi.tiles_ptr(), moving_parts(world, time), time);
}

template <int Dim>
std::vector<const LiquidSource<Dim>*> Surroundings<Dim>::sources_on(double time) const {
    std::vector<const LiquidSource<Dim>*> on;
    for (const LiquidSource<Dim>& source : world.sources)
        if (source.is_on(time)) on.push_back(&source);
    return on;
}

template <int Dim>
double Surroundings<Dim>::fastest_source(double time) const {
    double speed = 0;
    for (const LiquidSource<Dim>* source : sources_on(time)) {
        const TilesPtr<Dim> tiles = tiles_of(*source, time, world.grid, grid, world.box, world.period);
        speed = std::max(speed, fastest_in(*source, time, world.grid, *tiles));
    }
    return speed;
}

template <int Dim>
void Surroundings<Dim>::enter_inflow(LiquidState<Dim>& liquid, double dt) const {
    for (const LiquidSource<Dim>* source : sources_on(liquid.time))
        liquid.ledger.flowed_in += dt * let_out(*source, liquid.phi, liquid.time, world.grid, grid, room());
}

template <int Dim>
void Surroundings<Dim>::refit_to(LiquidState<Dim>& liquid, const TilesPtr<Dim>& tiles) {
    refit(liquid.phi, tiles);
    refit(liquid.velocity, tiles);
    refit(liquid.pressure, tiles);
    std::vector<Particle<Dim>> lost;
    if (has_particles()) lost = rebin(liquid.particles, tiles);
    refit_boundaries(liquid, liquid.time);
    throw_spray(liquid, std::move(lost));
}

template <int Dim>
void Surroundings<Dim>::refit_tiles(LiquidState<Dim>& liquid) {
    TilesPtr<Dim> wanted = tiles_for(liquid.phi, grid);
    if (settings.enclosed_air) wanted = fill_hollows(wanted, world.box);
    refit_to(liquid, same_tiles(*wanted, liquid.tiles()) ? liquid.phi.tiles_ptr() : wanted);
}

template <int Dim>
double Surroundings<Dim>::fill_sources(LiquidState<Dim>& liquid, double time) {
    double change = 0;
    for (const LiquidSource<Dim>* source : sources_on(time)) {
        change = std::max(change, fill_source(liquid.phi, *source, time, world.grid, grid) / grid.dx);
        remove_particles(
            liquid.particles, world.grid,
            [&](Slot slot) { return is_near(*source, liquid.tiles(), slot, time, world.grid, 0); },
            [&](const Vec<double, Dim>& p, float radius) { return radius > 0 && source->distance(p, time) < 0; });
    }
    return change;
}

template <int Dim>
void Surroundings<Dim>::pour(LiquidState<Dim>& liquid) {
    const ProfileScope scope("sources");
    const double last_time = std::exchange(liquid.ledger.poured_until, liquid.time);
    const auto sources = sources_on(liquid.time);
    if (sources.empty()) return;
    bool first = false;
    for (const LiquidSource<Dim>* source : sources) {
        first |= !source->is_on(last_time);
        refit_to(liquid, unite(liquid.phi.tiles_ptr(),
                               tiles_of(*source, liquid.time, world.grid, grid, world.box, world.period)));
    }
    const double before = first ? volume(liquid.phi) : 0;
    const double change = fill_sources(liquid, liquid.time);
    if (first) liquid.ledger.flowed_in += volume(liquid.phi) - before;
    for (const LiquidSource<Dim>* source : sources) set_velocity_in(*source, liquid.velocity, liquid.time, world.grid);
    stop_at_walls(liquid.velocity, boundaries);
    if (change > kLittle) {
        redistance(liquid.phi, grid);
        if (has_particles()) {
            correct_level_set(liquid.phi, liquid.particles, grid, settings.particles);
            settle(liquid.particles, liquid.phi, grid);
        }
    }
    if (!has_particles()) return;
    // The surface that leaves them takes its particles with it, and needs others.
    const auto near_source = [&](Slot slot) {
        return std::any_of(sources.begin(), sources.end(), [&](const LiquidSource<Dim>* source) {
            return is_near(*source, liquid.tiles(), slot, liquid.time, world.grid, grid.band);
        });
    };
    reseed(liquid.particles, liquid.phi, grid, settings.particles, ~static_cast<std::uint32_t>(liquid.step),
           near_source);
}

template <int Dim>
void Surroundings<Dim>::drain_sinks(LiquidState<Dim>& liquid) {
    if (world.sinks.empty()) return;
    liquid.ledger.flowed_out += volume(liquid.phi);
    for (const LiquidSink<Dim>& sink : world.sinks) {
        drain(liquid.phi, sink, world.grid, grid);
        remove_particles(
            liquid.particles, world.grid, [](Slot) { return true; },
            [&](const Vec<double, Dim>& p, float radius) { return radius < 0 && sink.distance(p) < 0; });
    }
    liquid.ledger.flowed_out -= volume(liquid.phi);
}

template <int Dim>
double Surroundings<Dim>::beyond_surface(const LiquidState<Dim>& liquid) const {
    return volume_of(liquid.spray) - volume_of(sunk_air);
}

template <int Dim>
void Surroundings<Dim>::throw_spray(LiquidState<Dim>& liquid, std::vector<Particle<Dim>> lost) {
    std::erase_if(lost, [](const Particle<Dim>& p) { return !(p.radius < 0); });
    if (lost.empty()) return;
    const double missing = liquid.ledger.expected() - volume(liquid.phi) - beyond_surface(liquid);
    throw_drops(liquid.spray, lost, liquid.velocity, world.grid,
                {.missing = missing, .share = particle_volume(), .largest = settings.largest_drop});
}

template <int Dim>
void Surroundings<Dim>::sink_air(const LiquidState<Dim>& liquid, const std::vector<Particle<Dim>>& escaped) {
    if (escaped.empty()) return;
    const double gained = volume(liquid.phi) + beyond_surface(liquid) - liquid.ledger.expected();
    sunk_air = sunk_under(escaped, liquid.phi, world.grid, gained, cell_volume());
}

template <int Dim>
std::optional<Field<float, Dim>> Surroundings<Dim>::fly_spray(LiquidState<Dim>& liquid, double dt, StepReport& report) {
    if (liquid.spray.empty() && sunk_air.empty()) return std::nullopt;
    SprayWorld<Dim> around{.grid = world.grid,
                           .box = grid.box,
                           .phi = &liquid.phi,
                           .solid = solids_at(world, liquid.time),
                           .gravity = world.gravity(liquid.time),
                           .sinks = {}};
    for (const LiquidSink<Dim>& sink : world.sinks) around.sinks.push_back(sink.distance);
    Field<float, Dim> swelling(liquid.phi.tiles_ptr());
    const FlightReport flight = fly(liquid.spray, swelling, liquid.velocity, dt, around);
    liquid.ledger.flowed_out += flight.flowed_out;
    const double pressed_out = press_out(std::exchange(sunk_air, {}), swelling, liquid.phi, cell_volume());
    report.spray_volume = volume_of(liquid.spray) + flight.landed - pressed_out;
    if (flight.landed == 0 && pressed_out == 0) return std::nullopt;
    return swelling;
}

template <int Dim>
std::vector<CellGroup> Surroundings<Dim>::enclosed_air(const Field<float, Dim>& phi) const {
    if (!settings.enclosed_air) return {};
    if (world.sinks.empty()) return spindrift::enclosed_air(phi, boundaries);
    return spindrift::enclosed_air<Dim>(phi, boundaries, [&](const Index<Dim>& cell) {
        const Vec<double, Dim> place = world.grid.world_of_centre(cell);
        return std::any_of(world.sinks.begin(), world.sinks.end(),
                           [&](const LiquidSink<Dim>& sink) { return sink.distance(place) < 0; });
    });
}

template <int Dim>
void Surroundings<Dim>::part_from_solids(LiquidState<Dim>& liquid, const CellSet<Dim>& let_go) {
    if (let_go.empty()) return;
    let_air_in(liquid.phi, let_go, boundaries, reach());
    remove_particles(
        liquid.particles, world.grid,
        [&](Slot slot) {
            const float* solid = boundaries.solid.tile(slot);
            return std::any_of(solid, solid + kTileCells<Dim>, [](float d) { return d < 0; });
        },
        [&](const Vec<double, Dim>& p, float radius) {
            const Vec<double, Dim> at = world.grid.cell_from_world(p);
            const Index<Dim> cell = map([](double x) { return static_cast<int>(std::floor(x)); }, at);
            return radius < 0 && boundaries.solid.at(cell) < 0 && liquid.phi.at(cell) > 0;
        });
}

template struct Surroundings<2>;
template struct Surroundings<3>;

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "liquid/surroundings.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <utility>

#include "base/profile.h"
#include "grid/activation.h"
#include "grid/refit.h"
#include "grid/regions.h"
#include "liquid/step_limit.h"
#include "liquid/uncovered.h"

namespace spindrift {
namespace {

// Cells that interpolation and the surface's stencil reach beyond where a step goes.
constexpr int kStencilReach = 3;
// Cells by which φ may be off a distance where a source was filled up before it is made one again.
constexpr double kLittle = 0.1;
// The Reynolds number u dx / ν from which a drop of a cell's size comes off.  Below it viscosity has evened out the
// motion across the thread that it hangs on before inertia has drawn that out: thick liquids fold and string, and do
// not splash.  At one, viscosity and inertia are equal; ten leaves inertia clearly ahead.
constexpr double kSplashReynolds = 10;
// A body that vanishes and held no more than this many cells was a drop and goes on as one; what held more was a film.
constexpr double kDropCells = 2;
// Its radius in cells, that of escaped particles.
constexpr float kDropRadius = 0.3F;

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

template <int Dim>
Index<Dim> cell_at(const Vec<double, Dim>& place) {
    return map([](double x) { return static_cast<int>(std::floor(x)); }, place);
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
    if (placed && placed->time == time && placed->tiles == liquid.phi.tiles_ptr()) return;
    placed = Placed{time, liquid.phi.tiles_ptr()};
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
        enter(liquid, let_out(*source, liquid.phi, liquid.time, world.grid, grid, room(), liquid.bodies.labels), dt);
}

// Enters what flows into each body, by number, times a factor.  What a source lets out where there is no body goes to
// that which gets most of it.
template <int Dim>
void Surroundings<Dim>::enter(LiquidState<Dim>& liquid, std::vector<double> flow, double factor) const {
    const auto largest = std::max_element(flow.begin() + 1, flow.end());
    if (largest != flow.end()) *largest += std::exchange(flow[0], 0.0);
    for (std::size_t b = 0; b < flow.size(); ++b) {
        liquid.ledger.flowed_in += factor * flow[b];
        (b == 0 ? liquid.bodies.lost : liquid.bodies.expected[b]) += factor * flow[b];
    }
}

template <int Dim>
void Surroundings<Dim>::refit_to(LiquidState<Dim>& liquid, const TilesPtr<Dim>& tiles) {
    refit(liquid.phi, tiles);
    refit(liquid.velocity, tiles);
    refit(liquid.pressure, tiles);
    if (!liquid.bodies.labels.field.empty()) refit(liquid.bodies.labels.field, tiles);
    std::vector<Particle<Dim>> lost;
    if (has_particles()) lost = rebin(liquid.particles, tiles);
    refit_boundaries(liquid, liquid.time);
    throw_spray(liquid, std::move(lost), nullptr);
}

template <int Dim>
void Surroundings<Dim>::refit_tiles(LiquidState<Dim>& liquid) {
    const TilesPtr<Dim> wanted = tiles_for(liquid.phi, grid);
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
    if (first) label_every_body(liquid.bodies.labels, liquid.phi);
    const double change = fill_sources(liquid, liquid.time);
    if (first) open_account(liquid, volume(liquid.phi) - before);
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
void Surroundings<Dim>::open_account(LiquidState<Dim>& liquid, double volume) const {
    LiquidBodies<Dim>& bodies = liquid.bodies;
    const auto number = static_cast<float>(++bodies.labels.count);
    if (!bodies.labels.field.empty())
        for_each_tile(liquid.tiles(), [&](Slot slot) {
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                float& label = bodies.labels.field.tile(slot)[n];
                if (!(label > 0) && liquid.phi.tile(slot)[n] < 0) label = number;
            }
        });
    bodies.expected.push_back(volume);
    liquid.ledger.flowed_in += volume;
}

template <int Dim>
void Surroundings<Dim>::drain_sinks(LiquidState<Dim>& liquid, const BodyMove<Dim>& move) {
    if (world.sinks.empty()) return;
    const BodyLabels<Dim> from{liquid.bodies.labels.count, move.came_from};
    const std::vector<double> before = body_cells(liquid.phi, grid, room(), from);
    for (const LiquidSink<Dim>& sink : world.sinks) {
        drain(liquid.phi, sink, world.grid, grid);
        remove_particles(
            liquid.particles, world.grid, [](Slot) { return true; },
            [&](const Vec<double, Dim>& p, float radius) { return radius < 0 && sink.distance(p) < 0; });
    }
    const std::vector<double> after = body_cells(liquid.phi, grid, room(), from);
    for (std::size_t b = 0; b < after.size(); ++b) {
        const double drained = (before[b] - after[b]) * cell_volume();
        liquid.ledger.flowed_out += drained;
        (b == 0 ? liquid.bodies.lost : liquid.bodies.expected[b]) -= drained;
    }
}

template <int Dim>
std::vector<double> Surroundings<Dim>::body_volumes(const LiquidState<Dim>& liquid) const {
    std::vector<double> volumes = body_cells(liquid.phi, grid, room(), liquid.bodies.labels);
    for (double& volume : volumes) volume *= cell_volume();
    return volumes;
}

template <int Dim>
std::vector<double> Surroundings<Dim>::volumes_in_the_end(const LiquidState<Dim>& liquid) const {
    std::vector<double> volumes = body_volumes(liquid);
    const std::vector<double> to_come = volume_to_come(liquid.swallowed, liquid.bodies.labels);
    for (std::size_t b = 0; b < volumes.size(); ++b) volumes[b] += to_come[b];
    return volumes;
}

// The account that a particle of the liquid belongs to: that of its body if that has vanished in this step (these are
// numbered after those that are there), else of the body it is beside; 0 if there is none.
template <int Dim>
std::size_t Surroundings<Dim>::account_of(const Particle<Dim>& particle, const LiquidState<Dim>& liquid,
                                          const BodyChange<Dim>* change) const {
    const Index<Dim> cell = cell_at(particle.position);
    std::size_t was = 0;
    if (change != nullptr) {
        const BodyMove<Dim>& move = change->move;
        Vec<double, Dim> start = particle.position;
        for (int axis = 0; axis < Dim; ++axis) {
            const Field<float, Dim>& u = (*move.velocity)[axis];
            start[axis] -= 0.5 * move.dt / grid.dx * (u.at(cell) + u.at(cell + unit<Dim>(axis)));
        }
        was = change->before.at(cell_at(start));
        if (was != 0 && change->match.heir[was] == 0) return liquid.bodies.labels.count + was;
    }
    if (const std::size_t beside = liquid.bodies.labels.at(cell); beside != 0) return beside;
    return was != 0 ? change->match.heir[was] : 0;
}

// A particle in each body that has vanished and was no more than a drop, where the flow has taken it.
template <int Dim>
std::vector<Particle<Dim>> Surroundings<Dim>::vanished_drops(LiquidState<Dim>& liquid,
                                                             const BodyChange<Dim>& change) const {
    std::vector<Particle<Dim>> drops;
    const std::vector<double>& vanished = change.match.vanished;
    std::vector<bool> wanted(vanished.size(), false);
    for (std::size_t b = 1; b < vanished.size(); ++b)
        wanted[b] = vanished[b] > 0 && vanished[b] <= kDropCells * cell_volume();
    const Field<float, Dim>& label = change.before.field;
    if (label.empty() || std::find(wanted.begin(), wanted.end(), true) == wanted.end()) return drops;
    for (std::size_t tile = 0; tile < label.tiles().count(); ++tile)
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const float number = label.tile(static_cast<Slot>(tile))[n];
            if (!(number > 0) || !wanted[static_cast<std::size_t>(number)]) continue;
            wanted[static_cast<std::size_t>(number)] = false;
            const Index<Dim> cell = label.tiles().origin(static_cast<Slot>(tile)) + cell_in_tile<Dim>(n);
            Vec<double, Dim> place = Vec<double, Dim>(cell) + Vec<double, Dim>(0.5);
            for (int axis = 0; axis < Dim; ++axis) {
                const Field<float, Dim>& u = (*change.move.velocity)[axis];
                place[axis] += 0.5 * change.move.dt / grid.dx * (u.at(cell) + u.at(cell + unit<Dim>(axis)));
            }
            drops.push_back({place, -kDropRadius, liquid.particles.next_id++});
        }
    return drops;
}

template <int Dim>
void Surroundings<Dim>::throw_spray(LiquidState<Dim>& liquid, std::vector<Particle<Dim>> lost,
                                    BodyChange<Dim>* change) const {
    std::erase_if(lost, [](const Particle<Dim>& p) { return !(p.radius < 0); });
    if (change != nullptr && has_particles()) {
        const std::vector<Particle<Dim>> drops = vanished_drops(liquid, *change);
        lost.insert(lost.end(), drops.begin(), drops.end());
    }
    // What cannot splash stays in its body's account, and its body makes up for it.
    const double slowest = kSplashReynolds * world.viscosity / (world.density * grid.dx);
    std::erase_if(lost, [&](const Particle<Dim>& p) {
        if (!(slowest > 0)) return false;
        const Index<Dim> cell = cell_at(p.position);
        double square = 0;
        for (int axis = 0; axis < Dim; ++axis) {
            const Field<float, Dim>& u = liquid.velocity[axis];
            square += std::pow(0.5 * (double{u.at(cell)} + u.at(cell + unit<Dim>(axis))), 2);
        }
        return square < slowest * slowest;
    });
    if (lost.empty()) return;

    // The particles of each account together, in the order they have.
    std::map<std::size_t, std::vector<Particle<Dim>>> by_account;
    for (const Particle<Dim>& particle : lost) by_account[account_of(particle, liquid, change)].push_back(particle);
    LiquidBodies<Dim>& bodies = liquid.bodies;
    const std::vector<double> volumes = volumes_in_the_end(liquid);
    double nobody = 0;
    for (const auto& [number, particles] : by_account) {
        const bool is_there = number <= bodies.labels.count;
        double& account = number == 0 ? nobody
                          : is_there  ? bodies.expected[number]
                                      : change->match.vanished[number - bodies.labels.count];
        const double missing = number == 0 || !is_there ? account : account - volumes[number];
        const std::size_t drops = liquid.spray.size();
        // What is left of a body that has vanished is all of it.
        const double share = is_there ? particle_volume() : kDropCells * cell_volume();
        throw_drops(liquid.spray, particles, liquid.velocity, world.grid,
                    {.missing = missing, .share = share, .largest = settings.largest_drop});
        for (std::size_t n = drops; n < liquid.spray.size(); ++n) account -= liquid.spray[n].volume;
    }
}

template <int Dim>
void Surroundings<Dim>::swallow_air(LiquidState<Dim>& liquid, const std::vector<Particle<Dim>>& escaped) const {
    std::map<std::size_t, std::vector<Particle<Dim>>> by_body;
    for (const Particle<Dim>& particle : escaped)
        if (particle.radius > 0) by_body[liquid.bodies.labels.at(cell_at(particle.position))].push_back(particle);
    if (by_body.empty()) return;
    const std::vector<double> volumes = volumes_in_the_end(liquid);
    for (const auto& [number, particles] : by_body) {
        if (number == 0) continue;
        const std::vector<Swallowed<Dim>> air = swallowed_air(
            particles, liquid.phi, world.grid, volumes[number] - liquid.bodies.expected[number], cell_volume());
        liquid.swallowed.insert(liquid.swallowed.end(), air.begin(), air.end());
    }
}

template <int Dim>
void Surroundings<Dim>::follow_bodies(LiquidState<Dim>& liquid, BodyChange<Dim>& change) const {
    LiquidBodies<Dim>& bodies = liquid.bodies;
    change.before = bodies.labels;
    BodyLabels<Dim> found = found_bodies(liquid.phi, boundaries, grid);
    std::vector<double> volumes = body_cells(liquid.phi, grid, room(), found);
    for (double& volume : volumes) volume *= cell_volume();
    change.match = follow(bodies, std::move(found), volumes, change.move, liquid.phi, boundaries);
}

template <int Dim>
void Surroundings<Dim>::close_accounts(LiquidState<Dim>& liquid, const BodyMatch& match) const {
    for (const double volume : match.vanished) liquid.bodies.lost += volume;
    give_up_what_is_lost(liquid.bodies, volumes_in_the_end(liquid), cell_volume());
}

template <int Dim>
std::vector<double> Surroundings<Dim>::growth_by_body(const Field<float, Dim>& swelling,
                                                      const BodyLabels<Dim>& labels) const {
    std::vector<double> growth = sums_by_label(swelling.tiles(), labels.count + 1, [&](Slot slot, auto&& add) {
        for (int n = 0; n < kTileCells<Dim>; ++n)
            if (const float part = swelling.tile(slot)[n]; part != 0) add(labels.at(slot, n), double{part});
    });
    for (double& volume : growth) volume *= cell_volume();
    return growth;
}

template <int Dim>
void Surroundings<Dim>::fly_spray(LiquidState<Dim>& liquid, Field<float, Dim>& swelling, double dt,
                                  StepReport& report) const {
    if (liquid.spray.empty() && liquid.swallowed.empty()) return;
    SprayWorld<Dim> around{.grid = world.grid,
                           .box = grid.box,
                           .phi = &liquid.phi,
                           .solid = solids_at(world, liquid.time),
                           .gravity = world.gravity(liquid.time),
                           .sinks = {}};
    for (const LiquidSink<Dim>& sink : world.sinks) around.sinks.push_back(sink.distance);
    const FlightReport<Dim> flight = fly(liquid.spray, liquid.velocity, dt, around);
    liquid.ledger.flowed_out += flight.flowed_out;
    if (!flight.landed.empty()) {
        const std::vector<double> landed = volume_to_come(flight.landed, liquid.bodies.labels);
        for (std::size_t b = 0; b < landed.size(); ++b)
            (b == 0 ? liquid.bodies.lost : liquid.bodies.expected[b]) += landed[b];
        liquid.swallowed.insert(liquid.swallowed.end(), flight.landed.begin(), flight.landed.end());
    }
    report.spray_volume = volume_of(liquid.spray) + volume_to_come(liquid.swallowed);
    swell(liquid.swallowed, swelling, liquid.phi, cell_volume(), dt);
}

template <int Dim>
EnclosedAir Surroundings<Dim>::enclosed_air(const Field<float, Dim>& phi) const {
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
    const bool anything_moves = world.fastest_solid(liquid.time) > 0;
    if (let_go.empty() && !anything_moves) return;
    let_air_in(liquid.phi, let_go, boundaries, reach());
    if (anything_moves) continue_behind_solids(liquid.phi, world, boundaries, let_go, liquid.time, kSolidCfl);
    remove_particles(
        liquid.particles, world.grid,
        [&](Slot slot) {
            const float* solid = boundaries.solid.tile(slot);
            return std::any_of(solid, solid + kTileCells<Dim>, [](float d) { return d < 0; });
        },
        [&](const Vec<double, Dim>& p, float radius) {
            const Index<Dim> cell = cell_at(world.grid.cell_from_world(p));
            if (!(boundaries.solid.at(cell) < 0)) return false;
            return radius < 0 ? liquid.phi.at(cell) > 0 : anything_moves && liquid.phi.at(cell) < 0;
        });
}

template struct Surroundings<2>;
template struct Surroundings<3>;

}  // namespace spindrift

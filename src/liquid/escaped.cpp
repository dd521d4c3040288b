// SPDX-License-Identifier: Apache-2.0
#include "liquid/escaped.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "liquid/mixture.h"

namespace spindrift {
namespace {

// The Reynolds number u dx / ν from which a drop of a cell's size comes off.  Below it viscosity has evened out the
// motion across the thread that it hangs on before inertia has drawn that out: thick liquids fold and string, and do
// not splash.  At one, viscosity and inertia are equal; ten leaves inertia clearly ahead.
constexpr double kSplashReynolds = 10;
// A body that vanishes and held no more than this many cells was a drop and goes on as one; what held more was a film.
constexpr double kDropCells = 2;
// Its radius in cells, that of escaped particles.
constexpr float kDropRadius = 0.3F;

template <int Dim>
Index<Dim> cell_at(const Vec<double, Dim>& place) {
    return map([](double x) { return static_cast<int>(std::floor(x)); }, place);
}

// The velocity at the centre of a cell, m/s.
template <int Dim>
Vec<double, Dim> velocity_at(const FaceField<Dim>& velocity, const Index<Dim>& cell) {
    Vec<double, Dim> u;
    for (int axis = 0; axis < Dim; ++axis)
        u[axis] = 0.5 * (double{velocity[axis].at(cell)} + velocity[axis].at(cell + unit<Dim>(axis)));
    return u;
}

// The account that a particle of the liquid belongs to: that of its body if that has vanished in this step (these are
// numbered after those that are there), else of the body it is beside; 0 if there is none.
template <int Dim>
std::size_t account_of(const Particle<Dim>& particle, const LiquidState<Dim>& liquid, const BodyChange<Dim>* change,
                       double dx) {
    const Index<Dim> cell = cell_at(particle.position);
    std::size_t was = 0;
    if (change != nullptr) {
        const BodyMove<Dim>& move = change->move;
        Vec<double, Dim> start = particle.position;
        for (int axis = 0; axis < Dim; ++axis) {
            const Field<float, Dim>& u = (*move.velocity)[axis];
            start[axis] -= 0.5 * move.dt / dx * (u.at(cell) + u.at(cell + unit<Dim>(axis)));
        }
        was = change->before.at(cell_at(start));
        if (was != 0 && change->match.heir[was] == 0) return liquid.bodies.labels.count + was;
    }
    if (const std::size_t beside = liquid.bodies.labels.at(cell); beside != 0) return beside;
    return was != 0 ? change->match.heir[was] : 0;
}

// The slowest liquid that can splash, m/s.
template <int Dim>
double slowest_splash(const World<Dim>& world) {
    return kSplashReynolds * world.viscosity / (world.density * world.grid.dx);
}

// Particles where the flow has taken the cells of bodies that there were, unless they have come to liquid: of drops the
// first cell, of films each.
enum class Remains : std::uint8_t { none, drop, film };
template <int Dim>
std::vector<std::vector<Particle<Dim>>> remains_of(const std::vector<Remains>& bodies, LiquidState<Dim>& liquid,
                                                   const BodyChange<Dim>& change, double dx) {
    std::vector<std::vector<Particle<Dim>>> remains(bodies.size());
    const Field<float, Dim>& label = change.before.field;
    if (label.empty()) return remains;
    if (std::all_of(bodies.begin(), bodies.end(), [](Remains r) { return r == Remains::none; })) return remains;
    for (std::size_t tile = 0; tile < label.tiles().count(); ++tile)
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const float number = label.tile(static_cast<Slot>(tile))[n];
            if (!(number > 0)) continue;
            const auto body = static_cast<std::size_t>(number);
            if (bodies[body] == Remains::none || (bodies[body] == Remains::drop && !remains[body].empty())) continue;
            const Index<Dim> cell = label.tiles().origin(static_cast<Slot>(tile)) + cell_in_tile<Dim>(n);
            const Vec<double, Dim> place = Vec<double, Dim>(cell) + Vec<double, Dim>(0.5) +
                                           velocity_at(*change.move.velocity, cell) * (change.move.dt / dx);
            if (bodies[body] == Remains::film && liquid.phi.at(cell_at(place)) < 0) continue;
            remains[body].push_back({place, -kDropRadius, liquid.particles.next_id++});
        }
    return remains;
}

}  // namespace

template <int Dim>
void throw_spray(LiquidState<Dim>& liquid, std::vector<Particle<Dim>> escaped, const LiquidDomain<Dim>& domain,
                 BodyChange<Dim>* change) {
    const World<Dim>& world = domain.world;
    std::erase_if(escaped, [](const Particle<Dim>& p) { return !(p.radius < 0); });
    // What cannot splash stays on its body's account, and its body makes up for it.
    const double slowest = slowest_splash(world);
    std::erase_if(escaped, [&](const Particle<Dim>& p) {
        return slowest > 0 && length(velocity_at(liquid.velocity, cell_at(p.position))) < slowest;
    });
    if (escaped.empty()) return;

    // The particles of each account together, in the order they have.
    std::map<std::size_t, std::vector<Particle<Dim>>> by_account;
    for (const Particle<Dim>& particle : escaped)
        by_account[account_of(particle, liquid, change, world.grid.dx)].push_back(particle);
    LiquidBodies<Dim>& bodies = liquid.bodies;
    const std::vector<double> volumes =
        change != nullptr ? with_pending(change->volumes, liquid) : final_volumes(liquid, domain);
    double nobody = 0;
    const std::size_t first = liquid.spray.count();
    for (const auto& [number, particles] : by_account) {
        const bool is_there = number <= bodies.labels.count;
        double& account = number == 0 ? nobody
                          : is_there  ? bodies.expected[number]
                                      : change->match.vanished[number - bodies.labels.count];
        const double missing = number == 0 || !is_there ? account : account - volumes[number];
        // What is left of a body that has vanished is all of it.
        const double share = is_there ? domain.particle_volume() : kDropCells * domain.cell_volume();
        account -= throw_drops(liquid.spray, particles, liquid.velocity, world.grid,
                               {.missing = missing, .share = share, .largest = domain.settings.largest_drop});
    }
    enter_new_drops(liquid, first, domain);
}

template <int Dim>
void break_up(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, BodyChange<Dim>& change) {
    if (!domain.has_particles()) return;
    LiquidBodies<Dim>& bodies = liquid.bodies;
    BodyMatch& match = change.match;
    std::vector<double> missing =
        missing_from_films(bodies, with_pending(change.volumes, liquid), liquid.phi, domain.grid.dx);
    std::vector<Remains> kinds(match.vanished.size(), Remains::none);
    for (std::size_t b = 1; b < kinds.size(); ++b) {
        if (match.vanished[b] > 0)
            kinds[b] = match.vanished[b] <= kDropCells * domain.cell_volume() ? Remains::drop : Remains::film;
        else if (missing[match.heir[b]] > 0)
            kinds[b] = Remains::film;
    }
    const std::size_t first = liquid.spray.count();
    std::vector<std::vector<Particle<Dim>>> remains = remains_of(kinds, liquid, change, domain.grid.dx);
    const double slowest = slowest_splash(domain.world);
    for (std::size_t b = 1; b < remains.size(); ++b) {
        std::erase_if(remains[b], [&](const Particle<Dim>& p) {
            return slowest > 0 && length(velocity_at(liquid.velocity, cell_at(p.position))) < slowest;
        });
        const bool has_vanished = match.vanished[b] > 0;
        double& rest = has_vanished ? match.vanished[b] : missing[match.heir[b]];
        const double thrown = throw_drops(
            liquid.spray, remains[b], liquid.velocity, domain.world.grid,
            {.missing = rest, .share = kDropCells * domain.cell_volume(), .largest = domain.settings.largest_drop});
        rest -= thrown;
        if (!has_vanished) bodies.expected[match.heir[b]] -= thrown;
    }
    enter_new_drops(liquid, first, domain);
}

template <int Dim>
void absorb_air(LiquidState<Dim>& liquid, const std::vector<Particle<Dim>>& escaped, const LiquidDomain<Dim>& domain,
                const BodyChange<Dim>& change) {
    std::map<std::size_t, std::vector<Particle<Dim>>> by_body;
    for (const Particle<Dim>& particle : escaped)
        if (particle.radius > 0) by_body[liquid.bodies.labels.at(cell_at(particle.position))].push_back(particle);
    if (by_body.empty()) return;
    const std::vector<double> volumes = with_pending(change.volumes, liquid);
    for (const auto& [number, particles] : by_body) {
        if (number == 0) continue;
        const std::vector<Absorbed<Dim>> air =
            absorbed_air(particles, liquid.phi, domain.world.grid, volumes[number] - liquid.bodies.expected[number],
                         domain.cell_volume());
        liquid.absorbed.insert(liquid.absorbed.end(), air.begin(), air.end());
    }
}

template <int Dim>
void advance_spray(LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double dt) {
    if (liquid.spray.empty()) return;
    const World<Dim>& world = domain.world;
    SprayWorld<Dim> around{.grid = world.grid,
                           .box = domain.grid.box,
                           .phi = &liquid.phi,
                           .solid = solids_at(world, liquid.time),
                           .gravity = world.gravity(liquid.time),
                           .sinks = {}};
    if (!world.forces.empty()) {
        const TimeSpan step{liquid.time - 0.5 * dt, liquid.time + 0.5 * dt};
        around.kept = std::exp(-drag_over(world.forces, step));
        around.acceleration = [&world, step](const Vec<double, Dim>& place) {
            return mean_acceleration(world.forces, place, step);
        };
    }
    for (const LiquidSink<Dim>& sink : world.sinks) around.sinks.push_back(sink.distance);
    const FlightReport<Dim> flight = fly(liquid.spray, liquid.velocity, dt, around);
    liquid.ledger.flowed_out += flight.flowed_out;
    enter_outflow_of_drops(liquid, flight.flowed_out);
    if (flight.landed.empty()) return;
    const std::vector<double> landed = pending_volume(flight.landed, liquid.bodies.labels);
    for (std::size_t b = 0; b < landed.size(); ++b) add_to_account(liquid.bodies, b, landed[b]);
    liquid.absorbed.insert(liquid.absorbed.end(), flight.landed.begin(), flight.landed.end());
}

#define INSTANTIATE(Dim)                                                                                     \
    template void throw_spray(LiquidState<Dim>&, std::vector<Particle<Dim>>, const LiquidDomain<Dim>&,       \
                              BodyChange<Dim>*);                                                             \
    template void break_up(LiquidState<Dim>&, const LiquidDomain<Dim>&, BodyChange<Dim>&);                   \
    template void absorb_air(LiquidState<Dim>&, const std::vector<Particle<Dim>>&, const LiquidDomain<Dim>&, \
                             const BodyChange<Dim>&);                                                        \
    template void advance_spray(LiquidState<Dim>&, const LiquidDomain<Dim>&, double);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "liquid/spray.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/random.h"
#include "grid/sampler.h"

namespace spindrift {
namespace {

constexpr Purpose kDropVolume{"drop volume"};

constexpr double kBounceSpeed = 2;    // m/s, across the wall: a slower drop of water sticks to it
constexpr double kRestitution = 0.2;  // of the speed across the wall; wet walls throw back little
constexpr double kFriction = 20;      // 1/s, along the wall: rivulets run down a pane at g / 20, about 0.5 m/s
constexpr double kContact = 0.02;     // cells; a drop this near to a wall clings to it

// The order in which spray has its attributes.
enum : std::size_t { kVelocity, kRadius, kVolume };

// In units of the mean.  A part exp(−v) of all drops is larger than v: Rosin and Rammler's law for diameters,
// exp(−(d/d₀)³).
double drop_volume(std::uint32_t id) {
    Random rng(0, id, 0, kDropVolume);
    return -detail::portable_log((rng.next32() + 0.5) * 0x1p-32);
}

// The most that a particle of this radius in cells stands for.
template <int Dim>
double most_volume(float radius, const GridTransform<Dim>& grid, double share) {
    return std::max(share, sphere_volume<Dim>(std::abs(radius) * grid.dx));
}

// Gives a drop's momentum to the faces around the cell it lands in: together they are as heavy as the cell.
template <int Dim>
void give_momentum(FaceField<Dim>& velocity, const SprayDrop<Dim>& drop, const Index<Dim>& cell, double cell_volume) {
    const double part = drop.volume / (cell_volume + drop.volume);
    for (int axis = 0; axis < Dim; ++axis)
        for (const Index<Dim>& face : {cell, cell + unit<Dim>(axis)}) {
            const Slot slot = velocity.tiles().find(tile_of_cell(face));
            if (slot == kNoTile) continue;
            float& u = velocity[axis].tile(slot)[offset_in_tile(face)];
            u += static_cast<float>(part * (drop.velocity[axis] - u));
        }
}

}  // namespace

template <int Dim>
Spray<Dim>::Spray() {
    this->add_attribute("velocity", Dim);
    this->add_attribute("radius", 1);
    this->add_attribute("volume", 1);
}

template <int Dim>
SprayDrop<Dim> Spray<Dim>::drop(std::size_t n) const {
    SprayDrop<Dim> drop{.position = this->place(n),
                        .velocity = {},
                        .volume = this->attributes[kVolume].component[0][n],
                        .radius = this->attributes[kRadius].component[0][n],
                        .id = this->id[n]};
    for (int a = 0; a < Dim; ++a)
        drop.velocity[a] = this->attributes[kVelocity].component[static_cast<std::size_t>(a)][n];
    return drop;
}

template <int Dim>
void Spray<Dim>::set_drop(std::size_t n, const SprayDrop<Dim>& drop) {
    this->set_place(n, drop.position);
    this->id[n] = drop.id;
    for (int a = 0; a < Dim; ++a)
        this->attributes[kVelocity].component[static_cast<std::size_t>(a)][n] = drop.velocity[a];
    this->attributes[kRadius].component[0][n] = drop.radius;
    this->attributes[kVolume].component[0][n] = drop.volume;
}

template <int Dim>
void Spray<Dim>::add(const SprayDrop<Dim>& drop) {
    ParticleList<Dim>::add(drop.position, drop.id);
    set_drop(this->count() - 1, drop);
}

template <int Dim>
double volume_of(const Spray<Dim>& drops) {
    double sum = 0;
    for (const double volume : drops.attributes[kVolume].component[0]) sum += volume;
    return sum;
}

template <int Dim>
double throw_drops(Spray<Dim>& drops, const std::vector<Particle<Dim>>& escaped, const FaceField<Dim>& velocity,
                   const GridTransform<Dim>& grid, const DropSizes& sizes) {
    if (escaped.empty() || !(sizes.missing > 0)) return 0;
    double most = 0, spread = 0, thrown = 0;
    for (const Particle<Dim>& p : escaped) {
        most += most_volume(p.radius, grid, sizes.share);
        spread += most_volume(p.radius, grid, sizes.share) * drop_volume(p.id);
    }
    const double part = std::min(sizes.missing, most) / spread;
    FaceSampler<Dim> flow(velocity);
    for (const Particle<Dim>& p : escaped) {
        SprayDrop<Dim> drop;
        drop.position = grid.world_from_cell(p.position);
        drop.velocity = Vec<double, Dim>(flow(Vec<float, Dim>(p.position)));
        drop.volume = part * most_volume(p.radius, grid, sizes.share) * drop_volume(p.id);
        drop.radius = std::min(sphere_radius<Dim>(drop.volume), sizes.largest);
        drop.id = p.id;
        drops.add(drop);
        thrown += drop.volume;
    }
    return thrown;
}

template <int Dim>
std::vector<Absorbed<Dim>> absorbed_air(const std::vector<Particle<Dim>>& escaped, const Field<float, Dim>& phi,
                                        const GridTransform<Dim>& grid, double gained, double share) {
    std::vector<Absorbed<Dim>> air;
    for (const Particle<Dim>& p : escaped) {
        const Absorbed<Dim> one{p.position, -most_volume(p.radius, grid, share)};
        if (p.radius > 0 && phi.at(one.cell()) < 0) air.push_back(one);
    }
    if (air.empty()) return air;
    const double part = std::clamp(-gained / pending_volume(air), 0.0, 1.0);
    for (Absorbed<Dim>& one : air) one.volume *= part;
    return air;
}

namespace {

// What a drop touches: the normals of walls and solids, out of them.
template <int Dim>
struct Contacts {
    std::array<Vec<double, Dim>, 2 * Dim + 1> normals{};
    std::size_t count = 0;
    void add(const Vec<double, Dim>& normal) { normals[count++] = normal; }
};

// Puts a drop that is in a wall or a solid on it; clinging to it counts as touching.
template <int Dim>
Contacts<Dim> hold(SprayDrop<Dim>& drop, const SprayWorld<Dim>& world) {
    Contacts<Dim> contacts;
    const double near = kContact * world.grid.dx;
    for (int axis = 0; axis < Dim; ++axis) {
        const double lo = world.grid.origin[axis] + world.box.lo[axis] * world.grid.dx + drop.radius;
        const double hi = world.grid.origin[axis] + world.box.hi[axis] * world.grid.dx - drop.radius;
        const double at = drop.position[axis];
        if (at < lo + near) contacts.add(Vec<double, Dim>(unit<Dim>(axis)));
        if (at > hi - near) contacts.add(-Vec<double, Dim>(unit<Dim>(axis)));
        drop.position[axis] = std::clamp(at, std::min(lo, hi), hi);
    }
    if (!world.solid) return contacts;

    // Where solids meet it may take several times.
    constexpr int kTimes = 3;
    const double reach = 0.5 * world.grid.dx;
    std::optional<Vec<double, Dim>> last;
    for (int n = 0; n < kTimes; ++n) {
        const double inside = drop.radius - world.solid(drop.position);
        if (!(inside > -near)) break;
        Vec<double, Dim> slope;
        for (int axis = 0; axis < Dim; ++axis) {
            Vec<double, Dim> step(0.0);
            step[axis] = reach;
            slope[axis] = world.solid(drop.position + step) - world.solid(drop.position - step);
        }
        const double steepness = length(slope);
        if (!(steepness > 0)) break;
        last = slope / steepness;
        if (!(inside > 0)) break;
        drop.position += *last * inside;
    }
    if (last) contacts.add(*last);
    return contacts;
}

// Bounces off what it hits fast, else wets it: nothing across it is left, and friction slows it along.
template <int Dim>
void meet(SprayDrop<Dim>& drop, const Contacts<Dim>& contacts, double dt) {
    bool wets = false;
    for (std::size_t n = 0; n < contacts.count; ++n) {
        const Vec<double, Dim>& normal = contacts.normals[n];
        const double across = dot(normal, drop.velocity);
        if (across > 0) continue;  // on its way off
        const bool bounces = across < -kBounceSpeed;
        drop.velocity -= normal * (across * (bounces ? 1 + kRestitution : 1));
        wets |= !bounces;
    }
    if (wets) drop.velocity *= std::exp(-kFriction * dt);
}

// The liquid cell that takes a drop in, if it has come to the liquid.  φ means little beyond walls and in solids: it is
// read half a cell away from them.
template <int Dim>
std::optional<Index<Dim>> landing_cell(const SprayDrop<Dim>& drop, const Contacts<Dim>& contacts,
                                       LinearSampler<Dim>& level, const SprayWorld<Dim>& world) {
    Vec<double, Dim> place = world.grid.cell_from_world(drop.position);
    for (std::size_t n = 0; n < contacts.count; ++n) place += contacts.normals[n] * 0.5;
    for (int axis = 0; axis < Dim; ++axis)
        place[axis] = std::clamp(place[axis], world.box.lo[axis] + 0.5,
                                 std::max(world.box.lo[axis] + 0.5, world.box.hi[axis] - 0.5));
    if (!(level(Vec<float, Dim>(place)) < (contacts.count > 0 ? drop.radius : 0))) return std::nullopt;

    // The deepest cell near it: the one it is in may be cut by the surface and count as air.
    const Index<Dim> here = map([](double x) { return static_cast<int>(std::floor(x)); }, place);
    if (world.phi->at(here) < 0) return here;
    std::optional<Index<Dim>> deepest;
    for_each_index(IndexBox<Dim>{here - Index<Dim>(1), here + Index<Dim>(2)}, [&](const Index<Dim>& cell) {
        if (world.box.contains(cell) && world.phi->at(cell) < (deepest ? world.phi->at(*deepest) : 0.0F))
            deepest = cell;
    });
    return deepest;
}

}  // namespace

template <int Dim>
FlightReport<Dim> fly(Spray<Dim>& drops, FaceField<Dim>& velocity, double dt, const SprayWorld<Dim>& world) {
    FlightReport<Dim> report;
    if (drops.empty()) return report;
    const double cell_volume = std::pow(world.grid.dx, Dim), half_kept = std::sqrt(world.kept);
    LinearSampler<Dim> level(*world.phi);
    erase_if(drops, [&](std::size_t n) {
        SprayDrop<Dim> drop = drops.drop(n);
        Vec<double, Dim> pull = world.gravity;
        if (world.acceleration) pull += world.acceleration(drop.position);
        drop.velocity *= half_kept;
        drop.position += drop.velocity * dt + pull * (0.5 * dt * dt);
        drop.velocity = (drop.velocity + pull * dt) * half_kept;
        const Contacts<Dim> contacts = hold(drop, world);
        meet(drop, contacts, dt);

        const bool gone = std::any_of(world.sinks.begin(), world.sinks.end(),
                                      [&](const auto& sink) { return sink(drop.position) < 0; });
        if (gone) {
            report.flowed_out += drop.volume;
            return true;
        }
        const std::optional<Index<Dim>> cell = landing_cell(drop, contacts, level, world);
        if (!cell || velocity.tiles().find(tile_of_cell(*cell)) == kNoTile) {
            drops.set_drop(n, drop);
            return false;
        }
        give_momentum(velocity, drop, *cell, cell_volume);
        report.landed.push_back({Vec<double, Dim>(*cell) + Vec<double, Dim>(0.5), drop.volume});
        return true;
    });
    return report;
}

#define INSTANTIATE(Dim)                                                                                          \
    template struct Spray<Dim>;                                                                                   \
    template double volume_of(const Spray<Dim>&);                                                                 \
    template double throw_drops(Spray<Dim>&, const std::vector<Particle<Dim>>&, const FaceField<Dim>&,            \
                                const GridTransform<Dim>&, const DropSizes&);                                     \
    template std::vector<Absorbed<Dim>> absorbed_air(const std::vector<Particle<Dim>>&, const Field<float, Dim>&, \
                                                     const GridTransform<Dim>&, double, double);                  \
    template FlightReport<Dim> fly(Spray<Dim>&, FaceField<Dim>&, double, const SprayWorld<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

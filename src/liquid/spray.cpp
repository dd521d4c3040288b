// SPDX-License-Identifier: Apache-2.0
#include "liquid/spray.h"

#include <algorithm>
#include <cmath>

#include "grid/sampler.h"

namespace spindrift {
namespace {

template <int Dim>
double sphere_volume(double radius) {
    return Dim == 2 ? M_PI * radius * radius : 4.0 / 3 * M_PI * radius * radius * radius;
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
double volume_of(const std::vector<SprayDrop<Dim>>& drops) {
    double sum = 0;
    for (const SprayDrop<Dim>& drop : drops) sum += drop.volume;
    return sum;
}

template <int Dim>
double volume_of(const std::vector<SunkAir<Dim>>& air) {
    double sum = 0;
    for (const SunkAir<Dim>& some : air) sum += some.volume;
    return sum;
}

template <int Dim>
void throw_drops(std::vector<SprayDrop<Dim>>& drops, const std::vector<Particle<Dim>>& escaped,
                 const FaceField<Dim>& velocity, const GridTransform<Dim>& grid, double missing, double share) {
    if (escaped.empty()) return;
    double most = 0;
    for (const Particle<Dim>& p : escaped) most += most_volume(p.radius, grid, share);
    const double part = std::clamp(missing / most, 0.0, 1.0);
    FaceSampler<Dim> flow(velocity);
    for (const Particle<Dim>& p : escaped) {
        SprayDrop<Dim>& drop = drops.emplace_back();
        drop.position = grid.world_from_cell(p.position);
        drop.velocity = Vec<double, Dim>(flow(Vec<float, Dim>(p.position)));
        drop.radius = std::abs(p.radius) * grid.dx;
        drop.volume = part * most_volume(p.radius, grid, share);
        drop.id = p.id;
    }
}

template <int Dim>
std::vector<SunkAir<Dim>> sunk_under(const std::vector<Particle<Dim>>& escaped, const Field<float, Dim>& phi,
                                     const GridTransform<Dim>& grid, double gained, double share) {
    std::vector<SunkAir<Dim>> sunk;
    for (const Particle<Dim>& p : escaped) {
        const Index<Dim> cell = map([](double x) { return static_cast<int>(std::floor(x)); }, p.position);
        if (p.radius > 0 && phi.at(cell) < 0) sunk.push_back({cell, most_volume(p.radius, grid, share)});
    }
    if (sunk.empty()) return sunk;
    const double part = std::clamp(gained / volume_of(sunk), 0.0, 1.0);
    for (SunkAir<Dim>& air : sunk) air.volume *= part;
    return sunk;
}

template <int Dim>
double press_out(const std::vector<SunkAir<Dim>>& sunk, Field<float, Dim>& swelling, const Field<float, Dim>& phi,
                 double cell_volume) {
    double sum = 0;
    for (const SunkAir<Dim>& air : sunk) {
        const Slot slot = swelling.tiles().find(tile_of_cell(air.cell));
        if (slot == kNoTile || !(phi.at(air.cell) < 0)) continue;
        swelling.tile(slot)[offset_in_tile(air.cell)] -= static_cast<float>(air.volume / cell_volume);
        sum += air.volume;
    }
    return sum;
}

namespace {

// Solids push a drop out and let it slide along their sides.  Where they meet it may take several times.
template <int Dim>
void hold_by_solids(SprayDrop<Dim>& drop, const SprayWorld<Dim>& world) {
    constexpr int kTimes = 3;
    const double reach = 0.5 * world.grid.dx;
    for (int n = 0; n < kTimes; ++n) {
        const double inside = drop.radius - world.solid(drop.position);
        if (!(inside > 0)) return;
        Vec<double, Dim> slope;
        for (int axis = 0; axis < Dim; ++axis) {
            Vec<double, Dim> step(0.0);
            step[axis] = reach;
            slope[axis] = world.solid(drop.position + step) - world.solid(drop.position - step);
        }
        const double steepness = length(slope);
        if (!(steepness > 0)) return;
        const Vec<double, Dim> normal = slope / steepness;
        drop.position += normal * inside;
        drop.velocity -= normal * std::min(0.0, dot(normal, drop.velocity));
    }
}

}  // namespace

template <int Dim>
FlightReport fly(std::vector<SprayDrop<Dim>>& drops, Field<float, Dim>& swelling, FaceField<Dim>& velocity, double dt,
                 const SprayWorld<Dim>& world) {
    FlightReport report;
    if (drops.empty()) return report;
    const double cell_volume = std::pow(world.grid.dx, Dim);
    LinearSampler<Dim> level(*world.phi);
    std::vector<SprayDrop<Dim>> flying;
    for (SprayDrop<Dim> drop : drops) {
        drop.position += drop.velocity * dt + world.gravity * (0.5 * dt * dt);
        drop.velocity += world.gravity * dt;

        // Held by the container's walls, sliding along them.
        for (int axis = 0; axis < Dim; ++axis) {
            const double lo = world.grid.origin[axis] + world.box.lo[axis] * world.grid.dx + drop.radius;
            const double hi = world.grid.origin[axis] + world.box.hi[axis] * world.grid.dx - drop.radius;
            if (drop.position[axis] >= lo && drop.position[axis] <= hi) continue;
            drop.position[axis] = std::clamp(drop.position[axis], lo, hi);
            drop.velocity[axis] = 0;
        }
        if (world.solid) hold_by_solids(drop, world);
        const bool gone = std::any_of(world.sinks.begin(), world.sinks.end(),
                                      [&](const auto& sink) { return sink(drop.position) < 0; });
        if (gone) {
            report.flowed_out += drop.volume;
            continue;
        }
        const Vec<double, Dim> place = world.grid.cell_from_world(drop.position);
        if (!(level(Vec<float, Dim>(place)) < 0)) {
            flying.push_back(drop);
            continue;
        }
        Index<Dim> cell;
        for (int a = 0; a < Dim; ++a) cell[a] = static_cast<int>(std::floor(place[a]));
        const Slot slot = swelling.tiles().find(tile_of_cell(cell));
        if (slot == kNoTile || !(world.phi->at(cell) < 0)) {  // on the very surface: a step later
            flying.push_back(drop);
            continue;
        }
        swelling.tile(slot)[offset_in_tile(cell)] += static_cast<float>(drop.volume / cell_volume);
        give_momentum(velocity, drop, cell, cell_volume);
        report.landed += drop.volume;
    }
    drops = std::move(flying);
    return report;
}

#define INSTANTIATE(Dim)                                                                                               \
    template double volume_of(const std::vector<SunkAir<Dim>>&);                                                       \
    template double volume_of(const std::vector<SprayDrop<Dim>>&);                                                     \
    template void throw_drops(std::vector<SprayDrop<Dim>>&, const std::vector<Particle<Dim>>&, const FaceField<Dim>&,  \
                              const GridTransform<Dim>&, double, double);                                              \
    template std::vector<SunkAir<Dim>> sunk_under(const std::vector<Particle<Dim>>&, const Field<float, Dim>&,         \
                                                  const GridTransform<Dim>&, double, double);                          \
    template double press_out(const std::vector<SunkAir<Dim>>&, Field<float, Dim>&, const Field<float, Dim>&, double); \
    template FlightReport fly(std::vector<SprayDrop<Dim>>&, Field<float, Dim>&, FaceField<Dim>&, double,               \
                              const SprayWorld<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

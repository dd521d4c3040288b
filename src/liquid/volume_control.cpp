// SPDX-License-Identifier: Apache-2.0
#include "liquid/volume_control.h"

#include <algorithm>
#include <cmath>

#include "base/profile.h"
#include "grid/beside.h"
#include "surface/particle_level_set.h"

namespace spindrift {
namespace {

// The most the surface is moved to restore the volume, as a part of its way in the step.
constexpr double kMostOfTheWay = 0.1;
// The divergence takes off the error with this time constant, s, or in two steps if they are longer.
constexpr double kControlTime = 0.01;
// It changes the volume by no more than this part in a step.
constexpr double kMostControl = 0.05;

// How far each cell near the surface has gone in the step, m.
template <int Dim>
Field<float, Dim> way_gone(const Field<float, Dim>& phi, const FaceField<Dim>& velocity, double dt, double dx) {
    Field<float, Dim> way(phi.tiles_ptr());
    const auto near = [reach = 3 * static_cast<float>(dx)](float v) { return std::abs(v) < reach; };
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float* level = phi.tile(slot);
        if (std::none_of(level, level + kTileCells<Dim>, near)) return;
        float* to = way.tile(slot);
        for (int axis = 0; axis < Dim; ++axis) {
            const float* below = velocity[axis].tile(slot);
            const TileValues<Dim> above = values_above(velocity[axis], slot, axis);
            for (int n = 0; n < kTileCells<Dim>; ++n) {
                const float u = 0.5F * (below[n] + above[n]);
                to[n] += u * u;
            }
        }
        for (int n = 0; n < kTileCells<Dim>; ++n)
            to[n] = near(level[n]) ? static_cast<float>(dt) * std::sqrt(to[n]) : 0;
    });
    return way;
}

// The given part, by body, of the way of each cell.
template <int Dim>
void take_part(Field<float, Dim>& way, const std::vector<double>& part, const BodyLabels<Dim>& bodies) {
    for_each_tile(way.tiles(), [&](Slot slot) {
        for (int n = 0; n < kTileCells<Dim>; ++n) way.tile(slot)[n] *= static_cast<float>(part[bodies.at(slot, n)]);
    });
}

template <int Dim>
void move_surface(Field<float, Dim>& phi, const Field<float, Dim>& way, const std::vector<double>& part,
                  const BodyLabels<Dim>& bodies) {
    for_each_tile(phi.tiles(), [&](Slot slot) {
        float* level = phi.tile(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n)
            level[n] -= static_cast<float>(part[bodies.at(slot, n)]) * way.tile(slot)[n];
    });
}

}  // namespace

template <int Dim>
Field<float, Dim> restore_volume(Field<float, Dim>& phi, const FaceField<Dim>& velocity, double dt,
                                 const VolumeChange& volumes, const LevelSetGrid<Dim>& grid,
                                 const Field<float, Dim>* open, const BodyLabels<Dim>& bodies) {
    Field<float, Dim> way = way_gone(phi, velocity, dt, grid.dx);
    // A step of the secant method, from a trial in the right direction.
    const std::vector<double>&before = volumes.has, &wanted = volumes.wanted;
    std::vector<double> trial(before.size(), 0.0);
    for (std::size_t b = 1; b < before.size(); ++b)
        trial[b] = wanted[b] > before[b] ? 0.1 * kMostOfTheWay : -0.1 * kMostOfTheWay;
    move_surface(phi, way, trial, bodies);
    const std::vector<double> after = body_cells(phi, grid, open, bodies);
    std::vector<double> whole(before.size(), 0.0), rest(before.size(), 0.0);
    for (std::size_t b = 1; b < before.size(); ++b) {
        const double gain = (after[b] - before[b]) / trial[b];
        if (gain > 0) whole[b] = std::clamp((wanted[b] - before[b]) / gain, -kMostOfTheWay, kMostOfTheWay);
        rest[b] = whole[b] - trial[b];
    }
    move_surface(phi, way, rest, bodies);
    take_part(way, whole, bodies);
    return way;
}

double controlling_divergence(double volume_error, double dt) {
    const double most = kMostControl / dt;
    return std::clamp(-volume_error / std::max(kControlTime, 1.5 * dt), -most, most);
}

template <int Dim>
void add_divergence(Field<float, Dim>& expansion, const std::vector<double>& divergence, const Field<float, Dim>& phi,
                    const Field<float, Dim>* open, const BodyLabels<Dim>& bodies) {
    for_each_tile(phi.tiles(), [&](Slot slot) {
        const float* level = phi.tile(slot);
        for (int n = 0; n < kTileCells<Dim>; ++n)
            if (level[n] < 0)
                expansion.tile(slot)[n] +=
                    static_cast<float>(divergence[bodies.at(slot, n)]) * (open != nullptr ? open->tile(slot)[n] : 1.0F);
    });
}

template <int Dim>
void restore_volumes(LiquidState<Dim>& liquid, const FaceField<Dim>& velocity, const LiquidDomain<Dim>& domain,
                     double dt, const std::vector<double>& volumes) {
    if (!domain.settings.volume_control) return;
    const ProfileScope scope("volume");
    VolumeChange cells{volumes, liquid.bodies.expected};
    const std::vector<double> pending = pending_volume(liquid.absorbed, liquid.bodies.labels);
    for (std::size_t b = 0; b < volumes.size(); ++b) {
        cells.has[b] /= domain.cell_volume();
        cells.wanted[b] = (cells.wanted[b] - pending[b]) / domain.cell_volume();
    }
    const Field<float, Dim> moved =
        restore_volume(liquid.phi, velocity, dt, cells, domain.grid, domain.open_volume(), liquid.bodies.labels);
    if (domain.has_particles()) follow_surface(liquid.particles, liquid.phi, moved, domain.grid);
}

template <int Dim>
Field<float, Dim> wanted_expansion(const LiquidState<Dim>& liquid, const LiquidDomain<Dim>& domain, double dt) {
    const ProfileScope scope("volume");
    const LiquidBodies<Dim>& bodies = liquid.bodies;
    Field<float, Dim> expansion(liquid.phi.tiles_ptr());
    add_expansion(expansion, liquid.absorbed, liquid.phi, domain.cell_volume(), dt);
    if (!domain.settings.volume_control) return expansion;
    const std::vector<double> volumes = final_volumes(liquid, domain);
    std::vector<double> divergence(volumes.size(), 0.0);
    for (std::size_t b = 1; b < volumes.size(); ++b) {
        // What should not be there at all goes as fast as may be.
        const double error = bodies.expected[b] > 0 ? (volumes[b] - bodies.expected[b]) / bodies.expected[b] : 1.0;
        divergence[b] = controlling_divergence(error, dt);
    }
    add_divergence(expansion, divergence, liquid.phi, domain.open_volume(), bodies.labels);
    return expansion;
}

#define INSTANTIATE(Dim)                                                                                              \
    template Field<float, Dim> restore_volume(Field<float, Dim>&, const FaceField<Dim>&, double, const VolumeChange&, \
                                              const LevelSetGrid<Dim>&, const Field<float, Dim>*,                     \
                                              const BodyLabels<Dim>&);                                                \
    template void add_divergence(Field<float, Dim>&, const std::vector<double>&, const Field<float, Dim>&,            \
                                 const Field<float, Dim>*, const BodyLabels<Dim>&);                                   \
    template void restore_volumes(LiquidState<Dim>&, const FaceField<Dim>&, const LiquidDomain<Dim>&, double,         \
                                  const std::vector<double>&);                                                        \
    template Field<float, Dim> wanted_expansion(const LiquidState<Dim>&, const LiquidDomain<Dim>&, double);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

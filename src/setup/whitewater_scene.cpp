// SPDX-License-Identifier: Apache-2.0
#include "setup/whitewater_scene.h"

#include <algorithm>

namespace spindrift {
namespace {

double mean_radius(const SceneDescription& scene) {
    const Vec<double, 3>& size = scene.domain.size;
    return scene.whitewater.radius.value_or(std::max({size[0], size[1], scene.dim == 3 ? size[2] : 0.0}) / 600);
}

// Winds one after the other, as strong as each is there.
template <int Dim>
std::function<Vec<double, Dim>(const Vec<double, Dim>&)> winds_at(const World<Dim>& world, double time) {
    if (world.winds.empty()) return {};
    return [&world, time](const Vec<double, Dim>& place) {
        Vec<double, Dim> sum(0.0);
        for (const Wind<Dim>& wind : world.winds) {
            if (wind.region && wind.region(place) > 0) continue;
            const double strength = wind.strength(place, time);
            sum = sum * (1 - strength) + wind.velocity(place, time) * strength;
        }
        return sum;
    };
}

}  // namespace

WhitewaterSettings whitewater_settings(const SceneDescription& scene) {
    const scene::Whitewater& s = scene.whitewater;
    return {.amount = s.amount,
            .min_speed = s.min_speed,
            .lifetime = s.lifetime,
            .radius = mean_radius(scene),
            .drag = s.drag,
            .most = static_cast<std::size_t>(s.most),
            .seed = s.seed};
}

template <int Dim>
WhitewaterFlow<Dim> whitewater_flow(const SceneDescription& scene, const World<Dim>& world,
                                    const Field<float, Dim>& phi, const VectorField<Dim>& velocity, double time) {
    WhitewaterFlow<Dim> flow{.grid = world.grid,
                             .box = world.domain,
                             .phi = &phi,
                             .velocity = &velocity,
                             .gravity = world.gravity(time),
                             .viscosity = world.viscosity / world.density,
                             .solid = solids_at(world, time),
                             .wind = winds_at(world, time)};
    for (int axis = 0; axis < Dim; ++axis)
        for (const bool upper : {false, true}) {
            const scene::SideKind kind = scene.domain.sides.at(axis, upper).kind;
            const auto a = static_cast<std::size_t>(axis);
            flow.repeats[a] |= kind == scene::SideKind::periodic;
            flow.open[a][upper ? 1 : 0] = kind == scene::SideKind::open || kind == scene::SideKind::inflow;
        }
    return flow;
}

template WhitewaterFlow<2> whitewater_flow(const SceneDescription&, const World<2>&, const Field<float, 2>&,
                                           const VectorField<2>&, double);
template WhitewaterFlow<3> whitewater_flow(const SceneDescription&, const World<3>&, const Field<float, 3>&,
                                           const VectorField<3>&, double);

}  // namespace spindrift

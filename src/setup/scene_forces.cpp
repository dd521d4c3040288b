// SPDX-License-Identifier: Apache-2.0
#include "setup/scene_forces.h"

#include <algorithm>

#include <fmt/format.h>

#include "setup/field_function.h"

namespace spindrift {
namespace {

using Place = Vec<double, 3>;

// A push that fades towards the radius.
double fade(double distance, double radius) {
    const double r = distance / radius;
    return r < 1 ? (1 - r * r) * (1 - r * r) : 0;
}

// About its axis, which is the one across the plane in 2D.
Place vortex(const scene::Force& f, const Place& x, double t, int dim) {
    const Place z{0, 0, 1}, given = dim == 2 ? z : f.axis.value_or(z), axis = given / length(given);
    const Place r = x - f.center.at(t), out = r - axis * dot(r, axis);
    return cross(axis, out) * (f.strength.at(t) * fade(length(out), f.radius) / f.radius);
}

Place attractor(const scene::Force& f, const Place& x, double t) {
    const Place r = f.center.at(t) - x;
    return r * (f.strength.at(t) * fade(length(r), f.radius) / f.radius);
}

template <int Dim>
Force<Dim> force_of(const scene::Force& f, std::uint64_t seed) {
    using Kind = scene::ForceKind;
    Force<Dim> force;
    force.start = f.start;
    if (f.end) force.end = *f.end;
    const auto strength = [strength = f.strength](double t) { return strength.at(t); };
    const auto act = [&](auto&& acceleration) {
        force.acceleration = [=](const Vec<double, Dim>& x, double t) {
            return components<Dim>(acceleration(in_space(x), t));
        };
    };
    switch (f.kind) {
        case Kind::constant:
            act([a = f.acceleration](const Place& x, double t) { return a.at(x, t); });
            force.is_uniform = !varies_in_space(f.acceleration);
            break;
        case Kind::vortex: act([f](const Place& x, double t) { return vortex(f, x, t, Dim); }); break;
        case Kind::attractor: act([f](const Place& x, double t) { return attractor(f, x, t); }); break;
        case Kind::turbulence:
            force.turbulence =
                Turbulence{.size = f.radius, .frequency = f.frequency, .seed = seed, .strength = strength};
            break;
        case Kind::drag: force.drag = strength; break;
    }
    return force;
}

}  // namespace

template <int Dim>
std::vector<Force<Dim>> scene_forces(Errors& errors, const SceneDescription& scene, const Domain<Dim>& domain) {
    std::vector<Force<Dim>> forces;
    for (std::size_t i = 0; i < scene.force.size(); ++i) {
        const scene::Force& from = scene.force[i];
        check_finite<Dim>(errors, scene, fmt::format("force[{}].acceleration", i), domain, from.acceleration,
                          from.start);
        forces.push_back(force_of<Dim>(from, scene.seed + i));
        forces.back().substance = substance_number(scene, from.substance);
    }
    return forces;
}

int substance_number(const SceneDescription& scene, const std::optional<std::string>& name) {
    for (std::size_t s = 0; name && s < scene.substance.size(); ++s)
        if (scene.substance[s].name == *name) return static_cast<int>(s);
    return -1;
}

template std::vector<Force<2>> scene_forces(Errors&, const SceneDescription&, const Domain<2>&);
template std::vector<Force<3>> scene_forces(Errors&, const SceneDescription&, const Domain<3>&);

}  // namespace spindrift

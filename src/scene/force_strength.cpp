// SPDX-License-Identifier: Apache-2.0
#include "scene/force_strength.h"

#include <algorithm>
#include <cmath>

#include "grid/dimension.h"

namespace spindrift {
namespace {

// Of r (1 − r²)², by which vortices and attractors fade: 16 / (25 √5), at r = 1/√5.
constexpr double kMostOfFading = 0.2862;
// Samples along each axis, and moments of the run.
constexpr int kAcross = 5, kMoments = 24;

double strongest(const SceneDescription& scene, const FieldVector& acceleration, double t) {
    double most = 0;
    const Index<3> counts{kAcross, kAcross, scene.dim == 2 ? 1 : kAcross};
    for_each_index<3>({{}, counts}, [&](const Index<3>& k) {
        Vec<double, 3> place = scene.domain.origin;
        for (int a = 0; a < scene.dim; ++a) place[a] += scene.domain.size[a] * k[a] / (kAcross - 1);
        if (const double here = length(acceleration.at(place, t)); std::isfinite(here)) most = std::max(most, here);
    });
    return most;
}

// The same everywhere, between sides that it does not repeat through.
bool does_limited_work(const SceneDescription& scene, const scene::Force& force) {
    if (force.kind != scene::ForceKind::constant) return false;
    for (int a = 0; a < scene.dim; ++a) {
        const FieldValue& component = force.acceleration.component[static_cast<std::size_t>(a)];
        const bool is_periodic = scene.domain.sides.at(a, false).kind == scene::SideKind::periodic;
        if (component.varies_in_space() || (is_periodic && !(component == FieldValue(0.0)))) return false;
    }
    return true;
}

}  // namespace

double force_strength(const SceneDescription& scene, const scene::Force& force, double t) {
    using Kind = scene::ForceKind;
    if (t < force.start || t >= force.end.value_or(t + 1) || force.kind == Kind::drag) return 0;
    if (force.kind == Kind::constant) return strongest(scene, force.acceleration, t);
    const double strength = std::abs(force.strength.at(t)) * (force.kind == Kind::turbulence ? 1 : kMostOfFading);
    return std::isfinite(strength) ? strength : 0;
}

double force_strength(const SceneDescription& scene, double t) {
    double sum = 0;
    for (const scene::Force& force : scene.force) sum += force_strength(scene, force, t);
    for (const scene::Control& control : scene.control)
        if (const auto* attract = std::get_if<scene::AttractControl>(&control.kind);
            attract != nullptr && t >= control.start && t < control.end.value_or(t + 1))
            if (const double strength = std::abs(attract->strength.at(t)); std::isfinite(strength)) sum += strength;
    return sum;
}

double speed_by_forces(const SceneDescription& scene) {
    double speed = 0;
    for (const scene::Force& force : scene.force) {
        const double from = force.start, to = std::min(force.end.value_or(end_time(scene)), end_time(scene));
        double most = 0, impulse = 0;
        for (int k = 0; k < kMoments && to > from; ++k) {
            const double strength = force_strength(scene, force, from + (to - from) * (k + 0.5) / kMoments);
            most = std::max(most, strength);
            impulse += strength * (to - from) / kMoments;
        }
        const double by_work = std::sqrt(2 * most * length(scene.domain.size));
        speed += does_limited_work(scene, force) ? std::min(by_work, impulse) : impulse;
    }
    // By the work of an attraction on the way through its reach and the shape.
    for (const scene::Control& control : scene.control)
        if (const auto* attract = std::get_if<scene::AttractControl>(&control.kind))
            if (const double most = std::abs(attract->strength.at(control.start)); std::isfinite(most))
                speed += std::sqrt(2 * most * attract->reach);
    return speed;
}

}  // namespace spindrift

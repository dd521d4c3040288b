// SPDX-License-Identifier: Apache-2.0
// What the method foster-metaxas-1996 needs, and what it cannot do.
#include <algorithm>

#include <fmt/format.h>

#include "scene/methods.h"
#include "scene/warning_list.h"

namespace spindrift {
namespace {

constexpr std::string_view kOthers = "use method level-set or particle-level-set-2002";

std::string side_path(const SceneDescription& scene, int axis, bool upper) {
    return fmt::format("domain.sides.{}", side_name(axis, upper, scene.domain.up));
}

template <class F>
void for_each_side(const SceneDescription& scene, int dim, F&& f) {
    for (int axis = 0; axis < dim; ++axis)
        for (const bool upper : {false, true}) f(axis, upper, scene.domain.sides.at(axis, upper));
}

bool lets_in(const scene::Side& side, double time) {
    return side.kind == scene::SideKind::inflow && time < side.outflow_after.value_or(time + 1);
}

// A closed tank that has no air either fills up: what comes in then finds no room.
bool has_way_out(const SceneDescription& scene) {
    const auto& sides = scene.domain.sides.sides;
    return std::any_of(sides.begin(), sides.end(), [](const scene::Side& side) {
        return side.kind == scene::SideKind::open || side.outflow_after;
    });
}

// Volume that inflows bring until the end of the run, m³ (m²).
double brought(const SceneDescription& scene) {
    double sum = 0;
    for_each_side(scene, scene.dim, [&](int axis, bool upper, const scene::Side& side) {
        if (side.kind != scene::SideKind::inflow) return;
        double area = 1;
        for (int a = 0; a < scene.dim; ++a)
            if (a != axis) area *= scene.domain.size[a];
        const scene::Vec3 middle = scene.domain.origin + scene.domain.size * 0.5;
        for (int k = 0; k < kMoments; ++k) {
            const double dt = end_time(scene) / kMoments, t = (k + 0.5) * dt;
            const double inwards =
                (upper ? -1 : 1) * side.velocity.component[static_cast<std::size_t>(axis)].at(middle, t);
            const int up = up_axis(scene);
            const double below =
                side.level && axis != up
                    ? std::clamp((side.level->at(t) - scene.domain.origin[up]) / scene.domain.size[up], 0.0, 1.0)
                    : 1;
            if (lets_in(side, t)) sum += inwards * area * below * dt;
        }
    });
    return sum;
}

void overfull(SceneWarnings& list, const SceneDescription& scene) {
    if (has_way_out(scene)) return;
    double room = 1;
    for (int a = 0; a < scene.dim; ++a) room *= scene.domain.size[a];
    if (const double volume = brought(scene); volume > room)
        list.warn("domain.sides",
                  fmt::format("let in {:.3g} {} in all, more than the box of {:.3g} {} holds, and nothing lets liquid "
                              "out: once it is full the rest is left out, and counted as overflow",
                              volume, scene.dim == 2 ? "m²" : "m³", room, scene.dim == 2 ? "m²" : "m³"),
                  "make a side open, or end the inflow");
}

}  // namespace

void check_foster_metaxas(const SceneDescription& scene, int dim, const std::set<std::string>& unread,
                          const Complain& complain) {
    check_liquid(scene, dim, unread, complain);
    if (!unread.contains("domain"))
        for_each_side(scene, dim, [&](int axis, bool upper, const scene::Side& side) {
            if (side.kind == scene::SideKind::periodic && !upper)
                complain(side_path(scene, axis, upper), "is periodic, which method foster-metaxas-1996 cannot do",
                         fmt::format("make it a wall, or {}", kOthers));
        });
    if (unread.contains("solid")) return;
    for (std::size_t i = 0; i < scene.solid.size(); ++i)
        if (scene.solid[i].motion.is_there())
            complain(fmt::format("solid[{}]", i), "moves, but method foster-metaxas-1996 has stationary obstacles only",
                     fmt::format("leave out its motion, or {}", kOthers));
}

void warn_of_foster_metaxas(SceneWarnings& list, const SceneDescription& scene) {
    warn_of_liquid(list, scene);
    overfull(list, scene);
    list.idle({"time.cfl"}, "method foster-metaxas-1996 has foster-metaxas.courant");
    if (scene.fluid.surface_tension > 0)
        list.idle({"fluid.surface_tension"}, "method foster-metaxas-1996 neglects surface tension");
    if (scene.foster_metaxas.pressure == scene::CellPressure::multigrid)
        list.idle({"foster-metaxas.over_relaxation"}, "the pressure is solved for by multigrid");
}

}  // namespace spindrift

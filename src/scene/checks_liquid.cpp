// SPDX-License-Identifier: Apache-2.0
// What a liquid needs to be simulated.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/suggest.h"
#include "scene/methods.h"
#include "scene/shape_extent.h"

namespace spindrift {
namespace {

using scene::Vec3;

bool is_closed(scene::SideKind kind) { return kind == scene::SideKind::slip || kind == scene::SideKind::no_slip; }

// Where and when a path through the given flow leaves the domain through a closed side.
struct Exit {
    int axis;
    bool upper;
    double time;
};
std::optional<Exit> exit_of(const SceneDescription& scene, int dim, Vec3 place) {
    constexpr int kSteps = 400;
    const double dt = end_time(scene) / kSteps;
    for (int k = 0; k < kSteps; ++k) {
        // Midpoint rule.
        const double t = k * dt;
        const Vec3 half = place + scene.flow.velocity->at(place, t) * (0.5 * dt);
        place = place + scene.flow.velocity->at(half, t + 0.5 * dt) * dt;
        for (int axis = 0; axis < dim; ++axis) {
            const double lo = scene.domain.origin[axis], hi = lo + scene.domain.size[axis];
            const double tolerance = 0.5 * cell_size(scene);  // errors of the path, and what touches a wall
            if (place[axis] > lo - tolerance && place[axis] < hi + tolerance) continue;
            const bool upper = place[axis] >= hi;
            if (!is_closed(scene.domain.sides.at(axis, upper).kind)) return std::nullopt;
            return Exit{axis, upper, t + dt};
        }
    }
    return std::nullopt;
}

// A given flow that advects liquid through a closed side would make liquid out of nothing, or lose it: by samples of
// the initial liquid.
void check_flow_at_walls(const SceneDescription& scene, int dim, const Complain& complain) {
    constexpr int kAcross = 8;
    for (const scene::Liquid& liquid : scene.liquid) {
        const auto box = extent(liquid.shape, dim);
        if (liquid.op != scene::ShapeOp::add || !box) continue;
        Vec3 lo = scene.domain.origin, hi = lo + scene.domain.size;
        for (int axis = 0; axis < dim; ++axis) {
            lo[axis] = std::max(lo[axis], box->lo[axis]);
            hi[axis] = std::min(hi[axis], box->hi[axis]);
        }
        std::optional<Exit> found;
        const Index<3> counts{kAcross, kAcross, dim == 2 ? 1 : kAcross};
        for_each_index<3>({{}, counts}, [&](const Index<3>& k) {
            Vec3 place = lo;
            for (int axis = 0; axis < dim; ++axis) place[axis] += (k[axis] + 0.5) / kAcross * (hi[axis] - lo[axis]);
            if (!found && contains(liquid.shape, place, dim, up_axis(scene)).value_or(false))
                found = exit_of(scene, dim, place);
        });
        if (!found) continue;
        return complain("flow.velocity",
                        fmt::format("advects liquid through the side {}, which is closed, at {:.3g} s",
                                    side_name(found->axis, found->upper, scene.domain.up), found->time),
                        "let the flow run along the wall there, make the domain larger, or the side periodic");
    }
}

// An inflow that a solid covers has nowhere to flow to.
void check_inflows(const SceneDescription& scene, int dim, const Complain& complain) {
    constexpr int kAcross = 16;
    for (int axis = 0; axis < dim; ++axis)
        for (const bool upper : {false, true}) {
            const scene::Side& side = scene.domain.sides.at(axis, upper);
            if (side.kind != scene::SideKind::inflow) continue;
            Index<3> counts(kAcross);
            counts[axis] = 1;
            if (dim == 2) counts[2] = 1;
            int below = 0, blocked = 0;
            for_each_index<3>({{}, counts}, [&](const Index<3>& k) {
                Vec3 place = scene.domain.origin;
                for (int a = 0; a < dim; ++a) place[a] += scene.domain.size[a] * (k[a] + 0.5) / counts[a];
                const double inside = 0.5 * cell_size(scene);
                place[axis] = scene.domain.origin[axis] + (upper ? scene.domain.size[axis] - inside : inside);
                if (side.level && place[up_axis(scene)] > side.level->at(0)) return;
                ++below;
                bool solid = false;
                for (const scene::Solid& one : scene.solid)
                    if (!one.motion.is_there() && contains(one.shape, place, dim, up_axis(scene)).value_or(false))
                        solid = one.op == scene::ShapeOp::add;
                if (solid) ++blocked;
            });
            if (below == 0 || blocked < below) continue;
            complain(fmt::format("domain.sides.{}", side_name(axis, upper, scene.domain.up)),
                     "lets liquid in against a solid that closes it", "move the solid, or make the side a wall");
        }
}

// In a given flow there is nothing that forces, solids or sources could do, and no way in or out.
void check_flow(const SceneDescription& scene, int dim, const Complain& complain) {
    if (!scene.wind.empty()) complain("wind", "has no effect in a given flow", "leave out [flow] or the winds");
    if (!scene.control.empty())
        complain("control", "has no effect in a given flow", "leave out [flow] or the controls");
    if (!scene.component.empty())
        complain("component", "cannot mix in a given flow, which moves the surface alone",
                 "leave out [flow] or the components");
    if (!scene.force.empty()) complain("force", "has no effect in a given flow", "leave out [flow] or the forces");
    if (!scene.solid.empty()) complain("solid", "has no effect in a given flow", "leave out [flow] or the solids");
    if (!scene.source.empty()) complain("source", "has no effect in a given flow", "leave out [flow] or the sources");
    for (int axis = 0; axis < dim; ++axis)
        for (const bool upper : {false, true}) {
            const scene::SideKind kind = scene.domain.sides.at(axis, upper).kind;
            if (kind == scene::SideKind::open || kind == scene::SideKind::inflow)
                return complain("domain.sides", "let liquid in or out, which a given flow cannot do yet",
                                "make the sides walls or periodic");
        }
    check_flow_at_walls(scene, dim, complain);
}

// What is called a component must be one, and there must be liquid that can consist of it.
void check_components(const SceneDescription& scene, int dim, const Complain& complain) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < scene.component.size(); ++i) {
        names.push_back(scene.component[i].name);
        if (names.back() == kFirstComponent)
            complain(fmt::format("component[{}].name", i),
                     fmt::format("is \"{}\", which is what the liquid of [fluid] is called", kFirstComponent),
                     "give it another name");
    }
    const auto check = [&](const std::string& path, const std::optional<std::string>& name) {
        if (!name || std::find(names.begin(), names.end(), *name) != names.end()) return;
        const Error error = unknown_word("component", *name, names);
        complain(path + ".component", "names one that is not there: " + error.what,
                 names.empty() ? "write a [[component]] of that name" : error.remedy);
    };
    for (std::size_t i = 0; i < scene.liquid.size(); ++i) {
        const std::string path = fmt::format("liquid[{}]", i);
        check(path, scene.liquid[i].component);
        if (scene.liquid[i].component && scene.liquid[i].op == scene::ShapeOp::subtract)
            complain(path + ".component", "belongs to what is cut out", "leave out op, or the component");
    }
    for (std::size_t i = 0; i < scene.source.size(); ++i)
        check(fmt::format("source[{}]", i), scene.source[i].component);
    for (int axis = 0; axis < dim; ++axis)
        for (const bool upper : {false, true}) {
            const scene::Side& side = scene.domain.sides.at(axis, upper);
            const std::string path = fmt::format("domain.sides.{}", side_name(axis, upper, scene.domain.up));
            check(path, side.component);
            if (side.component && side.kind != scene::SideKind::inflow)
                complain(path + ".component", "is for inflows", "make the side an inflow, or leave it out");
        }
}

}  // namespace

void check_liquid(const SceneDescription& scene, int dim, const std::set<std::string>& unread,
                  const Complain& complain) {
    const auto can_see = [&](std::initializer_list<const char*> tables) {
        return std::none_of(tables.begin(), tables.end(), [&](const char* table) { return unread.contains(table); });
    };
    if (scene.flow.velocity && can_see({"flow", "domain", "time", "liquid"})) check_flow(scene, dim, complain);
    if (can_see({"time", "control"})) check_controls(scene, complain);
    if (can_see({"domain", "component", "liquid", "source"})) check_components(scene, dim, complain);
    if (scene.method == scene::Method::foster_fedkiw_2001 && scene.particles.sides == scene::ParticleSides::both)
        complain("particles.sides", "is \"both\", but foster-fedkiw-2001 has particles inside the liquid alone",
                 "leave it out, or use method particle-level-set-2002");
    if (can_see({"domain", "time", "solid"})) check_inflows(scene, dim, complain);
    for (std::size_t i = 0; i < scene.force.size() && can_see({"force"}); ++i)
        if (scene.force[i].substance)
            complain(fmt::format("force[{}].substance", i), "names a substance, but a liquid has none",
                     fmt::format("leave it out, or use method {}", scene::methods_using("substance")));
}

}  // namespace spindrift

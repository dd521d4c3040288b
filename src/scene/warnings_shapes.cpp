// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "scene/methods.h"
#include "scene/motion.h"
#include "scene/shape_extent.h"
#include "scene/warning_list.h"

namespace spindrift {
namespace {

using scene::Vec3;

bool holds(const SceneDescription& scene, const scene::Shape& s, const Vec3& place) {
    return contains(s, place, scene.dim, up_axis(scene)).value_or(false);
}

bool holds_a_corner(const SceneDescription& scene, const scene::Shape& s) {
    bool found = false;
    for (int corner = 0; corner < 8; ++corner) {
        Vec3 place = scene.domain.origin;
        for (int axis = 0; axis < scene.dim; ++axis) place[axis] += (corner >> axis & 1) * scene.domain.size[axis];
        found = found || holds(scene, s, place);
    }
    return found;
}

// The shape of an entry of `kind`.
void shape(SceneWarnings& list, const SceneDescription& scene, std::string_view kind, std::size_t i,
           const scene::Shape& s) {
    const std::string path = entry(kind, i);
    const double dx = cell_size(scene);
    const auto box = extent(s, scene.dim);
    if (kind == "solid" && scene.solid[i].motion.is_there()) return;  // see moving_solids()
    const bool is_gas_source = !scene::has_surface(scene.method) && kind == "source";
    if (const auto axis = box ? axis_outside(scene, *box) : std::nullopt) {
        const bool may_come_in = kind == "source" && scene.source[i].motion.is_there();
        if (!is_gas_source && !may_come_in) list.outside(path, *box, *axis);  // an error there, told with the others
        return;
    }
    if (std::holds_alternative<scene::Plane>(s) && !is_gas_source && !holds_a_corner(scene, s))
        return list.warn(path, fmt::format("{} lies outside the domain: its plane passes by", path),
                         "it will have no effect");
    if (kind == "solid" && scene::has_surface(scene.method)) return;  // see wall_warnings()
    if (kind == "liquid") return;                                     // see thickness_of_liquid()
    const auto thin = thickness(s, scene.dim);
    if (thin && *thin < dx)
        list.warn(
            path,
            fmt::format("{} is {:.4g} m thin, less than a cell ({:.4g} m): it will hardly be seen", path, *thin, dx),
            "make it thicker or the cells smaller");
}

// Liquid that solids leave no room for, by samples.
void buried(SceneWarnings& list, const SceneDescription& scene, std::string_view kind, std::size_t i,
            const scene::Shape& s) {
    constexpr int kSamples = 16;
    const auto box = extent(s, scene.dim);
    const bool is_cut_out = kind == "liquid" && scene.liquid[i].op == scene::ShapeOp::subtract;
    if (!box || scene.solid.empty() || is_cut_out) return;
    Vec3 lo = scene.domain.origin, hi = lo + scene.domain.size;
    for (int axis = 0; axis < scene.dim; ++axis) {
        lo[axis] = std::max(lo[axis], box->lo[axis]);
        hi[axis] = std::min(hi[axis], box->hi[axis]);
    }
    int inside = 0, free = 0;
    const Index<3> counts{kSamples, kSamples, scene.dim == 2 ? 1 : kSamples};
    for_each_index<3>({{}, counts}, [&](const Index<3>& k) {
        Vec3 place = lo;
        for (int axis = 0; axis < scene.dim; ++axis) place[axis] += (k[axis] + 0.5) / kSamples * (hi[axis] - lo[axis]);
        if (!holds(scene, s, place)) return;
        ++inside;
        bool solid = false;
        for (const scene::Solid& one : scene.solid)
            if (holds(scene, one.shape, place)) solid = one.op == scene::ShapeOp::add;
        if (!solid) ++free;
    });
    if (inside > 0 && free == 0)
        list.warn(entry(kind, i), fmt::format("{} lies inside the solids: there is no room for it", entry(kind, i)),
                  "move it out, or cut a hollow out of the solid with op = \"subtract\"");
}

// Whether some place inside a shape, moved, is held by others: by samples.
template <class Entry>
bool meets(const SceneDescription& scene, const scene::Shape& s, const Box<double, 3>& box, const RigidTransform<3>& to,
           const std::vector<Entry>& others) {
    constexpr int kSamples = 9;
    const Index<3> counts{kSamples, kSamples, scene.dim == 2 ? 1 : kSamples};
    bool met = false;
    for_each_index<3>({{}, counts}, [&](const Index<3>& k) {
        Vec3 place = box.lo;
        for (int axis = 0; axis < scene.dim; ++axis)
            place[axis] += (k[axis] + 0.5) / kSamples * (box.hi[axis] - box.lo[axis]);
        if (met || !holds(scene, s, place)) return;
        for (const Entry& other : others)
            if (holds(scene, other.shape, to.world_from_local(place))) met = other.op == scene::ShapeOp::add;
    });
    return met;
}

// A body that never comes in.
bool stays_outside(SceneWarnings& list, const SceneDescription& scene, std::size_t i, const Box<double, 3>& box,
                   const Pose<3>& pose) {
    for (int k = 0; k <= kMoments; ++k)
        if (!axis_outside(scene, moved(box, pose.at(end_time(scene) * k / kMoments).world_from_body))) return false;
    const Box<double, 3> start = moved(box, pose.at(0).world_from_body);
    list.outside(entry("solid", i), start, *axis_outside(scene, start));
    return true;
}

template <class Way>
void jumps_of(SceneWarnings& list, const SceneDescription& scene, std::string_view kind, std::size_t i,
              const char* name, double metres, const char* unit, Way&& way) {
    const double dx = cell_size(scene);
    for (int k = 0; k < kMoments; ++k) {
        double from = end_time(scene) * k / kMoments, to = end_time(scene) * (k + 1) / kMoments;
        if (!(length(way(to) - way(from)) * metres > dx)) continue;
        for (int halving = 0; halving < 40; ++halving) {
            const double middle = 0.5 * (from + to);
            const bool early = length(way(middle) - way(from)) > length(way(to) - way(middle));
            (early ? to : from) = middle;
        }
        const double jump = length(way(to) - way(from));
        if (!(jump * metres > 0.5 * dx)) continue;
        return list.warn(entry(kind, i) + "." + name,
                         fmt::format("{} jumps by {:.3g}{} at t = {:.4g} s: it pushes nothing on its way, and "
                                     "liquid where it arrives may be lost",
                                     entry(kind, i), jump, unit, to),
                         "let it move there, with keyframes or smoothstep(…)");
    }
}

// What jumps pushes nothing on its way: found by halving the time in which it goes far.
void jumps(SceneWarnings& list, const SceneDescription& scene, std::string_view kind, std::size_t i,
           const scene::Motion& motion, const scene::Shape& s) {
    if (motion.offset)
        jumps_of(list, scene, kind, i, "offset", 1, " m", [&](double t) { return motion.offset->at(t); });
    if (!motion.rotation_degrees) return;
    // By how much the farthest corner of the shape moves for a degree.
    const Box<double, 3> domain{scene.domain.origin, scene.domain.origin + scene.domain.size};
    const Pose<3> pose = pose_in_space(scene, motion, s);
    const Box<double, 3> box = intersection(extent(s, scene.dim).value_or(domain), domain);
    const Vec3 arm = max(max(box.hi - pose.pivot, pose.pivot - box.lo), Vec3(0.0));
    const double per_degree = std::max(length(arm), cell_size(scene)) * std::numbers::pi / 180;
    const scene::Turn& turn = *motion.rotation_degrees;
    jumps_of(list, scene, kind, i, "rotation_degrees", per_degree, "°",
             [&](double t) { return turn.angles ? turn.angles->at(t) : Vec3(turn.angle.at(t), 0, 0); });
}

// A body that moves and already stands in the way of something.
void moving_solids(SceneWarnings& list, const SceneDescription& scene) {
    for (std::size_t i = 0; i < scene.solid.size(); ++i) {
        const scene::Solid& solid = scene.solid[i];
        const auto box = extent(solid.shape, scene.dim);
        if (!solid.motion.is_there()) continue;
        const Pose<3> pose = pose_in_space(scene, solid.motion, solid.shape);
        jumps(list, scene, "solid", i, solid.motion, solid.shape);
        if (!box || stays_outside(list, scene, i, *box, pose)) continue;
        const RigidTransform<3> start = pose.at(0).world_from_body;
        const Box<double, 3> at_start = moved(*box, start);
        const Vec3 lo = scene.domain.origin, hi = lo + scene.domain.size;
        for (int axis = 0; axis < scene.dim; ++axis)
            if (at_start.lo[axis] < lo[axis] || at_start.hi[axis] > hi[axis]) {
                list.warn(entry("solid", i),
                          fmt::format("{} moves and starts partly outside the box, along {}: there it only closes the "
                                      "part that is inside",
                                      entry("solid", i), "xyz"[axis]),
                          "move it in, or let it come in from outside on purpose");
                break;
            }
        if (meets(scene, solid.shape, *box, start, scene.liquid))
            list.warn(entry("solid", i),
                      fmt::format("{} moves and starts inside the liquid: the liquid it takes the place of is left out",
                                  entry("solid", i)),
                      "start it above, unless this is meant");
        std::vector<scene::Solid> still = scene.solid;
        std::erase_if(still, [](const scene::Solid& s) { return s.motion.is_there(); });
        if (meets(scene, solid.shape, *box, start, still))
            list.warn(entry("solid", i),
                      fmt::format("{} moves and starts inside a solid that stands", entry("solid", i)),
                      "start it beside the solid, unless this is meant");
    }
    for (std::size_t i = 0; i < scene.source.size(); ++i)
        if (scene.source[i].motion.is_there())
            jumps(list, scene, "source", i, scene.source[i].motion, scene.source[i].shape);
}

void idle_turn(SceneWarnings& list, const std::string& path, const scene::Motion& motion) {
    if (!motion.rotation_degrees)
        list.idle({path + ".rotation_axis"}, "it does not turn: rotation_degrees is not written");
    else if (motion.rotation_degrees->angles)
        list.idle({path + ".rotation_axis"}, "three angles turn about x, then y, then z");
}

}  // namespace

void warn_of_shapes(SceneWarnings& list, const SceneDescription& scene) {
    for (std::size_t i = 0; i < scene.liquid.size(); ++i) shape(list, scene, "liquid", i, scene.liquid[i].shape);
    for (std::size_t i = 0; i < scene.solid.size(); ++i) shape(list, scene, "solid", i, scene.solid[i].shape);
    for (std::size_t i = 0; i < scene.source.size(); ++i) shape(list, scene, "source", i, scene.source[i].shape);
    for (std::size_t i = 0; i < scene.liquid.size(); ++i) buried(list, scene, "liquid", i, scene.liquid[i].shape);
    for (std::size_t i = 0; i < scene.source.size(); ++i) buried(list, scene, "source", i, scene.source[i].shape);
    moving_solids(list, scene);
    for (std::size_t i = 0; i < scene.solid.size(); ++i) idle_turn(list, entry("solid", i), scene.solid[i].motion);
    for (std::size_t i = 0; i < scene.source.size(); ++i) {
        idle_turn(list, entry("source", i), scene.source[i].motion);
        // Of a solid the torque is about it, turning or not.
        if (!scene.source[i].motion.rotation_degrees)
            list.idle({entry("source", i) + ".pivot"}, "it does not turn: rotation_degrees is not written");
    }
}

}  // namespace spindrift

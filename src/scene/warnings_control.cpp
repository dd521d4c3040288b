// SPDX-License-Identifier: Apache-2.0
// Controls that do less than they seem to: beyond the domain, into walls, with nothing to act on.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "scene/control_curve.h"
#include "scene/describe_control.h"
#include "scene/methods.h"
#include "scene/shape_extent.h"
#include "scene/warning_list.h"

namespace spindrift {
namespace {

using scene::Vec3;

bool is_closed(scene::SideKind kind) { return kind == scene::SideKind::slip || kind == scene::SideKind::no_slip; }

// The solid that a place lies in, of those that stand still.
std::optional<std::size_t> solid_at(const SceneDescription& scene, const Vec3& place) {
    std::optional<std::size_t> inside;
    for (std::size_t i = 0; i < scene.solid.size(); ++i) {
        const scene::Solid& solid = scene.solid[i];
        if (solid.motion.is_there() || !contains(solid.shape, place, scene.dim, up_axis(scene)).value_or(false))
            continue;
        inside = solid.op == scene::ShapeOp::add ? std::optional(i) : std::nullopt;
    }
    return inside;
}

// The first closed side that a place lies beyond.
struct Beyond {
    int axis;
    bool upper;
};
std::optional<Beyond> closed_side_before(const SceneDescription& scene, const Vec3& place) {
    for (int axis = 0; axis < scene.dim; ++axis) {
        const double lo = scene.domain.origin[axis], hi = lo + scene.domain.size[axis];
        if (place[axis] >= lo && place[axis] <= hi) continue;
        const bool upper = place[axis] > hi;
        if (is_closed(scene.domain.sides.at(axis, upper).kind)) return Beyond{axis, upper};
    }
    return std::nullopt;
}

// A curve through a wall or a solid: liquid is pushed against it.
template <int Dim>
void curve_into_walls(SceneWarnings& list, const SceneDescription& scene, const std::string& path,
                      const Curve<Dim>& curve) {
    constexpr int kSamples = 400;
    for (int k = 0; k <= kSamples; ++k) {
        const Vec3 place = in_space(curve.at(curve.parameter_at(curve.length() * k / kSamples)));
        const std::string where =
            fmt::format("at {}, {:.3g} m along it", place_text(place, scene.dim), curve.length() * k / kSamples);
        if (const auto side = closed_side_before(scene, place))
            return list.warn(path,
                             fmt::format("{} leaves the domain through the side {}, which is closed, {}: liquid is "
                                         "pushed against the wall there",
                                         path, side_name(side->axis, side->upper, scene.domain.up), where),
                             "end the curve inside, or open the side");
        if (const auto solid = solid_at(scene, place))
            return list.warn(path,
                             fmt::format("{} runs into {} {}: liquid is pushed against it there", path,
                                         entry("solid", *solid), where),
                             "lead it around the solid, with some room for its radius");
    }
}

template <int Dim>
void curve(SceneWarnings& list, const SceneDescription& scene, const std::string& path, const scene::Control& control,
           const scene::CurveControl& given) {
    const auto made = curve_of<Dim>(given);
    if (!made) return;
    const auto hull = made->bounding_box();
    const Vec3 reach(given.radius);
    const Box<double, 3> box{in_space(hull.lo) - reach, in_space(hull.hi) + reach};
    if (const auto axis = axis_outside(scene, box)) return list.outside(path, box, *axis);
    curve_into_walls(list, scene, path, *made);
    const double dx = cell_size(scene);
    if (given.radius < dx)
        list.warn(path + ".radius",
                  fmt::format("{}.radius is {:.4g} m, less than a cell of {:.4g} m: it holds hardly any liquid", path,
                              given.radius, dx),
                  "two cells or more lead liquid well");
    const double end = std::min(end_time(scene), control.end.value_or(end_time(scene)));
    if (const SpeedChange change = speed_change(given.speed, control.start, end); change.turning && !change.turns_back)
        list.warn(path + ".speed",
                  fmt::format("{}.speed is not monotonic: it rises and falls, about {:.4g} s; liquid that has got "
                              "ahead of the control is lost to it",
                              path, *change.turning),
                  "let it rise or fall throughout, and write a second control with its own start for the rest");
    if (given.stretch && *given.stretch >= made->length() && scene.places.of.contains(path + ".stretch"))
        list.idle({path + ".stretch"}, fmt::format("the curve is no longer than that, {:.4g} m", made->length()));
}

// Velocities that point into closed sides, by samples of the cells beside these.
void into_sides(SceneWarnings& list, const SceneDescription& scene, const std::string& path,
                const scene::Control& control, const scene::Shape& shape, const FieldVector& velocity) {
    constexpr int kAcross = 16;
    const double inside = 0.5 * cell_size(scene);
    for (int axis = 0; axis < scene.dim; ++axis)
        for (const bool upper : {false, true}) {
            if (!is_closed(scene.domain.sides.at(axis, upper).kind)) continue;
            Index<3> counts(kAcross);
            counts[axis] = 1;
            if (scene.dim == 2) counts[2] = 1;
            bool is_found = false;
            for_each_index<3>({{}, counts}, [&](const Index<3>& k) {
                Vec3 place = scene.domain.origin;
                for (int a = 0; a < scene.dim; ++a) place[a] += scene.domain.size[a] * (k[a] + 0.5) / counts[a];
                place[axis] = scene.domain.origin[axis] + (upper ? scene.domain.size[axis] - inside : inside);
                if (is_found || !contains(shape, place, scene.dim, up_axis(scene)).value_or(false)) return;
                const Vec3 u = velocity.at(place, control.start);
                const double out = (upper ? 1 : -1) * u[axis];
                if (!(out > 0.1 * length(u))) return;
                is_found = true;
                list.warn(path + ".velocity",
                          fmt::format("{} pushes liquid into the side {}, which is closed, at {}", path,
                                      side_name(axis, upper, scene.domain.up), place_text(place, scene.dim)),
                          "let the velocity run along the wall there, or end the shape before it");
            });
        }
}

void shape(SceneWarnings& list, const SceneDescription& scene, const std::string& path, const scene::Control& control,
           const scene::Shape& shape, const FieldVector& velocity, double margin) {
    if (const auto own = extent(shape, scene.dim)) {
        const Box<double, 3> box{own->lo - Vec3(margin), own->hi + Vec3(margin)};
        if (const auto axis = axis_outside(scene, box)) return list.outside(path, box, *axis);
    }
    into_sides(list, scene, path, control, shape, velocity);
}

// A target that no liquid can be held in, and settings that it does not have.
void attraction(SceneWarnings& list, const SceneDescription& scene, const std::string& path,
                const scene::AttractControl& given) {
    for (const char* name : {".parts", ".rate", ".region_min", ".region_max"})
        list.idle({path + name}, "a control of kind \"attract\" has none");
    const auto own = extent(given.shape, scene.dim);
    if (own) {
        const Box<double, 3> box{own->lo - Vec3(given.reach), own->hi + Vec3(given.reach)};
        if (const auto axis = axis_outside(scene, box)) return list.outside(path, box, *axis);
    }
    const double dx = cell_size(scene);
    if (const auto thin = thickness(given.shape, scene.dim); thin && *thin < 2 * dx)
        list.warn(path,
                  fmt::format("{} is {:.4g} m thin, less than two cells of {:.4g} m: liquid hardly shows its form",
                              path, *thin, dx),
                  "make the shape thicker or the cells smaller");
    const double weight = given.weight * length(gravity_at(scene, 0));
    if (!given.strength.varies() && given.strength.at(0) < weight)
        list.warn(
            path + ".strength",
            fmt::format("{}.strength is {:.4g} m/s², less than the weight that liquid keeps, {:.4g} m/s²: it falls "
                        "out of the shape",
                        path, given.strength.at(0), weight),
            "raise strength or lower weight");
}

}  // namespace

void warn_of_controls(SceneWarnings& list, const SceneDescription& scene) {
    for (std::size_t i = 0; i < scene.control.size(); ++i) {
        const scene::Control& control = scene.control[i];
        const std::string path = entry("control", i);
        if (control.region_min && control.region_max) {
            const Box<double, 3> box{*control.region_min, *control.region_max};
            if (const auto axis = axis_outside(scene, box)) list.outside(path, box, *axis);
        }
        if (const auto* given = std::get_if<scene::CurveControl>(&control.kind)) {
            if (scene.dim == 2)
                curve<2>(list, scene, path, control, *given);
            else
                curve<3>(list, scene, path, control, *given);
        } else if (const auto* volume = std::get_if<scene::VolumeControl>(&control.kind)) {
            shape(list, scene, path, control, volume->shape, volume->velocity, 0);
        } else if (const auto* attract = std::get_if<scene::AttractControl>(&control.kind)) {
            attraction(list, scene, path, *attract);
        } else if (const auto* surface = std::get_if<scene::SurfaceControl>(&control.kind)) {
            shape(list, scene, path, control, surface->shape, surface->velocity, surface->thickness);
            if (surface->thickness < cell_size(scene))
                list.warn(path + ".thickness",
                          fmt::format("{}.thickness is {:.4g} m, less than a cell of {:.4g} m: it may miss the liquid",
                                      path, surface->thickness, cell_size(scene)),
                          "make it a cell or more");
        }
    }
}

}  // namespace spindrift

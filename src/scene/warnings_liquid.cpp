// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/readable.h"
#include "liquid/step_limit.h"
#include "scene/heights.h"
#include "scene/methods.h"
#include "scene/shape_extent.h"
#include "scene/warning_list.h"

namespace spindrift {
namespace {

using scene::Vec3;

void no_liquid(SceneWarnings& list, const SceneDescription& scene) {
    const auto& sides = scene.domain.sides.sides;
    const bool flows_in =
        std::any_of(sides.begin(), sides.end(), [](const scene::Side& s) { return s.kind == scene::SideKind::inflow; });
    const bool starts = std::any_of(scene.liquid.begin(), scene.liquid.end(),
                                    [](const scene::Liquid& l) { return l.op == scene::ShapeOp::add; });
    if (!starts && !flows_in && scene.source.empty())
        list.warn("", "there is no liquid in this scene", "add a [[liquid]], a [[source]] or an inflow");
}

// Small cells and much surface tension make short steps.
void capillary_steps(SceneWarnings& list, const SceneDescription& scene) {
    constexpr double kMany = 10;
    if (scene.flow.velocity || !scene::uses(scene.method, "level-set")) return;
    const double dx = cell_size(scene);
    const double dt = capillary_dt(scene.fluid.density, scene.fluid.surface_tension, dx);
    const double steps = std::ceil(1 / (scene.time.fps * dt));
    const std::string needed = fmt::format(
        "surface tension of {:.4g} N/m on cells of {:.3g} m needs time steps of at most {:.2g} s, {} per "
        "frame",
        scene.fluid.surface_tension, dx, dt, rounded_text(steps));
    if (steps > scene.time.max_substeps)
        list.warn("time.max_substeps",
                  fmt::format("{}, more than time.max_substeps = {}: the run will stop in frame 1", needed,
                              scene.time.max_substeps),
                  "raise time.max_substeps, make the cells larger or lower fluid.surface_tension");
    else if (steps > std::max<double>(kMany, scene.time.min_substeps.value_or(1)))
        list.warn(
            "fluid.surface_tension", needed + ": the run takes that much longer",
            "larger cells need fewer; where surface tension does not matter, fluid.surface_tension = 0 needs none");
}

void gravity(SceneWarnings& list, const SceneDescription& scene) {
    const Vec3 g = gravity_at(scene, 0);
    if (g[up_axis(scene)] > 0 && !(scene.gravity.vector && scene.gravity.vector->varies()))
        list.warn("gravity", "gravity points up",
                  "a number pulls down when it is positive, a vector when it is negative");
    for (int axis = 0; axis < scene.dim; ++axis)
        if (g[axis] != 0 && scene.domain.sides.at(axis, false).kind == scene::SideKind::periodic)
            list.warn("domain.sides",
                      fmt::format("gravity pulls along {}, where the sides are periodic: the liquid falls "
                                  "for ever",
                                  "xyz"[axis]));
}

// Liquid of which the box holds less than the grid can: it is thinner than a cell by itself, or where sides of the
// box cut it.
void thickness_of_liquid(SceneWarnings& list, const SceneDescription& scene) {
    const double dx = cell_size(scene);
    for (std::size_t i = 0; i < scene.liquid.size(); ++i) {
        if (scene.liquid[i].op != scene::ShapeOp::add) continue;
        const scene::Shape& s = scene.liquid[i].shape;
        double thin = thickness(s, scene.dim).value_or(std::numeric_limits<double>::infinity());
        if (const auto box = extent(s, scene.dim))
            for (int axis = 0; axis < scene.dim; ++axis) {
                const double lo = std::max(box->lo[axis], scene.domain.origin[axis]);
                const double hi = std::min(box->hi[axis], scene.domain.origin[axis] + scene.domain.size[axis]);
                if (hi > lo) thin = std::min(thin, hi - lo);
            }
        if (thin < dx)
            list.warn(
                entry("liquid", i),
                fmt::format("{} is {:.4g} m thin, less than a cell of {:.4g} m: the grid cannot hold it, and what "
                            "is thinner than half a cell vanishes (\"lost\" says how much)",
                            entry("liquid", i), thin, dx),
                fmt::format("make it thicker, or the cells {:.3g} m or smaller", thin));
    }
}

// Waves that are cut off by the top of the box, or lie under its floor.
void heights(SceneWarnings& list, const SceneDescription& scene) {
    constexpr int kAcross = 65;
    const int up = up_axis(scene);
    const double top = scene.domain.origin[up] + scene.domain.size[up];
    for (std::size_t i = 0; i < scene.liquid.size(); ++i) {
        const HeightFunction wave = height_function(scene.liquid[i].shape, scene.dim, up);
        if (!wave) continue;
        const bool is_picture = std::holds_alternative<scene::Heightmap>(scene.liquid[i].shape);
        const std::string setting = entry("liquid", i) + (is_picture ? ".max" : ".height");
        double highest = -std::numeric_limits<double>::infinity();
        Vec3 crest{};
        Index<3> counts(kAcross);
        counts[up] = 1;
        if (scene.dim == 2) counts[2] = 1;
        for_each_index<3>({{}, counts}, [&](const Index<3>& k) {
            Vec3 place = scene.domain.origin;
            for (int axis = 0; axis < scene.dim; ++axis)
                if (axis != up) place[axis] += scene.domain.size[axis] * k[axis] / (kAcross - 1);
            const double height = wave(place);
            if (height > highest) highest = height, crest = place;
        });
        if (highest > top)
            list.warn(
                setting,
                fmt::format("{} rises to {:.4g} m at {}, above the top of the box, {:.4g} m: what is above is cut off",
                            entry("liquid", i), highest, place_text(crest, scene.dim), top),
                "make the box higher or the wave lower");
        if (highest <= scene.domain.origin[up])
            list.warn(setting,
                      fmt::format("{} rises to {:.4g} m, not above the bottom of the box, {:.4g} m", entry("liquid", i),
                                  highest, scene.domain.origin[up]),
                      "it will have no effect: make the wave higher");
    }
}

void winds(SceneWarnings& list, const SceneDescription& scene) {
    for (std::size_t i = 0; i < scene.wind.size(); ++i) {
        const scene::Wind& wind = scene.wind[i];
        if (!wind.min || !wind.max) continue;
        const Box<double, 3> box{*wind.min, *wind.max};
        if (const auto axis = axis_outside(scene, box)) list.outside(entry("wind", i), box, *axis);
    }
}

// Inflows whose level never rises above the floor.
void levels(SceneWarnings& list, const SceneDescription& scene) {
    const double floor = scene.domain.origin[up_axis(scene)];
    for (int axis = 0; axis < scene.dim; ++axis)
        for (const bool upper : {false, true}) {
            const scene::Side& side = scene.domain.sides.at(axis, upper);
            if (side.kind != scene::SideKind::inflow || !side.level || axis == up_axis(scene)) continue;
            double highest = side.level->at(0);
            for (int k = 1; k <= kMoments; ++k)
                highest = std::max(highest, side.level->at(end_time(scene) * k / kMoments));
            const std::string path = fmt::format("domain.sides.{}", side_name(axis, upper, scene.domain.up));
            if (highest <= floor)
                list.warn(
                    path + ".level",
                    fmt::format("{}.level is at most {:.4g} m, not above the bottom of the box, {:.4g} m: nothing "
                                "flows in",
                                path, highest, floor),
                    "it is measured as heights are, from the world's origin");
        }
}

// A given flow that is not divergence-free.
void flow(SceneWarnings& list, const SceneDescription& scene) {
    if (!scene.flow.velocity) return;
    const Vec3 size = scene.domain.size;
    const double h = 1e-4 * std::max({size[0], size[1], size[2]});
    constexpr int kAcross = 5;
    const Index<3> counts{kAcross, kAcross, scene.dim == 2 ? 1 : kAcross};
    bool told = false;
    for_each_index<3>({{}, counts}, [&](const Index<3>& i) {
        Vec3 place = scene.domain.origin;
        for (int axis = 0; axis < scene.dim; ++axis) place[axis] += (i[axis] + 0.37) / kAcross * size[axis];
        for (const double t : {0.0, 0.31 * end_time(scene)}) {
            double divergence = 0, slopes = 0;
            for (int axis = 0; axis < scene.dim; ++axis) {
                Vec3 step{};
                step[axis] = h;
                const double slope =
                    (scene.flow.velocity->at(place + step, t)[axis] - scene.flow.velocity->at(place - step, t)[axis]) /
                    (2 * h);
                divergence += slope;
                slopes += std::abs(slope);
            }
            if (told || !(std::abs(divergence) > 1e-3 * slopes) || !(std::abs(divergence) > 1e-6)) continue;
            told = true;
            list.warn(
                "flow.velocity",
                fmt::format(
                    "flow.velocity has a divergence of {:.3g}/s at {}, t = {:.4g} s: the liquid is advected as it "
                    "says and changes its volume",
                    divergence, place_text(place, scene.dim), t),
                "volume_error shows by how much");
        }
    });
}

void components(SceneWarnings& list, const SceneDescription& scene) {
    for (std::size_t i = 0; i < scene.component.size(); ++i) {
        const auto is_it = [&](const std::optional<std::string>& name) { return name == scene.component[i].name; };
        const auto has_it = [&](const auto& entry) { return is_it(entry.component); };
        const auto& sides = scene.domain.sides.sides;
        if (std::none_of(scene.liquid.begin(), scene.liquid.end(), has_it) &&
            std::none_of(scene.source.begin(), scene.source.end(), has_it) &&
            std::none_of(sides.begin(), sides.end(), has_it))
            list.warn(entry("component", i), fmt::format("there is none of the component {}", scene.component[i].name),
                      fmt::format("write component = \"{}\" in a [[liquid]] or a [[source]]", scene.component[i].name));
    }
}

void idle_liquid(SceneWarnings& list, const SceneDescription& scene) {
    if (scene.flow.velocity) {
        list.idle({"gravity", "fluid.density", "fluid.viscosity", "fluid.surface_tension", "fluid.material",
                   "level-set.advection", "level-set.time_order", "level-set.volume_control", "level-set.enclosed_air",
                   "level-set.air_pressure", "level-set.pressure_tolerance", "level-set.max_pressure_iterations"},
                  "the flow is given");
        if (writes_field(scene, "pressure")) list.idle({"output.fields"}, "a given flow has no pressure");
        for (std::size_t i = 0; i < scene.liquid.size(); ++i)
            list.idle({entry("liquid", i) + ".velocity"}, "the flow is given");
    }
    for (std::size_t i = 0; i < scene.source.size(); ++i)
        for (const char* name : {"substance", "rate", "value"})
            list.idle({entry("source", i) + "." + name}, "a source of liquid gives liquid");
    if (scene.solid.empty() && writes_field(scene, "collision"))
        list.idle({"output.fields"}, "there is no solid for the field collision");
    for (std::size_t i = 0; i < scene.liquid.size(); ++i)
        if (scene.liquid[i].op == scene::ShapeOp::subtract)
            list.idle({entry("liquid", i) + ".velocity"}, "what is cut out does not move");
}

}  // namespace

void warn_of_liquid(SceneWarnings& list, const SceneDescription& scene) {
    no_liquid(list, scene);
    capillary_steps(list, scene);
    gravity(list, scene);
    thickness_of_liquid(list, scene);
    heights(list, scene);
    winds(list, scene);
    warn_of_controls(list, scene);
    levels(list, scene);
    flow(list, scene);
    components(list, scene);
    idle_liquid(list, scene);
}

}  // namespace spindrift

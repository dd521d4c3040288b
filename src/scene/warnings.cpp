// SPDX-License-Identifier: Apache-2.0
#include "scene/warnings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/readable.h"
#include "scene/describe_gas.h"
#include "scene/framing.h"
#include "scene/methods.h"
#include "scene/warning_list.h"

namespace spindrift {
namespace {

template <class S>
void first_subtracts(SceneWarnings& list, std::string_view kind, const std::vector<S>& entries) {
    if (!entries.empty() && entries.front().op == scene::ShapeOp::subtract)
        list.warn(entry(kind, 0) + ".op", fmt::format("{} is cut out of nothing", entry(kind, 0)),
                  "entries apply in order: put what it is cut out of before it");
}

template <class S>
void late_starts(SceneWarnings& list, const SceneDescription& scene, std::string_view kind,
                 const std::vector<S>& entries) {
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (entries[i].start >= end_time(scene))
            list.warn(entry(kind, i) + ".start",
                      fmt::format("{} starts at {} s, but the run ends at {:.4g} s", entry(kind, i), entries[i].start,
                                  end_time(scene)),
                      "start it earlier or make more frames");
}

// Entries of lists that come too late, or are cut out of nothing.
void entries(SceneWarnings& list, const SceneDescription& scene) {
    first_subtracts(list, "liquid", scene.liquid);
    first_subtracts(list, "solid", scene.solid);
    late_starts(list, scene, "source", scene.source);
    late_starts(list, scene, "force", scene.force);
    late_starts(list, scene, "control", scene.control);
}

// Forces that reach nowhere into the domain, and settings that their kind does not have.
void forces(SceneWarnings& list, const SceneDescription& scene) {
    using Kind = scene::ForceKind;
    for (std::size_t i = 0; i < scene.force.size(); ++i) {
        const scene::Force& force = scene.force[i];
        const std::string path = entry("force", i);
        const bool has_centre = force.kind == Kind::vortex || force.kind == Kind::attractor;
        const bool is_round = force.kind == Kind::attractor || (has_centre && scene.dim == 2);
        if (is_round && !force.center.varies()) {
            const Vec<double, 3> centre = force.center.at(0), reach(force.radius);
            const Box<double, 3> box{centre - reach, centre + reach};
            if (const auto axis = axis_outside(scene, box)) list.outside(path, box, *axis);
        }
        const auto idle_unless = [&](bool is_used, const char* name) {
            if (!is_used)
                list.idle({path + "." + name}, fmt::format("a force of kind \"{}\" has none", choice_name(force.kind)));
        };
        idle_unless(force.kind == Kind::constant, "acceleration");
        idle_unless(force.kind != Kind::constant, "strength");
        idle_unless(has_centre, "center");
        idle_unless(force.kind == Kind::vortex && scene.dim == 3, "axis");
        idle_unless(has_centre || force.kind == Kind::turbulence, "radius");
        idle_unless(force.kind == Kind::turbulence, "frequency");
    }
}

void grid(SceneWarnings& list, const SceneDescription& scene) {
    const double dx = cell_size(scene);
    const Vec<int, 3> cells = cell_counts(scene);
    for (int axis = 0; axis < scene.dim; ++axis) {
        const double exact = scene.domain.size[axis] / dx;
        if (std::abs(exact - cells[axis]) > 0.01)
            list.warn("domain.size",
                      fmt::format("the box is {:.4g} cells long along {}; {} are used, {:.6g} m instead of "
                                  "{:.6g} m",
                                  exact, "xyz"[axis], cells[axis], cells[axis] * dx, scene.domain.size[axis]),
                      "make the sides whole multiples of the cell");
        if (cells[axis] < 4)
            list.warn("domain.size",
                      fmt::format("only {} along {}: too few for anything to flow there",
                                  count_text(cells[axis], "cell"), "xyz"[axis]),
                      "raise domain.resolution, or make the scene 2D");
    }
}

void time(SceneWarnings& list, const SceneDescription& scene) {
    if (scene.time.cfl > 5)
        list.warn("time.cfl",
                  fmt::format("time.cfl is {}: above 5 splashes lose volume and thin walls may leak", scene.time.cfl),
                  "3 is a good compromise");
    if (scene.time.end && std::abs(*scene.time.end - end_time(scene)) > 1e-6 * end_time(scene))
        list.warn("time.end",
                  fmt::format("the last frame lies at {:.6g} s, not at {:.6g} s", end_time(scene), *scene.time.end));
}

void output(SceneWarnings& list, const SceneDescription& scene) {
    const scene::Output& o = scene.output;
    if (!o.volumes && !o.mesh && !o.images && !o.film)
        list.warn("output", "nothing will be written", "switch on volumes, mesh, images or film");
    if (const Vec<int, 2> size = picture_size(scene); o.film && (size[0] % 2 != 0 || size[1] % 2 != 0))
        list.warn("camera.resolution", "a film needs an even width and height", "the odd line will be cut off");
}

// Settings of the pictures that change nothing in this scene.
void idle_pictures(SceneWarnings& list, const SceneDescription& scene) {
    if (scene.dim == 2) {
        list.idle({"camera.position", "camera.look_at", "camera.up", "camera.fov_degrees"},
                  "a 2D scene is seen from the front");
        list.idle(
            {"render.sky_color", "render.sun_color", "render.sun_direction", "render.floor", "render.floor_color",
             "render.outline", "render.background", "render.water_color", "render.absorption", "render.scattering",
             "render.scattering_color", "render.emission", "render.shutter", "render.exposure"},
            "a 2D scene is drawn, without light");
        if (scene.output.mesh) list.idle({"output.mesh"}, "a 2D scene has no surface to mesh");
    } else if (scene.camera.overlay != scene::Overlay::none) {
        list.idle({"camera.overlay", "camera.overlay_min", "camera.overlay_max"}, "overlays are drawn in 2D scenes");
    }
    for (std::size_t i = 0; i < scene.solid.size(); ++i) {
        const std::string path = entry("solid", i) + ".glass";
        if (scene.dim == 2 || !scene::has_surface(scene.method))
            list.idle({path}, "panes of glass are drawn in pictures of 3D liquids");
        else if (scene.solid[i].motion.is_there())
            list.idle({path}, "a solid that moves is drawn as an opaque one");
    }
    if (scene.dim == 3)
        list.idle({"camera.min", "camera.max"}, "they frame 2D scenes; use camera.position and look_at");
    if (scene.camera.overlay == scene::Overlay::none)
        list.idle({"camera.overlay_min", "camera.overlay_max"}, "camera.overlay is \"none\"");
    if (!scene.output.film) list.idle({"output.film_fps"}, "output.film is false");
    if (scene.render.floor == FloorKind::none) list.idle({"render.floor_color"}, "render.floor is \"none\"");
    if (scene.render.floor != FloorKind::sea) list.idle({"render.sea_level"}, "render.floor is not \"sea\"");
}

// Settings of other methods, and fields that this one does not have.
void idle_methods(SceneWarnings& list, const SceneDescription& scene) {
    const std::string name(scene::row(scene.method).name);
    for (const std::string_view section : scene::special_sections())
        if (!scene::uses(scene.method, section))
            list.idle_table(section,
                            fmt::format("the method is {}; it is for {}", name, scene::methods_using(section)));
    for (const std::string& field : scene.output.fields)
        if (!scene::has_field(scene.method, field))
            list.idle({"output.fields"}, fmt::format("the method {} has no field {}", name, field));
}

void idle_outputs(SceneWarnings& list, const SceneDescription& scene) {
    const scene::Output& o = scene.output;
    if (o.film && !o.images) list.idle({"output.film"}, "a film is made of images, and output.images is false");
    if (!o.volumes) list.idle({"output.fields", "output.names"}, "output.volumes is false");
    if (!scene.whitewater.is_there())
        list.idle({"whitewater.min_speed", "whitewater.lifetime", "whitewater.radius", "whitewater.drag",
                   "whitewater.most", "whitewater.seed"},
                  "whitewater.amount is 0");
    for (const auto& [field, name] : o.names)
        if (const auto is_it = [&, &grid = field](const auto& s) { return s.name == grid; };
            !writes_field(scene, field) && std::none_of(scene.substance.begin(), scene.substance.end(), is_it) &&
            std::none_of(scene.component.begin(), scene.component.end(), is_it))
            list.idle({"output.names"}, fmt::format("{} is not among output.fields", field));
}

}  // namespace

Errors scene_warnings(const SceneDescription& scene) {
    SceneWarnings list(scene);
    entries(list, scene);
    forces(list, scene);
    grid(list, scene);
    time(list, scene);
    warn_of_shapes(list, scene);
    scene::row(scene.method).warn(list, scene);
    output(list, scene);
    idle_pictures(list, scene);
    idle_methods(list, scene);
    idle_outputs(list, scene);
    return list.all();
}

}  // namespace spindrift

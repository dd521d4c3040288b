// SPDX-License-Identifier: Apache-2.0
#include "setup/mesh_warnings.h"

#include <fmt/format.h>

#include "geometry/mesh.h"
#include "scene/entry_names.h"
#include "scene/methods.h"
#include "scene/shape_extent.h"
#include "scene/warnings.h"
#include "setup/memory_needed.h"
#include "setup/scene_shapes.h"
#include "setup/wall_warnings.h"

namespace spindrift {
namespace {

// Along which axis the box lies beside the domain; −1 when it does not.
int axis_outside(const Box<float, 3>& box, const scene::Domain& domain) {
    for (int axis = 0; axis < 3; ++axis)
        if (box.hi[axis] <= domain.origin[axis] || box.lo[axis] >= domain.origin[axis] + domain.size[axis]) return axis;
    return -1;
}

template <class Entry>
void look_at(Errors& list, const SceneDescription& scene, const char* kind, const std::vector<Entry>& entries) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto* shape = std::get_if<scene::Mesh>(&entries[i].shape);
        if (shape == nullptr) continue;
        const auto mesh = placed_mesh(scene, *shape);
        if (!mesh) continue;
        const std::string path = fmt::format("{}[{}]", kind, i);
        const Location where = place_of(scene, path + ".file");
        const MeshReport report = examine(mesh.value());
        if (report.degenerate_triangles == mesh.value().triangles.size()) {
            list.add({.what = fmt::format("{}: {}: none of its {} triangles has an area: there is nothing of it", path,
                                          shape->file.text, report.degenerate_triangles),
                      .remedy = "see scale, or export the mesh anew",
                      .where = where});
            continue;
        }
        // Of thin walls of solids in a liquid wall_warnings() tells.
        const bool is_wall = std::string_view(kind) == "solid" && scene::has_surface(scene.method);
        for (const std::string& line : warnings(report, is_wall ? 0 : cell_size(scene)))
            list.add({.what = fmt::format("{}: {}: {}", path, shape->file.text, line), .where = where});
        if (const int axis = axis_outside(report.bounds, scene.domain); axis >= 0)
            list.add(
                {.what = fmt::format("{}: {} lies outside the domain: {:.4g} to {:.4g} m along {}", path,
                                     shape->file.text, report.bounds.lo[axis], report.bounds.hi[axis], "xyz"[axis]),
                 .remedy = "it will have no effect; see scale and translate",
                 .where = where});
    }
}

bool is_mesh(const scene::Shape& shape) { return std::holds_alternative<scene::Mesh>(shape); }

// The part of the domain around a shape; empty where it lies outside.
Box<double, 3> part_around(const SceneDescription& scene, const scene::Shape& shape) {
    Box<double, 3> part{scene.domain.origin, scene.domain.origin + scene.domain.size};
    std::optional<Box<double, 3>> own = extent(shape, 3);
    if (const auto* file = std::get_if<scene::Mesh>(&shape))
        if (const auto mesh = placed_mesh(scene, *file)) {
            const Box<float, 3> bounds = bounding_box(mesh.value());
            own = {Vec<double, 3>(bounds.lo), Vec<double, 3>(bounds.hi)};
        }
    if (own) part = {max(part.lo, own->lo), min(part.hi, own->hi)};
    return part;
}

// Whether solids fill all of a shape that lies in the domain, by samples.
bool is_buried(const SceneDescription& scene, const scene::Shape& shape, const ShapeSet<3>& solids) {
    constexpr int kSamples = 16;
    ShapeSet<3> set;
    Errors ignored;  // told where the simulation is made
    add_shape(set, ignored, scene, "", shape, scene::ShapeOp::add);
    if (!ignored.empty()) return false;
    const Box<double, 3> part = part_around(scene, shape);
    int inside = 0, free = 0;
    for_each_index<3>({Index<3>(0), Index<3>(kSamples)}, [&](const Index<3>& k) {
        if (free > 0) return;
        const Vec<double, 3> share = (Vec<double, 3>(k) + Vec<double, 3>(0.5)) / double{kSamples};
        Vec<double, 3> place;
        for (int a = 0; a < 3; ++a) place[a] = part.lo[a] + share[a] * (part.hi[a] - part.lo[a]);
        if (!(signed_distance(set, place) < 0)) return;
        ++inside;
        if (signed_distance(solids, place) >= 0) ++free;
    });
    return inside > 0 && free == 0;
}

// Liquid and sources that a mesh swallows; where no mesh takes part, scene_warnings() finds them.
template <class Entry>
void look_for_buried(Errors& list, const SceneDescription& scene, const char* kind, const std::vector<Entry>& entries,
                     const ShapeSet<3>& solids, bool mesh_among_solids) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if constexpr (requires { entries[i].op; })
            if (entries[i].op != scene::ShapeOp::add) continue;
        if (!mesh_among_solids && !is_mesh(entries[i].shape)) continue;
        const std::string path = fmt::format("{}[{}]", kind, i);
        if (is_buried(scene, entries[i].shape, solids))
            list.add({.what = fmt::format("{} lies inside the solids: there is no room for it", path),
                      .remedy = "move it out; a mesh that is to hold liquid needs an inner and an outer surface",
                      .where = place_of(scene, path)});
    }
}

}  // namespace

Errors mesh_warnings(const SceneDescription& scene) {
    Errors list;
    if (scene.dim != 3) return list;
    look_at(list, scene, "liquid", scene.liquid);
    look_at(list, scene, "solid", scene.solid);
    look_at(list, scene, "source", scene.source);
    ShapeSet<3> solids;
    Errors ignored;  // told where the simulation is made
    bool mesh_among_solids = false;
    for (std::size_t i = 0; i < scene.solid.size(); ++i) {
        add_shape(solids, ignored, scene, "", scene.solid[i].shape, scene.solid[i].op);
        mesh_among_solids |= is_mesh(scene.solid[i].shape);
    }
    if (solids.parts.empty() || !ignored.empty()) return list;
    look_for_buried(list, scene, "liquid", scene.liquid, solids, mesh_among_solids);
    look_for_buried(list, scene, "source", scene.source, solids, mesh_among_solids);
    return list;
}

Errors all_warnings(const SceneDescription& scene) {
    Errors list = scene_warnings(scene);
    list.add(mesh_warnings(scene));
    list.add(wall_warnings(scene));
    list.add(memory_warnings(scene));
    return with_names(list, scene);
}

}  // namespace spindrift

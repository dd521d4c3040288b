// SPDX-License-Identifier: Apache-2.0
#include "session/mesh_warnings.h"

#include <fmt/format.h>

#include "geometry/mesh.h"
#include "scene/entry_names.h"
#include "scene/warnings.h"
#include "session/memory_needed.h"
#include "session/scene_shapes.h"
#include "session/wall_warnings.h"

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
        // Of thin walls of solids in a liquid wall_warnings() tells.
        const bool is_wall = std::string_view(kind) == "solid" && !scene::is_gas(scene.method);
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

}  // namespace

Errors mesh_warnings(const SceneDescription& scene) {
    Errors list;
    if (scene.dim != 3) return list;
    look_at(list, scene, "liquid", scene.liquid);
    look_at(list, scene, "solid", scene.solid);
    look_at(list, scene, "source", scene.source);
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

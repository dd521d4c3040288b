// SPDX-License-Identifier: Apache-2.0
#include "scene/warning_list.h"

#include <algorithm>

#include <fmt/format.h>

namespace spindrift {

void SceneWarnings::warn(const std::string& path, std::string what, std::string remedy) {
    list_.add({.what = std::move(what), .remedy = std::move(remedy), .where = place_of(scene_, path)});
}

void SceneWarnings::idle(const std::vector<std::string>& paths, const std::string& why) {
    for (const std::string& path : paths)
        if (scene_.places.of.contains(path)) warn(path, fmt::format("{} has no effect: {}", path, why));
}

void SceneWarnings::idle_table(std::string_view table, const std::string& why) {
    std::vector<std::string> paths;
    for (const auto& [path, place] : scene_.places.of)
        if (path.starts_with(std::string(table) + ".")) paths.push_back(path);
    if (paths.empty()) paths.emplace_back(table);
    idle(paths, why);
}

void SceneWarnings::outside(const std::string& path, const Box<double, 3>& box, int axis) {
    const double from = scene_.domain.origin[axis];
    warn(path,
         fmt::format("{} lies outside the domain: {:.4g} to {:.4g} m along {}, the domain {:.4g} to {:.4g} m", path,
                     box.lo[axis], box.hi[axis], "xyz"[axis], from, from + scene_.domain.size[axis]),
         "it will have no effect");
}

std::string entry(std::string_view list, std::size_t i) { return fmt::format("{}[{}]", list, i); }

std::optional<int> axis_outside(const SceneDescription& scene, const Box<double, 3>& box) {
    const Vec<double, 3> lo = scene.domain.origin, hi = lo + scene.domain.size;
    for (int axis = 0; axis < scene.dim; ++axis)
        if (box.hi[axis] <= lo[axis] || box.lo[axis] >= hi[axis]) return axis;
    return std::nullopt;
}

bool writes_field(const SceneDescription& scene, std::string_view field) {
    const std::vector<std::string>& fields = scene.output.fields;
    return std::find(fields.begin(), fields.end(), field) != fields.end();
}

}  // namespace spindrift

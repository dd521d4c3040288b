// SPDX-License-Identifier: Apache-2.0
#include "scene/methods.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace spindrift::scene {

ParticleSides particle_sides(const SceneDescription& scene) {
    if (!uses(scene.method, "particles")) return ParticleSides::none;
    const bool is_hybrid = scene.method == Method::foster_fedkiw_2001;
    return scene.particles.sides.value_or(is_hybrid ? ParticleSides::inside : ParticleSides::both);
}

std::vector<std::string_view> special_sections() {
    std::vector<std::string_view> list;
    for (const MethodRow& row : kMethods)
        for (const std::string_view section : row.sections)
            if (std::find(list.begin(), list.end(), section) == list.end()) list.push_back(section);
    return list;
}

std::string methods_using(std::string_view section) {
    std::vector<std::string_view> names;
    for (const MethodRow& row : kMethods)
        if (row.engine != Engine::none && uses(row.method, section)) names.push_back(row.name);
    return fmt::format("{}", fmt::join(names, " or "));
}

std::string available_methods() {
    std::vector<std::string_view> names;
    for (const MethodRow& row : kMethods)
        if (row.engine != Engine::none) names.push_back(row.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace spindrift::scene

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "scene/methods.h"
#include "scene/warning_list.h"

namespace spindrift {
namespace {

// Values that a substance has no way to take on.
void idle_walls(SceneWarnings& list, const SceneDescription& scene, const std::string& path,
                const std::optional<scene::WallValues>& walls) {
    if (!walls) return;
    for (const scene::GasSubstance& s : scene.substance) {
        const auto wall = walls->of.find(s.name);
        if (wall == walls->of.end() || wall->second.kind != scene::WallValueKind::fixed || s.diffusion > 0) continue;
        const std::string setting = fmt::format("{}.wall_values.{}", path, s.name);
        list.warn(setting, fmt::format("{} has next to no effect: {} does not diffuse", setting, s.name),
                  "write the substance's diffusion");
    }
}

}  // namespace

void warn_of_gas(SceneWarnings& list, const SceneDescription& scene) {
    if (scene.substance.empty() && !scene.texture.is_there())
        list.warn("", "the gas has no substance: there will be nothing to see", "add a [[substance]]");
    for (int axis = 0; axis < scene.dim; ++axis)
        for (const bool upper : {false, true})
            idle_walls(list, scene, fmt::format("domain.sides.{}", side_name(axis, upper, scene.domain.up)),
                       scene.domain.sides.at(axis, upper).wall_values);
    for (std::size_t i = 0; i < scene.solid.size(); ++i)
        idle_walls(list, scene, entry("solid", i), scene.solid[i].wall_values);
    for (std::size_t i = 0; i < scene.substance.size(); ++i)
        if (const auto& profile = scene.substance[i].ambient_profile; profile && profile->varies_in_time())
            list.warn(
                entry("substance", i) + ".ambient_profile",
                fmt::format("{}.ambient_profile varies in time, but its initial value is kept", entry("substance", i)),
                "write an expression of place alone");
    if (scene.places.of.contains("texture") && !scene.texture.is_there())
        list.warn("texture", "texture has no effect: it has neither a pattern nor an image",
                  "write pattern = \"…\" or image = \"….png\"");
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "scene/materials.h"

#include <array>

namespace spindrift {
namespace {

// At 20 °C where nothing else is said.  Handbook values for pure liquids; round figures from the middle of what is
// measured for mixtures, whose viscosity varies with recipe and temperature by a factor of two and more.  Mud, lava,
// chocolate and paint also thin when stirred, which one number cannot say.
constexpr std::array kMaterials{
    Material{"water", 998.2, 1.002e-3, 0.0728, "pure water"},
    Material{"seawater", 1025, 1.08e-3, 0.0735, "3.5 % salt"},
    Material{"milk", 1030, 2.0e-3, 0.047, "whole milk"},
    Material{"blood", 1060, 3.5e-3, 0.058, "at 37 °C"},
    Material{"alcohol", 789, 1.2e-3, 0.0223, "ethanol"},
    Material{"mercury", 13546, 1.55e-3, 0.486, ""},
    Material{"oil", 911, 0.084, 0.032, "olive oil"},
    Material{"paint", 1200, 1.0, 0.035, "wall paint, stirred"},
    Material{"glycerin", 1261, 1.41, 0.0634, "glycerol"},
    Material{"chocolate", 1280, 3.0, 0.025, "melted, 40 °C"},
    Material{"syrup", 1380, 5.0, 0.08, "corn syrup"},
    Material{"honey", 1420, 10.0, 0.056, "runny honey"},
    Material{"mud", 1600, 30.0, 0.07, "thick, wet clay"},
    Material{"lava", 2600, 100.0, 0.35, "basalt at 1200 °C"},
    Material{"ideal", 1000, 0.0, 0.0, "no viscosity, no surface tension"},
};

}  // namespace

std::span<const Material> materials() { return kMaterials; }

const Material* find_material(std::string_view name) {
    for (const Material& m : kMaterials)
        if (m.name == name) return &m;
    return nullptr;
}

std::vector<std::string> material_names() {
    std::vector<std::string> names;
    for (const Material& m : kMaterials) names.emplace_back(m.name);
    return names;
}

}  // namespace spindrift

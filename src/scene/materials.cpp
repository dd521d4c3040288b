// SPDX-License-Identifier: Apache-2.0
#include "scene/materials.h"

#include <array>

namespace spindrift {
namespace {

// At 20 °C where nothing else is said.  Handbook values for pure liquids; round figures from the middle of what is
// measured for mixtures, whose viscosity varies with recipe and temperature by a factor of two and more.  Mud, lava,
// chocolate and paint also thin when stirred, which one number cannot say.
// Their looks are round figures as well, chosen by eye for amounts of centimetres.
constexpr std::array kMaterials{
    Material{"water", 998.2, 1.002e-3, 0.0728, "pure water"},
    Material{"seawater", 1025, 1.08e-3, 0.0735, "3.5 % salt", {1.9, 0.55, 0.6}},
    Material{"milk", 1030, 2.0e-3, 0.047, "whole milk", {0.5, 1, 6}, 2000, {0.90, 0.88, 0.81}},
    Material{"blood", 1060, 3.5e-3, 0.058, "at 37 °C", {60, 4000, 5000}, 1000, {0.30, 0.008, 0.008}},
    Material{"alcohol", 789, 1.2e-3, 0.0223, "ethanol", {0.4, 0.3, 0.3}},
    Material{"mercury", 13546, 1.55e-3, 0.486, "", {1e5, 1e5, 1e5}, 0, {}, {}, 0.77},
    Material{"oil", 911, 0.084, 0.032, "olive oil", {6, 17, 140}},
    Material{"paint", 1200, 1.0, 0.035, "wall paint, stirred", {1, 1, 1}, 5000, {0.80, 0.80, 0.78}},
    Material{"glycerin", 1261, 1.41, 0.0634, "glycerol", {0.3, 0.3, 0.4}},
    Material{"chocolate", 1280, 3.0, 0.025, "melted, 40 °C", {200, 600, 1500}, 2000, {0.11, 0.04, 0.018}},
    Material{"syrup", 1380, 5.0, 0.08, "corn syrup", {3, 6, 25}},
    Material{"honey", 1420, 10.0, 0.056, "runny honey", {4, 42, 220}, 3, {0.75, 0.40, 0.05}},
    Material{"mud", 1600, 30.0, 0.07, "thick, wet clay", {100, 150, 250}, 3000, {0.17, 0.11, 0.065}},
    Material{
        "lava", 2600, 100.0, 0.35, "basalt at 1200 °C", {500, 500, 500}, 3000, {0.03, 0.02, 0.02}, {2.4, 0.34, 0.02}},
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

// SPDX-License-Identifier: Apache-2.0
// Liquids by name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spindrift {

struct Material {
    std::string_view name;
    double density;          // kg/m³
    double viscosity;        // Pa s, dynamic
    double surface_tension;  // N/m, against air
    std::string_view note;
};

std::span<const Material> materials();
const Material* find_material(std::string_view name);  // null when there is none
std::vector<std::string> material_names();

}  // namespace spindrift

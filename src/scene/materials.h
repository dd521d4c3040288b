// SPDX-License-Identifier: Apache-2.0
// Liquids by name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/vec.h"

namespace spindrift {

struct Material {
    std::string_view name;
    double density;          // kg/m³
    double viscosity;        // Pa s, dynamic
    double surface_tension;  // N/m, against air
    std::string_view note;

    // How it looks: red, green and blue.
    Vec<double, 3> absorption{1.61, 0.598, 0.431};  // 1/m; water in pictures is bluer than in a glass
    double scattering = 0;                          // 1/m
    Vec<double, 3> scattering_color{};              // part of the light that it sends back
    Vec<double, 3> emission{};                      // a white board in the sun has about 3
    double reflectance = 0;                         // of a metal
};

std::span<const Material> materials();
const Material* find_material(std::string_view name);  // null when there is none
std::vector<std::string> material_names();

}  // namespace spindrift

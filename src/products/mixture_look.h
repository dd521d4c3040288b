// SPDX-License-Identifier: Apache-2.0
// What a liquid looks like, and each component of a mixture.
#pragma once

#include <vector>

#include "liquid/state.h"
#include "render/liquid_view.h"
#include "scene/description.h"

namespace spindrift {

// What the scene says, else what the material is like.
LiquidLook look_of(const SceneDescription& scene);
// Of a component, by its number in the scene.
LiquidLook look_of_component(const SceneDescription& scene, std::size_t number);

// In one colour, linear: what it sends back where it is cloudy, else what is left of white light after a metre.
Rgb color_of(const LiquidLook& look);

// By which a mixture is shown in one colour: those of its components, the first of which has what the others leave.
template <int Dim>
struct MixtureColors {
    std::vector<const Field<float, Dim>*> parts{};
    std::vector<Rgb> colors{};  // of all of them

    bool is_there() const { return !parts.empty(); }
};
template <int Dim>
MixtureColors<Dim> mixture_colors(const SceneDescription& scene, std::vector<const Field<float, Dim>*> parts);

// The parts of the components but the first, continued from the liquid's cells a few cells beyond its surface.
template <int Dim>
std::vector<Field<float, Dim>> shown_parts(const LiquidState<Dim>& liquid);

template <int Dim>
std::vector<const Field<float, Dim>*> pointers_to(const std::vector<Field<float, Dim>>& fields) {
    std::vector<const Field<float, Dim>*> list;
    for (const Field<float, Dim>& field : fields) list.push_back(&field);
    return list;
}

}  // namespace spindrift

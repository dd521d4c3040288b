// SPDX-License-Identifier: Apache-2.0
#include "products/mixture_look.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "products/scene_view.h"
#include "schemes/extrapolation.h"

namespace spindrift {
namespace {

constexpr int kShownBeyond = 3;  // cells, as far as pictures and meshes interpolate

// Of which so much light is left after a metre.
Rgb absorption_of(const scene::Color& left) {
    return Rgb(map([](double part) { return -std::log(std::max(part, 1e-300)); }, left.rgb));
}

}  // namespace

LiquidLook look_of(const SceneDescription& scene) {
    const scene::Render& render = scene.render;
    const Material* material = find_material(scene.fluid.material);
    CHECK(material != nullptr, "there is no material {}", scene.fluid.material);
    LiquidLook look{.absorption = Rgb(material->absorption),
                    .scattering = static_cast<float>(render.scattering.value_or(material->scattering)),
                    .scattering_color = Rgb(material->scattering_color),
                    .emission = Rgb(material->emission),
                    .reflectance = static_cast<float>(material->reflectance)};
    if (render.absorption)
        look.absorption = rgb_of(*render.absorption);
    else if (render.water_color)
        look.absorption = absorption_of(*render.water_color);
    if (render.scattering_color) look.scattering_color = rgb_of(*render.scattering_color);
    if (render.emission) look.emission = rgb_of(*render.emission);
    return look;
}

LiquidLook look_of_component(const SceneDescription& scene, std::size_t number) {
    const scene::Component& component = scene.component[number];
    LiquidLook look = look_of(scene);
    if (component.color) {
        look.absorption = absorption_of(*component.color);
        look.scattering_color = rgb_of(*component.color);
    }
    if (component.scattering) look.scattering = static_cast<float>(*component.scattering);
    if (component.scattering_color) look.scattering_color = rgb_of(*component.scattering_color);
    return look;
}

Rgb color_of(const LiquidLook& look) {
    if (look.scattering > 0) return look.scattering_color;
    return map([](float a) { return std::exp(-a); }, look.absorption);
}

template <int Dim>
MixtureColors<Dim> mixture_colors(const SceneDescription& scene, std::vector<const Field<float, Dim>*> parts) {
    MixtureColors<Dim> colors;
    if (parts.empty()) return colors;
    CHECK(parts.size() == scene.component.size(), "{} components of {}", parts.size(), scene.component.size());
    colors.parts = std::move(parts);
    colors.colors.push_back(color_of(look_of(scene)));
    for (std::size_t i = 0; i < scene.component.size(); ++i)
        colors.colors.push_back(scene.component[i].color ? rgb_of(*scene.component[i].color)
                                                         : color_of(look_of_component(scene, i)));
    return colors;
}

template <int Dim>
std::vector<Field<float, Dim>> shown_parts(const LiquidState<Dim>& liquid) {
    std::vector<Field<float, Dim>> parts = liquid.mixture.parts;
    if (parts.empty()) return parts;
    Field<float, Dim> in_liquid = liquid.phi;
    transform_values(in_liquid, [](float phi) { return phi < 0 ? 1.0F : 0.0F; });
    constexpr int kEndless = 1 << 24;
    const IndexBox<Dim> everywhere{Index<Dim>(-kEndless), Index<Dim>(kEndless)};
    for (Field<float, Dim>& part : parts) extrapolate(part, in_liquid, everywhere, kShownBeyond);
    return parts;
}

template MixtureColors<2> mixture_colors(const SceneDescription&, std::vector<const Field<float, 2>*>);
template MixtureColors<3> mixture_colors(const SceneDescription&, std::vector<const Field<float, 3>*>);
template std::vector<Field<float, 2>> shown_parts(const LiquidState<2>&);
template std::vector<Field<float, 3>> shown_parts(const LiquidState<3>&);

}  // namespace spindrift

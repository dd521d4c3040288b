// SPDX-License-Identifier: Apache-2.0
#include "render/liquid_medium.h"

#include <algorithm>
#include <cmath>

namespace spindrift {

LiquidMedium::LiquidMedium(const LiquidView3& view, const SolidScene& scene)
    : cell_(scene.cell()),
      looks_{view.look},
      first_cell_(view.grid.cell_from_world(view.container.lo)),
      size_(scene.container().hi - scene.container().lo) {
    for (const LiquidView3::Component& component : view.components) {
        looks_.push_back(component.look);
        parts_.push_back(component.part);
    }
}

bool LiquidMedium::is_cloudy() const {
    return std::any_of(looks_.begin(), looks_.end(), [](const LiquidLook& look) { return look.scattering > 0; });
}

LiquidLook LiquidMedium::at(const Vec3f& position) const {
    if (parts_.empty()) return looks_[0];
    std::vector<LinearSampler<3>> parts = samplers();
    return look_at(position, parts);
}

std::vector<LinearSampler<3>> LiquidMedium::samplers() const {
    std::vector<LinearSampler<3>> list;
    list.reserve(parts_.size());
    for (const Field<float, 3>* part : parts_) list.emplace_back(*part);
    return list;
}

LiquidLook LiquidMedium::look_at(const Vec3f& position, std::vector<LinearSampler<3>>& parts) const {
    // Beyond the walls nothing is known.
    const Vec3f inside = max(min(position, size_ - Vec3f(0.5F)), Vec3f(0.5F)) + first_cell_;
    LiquidLook mean{.absorption = {}};
    Rgb sent_back;
    float rest = 1;
    const auto add = [&](const LiquidLook& look, float part) {
        mean.absorption += look.absorption * part;
        mean.scattering += look.scattering * part;
        sent_back += look.scattering_color * (look.scattering * part);
        mean.emission += look.emission * part;
        mean.reflectance += look.reflectance * part;
    };
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const float part = std::clamp(parts[i](inside), 0.0F, rest);
        rest -= part;
        add(looks_[i + 1], part);
    }
    add(looks_[0], rest);
    // The light that comes back was scattered by each in proportion to how much it scatters.
    if (mean.scattering > 0) mean.scattering_color = sent_back / mean.scattering;
    return mean;
}

Rgb LiquidMedium::transmittance(const Vec3f& origin, const Vec3f& direction, float distance) const {
    const auto after = [](const Rgb& depth) { return map([](float d) { return std::exp(-d); }, depth); };
    if (parts_.empty()) return after((looks_[0].absorption + Rgb(looks_[0].scattering)) * cell_ * distance);
    Rgb depth;
    for_each_piece(origin, direction, std::min(distance, 1e5F), [&](const LiquidLook& look, float length) {
        depth += (look.absorption + Rgb(look.scattering)) * (cell_ * length);
    });
    return after(depth);
}

}  // namespace spindrift

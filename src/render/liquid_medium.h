// SPDX-License-Identifier: Apache-2.0
// What light meets in a liquid: one look everywhere, or that of its components, mixed by their part of each place.
// What a liquid absorbs, scatters and gives off is in proportion to how much there is of it.
#pragma once

#include <algorithm>
#include <vector>

#include "grid/sampler.h"
#include "render/light.h"
#include "render/liquid_view.h"
#include "render/solid_scene.h"

namespace spindrift {

class LiquidMedium {
  public:
    // The fields of the view must outlive it.
    LiquidMedium(const LiquidView3& view, const SolidScene& scene);

    bool is_mixture() const { return !parts_.empty(); }
    const LiquidLook& first() const { return looks_[0]; }
    // Whether any component scatters light.
    bool is_cloudy() const;

    // Positions are in cells from the container's lower corner; so are distances.
    LiquidLook at(const Vec3f& position) const;
    // The part of the light that is left after a distance.
    Rgb transmittance(const Vec3f& origin, const Vec3f& direction, float distance) const;

    // Calls f(look, length) for pieces of a ray, from its origin on.
    template <class F>
    void for_each_piece(const Vec3f& origin, const Vec3f& direction, float distance, F&& f) const {
        const int count = std::clamp(static_cast<int>(distance / kPiece), 1, kMostPieces);
        const float piece = distance / static_cast<float>(count);
        std::vector<LinearSampler<3>> parts = samplers();
        for (int k = 0; k < count; ++k)
            f(look_at(origin + direction * ((static_cast<float>(k) + 0.5F) * piece), parts), piece);
    }

  private:
    std::vector<LinearSampler<3>> samplers() const;
    LiquidLook look_at(const Vec3f& position, std::vector<LinearSampler<3>>& parts) const;

    static constexpr float kPiece = 2;  // cells
    static constexpr int kMostPieces = 64;

    float cell_;
    std::vector<LiquidLook> looks_;
    std::vector<const Field<float, 3>*> parts_;
    Vec3f first_cell_, size_;
};

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "render/floor.h"

#include <algorithm>
#include <cmath>

namespace spindrift {
namespace {

float smooth_step(float x) {
    const float t = std::clamp(x, 0.0F, 1.0F);
    return t * t * (3 - 2 * t);
}

// The mean over `width` of a square wave of period 2 that is 1, then -1.
float filtered_wave(float x, float width) {
    // Its integral is a triangle wave.
    const auto integral = [](float at) {
        const float phase = at * 0.5F - std::floor(at * 0.5F);
        return 1 - 4 * std::abs(phase - 0.5F);
    };
    return (integral(x + 0.5F * width) - integral(x - 0.5F * width)) / (2 * width);
}

}  // namespace

Floor::Floor(const SolidScene& scene, FloorKind kind, const Rgb& color)
    : kind_(kind), color_(color), up_(scene.up_axis()), middle_((scene.container().lo + scene.container().hi) * 0.5F) {
    const Vec3f size = scene.container().size();
    square_ = std::max(size[0], size[3 - up_]) / 9;
    largest_ = std::max({size[0], size[1], size[2]});
}

// Boxes in a row along the longer side of the parallelogram [McCormack99].
Rgb Floor::color_at(const Vec3f& point, const RayFootprint& footprint) const {
    if (kind_ != FloorKind::checker) return color_;
    constexpr float kMaxBoxes = 12;
    constexpr float kOverlap = 1.3F;  // of neighbouring pixels: a box of just one pixel leaves some moire
    Vec3f across = footprint.offset[0] * (kOverlap / square_), along = footprint.offset[1] * (kOverlap / square_);
    if (length(across) > length(along)) std::swap(across, along);
    const float boxes = std::clamp(std::ceil(length(along) / std::max(length(across), 0.05F)), 1.0F, kMaxBoxes);
    const auto width = [&](int axis) {
        return std::max(std::abs(along[axis]) / boxes + std::abs(across[axis]), 1e-3F);
    };
    const int other = 3 - up_;
    const Vec3f middle = (point - middle_) / square_ + Vec3f(0.5F);  // a square in the very middle
    float check = 0;
    for (float box = 0; box < boxes; ++box) {
        const Vec3f at = middle + along * ((box + 0.5F) / boxes - 0.5F);
        check += filtered_wave(at[0], width(0)) * filtered_wave(at[other], width(other));
    }
    return color_ * (0.84F + 0.16F * check / boxes);
}

float Floor::far_away(const Vec3f& point) const { return smooth_step(length(point - middle_) / largest_ - 0.7F); }

float Floor::haze_at(float distance) const { return smooth_step((distance / largest_ - 4) / 14); }

}  // namespace spindrift

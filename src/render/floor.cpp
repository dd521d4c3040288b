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

Rgb Floor::color_at(const Vec3f& point, const Vec3f& direction, float distance, float pixel) const {
    if (kind_ != FloorKind::checker) return color_;
    const float slope = std::max(std::abs(direction[up_]), 0.02F);
    const float blur = std::max(pixel * distance / (slope * square_), 1e-3F);
    const Vec3f place = (point - middle_) / square_ + Vec3f(0.5F);  // a square in the very middle
    const float check = filtered_wave(place[0], blur) * filtered_wave(place[3 - up_], blur);
    return color_ * (0.84F + 0.16F * check);
}

float Floor::haze_at(float distance) const { return smooth_step((distance / largest_ - 4) / 14); }

}  // namespace spindrift

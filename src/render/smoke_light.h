// SPDX-License-Identifier: Apache-2.0
// Light in smoke.  Along a ray  dL/ds = −σ L + σ_s (p(θ) E e^−τ + …) + ε :  what smoke stops, what it scatters of the
// sun (once, after the sun has come through the smoke in between [Blinn82]), what has been scattered more than once or
// came from the sky, and what it gives off by itself.
//
// The sunlight is traced once for each cell of the bricks; rays of the picture then only interpolate, by a quadratic
// B-spline: linear interpolation has kinks between cells, which show as stairs.  What is
// scattered more than once is guessed from the same depth τ: it reaches deeper and comes from everywhere [Wrenninge13].
#pragma once

#include "render/glow_lamps.h"
#include "render/light.h"
#include "render/smoke_bricks.h"

namespace spindrift {

class SmokeLight {
  public:
    SmokeLight(const SmokeView3& view, const SolidScene& scene, const SmokeBricks& bricks, const Light& light);

    struct Scattered {
        Rgb light{};     // that the smoke adds
        float left = 1;  // part of what lies behind it
    };
    // Between t0 and t1 of a ray.  It is sampled once in each of even steps, where `jitter` (0 to 1) says: neighbouring
    // rays with other numbers show grain too fine to be seen where they would else show the steps.
    Scattered march(const Vec3f& origin, const Vec3f& direction, float t0, float t1, float jitter) const;

    const GlowLamps& lamps() const { return lamps_; }

  private:
    static constexpr int kLanes = 8;  // stopped; scattered once, per unit of p; all other scattered light; heat
    void light_brick(const SmokeView3& view, const SolidScene& scene, const Light& light, std::size_t brick);
    void copy_around(std::size_t brick);
    void tabulate_glow(const SmokeGlow& glow, float cell);
    // Per cell.  Of the heat at a place: that of its surroundings would show the cells, so steeply does it change.
    Rgb glow_of(float heat) const {
        const float at = std::clamp(heat * heat_scale_, 0.0F, static_cast<float>(glow_.size() - 2));
        const auto below = static_cast<std::size_t>(at);
        return mixed(glow_[below], glow_[below + 1], at - static_cast<float>(below));
    }
    Rgb sun_on(const SolidScene& scene, const Light& light, const Vec3f& place, float depth) const;

    const SmokeBricks& bricks_;
    GlowLamps lamps_;
    Vec3f to_sun_;
    float anisotropy_;
    float step_;  // cells
    Rgb from_below_{};
    std::vector<Rgb> glow_;  // by heat; empty when nothing shines
    float heat_scale_ = 0;   // entries of it per unit
    Buffer<float> nodes_;
};

// From 0 to 1, even over any few neighbouring pixels and over the frames of a film [Jimenez14].
float pixel_jitter(double x, double y, int frame);

// Henyey and Greenstein's phase function [HG41], per steradian: how much goes off at an angle to where the light went.
float henyey_greenstein(float cosine, float anisotropy);

// A black body's red, green and blue, by Planck's law at three wavelengths; its luminance is 1 at `reference` kelvin.
Rgb black_body(float kelvin, float reference);

}  // namespace spindrift

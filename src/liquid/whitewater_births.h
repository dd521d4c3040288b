// SPDX-License-Identifier: Apache-2.0
// Where air is entrained [Ihmsen12 §3].  Each cell near the surface has potentials from 0 to 1, on a grid instead of
// among particles:
//
//   trapped air   mean over the liquid's cells around of the speed at which they approach, max(0, −v_ij·x_ij / |x_ij|)
//   wave crest    curvature ∇·n dx where the surface is convex and moves along its normal, v·n > 0.6 |v|, times the
//                 potential of the mean relative speed |v_ij|: what moves as one piece entrains nothing
//   energy        v², from min_speed on, full at four times that
//
// Air is entrained at the rate amount · β · energy · (trapped air + wave crest) per volume of liquid, in particles that
// stand for their own volume.  Relative speeds are those of neighbouring cells: what a finer grid resolves smoothly
// entrains less, where liquid collides it stays the same.
#pragma once

#include <vector>

#include "grid/sampler.h"
#include "liquid/whitewater.h"

namespace spindrift {

template <int Dim>
struct WhitewaterBirth {
    WhitewaterParticle<Dim> particle;
    double since = 0;  // s, before the end of the step
};

// In a step of dt that ends with this flow, `room` of them at most; `is_limited` says whether there would be more.
template <int Dim>
std::vector<WhitewaterBirth<Dim>> whitewater_births(const WhitewaterFlow<Dim>& flow, double dt,
                                                    const WhitewaterSettings& settings, std::uint32_t step,
                                                    std::size_t room, bool& is_limited);

// The liquid around a place as particles see it; each thread has its own.
template <int Dim>
class WhitewaterSampler {
  public:
    explicit WhitewaterSampler(const WhitewaterFlow<Dim>& flow);

    struct Level {
        double phi;               // m
        Vec<double, Dim> normal;  // out of the liquid; zero where φ has no slope
    };
    Level level(const Vec<double, Dim>& place);
    // Of the liquid at a place, or at its surface nearest to it; none (false) far from all liquid.
    bool velocity(const Vec<double, Dim>& place, Vec<double, Dim>& value);
    // Onto the surface, if that is near.
    void move_to_surface(Vec<double, Dim>& place);

  private:
    const WhitewaterFlow<Dim>& flow_;
    LinearSampler<Dim> phi_;
    std::vector<LinearSampler<Dim>> velocity_;
};

}  // namespace spindrift

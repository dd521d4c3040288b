// SPDX-License-Identifier: Apache-2.0
// Textures: pictures, and patterns made by rule, that repeat themselves along all axes without a seam.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/vec.h"
#include "render/image.h"

namespace spindrift {

enum class PatternKind {
    checker,  // squares, two to a repeat
    stripes,  // layers across the second axis
    noise,    // clouds as large as the scale, and smaller ones in them [Perlin85]
    marble    // veins a scale apart, bent by noise
};

class Pattern {
  public:
    struct Rule {
        PatternKind kind = PatternKind::checker;
        double scale = 0.1;       // m
        Vec<double, 3> period{};  // m, a whole number of scales: where space repeats itself; 0 along other axes
        int dim = 3;
        std::uint64_t seed = 1;
        Rgb low{0.02F, 0.03F, 0.08F}, high{0.95F, 0.9F, 0.8F};  // the colours it joins
    };
    explicit Pattern(const Rule& rule);
    // A picture, as wide as the scale, its lower left corner at the origin; along the third axis it does not change.
    Pattern(Image image, double scale);

    // 0 to 1; linear between the points it was made at.
    float brightness(const Vec<float, 3>& place) const;
    Rgb color(const Vec<float, 3>& place) const;
    // The mean over a parallelogram around a place, m: what a pixel shows of a pattern that is drawn out.
    Rgb color(const Vec<float, 3>& place, const Vec<float, 3>& side, const Vec<float, 3>& other) const;

    // Where that mean is sampled: a parallelogram with as much extent whose sides are at right angles, and the number
    // of samples along each.
    struct Footprint {
        Vec<float, 3> side, other;
        int samples, other_samples;
    };
    Footprint footprint(const Vec<float, 3>& side, const Vec<float, 3>& other) const;

    // m: smaller than this nothing changes.
    double detail() const { return detail_; }

  private:
    template <class T, class At>
    T sample(const Vec<float, 3>& place, At&& at) const;

    Index<3> size_{1, 1, 1};
    Vec<float, 3> per_metre_{};  // points
    double detail_ = 0;
    Rgb low_{}, high_{};
    std::vector<float> values_;
    std::optional<Image> image_;
};

}  // namespace spindrift

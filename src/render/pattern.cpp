// SPDX-License-Identifier: Apache-2.0
#include "render/pattern.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/check.h"
#include "base/parallel.h"
#include "base/random.h"

namespace spindrift {
namespace {

constexpr Purpose kPatternNoise{"pattern"};
constexpr int kOctaves = 3;  // of noise, each half as large and half as strong as the one before
constexpr int kPoints = 16;  // to a scale of noise: four to its smallest clouds
constexpr int kCheckerPoints = 64;
constexpr int kFewScales = 8;  // after which noise repeats itself where it need not
constexpr int kMaxScales = 16;

// Random gradients on a lattice that repeats itself, joined smoothly; about −1 to 1.
class Noise {
  public:
    Noise(const Index<3>& period, int dim, std::uint64_t seed, std::uint32_t octave) : period_(period), dim_(dim) {
        gradients_.resize(static_cast<std::size_t>(product(period)));
        for (std::size_t n = 0; n < gradients_.size(); ++n) {
            // Even in all directions: from the ball inside the cube.
            Random rng(seed, n, octave, kPatternNoise);
            Vec<float, 3> g;
            float size = 0;
            while (!(size > 0.1F && size <= 1)) {
                for (int a = 0; a < dim; ++a) g[a] = static_cast<float>(rng.uniform(-1, 1));
                size = length(g);
            }
            gradients_[n] = g / size;
        }
    }
    float operator()(const Vec<float, 3>& x) const {
        Index<3> below;
        Vec<float, 3> t, s;
        for (int a = 0; a < dim_; ++a) {
            const float f = std::floor(x[a]);
            below[a] = static_cast<int>(f);
            t[a] = x[a] - f;
            s[a] = t[a] * t[a] * t[a] * (t[a] * (6 * t[a] - 15) + 10);
        }
        float sum = 0;
        for (int corner = 0; corner < (1 << dim_); ++corner) {
            float weight = 1;
            std::size_t n = 0;
            Vec<float, 3> from = t;
            for (int a = 0; a < 3; ++a) {
                const int up = a < dim_ ? corner >> a & 1 : 0;
                weight *= a >= dim_ ? 1 : up != 0 ? s[a] : 1 - s[a];
                from[a] -= static_cast<float>(up);
                n = n * static_cast<std::size_t>(period_[a]) + static_cast<std::size_t>((below[a] + up) % period_[a]);
            }
            sum += weight * dot(from, gradients_[n]);
        }
        return sum * 1.4F;
    }

  private:
    Index<3> period_;
    int dim_;
    std::vector<Vec<float, 3>> gradients_;
};

// After how many scales a pattern repeats itself along an axis.
int scales_to_repeat(const Pattern::Rule& rule, int axis) {
    if (axis >= rule.dim) return 1;
    const bool has_noise = rule.kind == PatternKind::noise || rule.kind == PatternKind::marble;
    if (!has_noise) return 1;
    const double whole = rule.period[axis] / rule.scale;
    if (!(whole > 0)) return kFewScales;
    const int scales = static_cast<int>(std::lround(whole));
    CHECK(scales >= 1 && std::abs(whole - scales) < 1e-3, "a pattern that does not fit into {} m", rule.period[axis]);
    int fewer = std::min(scales, kMaxScales);
    while (scales % fewer != 0) --fewer;
    return fewer;
}

// A wave of period 1 from −1 to 1 with steep sides.
float square_wave(float x) { return std::clamp(6 * std::sin(2 * std::numbers::pi_v<float> * x), -1.0F, 1.0F); }

}  // namespace

Pattern::Pattern(const Rule& rule) : low_(rule.low), high_(rule.high) {
    const bool has_noise = rule.kind == PatternKind::noise || rule.kind == PatternKind::marble;
    const int points = has_noise ? kPoints : kCheckerPoints;
    Index<3> scales(1);
    for (int a = 0; a < rule.dim; ++a) {
        scales[a] = scales_to_repeat(rule, a);
        size_[a] = scales[a] * points;
        per_metre_[a] = static_cast<float>(points / rule.scale);
    }
    detail_ = rule.scale / (has_noise ? 1 << (kOctaves - 1) : 2);

    std::vector<Noise> octaves;
    for (int o = 0; has_noise && o < kOctaves; ++o) {
        Index<3> period = scales * (1 << o);
        for (int a = rule.dim; a < 3; ++a) period[a] = 1;
        octaves.emplace_back(period, rule.dim, rule.seed, static_cast<std::uint32_t>(o));
    }
    const auto clouds = [&](const Vec<float, 3>& x) {
        float sum = 0;
        for (std::size_t o = 0; o < octaves.size(); ++o)
            sum += octaves[o](x * static_cast<float>(1 << o)) / static_cast<float>(1 << o);
        return sum;
    };
    const auto value = [&](const Vec<float, 3>& x) {
        switch (rule.kind) {
            case PatternKind::checker: {
                float product = 1;
                for (int a = 0; a < rule.dim; ++a) product *= square_wave(x[a]);
                return 0.5F + 0.5F * product;
            }
            case PatternKind::stripes: return 0.5F + 0.5F * square_wave(x[1]);
            case PatternKind::noise: return 0.5F + 0.7F * clouds(x);
            case PatternKind::marble:
                return 0.5F + 0.5F * std::sin(2 * std::numbers::pi_v<float> * (x[0] + 0.9F * clouds(x)));
        }
        return 0.0F;
    };
    values_.resize(static_cast<std::size_t>(product(size_)));
    const auto row = static_cast<std::size_t>(size_[2]);
    parallel_ranges(values_.size() / row, 64, [&](std::size_t begin, std::size_t end) {
        for (std::size_t line = begin; line < end; ++line)
            for (std::size_t k = 0; k < row; ++k) {
                const Index<3> at(static_cast<int>(line) / size_[1], static_cast<int>(line) % size_[1],
                                  static_cast<int>(k));
                values_[line * row + k] = std::clamp(value(Vec<float, 3>(at) / static_cast<float>(points)), 0.0F, 1.0F);
            }
    });
}

Pattern::Pattern(Image image, double scale) : detail_(2 * scale / image.width), image_(std::move(image)) {
    CHECK(image_->width > 0 && image_->height > 0 && scale > 0, "a texture without a picture");
    size_ = {image_->width, image_->height, 1};
    per_metre_ = Vec<float, 3>(static_cast<float>(image_->width / scale));
    per_metre_[2] = 0;
}

template <class T, class At>
T Pattern::sample(const Vec<float, 3>& place, At&& at) const {
    Index<3> low, high;
    Vec<float, 3> t;
    for (int a = 0; a < 3; ++a) {
        const float p = place[a] * per_metre_[a];
        const float below = std::floor(p);
        const float n = static_cast<float>(size_[a]);
        t[a] = p - below;
        low[a] = std::clamp(static_cast<int>(below - std::floor(below / n) * n), 0, size_[a] - 1);
        high[a] = low[a] + 1 == size_[a] ? 0 : low[a] + 1;
    }
    const auto along_z = [&](int x, int y) {
        const T first = at(x, y, low[2]);
        return size_[2] == 1 ? first : first + (at(x, y, high[2]) - first) * t[2];
    };
    const auto along_y = [&](int x) {
        const T first = along_z(x, low[1]);
        return first + (along_z(x, high[1]) - first) * t[1];
    };
    const T first = along_y(low[0]);
    return first + (along_y(high[0]) - first) * t[0];
}

float Pattern::brightness(const Vec<float, 3>& place) const {
    if (image_) return luminance(color(place));
    return sample<float>(place, [&](int x, int y, int z) {
        return values_[static_cast<std::size_t>((x * size_[1] + y) * size_[2] + z)];
    });
}

Rgb Pattern::color(const Vec<float, 3>& place) const {
    if (!image_) return mixed(low_, high_, brightness(place));
    return sample<Rgb>(place, [&](int x, int y, int) { return image_->at(x, image_->height - 1 - y); });
}

// A flow draws a square out to a long thin parallelogram, whose sides are nearly parallel: a lattice of samples between
// them would look at the same places again and again.  Turned against each other until they are at right angles the two
// sides span as much (the same second moments), and the short one needs a sample or two.
Pattern::Footprint Pattern::footprint(const Vec<float, 3>& side, const Vec<float, 3>& other) const {
    constexpr float kMaxSamples = 64;  // along a side
    const auto points = [&](const Vec<float, 3>& v) {
        return map([](float m, float p) { return m * p; }, v, per_metre_);
    };
    const Vec<float, 3> a = points(side), b = points(other);
    const float angle = 0.5F * std::atan2(2 * dot(a, b), dot(a, a) - dot(b, b));
    const float c = std::cos(angle), s = std::sin(angle);
    const auto count = [&](const Vec<float, 3>& v) {
        float most = 0;
        for (int axis = 0; axis < 3; ++axis) most = std::max(most, std::abs(v[axis]));
        return most < kMaxSamples ? std::max(1, static_cast<int>(std::ceil(most)))
                                  : static_cast<int>(kMaxSamples);  // also where it is not a number
    };
    return {side * c + other * s, other * c - side * s, count(a * c + b * s), count(b * c - a * s)};
}

Rgb Pattern::color(const Vec<float, 3>& place, const Vec<float, 3>& side, const Vec<float, 3>& other) const {
    const Footprint over = footprint(side, other);
    Rgb sum;
    for (int i = 0; i < over.samples; ++i)
        for (int j = 0; j < over.other_samples; ++j) {
            const float u = (static_cast<float>(i) + 0.5F) / static_cast<float>(over.samples) - 0.5F;
            const float v = (static_cast<float>(j) + 0.5F) / static_cast<float>(over.other_samples) - 0.5F;
            sum += color(place + over.side * u + over.other * v);
        }
    return sum / static_cast<float>(over.samples * over.other_samples);
}

}  // namespace spindrift

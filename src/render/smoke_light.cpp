// SPDX-License-Identifier: Apache-2.0
#include "render/smoke_light.h"

#include <numbers>
#include <optional>

#include "base/parallel.h"

namespace spindrift {
namespace {

constexpr float kStep = 0.6F;        // cells; of a ray of the picture
constexpr float kMinStep = 0.15F;    // cells; in a fine texture
constexpr float kNoneLeft = 0.003F;  // of the light behind: what is farther cannot be seen
constexpr float kPi = std::numbers::pi_v<float>;

// Light scattered again and again: two guesses that fade more slowly with depth, with weights that bring the face of a
// thick white cloud to nearly half of a white board's brightness.
constexpr std::array<std::array<float, 2>, 2> kAgain{{{0.8F, 0.4F}, {0.5F, 0.12F}}};  // weight, part of the depth

using Four = float __attribute__((vector_size(16)));
SPINDRIFT_INLINE Four load_four(const float* v) {
    Four four;
    std::memcpy(&four, v, sizeof four);
    return four;
}

// Eight lanes of the 27 nodes around a place.
struct Eight {
    Four first{}, second{};
};
SPINDRIFT_INLINE Eight smooth(const float* v, const SmokeBricks::SmoothSpot& spot) {
    constexpr int kLanes = 8, kY = SmokeBricks::kNodes, kX = kY * kY;
    const auto& [wx, wy, wz] = spot.weights;
    Eight sum;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            const float* row = v + (static_cast<int>(i) * kX + static_cast<int>(j) * kY) * kLanes;
            const float w = wx[i] * wy[j];
            sum.first += w * (wz[0] * load_four(row) + wz[1] * load_four(row + 8) + wz[2] * load_four(row + 16));
            sum.second += w * (wz[0] * load_four(row + 4) + wz[1] * load_four(row + 12) + wz[2] * load_four(row + 20));
        }
    return sum;
}

}  // namespace

float pixel_jitter(double x, double y, int frame) {
    // Frames move the pattern along its own direction by a step without a period.
    const double shift = 5.588238 * (frame % 1024);
    const double inner = 0.06711056 * (x + shift) + 0.00583715 * (y + shift);
    const double outer = 52.9829189 * (inner - std::floor(inner));
    return static_cast<float>(std::min(outer - std::floor(outer), 0.999999));
}

float henyey_greenstein(float cosine, float g) {
    const float base = 1 + g * g - 2 * g * cosine;
    return (1 - g * g) / (4 * kPi * base * std::sqrt(base));
}

Rgb black_body(float kelvin, float reference) {
    const Rgb micrometres{0.61F, 0.55F, 0.465F};
    const auto planck = [&](float at) {
        return map(
            [at](float wave) {
                constexpr double kSecondConstant = 14387.77;  // µm K
                const double exponent = kSecondConstant / (static_cast<double>(wave) * at);
                return static_cast<float>(
                    exponent < 80 ? 1 / (std::pow(static_cast<double>(wave), 5) * std::expm1(exponent)) : 0);
            },
            micrometres);
    };
    const float bright = luminance(planck(reference));
    return bright > 0 && kelvin > 0 ? planck(kelvin) / bright : Rgb{};
}

SmokeLight::SmokeLight(const SmokeView3& view, const SolidScene& scene, const SmokeBricks& bricks, const Light& light)
    : bricks_(bricks),
      lamps_(view, scene),
      to_sun_(Vec3f(normalized(light.to_sun))),
      anisotropy_(view.anisotropy),
      step_(kStep),
      nodes_(bricks.count() * SmokeBricks::kBrickNodes * kLanes) {
    const Rgb floor = filtered(view.floor_color, light.sky + light.sun * std::max(to_sun_[scene.up_axis()], 0.0F));
    if (view.texture.is_there())
        step_ = std::clamp(static_cast<float>(0.5 * view.texture.pattern->detail()) / scene.cell(), kMinStep, kStep);
    from_below_ = (view.floor == FloorKind::none || view.floor == FloorKind::sea ? light.sky : floor) * 0.6F;
    parallel_ranges(bricks.count(), 2, [&](std::size_t begin, std::size_t end) {
        for (std::size_t brick = begin; brick < end; ++brick) light_brick(view, scene, light, brick);
    });
    parallel_ranges(bricks.count(), 8, [&](std::size_t begin, std::size_t end) {
        for (std::size_t brick = begin; brick < end; ++brick) copy_around(brick);
    });
    if (view.glow.field != nullptr && view.glow.strength > 0) tabulate_glow(view.glow, scene.cell());
}

void SmokeLight::tabulate_glow(const SmokeGlow& glow, float cell) {
    constexpr int kEntries = 1024;
    float hottest = 0;
    for (std::size_t n = 0; n < bricks_.count() * SmokeBricks::kBrickNodes; ++n)
        hottest = std::max(hottest, nodes_[n * kLanes + kLanes - 1]);
    if (!(hottest > 0)) return;
    heat_scale_ = kEntries / hottest;
    for (int n = 0; n < kEntries + 2; ++n)
        glow_.push_back(black_body(static_cast<float>(n) / heat_scale_ * glow.kelvin, glow.kelvin) *
                        (glow.strength * cell));
}

// What comes of the sun and the sky to a place, other than straight from the sun.
Rgb SmokeLight::sun_on(const SolidScene& scene, const Light& light, const Vec3f& place, float depth) const {
    float again = 0;
    for (const auto& [weight, part] : kAgain) again += weight * std::exp(-part * depth);
    const float above = bricks_.depth(place, along(scene.up_axis(), 1));
    const Rgb sky = light.sky * (0.5F * (0.3F + 0.7F * std::exp(-0.5F * above)));
    return light.sun * (0.25F * again) + sky + from_below_ * (0.5F * std::exp(-0.1F * above));
}

void SmokeLight::light_brick(const SmokeView3& view, const SolidScene& scene, const Light& light, std::size_t brick) {
    std::vector<TileReader> layers;
    for (const SmokeLayer& layer : view.layers) layers.emplace_back(*layer.field);
    const bool shines = view.glow.field != nullptr && view.glow.strength > 0;
    std::optional<TileReader> heat;
    if (shines) heat.emplace(*view.glow.field);
    const Rgb sun = light.sun * kPi;  // a white board sends light to half of all directions
    const float cell = scene.cell();

    float* out = nodes_.data() + brick * SmokeBricks::kBrickNodes * kLanes;
    for (int n = 0; n < SmokeBricks::kBrickNodes; ++n, out += kLanes) {
        std::fill_n(out, kLanes, 0.0F);
        if (!SmokeBricks::is_inner(n)) continue;
        const float left = bricks_.fade(brick, n);
        const Index<3> from_corner = bricks_.cell_of_node(brick, n), at = scene.cells().lo + from_corner;
        // A texture is left to the rays.
        Rgb scattered;
        for (std::size_t k = 0; k < layers.size(); ++k) {
            const float v = layers[k](at) - view.layers[k].ambient;
            if (!(v > 0)) continue;
            const float stopped = v * view.layers[k].opacity * cell * left;
            out[0] += stopped;
            scattered += view.layers[k].color * stopped;
        }
        if (out[0] > 0) {
            const Vec3f place = Vec3f(from_corner) + Vec3f(0.5F);
            const bool in_sun = scene.nearest_solid(place, to_sun_).kind != HitKind::solid;
            const float depth = bricks_.depth(place, to_sun_);
            const Rgb once = in_sun ? filtered(sun, scattered) * std::exp(-depth) : Rgb{};
            const Rgb from_sun = sun_on(scene, light, place, in_sun ? depth : depth + 4);
            const Rgb other = filtered(from_sun + lamps_.on_smoke(place), scattered);
            for (int c = 0; c < 3; ++c) out[1 + c] = once[c], out[4 + c] = other[c];
        }
        if (!heat) continue;
        const float above = (*heat)(at)-view.glow.ambient;
        if (above > 0) out[kLanes - 1] = above * left;  // false for what is not a number, too
    }
}

// Nodes around a brick are lit where they belong to another one.
void SmokeLight::copy_around(std::size_t brick) {
    float* out = nodes_.data() + brick * SmokeBricks::kBrickNodes * kLanes;
    for (int n = 0; n < SmokeBricks::kBrickNodes; ++n, out += kLanes) {
        if (SmokeBricks::is_inner(n) || bricks_.fade(brick, n) == 0) continue;
        if (const auto node = bricks_.inner_node(bricks_.cell_of_node(brick, n)))
            std::copy_n(nodes_.data() + *node * kLanes, kLanes, out);
    }
}

SmokeLight::Scattered SmokeLight::march(const Vec3f& origin, const Vec3f& direction, float t0, float t1,
                                        float jitter) const {
    Scattered scattered;
    if (!(t1 > t0)) return scattered;
    const float steps = std::ceil((t1 - t0) / step_), h = (t1 - t0) / steps;
    float next = 0;  // the number of the next step: a float counts further than any ray has steps
    const float phase = henyey_greenstein(dot(direction, to_sun_), anisotropy_);
    bricks_.walk(origin, direction, t0, t1, [&](std::size_t brick, const Vec3f& base, float in, float out) {
        const float* values = nodes_.data() + brick * SmokeBricks::kBrickNodes * kLanes;
        next = std::max(next, std::ceil((in - t0) / h - jitter));
        for (; next < steps; ++next) {
            const float t = t0 + (next + jitter) * h;
            if (t >= out) break;
            const SmokeBricks::SmoothSpot spot = SmokeBricks::locate_smooth(base + direction * t);
            auto [first, second] = smooth(values + spot.node * kLanes, spot);
            const float heat = second[3];
            float factor = 1;
            if (bricks_.has_texture() && first[0] > 0) {
                factor =
                    bricks_.texture_factor(brick, SmokeBricks::locate(base + direction * t), origin + direction * t);
                first *= factor;
                second *= factor;
            }
            const float stopped = first[0] * h;
            const float kept = std::exp(-stopped);
            // Light that starts in the step passes through part of it.
            const float weight = scattered.left * h * (stopped > 1e-3F ? (1 - kept) / stopped : 1 - 0.5F * stopped);
            scattered.light +=
                Rgb{phase * first[1] + second[0], phase * first[2] + second[1], phase * first[3] + second[2]} * weight;
            if (!glow_.empty() && heat > 0) scattered.light += glow_of(heat) * (factor * weight);
            scattered.left *= kept;
        }
        return scattered.left > kNoneLeft;
    });
    return scattered;
}

}  // namespace spindrift

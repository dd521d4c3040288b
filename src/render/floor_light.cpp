// SPDX-License-Identifier: Apache-2.0
#include "render/floor_light.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "render/refraction.h"

namespace spindrift {
namespace {

constexpr int kTexels = 400;          // along the longer side, at most
constexpr float kFinestTexel = 0.3F;  // cells; finer shows the cells rather than the waves
constexpr float kLongestShadow = 3;   // in sizes of the container
constexpr int kMaxDepth = 10;         // a ray that still runs about in the liquid by then is given up
constexpr float kLowestSun = 0.05F;   // sine of its elevation

}  // namespace

FloorLight::FloorLight(const RayScene& scene, const Vec3f& to_sun, const LiquidMedium& medium) {
    const int up = scene.up_axis();
    up_ = up;
    u_ = 0;
    v_ = 3 - up;
    floor_ = scene.container().lo[up];
    if (to_sun[up] < kLowestSun) return;
    to_bent_sun_ = -refracted(-to_sun, along(up, 1), 1 / kWaterIndex);
    open_ = Rgb(1.0F);

    // The floor under the container and under its shadow.
    const Box<float, 3>& box = scene.container();
    const float size = std::max({box.size()[u_], box.size()[v_], box.size()[up]});
    const float reach = std::min(box.size()[up] / to_sun[up], kLongestShadow * size);
    const float margin = 0.05F * size;
    low_u_ = box.lo[u_] - margin + std::min(-to_sun[u_] * reach, 0.0F);
    low_v_ = box.lo[v_] - margin + std::min(-to_sun[v_] * reach, 0.0F);
    const float extent_u = box.size()[u_] + 2 * margin + std::abs(to_sun[u_]) * reach;
    const float extent_v = box.size()[v_] + 2 * margin + std::abs(to_sun[v_]) * reach;
    texel_ = std::max(std::max(extent_u, extent_v) / kTexels, kFinestTexel);
    width_ = static_cast<int>(std::ceil(extent_u / texel_)) + 1;
    height_ = static_cast<int>(std::ceil(extent_v / texel_)) + 1;

    // Follow the rays, two by two for each texel.
    const int rays_u = 2 * width_, rays_v = 2 * height_;
    std::vector<Landing> landings(static_cast<std::size_t>(rays_u) * static_cast<std::size_t>(rays_v));
    const float start = (box.size()[up] + 1) / to_sun[up];
    parallel_ranges(static_cast<std::size_t>(rays_v), 8, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row)
            for (int i = 0; i < rays_u; ++i) {
                Vec3f target;
                target[up] = box.lo[up];
                target[u_] = low_u_ + texel_ * 0.5F * (static_cast<float>(i) + 0.5F);
                target[v_] = low_v_ + texel_ * 0.5F * (static_cast<float>(row) + 0.5F);
                landings[row * static_cast<std::size_t>(rays_u) + static_cast<std::size_t>(i)] =
                    trace(scene, target + to_sun * start, -to_sun, medium);
            }
    });

    // Share each landing among the four texels around it: in order, so that the sums have the same bits every time.
    texels_.assign(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), Rgb{});
    in_liquid_ = texels_;
    const auto add = [&](const Landing& landing, int x, int y, float part) {
        if (x < 0 || x >= width_ || y < 0 || y >= height_) return;
        const auto texel = static_cast<std::size_t>(y * width_ + x);
        if (landing.in_liquid) in_liquid_[texel] += landing.light * (0.25F * part);
        if (landing.on_floor) texels_[texel] += landing.light * (0.25F * part);
    };
    for (const Landing& landing : landings) {
        if (landing.x < -0.5F) continue;
        const float x = std::floor(landing.x), y = std::floor(landing.y);
        const float tx = landing.x - x, ty = landing.y - y;
        const int i = static_cast<int>(x), j = static_cast<int>(y);
        add(landing, i, j, (1 - tx) * (1 - ty));
        add(landing, i + 1, j, tx * (1 - ty));
        add(landing, i, j + 1, (1 - tx) * ty);
        add(landing, i + 1, j + 1, tx * ty);
    }
    blur(texels_);
    blur(in_liquid_);
}

Vec3f FloorLight::on_floor_below(const Vec3f& position) const {
    return position - to_bent_sun_ * ((position[up_] - floor_) / to_bent_sun_[up_]);
}

FloorLight::Landing FloorLight::landing_at(const Vec3f& position, const Rgb& light, bool on_floor,
                                           bool in_liquid) const {
    const float x = (position[u_] - low_u_) / texel_ - 0.5F, y = (position[v_] - low_v_) / texel_ - 0.5F;
    const bool on_map = x > -0.5F && y > -0.5F && x < static_cast<float>(width_) && y < static_cast<float>(height_);
    return on_map ? Landing{x, y, light, on_floor, in_liquid} : Landing{-1, -1, {}, false, false};
}

FloorLight::Landing FloorLight::trace(const RayScene& scene, Vec3f origin, Vec3f direction,
                                      const LiquidMedium& medium) const {
    constexpr Landing kNowhere{-1, -1, {}, false, false};
    Rgb light(1.0F);
    Vec3f before = direction;
    bool in_liquid = false;
    for (int passed = 0; passed < kMaxDepth; ++passed) {
        const Hit hit = scene.nearest(origin, direction, in_liquid);
        if (in_liquid) light = filtered(light, medium.transmittance(origin, direction, hit.t));
        if (hit.kind == HitKind::floor) return landing_at(hit.point, light, true, in_liquid);
        if (hit.kind == HitKind::solid)
            return in_liquid ? landing_at(on_floor_below(hit.point), light, false, true) : kNowhere;
        if (hit.kind == HitKind::nothing) {  // there is no floor: where it would be
            if (!(direction[up_] < 0)) return kNowhere;
            return landing_at(origin + direction * ((floor_ - origin[up_]) / direction[up_]), light, true, in_liquid);
        }
        if (hit.kind == HitKind::sea) return kNowhere;

        // Go on through the surface, or back into the liquid where most is reflected.
        const Refraction at = refract_ray(direction, hit, in_liquid, before);
        origin = hit.point;
        before = direction;
        if (at.reflected < 0.5F) {
            light *= 1 - at.reflected;
            direction = at.through;
            in_liquid = !in_liquid;
        } else {
            light *= at.reflected;
            direction = before = reflected(direction, at.normal);
        }
    }
    return kNowhere;
}

// By (1 2 1)/4 along both axes, twice: the sun is not a point, and neither is a texel.
void FloorLight::blur(std::vector<Rgb>& texels) const {
    const auto pass = [&](int step_x, int step_y) {
        const std::vector<Rgb> from = texels;
        const auto value = [&](int x, int y) {
            const bool inside = x >= 0 && x < width_ && y >= 0 && y < height_;
            return inside ? from[static_cast<std::size_t>(y * width_ + x)] : open_;
        };
        for (int y = 0; y < height_; ++y)
            for (int x = 0; x < width_; ++x)
                texels[static_cast<std::size_t>(y * width_ + x)] =
                    value(x, y) * 0.5F + (value(x - step_x, y - step_y) + value(x + step_x, y + step_y)) * 0.25F;
    };
    for (int twice = 0; twice < 2; ++twice) {
        pass(1, 0);
        pass(0, 1);
    }
}

Rgb FloorLight::looked_up(const std::vector<Rgb>& texels, const Vec3f& position) const {
    const float x = (position[u_] - low_u_) / texel_ - 0.5F, y = (position[v_] - low_v_) / texel_ - 0.5F;
    // The outermost texels miss what would have come from beyond the map, and the blur has spread that.
    const auto far_x = static_cast<float>(width_ - 4), far_y = static_cast<float>(height_ - 4);
    if (!(x >= 3 && y >= 3 && x < far_x && y < far_y)) return open_;
    const int i = static_cast<int>(x), j = static_cast<int>(y);
    const float tx = x - static_cast<float>(i), ty = y - static_cast<float>(j);
    const Rgb* low = &texels[static_cast<std::size_t>(j * width_ + i)];
    const Rgb* high = low + width_;
    return mixed(mixed(low[0], low[1], tx), mixed(high[0], high[1], tx), ty);
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "render/liquid_shading.h"

#include <algorithm>
#include <cmath>

#include "render/bend.h"
#include "render/fresnel.h"

namespace spindrift {
namespace {

constexpr int kMostBends = 10;             // after so many surfaces a path goes straight on through all others
constexpr float kLeastReflection = 0.04F;  // of a pixel: fainter reflections after the first are left out
constexpr float kScattering = 0.12F;       // of the absorption: clear water scatters little

constexpr float kLeastWeight = 0.03F;  // of a pixel: what decides less goes straight on as well
constexpr float kSkin = 0.08F;         // of a metre of liquid: the tint of a film, lest it be invisible

constexpr int kBendsBeforeDrops = 1;  // a path bent more often does not look for spray: it would hardly show
constexpr float kLens = 8;            // neighbouring rays behind a drop are so many times wider apart, about

const Rgb kEdgeColor{0.10F, 0.12F, 0.14F};

}  // namespace

LiquidShading::LiquidShading(const LiquidView3& view, const RayScene& scene, const Light& light)
    : scene_(scene),
      light_(light),
      to_sun_(Vec3f(normalized(light.to_sun))),
      absorption_(map([&](float c) { return -std::log(std::clamp(c, 1e-4F, 1.0F)) * scene.cell(); }, view.water_color)),
      skin_(map([](float c) { return std::pow(std::max(c, 0.1F), kSkin); }, view.water_color)),
      glow_(filtered(light.sky * 0.7F + light.sun * 0.1F, mixed(view.water_color, Rgb(0.3F), 0.1F))),
      solid_color_(view.solid_color),
      floor_color_(view.floor_color),
      floor_(scene, view.floor_color),
      has_floor_(view.floor),
      draw_container_(view.draw_container) {
    if (view.floor) floor_light_ = FloorLight(scene, to_sun_, absorption_);
}

Rgb LiquidShading::radiance(const Vec3f& origin, const Vec3f& direction, bool in_liquid, float pixel) const {
    return follow({origin, direction, direction, in_liquid, 0, 1, 0, pixel});
}

Rgb LiquidShading::left_after(float way) const {
    return map([way](float a) { return std::exp(-a * way); }, absorption_);
}

Rgb LiquidShading::sky(const Vec3f& direction, bool with_sun) const {
    return sky_radiance(light_, direction[scene_.up_axis()], dot(direction, to_sun_), with_sun);
}

Rgb LiquidShading::follow(const Leg& leg) const {
    if (leg.bends > kMostBends || (leg.bends > 1 && leg.weight < kLeastWeight)) return straight_on(leg);
    Hit hit = scene_.nearest(leg.origin, leg.direction, leg.in_liquid);
    std::optional<DropTree::Met> drop;
    if (!leg.in_liquid && leg.sees_drops && leg.bends <= kBendsBeforeDrops)
        drop = scene_.first_drop({leg.origin, leg.direction, 0.5F * leg.pixel * leg.travelled, 0.5F * leg.pixel},
                                 hit.met == Met::nothing ? 1e9F : hit.t);
    Rgb radiance = drop ? behind_drop(leg, *drop) : first_met(leg, hit);
    if (drop) hit = {Met::surface, drop->t, {}, {}};

    // What lies before it: the container's edges, its glass, the liquid itself.
    // Bent by waves the edges would look like scribbles: they are drawn for straight rays alone.
    if (draw_container_ && leg.bends == 0) {
        const float end = hit.met == Met::nothing ? 1e9F : hit.t;
        radiance = mixed(radiance, kEdgeColor, 0.6F * edge_cover(leg, end));
        if (!leg.in_liquid) add_glass(radiance, leg, hit);
    }
    if (!leg.in_liquid) return radiance;
    const Rgb left = left_after(hit.t);
    const Rgb scattered = map([&](float a) { return 1 - std::exp(-a * kScattering * hit.t); }, absorption_);
    return filtered(radiance, left) + filtered(glow_, scattered);
}

Rgb LiquidShading::first_met(const Leg& leg, const Hit& hit) const {
    switch (hit.met) {
        case Met::nothing: return sky(leg.direction, leg.bends > 0);
        case Met::floor: return floor_radiance(leg, hit);
        case Met::solid: return solid_radiance(hit, leg.in_liquid);
        case Met::surface:
        case Met::wall: return behind_surface(leg, hit);
    }
    return {};
}

// Spray and films on a wall bend a path more often than is worth following; where it ends hardly matters, but it must
// not look like anything else.
Rgb LiquidShading::straight_on(const Leg& leg) const {
    const int up = scene_.up_axis();
    const float below = leg.origin[up] - scene_.container().lo[up];
    if (!has_floor_ || leg.direction[up] > -1e-3F) return sky(leg.direction, false);
    const float t = below / -leg.direction[up];
    return floor_radiance(leg, {Met::floor, t, leg.origin + leg.direction * t, {}});
}

Rgb LiquidShading::behind_surface(const Leg& leg, const Hit& hit) const {
    const Bend at = bend(leg.direction, hit, leg.in_liquid, leg.before);
    Leg next = leg;
    next.origin = hit.point;
    next.bends = leg.bends + 1;
    next.travelled = leg.travelled + hit.t;
    if (hit.met == Met::surface) next.pixel = 4 * leg.pixel;  // curved surfaces spread neighbouring rays

    Rgb radiance;
    if (at.reflected < 1) {
        Leg through = next;
        through.direction = at.through;
        through.before = leg.direction;
        through.in_liquid = !leg.in_liquid;
        through.weight = leg.weight * (1 - at.reflected);
        radiance = follow(through) * (1 - at.reflected);
        if (hit.met == Met::surface) radiance = filtered(radiance, skin_);
    }
    next.direction = next.before = reflected(leg.direction, at.normal);
    next.weight = leg.weight * at.reflected;
    if (leg.bends == 0 || at.reflected == 1 || next.weight > kLeastReflection)
        radiance += follow(next) * at.reflected;
    else
        radiance += (leg.in_liquid ? glow_ : sky(next.direction, true)) * at.reflected;
    return radiance;
}

// Where a ray leaves a ball it meets the surface under the angle at which it came in, from within: the same part is
// reflected, and never all of it.  That part goes round in the ball; it counts as light from everywhere.
Rgb LiquidShading::behind_drop(const Leg& leg, const DropTree::Met& met) const {
    const Vec3f point = leg.origin + leg.direction * met.t;
    const Vec3f normal = (point - met.ball.centre) / met.ball.radius;
    const float part = fresnel(std::clamp(-dot(leg.direction, normal), 0.0F, 1.0F), 1 / kWaterIndex);
    const Vec3f within = refracted(leg.direction, normal, 1 / kWaterIndex);
    const Vec3f out = point - within * (2 * met.ball.radius * dot(within, normal));
    const Vec3f behind = (met.ball.centre - out) / met.ball.radius;

    Leg through = leg;
    through.origin = out;
    through.direction = through.before = refracted(within, behind, kWaterIndex);
    through.in_liquid = scene_.holds_liquid(out);
    through.bends = leg.bends + 1;
    through.weight = leg.weight * met.cover * (1 - part) * (1 - part);
    through.travelled = leg.travelled + met.t;
    through.pixel = kLens * leg.pixel;
    through.sees_drops = false;  // else a cloud of drops would branch without end
    const Rgb seen = through.weight < kLeastWeight ? sky(through.direction, false) : follow(through);
    Rgb radiance = filtered(seen, skin_) * ((1 - part) * (1 - part));
    radiance += sky(reflected(leg.direction, normal), true) * part + glow_ * (part * (1 - part));
    if (met.cover == 1) return radiance;

    // Smaller than the ray is wide: the rest of it goes on.
    Leg beside = leg;
    beside.origin = leg.origin + leg.direction * (met.t + met.ball.radius);
    beside.weight = leg.weight * (1 - met.cover);
    beside.travelled = leg.travelled + met.t + met.ball.radius;
    return mixed(follow(beside), radiance, met.cover);
}

Rgb LiquidShading::floor_radiance(const Leg& leg, const Hit& hit) const {
    const float way = leg.travelled + hit.t;
    const Rgb color = floor_.color_at(hit.point, leg.direction, way, leg.pixel);
    const Rgb sun = filtered(light_.sun * std::max(to_sun_[scene_.up_axis()], 0.0F), floor_light_.at(hit.point));
    const Rgb lit = filtered(color, sun + light_.sky);
    if (leg.in_liquid) return lit;
    return floor_.in_haze(lit, leg.direction, way, [&](const Vec3f& level) { return sky(level, false); });
}

Rgb LiquidShading::solid_radiance(const Hit& hit, bool in_liquid) const {
    const float facing = dot(hit.normal, to_sun_);
    Rgb sun;
    if (facing > 0) sun = filtered(light_.sun * facing, sun_through(hit.point + hit.normal * 0.02F, in_liquid));
    return filtered(solid_color_, sun + light_around(light_, hit.normal[scene_.up_axis()], floor_color_));
}

// The sun's light at a place, without bending it.
Rgb LiquidShading::sun_through(Vec3f origin, bool in_liquid) const {
    Rgb light(1.0F);
    for (int passed = 0; passed < 4; ++passed) {
        const Hit hit = scene_.nearest(origin, to_sun_, in_liquid);
        if (in_liquid) light = filtered(light, left_after(hit.t));
        if (hit.met == Met::nothing) return light;
        if (hit.met == Met::solid || hit.met == Met::floor) return {};
        light *= 0.95F;  // about what a surface lets through when it is not grazed
        origin = hit.point;
        in_liquid = !in_liquid;
    }
    return light;
}

// How much of the pixel an edge of the container covers, at most 1.
float LiquidShading::edge_cover(const Leg& leg, float t_end) const {
    const Box<float, 3>& box = scene_.container();
    const float thick = 0.0022F * length(box.size());
    float cover = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const int a = (axis + 1) % 3, b = (axis + 2) % 3;
        const float da = leg.direction[a], db = leg.direction[b], square = da * da + db * db;
        if (square < 1e-8F) continue;
        for (int edge = 0; edge < 4; ++edge) {
            // Seen along the axis the edge is a point.
            const float pa = ((edge & 1) != 0 ? box.hi[a] : box.lo[a]) - leg.origin[a];
            const float pb = ((edge & 2) != 0 ? box.hi[b] : box.lo[b]) - leg.origin[b];
            const float t = (pa * da + pb * db) / square;
            if (t < 0 || t > t_end + 2 * thick) continue;
            const float at = leg.origin[axis] + leg.direction[axis] * t;
            if (at < box.lo[axis] - thick || at > box.hi[axis] + thick) continue;
            const float distance = std::abs(pa * db - pb * da) / std::sqrt(square);
            const float pixel = leg.pixel * (leg.travelled + t);
            const float half = std::max(0.5F * thick, 0.5F * pixel);
            cover = std::max(cover, std::clamp((half - distance) / pixel + 0.5F, 0.0F, 1.0F));
        }
    }
    return cover;
}

// Panes before and behind air reflect a little of the sky.  Those before liquid do so as part of its surface.
void LiquidShading::add_glass(Rgb& radiance, const Leg& leg, const Hit& hit) const {
    RayScene::Passage through;
    if (!scene_.passage(leg.origin, leg.direction, through)) return;
    const float end = hit.met == Met::nothing ? 1e9F : hit.t;
    const auto pane = [&](int axis, float t) {
        if (axis < 0 || axis == scene_.up_axis() || t > end - 0.01F) return;
        const float grazing = 1 - std::abs(leg.direction[axis]);
        const float part = 0.4F * (0.04F + 0.96F * std::pow(grazing, 5.0F));
        Vec3f mirrored = leg.direction;
        mirrored[axis] = -mirrored[axis];
        mirrored[scene_.up_axis()] = std::abs(mirrored[scene_.up_axis()]);
        radiance = mixed(radiance, sky(mirrored, false), part);
    };
    pane(through.out_axis, through.out);
    pane(through.in_axis, through.in);
}

}  // namespace spindrift

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
constexpr float kSkin = 0.13F;         // optical depth in the colour absorbed most: a film's tint, lest it be invisible

constexpr int kBendsBeforeDrops = 1;  // a path bent more often does not look for spray: it would hardly show
constexpr float kLens = 0.5F;         // spread of rays behind a drop, about

// Of a pane of glass seen from the front: both of its sides reflect, and its edge is green.
constexpr float kGlassReflection = 0.04F;
const Rgb kGlassTint{0.955F, 0.975F, 0.968F};
constexpr float kLongestInGlass = 7;  // times the pane's thickness, at its silhouette
constexpr float kRim = 0.018F;        // thickness of its rim, in sizes of the container

// Light in a cloudy liquid comes out beside where it went in, which softens the edge between light and shade.
constexpr float kWrap = 0.2F;

const Rgb kEdgeColor{0.10F, 0.12F, 0.14F};

Rgb skin_of(const LiquidLook& look) {
    const Rgb& a = look.absorption;
    const float most = std::max({a[0], a[1], a[2]}), tint = most > 0 ? kSkin * std::min(most, 1.0F) / most : 0;
    return map([&](float c) { return std::exp(-c * tint); }, a);
}

Rgb glow_of(const LiquidLook& look, const Light& light) {
    const Rgb after_a_metre = map([](float c) { return std::exp(-c); }, look.absorption);
    return filtered(light.sky * 0.7F + light.sun * 0.1F, mixed(after_a_metre, Rgb(0.3F), 0.1F));
}

}  // namespace

LiquidShading::LiquidShading(const LiquidView3& view, const RayScene& scene, const Light& light)
    : scene_(scene),
      light_(light),
      to_sun_(Vec3f(normalized(light.to_sun))),
      look_(view.look),
      absorption_(view.look.absorption * scene.cell()),
      extinction_((view.look.absorption + Rgb(view.look.scattering)) * scene.cell()),
      skin_(skin_of(view.look)),
      glow_(glow_of(view.look, light)),
      solid_color_(view.solid_color),
      floor_color_(view.floor_color),
      floor_(scene, view.floor, view.floor_color),
      has_floor_(view.floor != FloorKind::none),
      draw_container_(view.draw_container && view.floor != FloorKind::sea),
      sea_(scene, light, glow_) {
    if (has_floor_ || view.solid_distance) floor_light_ = FloorLight(scene, to_sun_, extinction_);
}

Rgb LiquidShading::radiance(const Vec3f& origin, const Vec3f& direction, bool in_liquid, float pixel) const {
    Leg leg{origin, direction, direction, in_liquid, 0, 1, 0, 0, pixel};
    leg.sent_back = filtered(look_.scattering_color, light_.sky);
    return follow(leg);
}

Rgb LiquidShading::left_after(float way) const {
    return map([way](float a) { return std::exp(-a * way); }, extinction_);
}

Rgb LiquidShading::sky(const Vec3f& direction, bool with_sun) const {
    return sky_radiance(light_, direction[scene_.up_axis()], dot(direction, to_sun_), with_sun);
}

Rgb LiquidShading::follow(const Leg& leg) const {
    if (leg.bends > kMostBends || (leg.bends > 1 && leg.weight < kLeastWeight)) return straight_on(leg);
    const Hit hit = scene_.nearest(leg.origin, leg.direction, leg.in_liquid);
    float end = hit.met == Met::nothing ? 1e9F : hit.t;

    // Drops of spray, from the first on, as long as anything is seen between them.
    Rgb radiance;
    float left = 1;
    const bool sees_drops = !leg.in_liquid && leg.sees_drops && leg.bends <= kBendsBeforeDrops;
    for (float from = 0; sees_drops && left > 0;) {
        const DropTree::Cone ray{leg.origin + leg.direction * from, leg.direction, 0.5F * leg.width_at(from),
                                 0.5F * leg.spread};
        std::optional<DropTree::Met> drop = scene_.first_drop(ray, end - from);
        if (!drop) break;
        drop->t += from;
        radiance += behind_drop(leg, *drop, left * drop->cover) * (left * drop->cover);
        left *= 1 - drop->cover;
        if (left < kLeastWeight) {
            end = drop->t;
            radiance = radiance / (1 - left);
            left = 0;
        }
        from = drop->t + drop->ball.radius;
    }
    if (left > 0) {
        Leg rest = leg;
        rest.weight *= left;
        radiance += first_met(rest, hit) * left;
    }

    // What lies before it: panes of glass, the container's edges, the liquid itself.
    // Bent by waves the edges would look like scribbles: they are drawn for straight rays alone.
    if (!leg.in_liquid && leg.bends <= 1) add_panes(radiance, leg, end);
    if (draw_container_ && leg.bends == 0) {
        radiance = mixed(radiance, kEdgeColor, 0.6F * edge_cover(leg, end));
        if (!leg.in_liquid) add_glass(radiance, leg, end);
    }
    return leg.in_liquid ? through_liquid(leg, radiance, hit.t) : radiance;
}

// What is left of the light from behind, and what the liquid adds: a clear one a little of the colour it has in the
// deep, a cloudy one what it sends back, a hot one its own light.
Rgb LiquidShading::through_liquid(const Leg& leg, const Rgb& radiance, float way) const {
    Rgb seen = filtered(radiance, left_after(way));
    seen += filtered(glow_, map([&](float a) { return 1 - std::exp(-a * kScattering * way); }, absorption_));
    const float scattered = 1 - std::exp(-look_.scattering * scene_.cell() * way);
    seen += leg.sent_back * scattered;
    return seen + filtered(look_.emission, map([&](float left) { return 1 - left; }, left_after(way)));
}

Rgb LiquidShading::sent_back_at(const Hit& hit) const {
    const float facing = (dot(hit.normal, to_sun_) + kWrap) / (1 + kWrap);
    Rgb sun;
    if (facing > 0) sun = filtered(light_.sun * facing, sun_through(hit.point + hit.normal * 0.3F, false));
    const Rgb light = sun + light_around(light_, hit.normal[scene_.up_axis()], floor_color_);
    return filtered(look_.scattering_color, light);
}

Rgb LiquidShading::first_met(const Leg& leg, const Hit& hit) const {
    switch (hit.met) {
        case Met::nothing:
            if (leg.bends > 0) return sky(leg.direction, true);
            return background_radiance(light_, leg.direction[scene_.up_axis()], dot(leg.direction, to_sun_));
        case Met::floor: return floor_radiance(leg, hit);
        case Met::sea: return sea_radiance(leg, hit);
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
    Bend at = bend(leg.direction, hit, leg.in_liquid, leg.before);
    if (!leg.in_liquid) at.reflected = std::max(at.reflected, look_.reflectance);
    Leg next = leg;
    next.origin = hit.point;
    next.bends = leg.bends + 1;
    next.travelled = leg.travelled + hit.t;

    // Curved surfaces turn neighbouring rays: reflected ones by twice the angle between the normals, refracted ones by
    // the difference of the indices.
    const float cosine = std::max(std::abs(dot(leg.direction, at.normal)), 0.2F);
    const float turn =
        hit.met == Met::surface ? scene_.turn_of_normal(hit.point, at.normal, leg.width_at(hit.t) / cosine) : 0;
    const float eta = leg.in_liquid ? kWaterIndex : 1 / kWaterIndex;
    next.width = leg.width_at(hit.t);
    next.spread = leg.spread + 2 * turn;

    Rgb radiance;
    if (at.reflected < 1) {
        Leg through = next;
        through.direction = at.through;
        through.before = leg.direction;
        through.in_liquid = !leg.in_liquid;
        through.weight = leg.weight * (1 - at.reflected);
        through.spread = eta * leg.spread + std::abs(1 - eta) * turn;
        if (through.in_liquid && look_.scattering > 0)
            through.sent_back = sent_back_at({hit.met, 0, hit.point, at.normal});
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
Rgb LiquidShading::behind_drop(const Leg& leg, const DropTree::Met& met, float weight) const {
    const Vec3f point = leg.origin + leg.direction * met.t;
    const Vec3f normal = (point - met.ball.centre) / met.ball.radius;
    const float part =
        std::max(fresnel(std::clamp(-dot(leg.direction, normal), 0.0F, 1.0F), 1 / kWaterIndex), look_.reflectance);
    const Vec3f within = refracted(leg.direction, normal, 1 / kWaterIndex);
    const Vec3f out = point - within * (2 * met.ball.radius * dot(within, normal));
    const Vec3f behind = (met.ball.centre - out) / met.ball.radius;

    Leg through = leg;
    through.origin = out;
    through.direction = through.before = refracted(within, behind, kWaterIndex);
    if (scene_.in_solid(out))
        through.origin = point, through.direction = through.before = within;  // it lies on a solid
    through.in_liquid = scene_.holds_liquid(through.origin);
    through.bends = leg.bends + 1;
    through.weight = leg.weight * weight * (1 - part) * (1 - part);
    through.travelled = leg.travelled + met.t;
    through.width = leg.width_at(met.t);
    through.spread = kLens;
    through.sees_drops = false;  // else a cloud of drops would branch without end
    const Rgb seen = through.weight < kLeastWeight ? sky(through.direction, false) : follow(through);
    Leg in_drop = leg;
    if (look_.scattering > 0) in_drop.sent_back = sent_back_at({Met::surface, 0, point, normal});
    const float way = -2 * met.ball.radius * dot(within, normal);
    Rgb radiance = filtered(through_liquid(in_drop, seen, way), skin_) * ((1 - part) * (1 - part));
    radiance += sky(reflected(leg.direction, normal), true) * part + glow_ * (part * (1 - part));
    return radiance;
}

Rgb LiquidShading::floor_radiance(const Leg& leg, const Hit& hit) const {
    const float way = leg.travelled + hit.t;
    const Rgb color = floor_.color_at(hit.point, leg.direction, 1, leg.width_at(hit.t));
    const Rgb sun = filtered(light_.sun * std::max(to_sun_[scene_.up_axis()], 0.0F), floor_light_.at(hit.point));
    const Rgb lit = filtered(color, sun + light_.sky);
    if (leg.in_liquid) return lit;
    return floor_.in_haze(lit, leg.direction, way, [&](const Vec3f& level) {
        return background_radiance(light_, level[scene_.up_axis()], dot(level, to_sun_));
    });
}

Rgb LiquidShading::sea_radiance(const Leg& leg, const Hit& hit) const {
    const float way = leg.travelled + hit.t;
    const Rgb seen = sea_.radiance(hit, leg.direction, leg.width_at(hit.t));
    if (leg.in_liquid) return seen;
    return floor_.in_haze(seen, leg.direction, way, [&](const Vec3f& level) {
        return background_radiance(light_, level[scene_.up_axis()], dot(level, to_sun_));
    });
}

Rgb LiquidShading::solid_radiance(const Hit& hit, bool in_liquid) const {
    const float facing = dot(hit.normal, to_sun_);
    Rgb sun;
    const Vec3f place = hit.point + hit.normal * 0.02F;
    if (facing > 0 && floor_light_.empty())
        sun = filtered(light_.sun * facing, sun_through(place, in_liquid));
    else if (facing > 0 && scene_.nearest_solid(place, to_sun_).met != Met::solid)
        sun = filtered(light_.sun * facing, floor_light_.on_solid(hit.point));
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
        if (hit.met == Met::sea) return light;
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
            const float pixel = leg.width_at(t);
            const float half = std::max(0.5F * thick, 0.5F * pixel);
            cover = std::max(cover, std::clamp((half - distance) / pixel + 0.5F, 0.0F, 1.0F));
        }
    }
    return cover;
}

// Panes before and behind air reflect a little of the sky.  Those before liquid do so as part of its surface.
void LiquidShading::add_glass(Rgb& radiance, const Leg& leg, float end) const {
    RayScene::Passage through;
    if (!scene_.passage(leg.origin, leg.direction, through)) return;
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

// A thin pane does not turn light.  It reflects some of the sky and takes a little of the rest; more where light goes
// along it.  Liquid that touches it reflects instead of it.
void LiquidShading::add_panes(Rgb& radiance, const Leg& leg, float end) const {
    if (!scene_.has_glass()) return;
    constexpr float kTouch = 0.75F;  // cells
    for (const RayScene::Pane& pane : scene_.panes(leg.origin, leg.direction, end - kTouch)) {
        if (leg.bends > 0 && pane.t < kTouch) continue;  // the one through which light came out of the liquid
        const float cosine = std::max(-dot(leg.direction, pane.normal), 0.02F);
        const float one = kGlassReflection + (1 - kGlassReflection) * std::pow(1 - cosine, 5.0F);
        const float both = 2 * one / (1 + one);
        const float way = std::min(1 / cosine, kLongestInGlass);
        Vec3f mirrored = reflected(leg.direction, pane.normal);
        mirrored[scene_.up_axis()] = std::abs(mirrored[scene_.up_axis()]);
        const Rgb left = map([way](float c) { return std::pow(c, way); }, kGlassTint);
        radiance = mixed(filtered(radiance, left), sky(mirrored, true), both);
    }
    if (leg.bends == 0) add_rim(radiance, leg, end);
}

// Where glass ends at the top of the container.
void LiquidShading::add_rim(Rgb& radiance, const Leg& leg, float end) const {
    const Box<float, 3>& box = scene_.container();
    const int up = scene_.up_axis();
    const float t = (box.hi[up] - leg.origin[up]) / leg.direction[up];
    if (!(t > 0 && t < end)) return;
    Vec3f point = leg.origin + leg.direction * t;
    for (int a = 0; a < 3; ++a)
        if (a != up && (point[a] < box.lo[a] || point[a] > box.hi[a])) return;
    point[up] -= 0.01F;
    const float thick = kRim * length(box.size()), depth = -scene_.glass_distance(point);
    const float pixel = leg.width_at(t) / std::max(std::abs(leg.direction[up]), 0.1F);
    const auto cover = [&](float from, float to) {
        const float inside = std::min(depth - from, to - depth);
        return std::clamp(inside / pixel + 0.5F, 0.0F, 1.0F);
    };
    radiance = mixed(radiance, filtered(light_.sky, Rgb(1.15F)), 0.45F * cover(0, thick));
    radiance = mixed(radiance, kEdgeColor,
                     0.35F * std::max(cover(-0.12F * thick, 0.12F * thick), cover(0.88F * thick, 1.12F * thick)));
}

}  // namespace spindrift

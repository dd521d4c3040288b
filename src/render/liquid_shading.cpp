// SPDX-License-Identifier: Apache-2.0
#include "render/liquid_shading.h"

#include <algorithm>
#include <cmath>

#include "render/fresnel.h"
#include "render/refraction.h"

namespace spindrift {
namespace {

constexpr int kMaxDepth = 10;            // after so many surfaces a path goes straight on through all others
constexpr float kMinReflection = 0.04F;  // of a pixel: fainter reflections after the first are left out
constexpr float kScattering = 0.12F;     // of the absorption: clear water scatters little

constexpr float kMinWeight = 0.03F;  // of a pixel: what decides less goes straight on as well
constexpr float kSkin = 0.13F;       // optical depth in the colour absorbed most: a film's tint, lest it be invisible

constexpr int kMaxDepthOfDrops = 1;  // a path bent more often does not look for spray: it would hardly show
constexpr float kWidestOfDrops =
    4;                         // pixels: a ray spread more by waves would meet most drops, each for nearly nothing
constexpr float kLens = 0.5F;  // spread of rays behind a drop, about

// Of a pane of glass seen from the front: both of its sides reflect, and its edge is green.
constexpr float kGlassReflection = 0.04F;
const Rgb kGlassTint{0.955F, 0.975F, 0.968F};
constexpr float kLongestInGlass = 7;  // times the pane's thickness, at its silhouette
constexpr float kRim = 0.018F;        // thickness of its rim, in sizes of the container

// Cells: solids under less water than the first are lit straight, under more than the second by the map.
constexpr float kFilmDepth = 3, kMapDepth = 6;

// Light in a cloudy liquid comes out beside where it went in, which softens the edge between light and shade.
constexpr float kWrap = 0.2F;

// Part of the light that foam sends back; part of the sun's that reaches a speck among others.
constexpr float kFoamWhite = 0.85F, kFoamWrap = 0.8F, kFoamSun = 0.6F;

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
      rig_(light, scene.up_axis()),
      to_sun_(Vec3f(normalized(light.to_sun))),
      medium_(view, scene),
      look_(view.look),
      is_cloudy_(medium_.is_cloudy()),
      absorption_(view.look.absorption * scene.cell()),
      skin_(skin_of(view.look)),
      glow_(glow_of(view.look, light)),
      solid_color_(view.solid_color),
      floor_color_(view.floor_color),
      floor_(scene, view.floor, view.floor_color),
      has_floor_(view.floor != FloorKind::none),
      draw_container_(view.draw_container && view.floor != FloorKind::sea),
      sea_(scene, light, glow_) {
    if (has_floor_ || view.solid_distance) floor_light_ = FloorLight(scene, to_sun_, medium_);
}

Rgb LiquidShading::radiance(const Vec3f& origin, const Vec3f& direction, bool in_liquid, float pixel) const {
    Segment segment{origin, direction, direction, in_liquid, 0, 1, 0, RayFootprint::spreading(direction, pixel), pixel};
    segment.backscattered = medium_.is_mixture() ? light_.sky : filtered(look_.scattering_color, light_.sky);
    return trace(segment);
}

Rgb LiquidShading::glow_at(const Vec3f& position) const {
    return medium_.is_mixture() ? glow_of(medium_.at(position), light_) : glow_;
}

Rgb LiquidShading::skin_at(const Vec3f& position) const {
    return medium_.is_mixture() ? skin_of(medium_.at(position)) : skin_;
}

Rgb LiquidShading::background(const Vec3f& direction) const {
    return background_radiance(light_, direction[scene_.up_axis()], dot(direction, to_sun_));
}

// Level water and the walls of a tank show the sky as it is: a card seen through them would be a dark field.
Rgb LiquidShading::sky_behind(const Segment& segment) const {
    const Vec3f& direction = segment.direction;
    const Rgb sky = sky_radiance(light_, direction[scene_.up_axis()], dot(direction, to_sun_));
    return mixed(sky, rig_.sky(direction), segment.curvature()) + rig_.lamps(direction);
}

Rgb LiquidShading::trace(const Segment& segment) const {
    if (segment.depth > kMaxDepth || (segment.depth > 1 && segment.weight < kMinWeight))
        return radiance_straight_on(segment);
    const Hit hit = scene_.nearest(segment.origin, segment.direction, segment.in_liquid);
    float end = hit.kind == HitKind::nothing ? 1e9F : hit.t;

    // Drops of spray, from the first on, as long as anything is seen between them.
    Rgb radiance;
    float left = 1;
    std::vector<DropTree::DropHit> drops;
    if (segment.sees_drops && segment.depth <= kMaxDepthOfDrops)
        drops = scene_.drops_along({segment.origin, segment.direction, 0.5F * segment.width_at(0),
                                    0.5F * std::min(segment.footprint.spread(), kWidestOfDrops * segment.pixel)},
                                   end, segment.in_liquid);
    for (const DropTree::DropHit& drop : drops) {
        radiance +=
            (drop.ball.is_white ? foam_radiance(segment, drop) : through_drop(segment, drop, left * drop.cover)) *
            (left * drop.cover);
        left *= 1 - drop.cover;
        if (left >= kMinWeight) continue;
        end = drop.t;
        radiance = radiance / (1 - left);
        left = 0;
        break;
    }
    if (left > 0) {
        Segment rest = segment;
        rest.weight *= left;
        radiance += radiance_at(rest, hit) * left;
    }

    // What lies before it: panes of glass, the container's edges, the liquid itself.
    // Bent by waves the edges would look like scribbles: they are drawn for straight rays alone.
    if (!segment.in_liquid && segment.depth <= 1) add_panes(radiance, segment, end);
    if (draw_container_ && segment.depth == 0) {
        radiance = mixed(radiance, kEdgeColor, 0.6F * edge_cover(segment, end));
        if (!segment.in_liquid) add_glass(radiance, segment, end);
    }
    return segment.in_liquid ? through_liquid(segment, radiance, hit.t) : radiance;
}

// What is left of the light from behind, and what the liquid adds: a clear one a little of the colour it has in the
// deep, a cloudy one what it sends back, a hot one its own light.
Rgb LiquidShading::through_liquid(const Segment& segment, const Rgb& radiance, float distance) const {
    if (medium_.is_mixture()) return through_mixture(segment, radiance, distance);
    const Rgb left = medium_.transmittance(segment.origin, segment.direction, distance);
    Rgb sum = filtered(radiance, left);
    sum += filtered(glow_, map([&](float a) { return 1 - std::exp(-a * kScattering * distance); }, absorption_));
    const float scattered = 1 - std::exp(-look_.scattering * scene_.cell() * distance);
    sum += segment.backscattered * scattered;
    return sum + filtered(look_.emission, map([&](float part) { return 1 - part; }, left));
}

// The same piece by piece, from the near end to the far one.
Rgb LiquidShading::through_mixture(const Segment& segment, const Rgb& radiance, float distance) const {
    const auto after = [](const Rgb& depth) { return map([](float d) { return std::exp(-d); }, depth); };
    Rgb sum, absorbed, left(1.0F);
    float left_of_scattering = 1;
    medium_.for_each_piece(segment.origin, segment.direction, distance, [&](const LiquidLook& look, float length) {
        const float metres = length * scene_.cell();
        absorbed += look.absorption * metres;
        const Rgb before = left;
        left = filtered(left, after((look.absorption + Rgb(look.scattering)) * metres));
        sum += filtered(look.emission, before - left);
        if (!(look.scattering > 0)) return;
        const float kept = left_of_scattering * std::exp(-look.scattering * metres);
        sum += filtered(segment.backscattered, look.scattering_color) * (left_of_scattering - kept);
        left_of_scattering = kept;
    });
    const Rgb glow = glow_at(segment.origin + segment.direction * (0.5F * distance));
    sum += filtered(glow, Rgb(1.0F) - after(absorbed * kScattering));
    return sum + filtered(radiance, left);
}

Rgb LiquidShading::backscattered_at(const Hit& hit) const {
    const float facing = (dot(hit.normal, to_sun_) + kWrap) / (1 + kWrap);
    Rgb sun;
    if (facing > 0) sun = filtered(light_.sun * facing, sun_through(hit.point + hit.normal * 0.3F, false));
    const Rgb light = sun + ambient_light(light_, hit.normal[scene_.up_axis()], floor_color_);
    return medium_.is_mixture() ? light : filtered(look_.scattering_color, light);
}

Rgb LiquidShading::radiance_at(const Segment& segment, const Hit& hit) const {
    switch (hit.kind) {
        case HitKind::nothing: return segment.depth > 0 ? sky_behind(segment) : background(segment.direction);
        case HitKind::floor: return floor_radiance(segment, hit);
        case HitKind::sea: return sea_radiance(segment, hit);
        case HitKind::solid: return solid_radiance(hit, segment.in_liquid);
        case HitKind::surface:
        case HitKind::wall: return at_surface(segment, hit);
    }
    return {};
}

// Spray and films on a wall bend a path more often than is worth following; where it ends hardly matters, but it must
// not look like anything else.
Rgb LiquidShading::radiance_straight_on(const Segment& segment) const {
    const int up = scene_.up_axis();
    const float below = segment.origin[up] - scene_.container().lo[up];
    if (!has_floor_ || segment.direction[up] > -1e-3F) return rig_.sky(segment.direction);
    const float t = below / -segment.direction[up];
    return floor_radiance(segment, {HitKind::floor, t, segment.origin + segment.direction * t, {}});
}

Rgb LiquidShading::at_surface(const Segment& segment, const Hit& hit) const {
    Refraction at = refract_ray(segment.direction, hit, segment.in_liquid, segment.before);
    if (!segment.in_liquid) at.reflected = std::max(at.reflected, look_.reflectance);
    Segment next = segment;
    next.origin = hit.point;
    next.depth = segment.depth + 1;
    next.path_length = segment.path_length + hit.t;

    const RayFootprint footprint = segment.footprint.on_plane(segment.direction, at.normal, hit.t);
    std::array<Vec3f, 2> turn{};
    if (hit.kind == HitKind::surface) turn = scene_.turn_of_normal(hit.point, at.normal, footprint.offset);
    const float eta = segment.in_liquid ? kWaterIndex : 1 / kWaterIndex;

    Rgb radiance;
    if (at.reflected < 1) {
        Segment through = next;
        through.direction = at.through;
        through.before = segment.direction;
        through.in_liquid = !segment.in_liquid;
        through.weight = segment.weight * (1 - at.reflected);
        through.footprint = footprint.refracted(segment.direction, at.normal, turn, eta);
        if (through.in_liquid && is_cloudy_)
            through.backscattered = backscattered_at({hit.kind, 0, hit.point, at.normal});
        radiance = trace(through) * (1 - at.reflected);
        if (hit.kind == HitKind::surface) radiance = filtered(radiance, skin_at(hit.point));
    }
    next.direction = next.before = reflected(segment.direction, at.normal);
    next.footprint = footprint.reflected(segment.direction, at.normal, turn);
    next.weight = segment.weight * at.reflected;
    if (segment.depth == 0 || at.reflected == 1 || next.weight > kMinReflection)
        radiance += trace(next) * at.reflected;
    else
        radiance += (segment.in_liquid ? glow_at(hit.point) : rig_.radiance(next.direction)) * at.reflected;
    return radiance;
}

// Where a ray leaves a ball it meets the surface under the angle at which it came in, from within: the same part is
// reflected, and never all of it.  That part goes round in the ball; it counts as light from everywhere.
Rgb LiquidShading::through_drop(const Segment& segment, const DropTree::DropHit& met, float weight) const {
    const Vec3f point = segment.origin + segment.direction * met.t;
    const Vec3f normal = (point - met.ball.centre) / met.ball.radius;
    const float part =
        std::max(fresnel(std::clamp(-dot(segment.direction, normal), 0.0F, 1.0F), 1 / kWaterIndex), look_.reflectance);
    const Vec3f within = refracted(segment.direction, normal, 1 / kWaterIndex);
    const Vec3f out = point - within * (2 * met.ball.radius * dot(within, normal));
    const Vec3f behind = (met.ball.centre - out) / met.ball.radius;

    Segment through = segment;
    through.origin = out;
    through.direction = through.before = refracted(within, behind, kWaterIndex);
    if (scene_.in_solid(out))
        through.origin = point, through.direction = through.before = within;  // it lies on a solid
    through.in_liquid = scene_.holds_liquid(through.origin);
    through.depth = segment.depth + 1;
    through.weight = segment.weight * weight * (1 - part) * (1 - part);
    through.path_length = segment.path_length + met.t;
    through.footprint = RayFootprint::spreading(through.direction, kLens);
    through.sees_drops = false;  // else a cloud of drops would branch without end
    const Rgb transmitted = through.weight < kMinWeight ? rig_.sky(through.direction) : trace(through);
    Segment in_drop = segment;
    if (is_cloudy_) in_drop.backscattered = backscattered_at({HitKind::surface, 0, point, normal});
    const float distance = -2 * met.ball.radius * dot(within, normal);
    Rgb radiance = filtered(through_liquid(in_drop, transmitted, distance), skin_) * ((1 - part) * (1 - part));
    radiance += rig_.radiance(reflected(segment.direction, normal)) * part + glow_ * (part * (1 - part));
    return radiance;
}

// Foam is many small bubbles: it sends light back from everywhere, matt and white, and lets some through to its dark
// side.
Rgb LiquidShading::foam_radiance(const Segment& segment, const DropTree::DropHit& met) const {
    const Vec3f point = segment.origin + segment.direction * met.t;
    const Vec3f normal = (point - met.ball.centre) / met.ball.radius;
    const float facing = (dot(normal, to_sun_) + kFoamWrap) / (1 + kFoamWrap);
    const Rgb light = light_.sun * (std::max(facing, 0.0F) * kFoamSun) +
                      ambient_light(light_, normal[scene_.up_axis()], floor_color_);
    return light * kFoamWhite;
}

Rgb LiquidShading::floor_radiance(const Segment& segment, const Hit& hit) const {
    const float distance = segment.path_length + hit.t;
    const Rgb color =
        floor_.color_at(hit.point, segment.footprint.on_plane(segment.direction, along(scene_.up_axis(), 1), hit.t));
    const Rgb sun = filtered(light_.sun * std::max(to_sun_[scene_.up_axis()], 0.0F), floor_light_.at(hit.point));
    const Rgb lit = filtered(color, sun + light_.sky);
    if (segment.in_liquid) return lit;
    const Rgb radiance =
        floor_.in_haze(lit, segment.direction, distance, [&](const Vec3f& level) { return background(level); });
    if (segment.depth == 0) return radiance;
    // The cards and the window stand on the floor, away from the container.
    const Rgb behind = radiance * rig_.beside_cards(segment.direction) + rig_.lamps(segment.direction);
    return mixed(radiance, behind, floor_.far_away(hit.point) * segment.curvature());
}

Rgb LiquidShading::sea_radiance(const Segment& segment, const Hit& hit) const {
    const float distance = segment.path_length + hit.t;
    const Rgb water = sea_.radiance(hit, segment.direction, segment.width_at(hit.t));
    if (segment.in_liquid) return water;
    return floor_.in_haze(water, segment.direction, distance, [&](const Vec3f& level) { return background(level); });
}

Rgb LiquidShading::solid_radiance(const Hit& hit, bool in_liquid) const {
    const Rgb sun = sun_on_solid(hit.point + hit.normal * 0.02F, hit.normal, in_liquid);
    return filtered(solid_color_, sun + ambient_light(light_, hit.normal[scene_.up_axis()], floor_color_));
}

// Straight from the sun in the air and under films; deeper by the map of light that the liquid bends, which has no
// place for what lies beside the liquid and is too coarse for films.
Rgb LiquidShading::sun_on_solid(const Vec3f& place, const Vec3f& normal, bool in_liquid) const {
    const float facing = dot(normal, to_sun_);
    const Rgb straight = facing > 0 ? filtered(light_.sun * facing, sun_through(place, in_liquid)) : Rgb();
    if (!in_liquid || floor_light_.empty()) return straight;
    const Vec3f& to_bent_sun = floor_light_.to_bent_sun();
    const float facing_bent = dot(normal, to_bent_sun);
    float depth = 0;
    Rgb bent;
    if (facing_bent > 0) {
        const int up = scene_.up_axis();
        const Hit above = scene_.nearest(place, to_bent_sun, true);
        depth = above.t;
        if (above.kind != HitKind::solid)
            bent = filtered(light_.sun * (facing_bent * to_sun_[up] / to_bent_sun[up]), floor_light_.on_solid(place));
    }
    if (facing > facing_bent && facing > 0) depth = scene_.nearest(place, to_sun_, true).t;
    return mixed(straight, bent, std::clamp((depth - kFilmDepth) / (kMapDepth - kFilmDepth), 0.0F, 1.0F));
}

// The sun's light at a place, without bending it.
Rgb LiquidShading::sun_through(Vec3f origin, bool in_liquid) const {
    Rgb light(1.0F);
    for (int passed = 0; passed < 4; ++passed) {
        const Hit hit = scene_.nearest(origin, to_sun_, in_liquid);
        if (in_liquid) light = filtered(light, medium_.transmittance(origin, to_sun_, hit.t));
        if (hit.kind == HitKind::nothing) return light;
        if (hit.kind == HitKind::solid || hit.kind == HitKind::floor) return {};
        if (hit.kind == HitKind::sea) return light;
        light *= 0.95F;  // about what a surface lets through when it is not grazed
        origin = hit.point;
        in_liquid = !in_liquid;
    }
    return light;
}

// How much of the pixel an edge of the container covers, at most 1.
float LiquidShading::edge_cover(const Segment& segment, float t_end) const {
    const Box<float, 3>& box = scene_.container();
    const float thick = 0.0022F * length(box.size());
    float cover = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const int a = (axis + 1) % 3, b = (axis + 2) % 3;
        const float da = segment.direction[a], db = segment.direction[b], square = da * da + db * db;
        if (square < 1e-8F) continue;
        for (int edge = 0; edge < 4; ++edge) {
            // Seen along the axis the edge is a point.
            const float pa = ((edge & 1) != 0 ? box.hi[a] : box.lo[a]) - segment.origin[a];
            const float pb = ((edge & 2) != 0 ? box.hi[b] : box.lo[b]) - segment.origin[b];
            const float t = (pa * da + pb * db) / square;
            if (t < 0 || t > t_end + 2 * thick) continue;
            const float at = segment.origin[axis] + segment.direction[axis] * t;
            if (at < box.lo[axis] - thick || at > box.hi[axis] + thick) continue;
            const float distance = std::abs(pa * db - pb * da) / std::sqrt(square);
            const float pixel = segment.width_at(t);
            const float half = std::max(0.5F * thick, 0.5F * pixel);
            cover = std::max(cover, std::clamp((half - distance) / pixel + 0.5F, 0.0F, 1.0F));
        }
    }
    return cover;
}

// Panes before and behind air reflect a little of the sky.  Those before liquid do so as part of its surface.
void LiquidShading::add_glass(Rgb& radiance, const Segment& segment, float end) const {
    RayScene::Interval through;
    if (!scene_.clip_to_container(segment.origin, segment.direction, through)) return;
    const auto pane = [&](int axis, float t) {
        if (axis < 0 || axis == scene_.up_axis() || t > end - 0.01F) return;
        const float grazing = 1 - std::abs(segment.direction[axis]);
        const float part = 0.4F * (0.04F + 0.96F * std::pow(grazing, 5.0F));
        Vec3f mirrored = segment.direction;
        mirrored[axis] = -mirrored[axis];
        mirrored[scene_.up_axis()] = std::abs(mirrored[scene_.up_axis()]);
        radiance = mixed(radiance, rig_.sky(mirrored), part);
    };
    pane(through.out_axis, through.out);
    pane(through.in_axis, through.in);
}

// A thin pane does not turn light.  It reflects some of the sky and takes a little of the rest; more where light goes
// along it.  Liquid that touches it reflects instead of it.
void LiquidShading::add_panes(Rgb& radiance, const Segment& segment, float end) const {
    if (!scene_.has_glass()) return;
    constexpr float kTouch = 0.75F;  // cells
    for (const RayScene::Pane& pane : scene_.panes(segment.origin, segment.direction, end - kTouch)) {
        if (segment.depth > 0 && pane.t < kTouch) continue;  // the one through which light came out of the liquid
        const float cosine = std::max(-dot(segment.direction, pane.normal), 0.02F);
        const float one = kGlassReflection + (1 - kGlassReflection) * std::pow(1 - cosine, 5.0F);
        const float both = 2 * one / (1 + one);
        const float distance = std::min(1 / cosine, kLongestInGlass);
        Vec3f mirrored = reflected(segment.direction, pane.normal);
        mirrored[scene_.up_axis()] = std::abs(mirrored[scene_.up_axis()]);
        const Rgb left = map([distance](float c) { return std::pow(c, distance); }, kGlassTint);
        radiance = mixed(filtered(radiance, left), rig_.radiance(mirrored), both);
    }
    if (segment.depth == 0) add_rim(radiance, segment, end);
}

// Where glass ends at the top of the container.
void LiquidShading::add_rim(Rgb& radiance, const Segment& segment, float end) const {
    const Box<float, 3>& box = scene_.container();
    const int up = scene_.up_axis();
    const float t = (box.hi[up] - segment.origin[up]) / segment.direction[up];
    if (!(t > 0 && t < end)) return;
    Vec3f point = segment.origin + segment.direction * t;
    for (int a = 0; a < 3; ++a)
        if (a != up && (point[a] < box.lo[a] || point[a] > box.hi[a])) return;
    point[up] -= 0.01F;
    const float thick = kRim * length(box.size()), depth = -scene_.glass_distance(point);
    const float pixel = segment.width_at(t) / std::max(std::abs(segment.direction[up]), 0.1F);
    const auto cover = [&](float from, float to) {
        const float inside = std::min(depth - from, to - depth);
        return std::clamp(inside / pixel + 0.5F, 0.0F, 1.0F);
    };
    radiance = mixed(radiance, filtered(light_.sky, Rgb(1.15F)), 0.45F * cover(0, thick));
    radiance = mixed(radiance, kEdgeColor,
                     0.35F * std::max(cover(-0.12F * thick, 0.12F * thick), cover(0.88F * thick, 1.12F * thick)));
}

}  // namespace spindrift

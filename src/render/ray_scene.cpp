// SPDX-License-Identifier: Apache-2.0
#include "render/ray_scene.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "render/camera.h"

namespace spindrift {
namespace {

constexpr float kFilm = 0.75F;  // cells; air thinner than this between liquid and solid comes from the grid

}  // namespace

RayScene::RayScene(const LiquidView3& view)
    : SolidScene({.grid = view.grid,
                  .container = view.container,
                  .distance = view.solid_distance,
                  .normal = view.solid_normal,
                  .up_axis = view.up_axis,
                  .floor = view.floor != FloorKind::none,
                  .sea_level = view.floor == FloorKind::sea ? std::optional(view.sea_level) : std::nullopt}) {
    CHECK(view.phi != nullptr && !view.phi->empty(), "a picture of a liquid without its field");
    liquid_ = Bricks(*view.phi, cells(), view.grid.dx);
    if (view.glass_distance)
        glass_ = Bricks(
            [&](const Vec3f& p) {
                const Vec<double, 3> place = view.grid.world_from_cell(Vec<double, 3>(p) + Vec<double, 3>(cells().lo));
                return static_cast<float>(view.glass_distance(place) / view.grid.dx);
            },
            cells().size());
    std::vector<DropTree::Ball> balls, bubbles;
    for (const Drop<3>& drop : view.drops)
        if (const Vec<double, 3> place(drop.position); view.container.contains(place))
            (drop.kind == DropKind::bubble ? bubbles : balls)
                .push_back({from_world(place), drop.radius / cell(), drop.velocity * (view.shutter / cell()),
                            drop.count, drop.kind != DropKind::water});
    drops_ = DropTree(std::move(balls));
    bubbles_ = DropTree(std::move(bubbles));
}

Vec3f RayScene::liquid_normal(Vec3f position, const Vec3f& direction) const {
    // Between two bricks the place may be counted to the one without a surface: then it is found a little before.
    Vec3f flat = liquid_.linear_gradient(position);
    if (dot(flat, flat) == 0) flat = liquid_.linear_gradient(position -= direction * 0.02F);
    const float flat_size = length(flat);
    if (!(flat_size > 1e-6F)) return -direction;
    flat = flat / flat_size;

    // Across films and drops of a cell or two the smooth gradient mixes both of their sides.
    const Vec3f smooth = liquid_.gradient(position);
    const float size = length(smooth);
    return size > 0.3F * flat_size && dot(smooth, flat) > 0.6F * size ? smooth / size : flat;
}

bool RayScene::holds_liquid(const Vec3f& position) const {
    for (int a = 0; a < 3; ++a)
        if (position[a] < box_.lo[a] || position[a] > box_.hi[a]) return false;
    return liquid_.value(position) < 0;
}

std::vector<DropTree::DropHit> RayScene::drops_along(const DropTree::Cone& ray, float t_end, bool in_liquid) const {
    Interval through;
    const DropTree& drops = in_liquid ? bubbles_ : drops_;
    if (drops.empty() || !clip_to_container(ray.origin, ray.direction, through)) return {};
    return drops.along(ray, std::min(t_end, through.out));
}

// Read at least half a cell away, where the smooth gradient is more than rounding, and at most over a cell and a half.
std::array<Vec3f, 2> RayScene::turn_of_normal(const Vec3f& point, const Vec3f& normal,
                                              const std::array<Vec3f, 2>& offset) const {
    constexpr float kMinReach = 0.5F, kMaxReach = 1.5F;  // cells
    std::array<Vec3f, 2> turn{};
    for (std::size_t i = 0; i < 2; ++i) {
        const float size = length(offset[i]), reach = std::clamp(size, kMinReach, kMaxReach);
        if (!(size > 0)) continue;
        const Vec3f beside = liquid_.gradient(point + offset[i] * (reach / size));
        const float slope = length(beside);
        if (!(slope > 0.1F)) continue;
        const Vec3f change = beside * (std::copysign(1.0F, dot(beside, normal)) / slope) - normal;
        turn[i] = change * std::min(size / reach, 1 / std::max(length(change), 1e-6F));
    }
    return turn;
}

std::vector<RayScene::Pane> RayScene::panes(const Vec3f& origin, const Vec3f& direction, float t_end) const {
    constexpr std::size_t kMax = 6;
    std::vector<Pane> found;
    Interval through;
    if (!has_glass() || !clip_to_container(origin, direction, through)) return found;
    const Vec3f entry = origin + direction * through.in;
    const float end = std::min(through.out, t_end) - through.in;
    bool inside = glass_.value(entry) < 0;
    for (float t = 0; t < end && found.size() < kMax; inside = !inside) {
        t = glass_.crossing(entry, direction, t, end, inside);
        if (!(t < end)) break;
        const Vec3f normal = glass_.gradient(entry + direction * t);
        if (const float size = length(normal); size > 0)
            found.push_back({through.in + t, towards(normal / size, direction)});
    }
    std::reverse(found.begin(), found.end());
    return found;
}

Hit RayScene::nearest(const Vec3f& origin, const Vec3f& direction, bool in_liquid) const {
    return in_liquid ? nearest_in_liquid(origin, direction) : nearest_in_air(origin, direction);
}

Hit RayScene::nearest_in_air(const Vec3f& origin, const Vec3f& direction) const {
    Hit hit = floor_hit(origin, direction);

    // From where the ray comes in: a float cannot count small steps from a camera far away.
    Interval through;
    if (clip_to_container(origin, direction, through) && through.in < hit.t) {
        const Vec3f entry = origin + direction * through.in;
        const float end = std::min(through.out, hit.t) - through.in;
        const float solid = solid_crossing(entry, direction, 0, end);

        // A solid or liquid that the container cuts off shows a flat face.
        const bool from_outside = through.in_axis >= 0;
        if (from_outside && (solid == 0 || liquid_.value(entry) < 0)) {
            const Vec3f face = towards(along(through.in_axis, 1), direction);
            hit = {solid == 0 ? HitKind::solid : HitKind::wall, through.in, {}, face};
        } else {
            const float surface = liquid_.crossing(entry, direction, 0, solid, false);
            const float t = std::min(surface, solid);
            const Vec3f at = entry + direction * t;
            if (surface < solid)
                hit = {HitKind::surface, through.in + t, {}, liquid_normal(at, direction)};
            else if (solid < end)
                hit = {HitKind::solid, through.in + t, {}, solid_normal(at, direction)};
        }
    }
    if (hit.kind != HitKind::nothing) hit.point = origin + direction * hit.t;
    return hit;
}

Hit RayScene::nearest_in_liquid(const Vec3f& origin, const Vec3f& direction) const {
    Interval through;
    if (!clip_to_container(origin, direction, through)) {  // on a wall, going out
        const int axis = through.out_axis >= 0 ? through.out_axis : up_;
        return {HitKind::wall, 0, origin, towards(along(axis, 1), direction)};
    }
    const float end = through.out;
    const float solid = solid_crossing(origin, direction, 0, end);
    const float surface = liquid_.crossing(origin, direction, 0, solid, true);
    const float t = std::min(surface, solid);
    const Vec3f point = origin + direction * t;
    const bool on_floor = floor_ && through.out_axis == up_ && direction[up_] < 0;

    if (surface < solid) {
        // Light that goes away from the solid leaves the film.
        if (has_solids() && solid_distance(point) < kFilm)
            if (const Vec3f out = solid_gradient(point); dot(out, direction) < 0)
                return {HitKind::solid, t, point, out};
        if (floor_ && point[up_] < box_.lo[up_] + kFilm && direction[up_] < 0)
            return {HitKind::floor, t, point, along(up_, 1)};
        return {HitKind::surface, t, point, -liquid_normal(point, direction)};
    }
    if (solid < end) return {HitKind::solid, t, point, solid_normal(point, direction)};
    if (through.out_axis != up_ && is_below_sea(point)) return {HitKind::sea, t, point, -direction};  // the same water
    if (on_floor) return {HitKind::floor, t, point, along(up_, 1)};
    return {HitKind::wall, t, point, towards(along(through.out_axis, 1), direction)};
}

}  // namespace spindrift

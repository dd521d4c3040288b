// SPDX-License-Identifier: Apache-2.0
#include "render/ray_scene.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace spindrift {
namespace {

constexpr float kFilm = 0.75F;  // cells; air thinner than this between liquid and solid comes from the grid

}  // namespace

RayScene::RayScene(const LiquidView3& view)
    : SolidScene({.grid = view.grid,
                  .container = view.container,
                  .distance = view.solid_distance,
                  .up_axis = view.up_axis,
                  .floor = view.floor}) {
    CHECK(view.phi != nullptr && !view.phi->empty(), "a picture of a liquid without its field");
    liquid_ = Bricks(*view.phi, cells(), view.grid.dx);
    std::vector<DropTree::Ball> balls;
    for (const Drop<3>& drop : view.drops)
        if (const Vec<double, 3> place(drop.position); view.container.contains(place))
            balls.push_back({from_world(place), drop.radius / cell()});
    drops_ = DropTree(std::move(balls));
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

std::optional<DropTree::Met> RayScene::first_drop(const DropTree::Cone& ray, float t_end) const {
    Passage through;
    if (drops_.empty() || !passage(ray.origin, ray.direction, through)) return std::nullopt;
    return drops_.first(ray, std::min(t_end, through.out));
}

Hit RayScene::nearest(const Vec3f& origin, const Vec3f& direction, bool in_liquid) const {
    return in_liquid ? nearest_in_liquid(origin, direction) : nearest_in_air(origin, direction);
}

Hit RayScene::nearest_in_air(const Vec3f& origin, const Vec3f& direction) const {
    Hit hit = floor_hit(origin, direction);

    // From where the ray comes in: a float cannot count small steps from a camera far away.
    Passage through;
    if (passage(origin, direction, through) && through.in < hit.t) {
        const Vec3f entry = origin + direction * through.in;
        const float end = std::min(through.out, hit.t) - through.in;
        const float solid = solid_crossing(entry, direction, 0, end);

        // A solid or liquid that the container cuts off shows a flat face.
        const bool from_outside = through.in_axis >= 0;
        if (from_outside && (solid == 0 || liquid_.value(entry) < 0)) {
            const Vec3f face = towards(along(through.in_axis, 1), direction);
            hit = {solid == 0 ? Met::solid : Met::wall, through.in, {}, face};
        } else {
            const float surface = liquid_.crossing(entry, direction, 0, solid, false);
            const float t = std::min(surface, solid);
            const Vec3f at = entry + direction * t;
            if (surface < solid)
                hit = {Met::surface, through.in + t, {}, liquid_normal(at, direction)};
            else if (solid < end)
                hit = {Met::solid, through.in + t, {}, solid_normal(at, direction)};
        }
    }
    if (hit.met != Met::nothing) hit.point = origin + direction * hit.t;
    return hit;
}

Hit RayScene::nearest_in_liquid(const Vec3f& origin, const Vec3f& direction) const {
    Passage through;
    if (!passage(origin, direction, through)) {  // on a wall, going out
        const int axis = through.out_axis >= 0 ? through.out_axis : up_;
        return {Met::wall, 0, origin, towards(along(axis, 1), direction)};
    }
    const float end = through.out;
    const float solid = solid_crossing(origin, direction, 0, end);
    const float surface = liquid_.crossing(origin, direction, 0, solid, true);
    const float t = std::min(surface, solid);
    const Vec3f point = origin + direction * t;
    const bool on_floor = floor_ && through.out_axis == up_ && direction[up_] < 0;

    if (surface < solid) {
        if (has_solids() && solid_distance(point) < kFilm)
            return {Met::solid, t, point, solid_normal(point, direction)};
        if (floor_ && point[up_] < box_.lo[up_] + kFilm && direction[up_] < 0)
            return {Met::floor, t, point, along(up_, 1)};
        return {Met::surface, t, point, -liquid_normal(point, direction)};
    }
    if (solid < end) return {Met::solid, t, point, solid_normal(point, direction)};
    if (on_floor) return {Met::floor, t, point, along(up_, 1)};
    return {Met::wall, t, point, towards(along(through.out_axis, 1), direction)};
}

}  // namespace spindrift

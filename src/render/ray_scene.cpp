// SPDX-License-Identifier: Apache-2.0
#include "render/ray_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace spindrift {
namespace {

constexpr float kNowhere = std::numeric_limits<float>::infinity();
constexpr float kShell = 0.6F;    // cells; half a cell's diagonal would be 0.87, but no solid is that thin
constexpr float kTouch = 2e-3F;   // cells; nearer than this to a solid is on it
constexpr float kFilm = 0.75F;    // cells; air thinner than this between liquid and solid comes from the grid
constexpr float kBarely = 1e-3F;  // cells; a shorter way through the container is none

Vec3f towards(const Vec3f& normal, const Vec3f& direction) { return dot(normal, direction) > 0 ? -normal : normal; }

Vec3f along(int axis, float value) {
    Vec3f v;
    v[axis] = value;
    return v;
}

}  // namespace

RayScene::RayScene(const LiquidView3& view)
    : grid_(view.grid), up_(view.up_axis), floor_(view.floor), distance_(view.solid_distance) {
    CHECK(view.phi != nullptr && !view.phi->empty(), "a picture of a liquid without its field");
    CHECK(!view.container.empty() && view.grid.dx > 0, "a picture of a liquid without a container");

    // The cells of the container; one that only rounding adds does not count.
    const Vec<double, 3> lo = grid_.cell_from_world(view.container.lo), hi = grid_.cell_from_world(view.container.hi);
    const IndexBox<3> cells{map([](double c) { return static_cast<int>(std::floor(c + 1e-3)); }, lo),
                            map([](double c) { return static_cast<int>(std::ceil(c - 1e-3)); }, hi)};
    first_ = Vec<double, 3>(cells.lo);
    box_ = {Vec3f(lo - first_), Vec3f(hi - first_)};

    liquid_ = Bricks(*view.phi, cells, grid_.dx);
    if (distance_) solid_ = Bricks([this](const Vec3f& p) { return solid_distance(p) - kShell; }, cells.size());
}

float RayScene::solid_distance(const Vec3f& position) const {
    const Vec<double, 3> world = grid_.world_from_cell(Vec<double, 3>(position) + first_);
    return static_cast<float>(distance_(world) / grid_.dx);
}

// Differences over a small tetrahedron: four calls instead of six.
Vec3f RayScene::solid_normal(const Vec3f& position, const Vec3f& direction) const {
    constexpr float kReach = 0.03F;
    Vec3f gradient;
    for (const Vec3f& corner : {Vec3f(1, 1, 1), Vec3f(1, -1, -1), Vec3f(-1, 1, -1), Vec3f(-1, -1, 1)})
        gradient += corner * solid_distance(position + corner * kReach);
    const float size = length(gradient);
    return size > 0 ? towards(gradient / size, direction) : -direction;
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

bool RayScene::passage(const Vec3f& origin, const Vec3f& direction, Passage& through) const {
    through = {0, kNowhere, -1, -1};
    for (int a = 0; a < 3; ++a) {
        if (std::abs(direction[a]) < 1e-9F) {
            if (origin[a] < box_.lo[a] || origin[a] > box_.hi[a]) return false;
            continue;
        }
        const float low = (box_.lo[a] - origin[a]) / direction[a], high = (box_.hi[a] - origin[a]) / direction[a];
        if (std::min(low, high) > through.in) through.in = std::min(low, high), through.in_axis = a;
        if (std::max(low, high) < through.out) through.out = std::max(low, high), through.out_axis = a;
    }
    return through.out > through.in + kBarely;
}

// Bricks know the solid only on a lattice, which would cut its edges and lose what is thin.  They bring the ray to a
// shell around it; from there the true distance leads on.
float RayScene::solid_crossing(const Vec3f& origin, const Vec3f& direction, float t0, float t1) const {
    if (!distance_ || solid_.empty()) return t1;
    for (float t = t0; t < t1;) {
        if (solid_.value(origin + direction * t) > 0) t = solid_.crossing(origin, direction, t, t1, false);
        for (int step = 0; t < t1; ++step) {
            const float d = solid_distance(origin + direction * t);
            if (d < kTouch) return t;
            t += d;
            if (d > 2 * kShell || step > 64) break;
        }
    }
    return t1;
}

bool RayScene::holds_liquid(const Vec3f& position) const {
    for (int a = 0; a < 3; ++a)
        if (position[a] < box_.lo[a] || position[a] > box_.hi[a]) return false;
    return liquid_.value(position) < 0;
}

Hit RayScene::nearest(const Vec3f& origin, const Vec3f& direction, bool in_liquid) const {
    return in_liquid ? nearest_in_liquid(origin, direction) : nearest_in_air(origin, direction);
}

Hit RayScene::nearest_in_air(const Vec3f& origin, const Vec3f& direction) const {
    Hit hit{.t = kNowhere};
    if (floor_ && direction[up_] < 0 && origin[up_] > box_.lo[up_] - kBarely)
        hit = {Met::floor, std::max((box_.lo[up_] - origin[up_]) / direction[up_], 0.0F), {}, along(up_, 1)};

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
        if (distance_ && solid_distance(point) < kFilm) return {Met::solid, t, point, solid_normal(point, direction)};
        if (floor_ && point[up_] < box_.lo[up_] + kFilm && direction[up_] < 0)
            return {Met::floor, t, point, along(up_, 1)};
        return {Met::surface, t, point, -liquid_normal(point, direction)};
    }
    if (solid < end) return {Met::solid, t, point, solid_normal(point, direction)};
    if (on_floor) return {Met::floor, t, point, along(up_, 1)};
    return {Met::wall, t, point, towards(along(through.out_axis, 1), direction)};
}

}  // namespace spindrift

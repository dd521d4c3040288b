// SPDX-License-Identifier: Apache-2.0
#include "render/solid_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace spindrift {
namespace {

constexpr float kNowhere = std::numeric_limits<float>::infinity();
constexpr float kShell = 0.6F;    // cells; half a cell's diagonal would be 0.87, but no solid is that thin
constexpr float kTouch = 2e-3F;   // cells; nearer than this to a solid is on it
constexpr float kBarely = 1e-3F;  // cells; a shorter interval in the container counts as none

}  // namespace

SolidScene::SolidScene(const SolidView& view)
    : up_(view.up_axis), floor_(view.floor), grid_(view.grid), distance_(view.distance), normal_(view.normal) {
    CHECK(!view.container.empty() && view.grid.dx > 0, "a picture without a container");
    CHECK(up_ == 1 || up_ == 2, "the axis {} as up", up_);

    // The cells of the container; one that only rounding adds does not count.
    const Vec<double, 3> lo = grid_.cell_from_world(view.container.lo), hi = grid_.cell_from_world(view.container.hi);
    cells_ = {map([](double c) { return static_cast<int>(std::floor(c + 1e-3)); }, lo),
              map([](double c) { return static_cast<int>(std::ceil(c - 1e-3)); }, hi)};
    first_ = Vec<double, 3>(cells_.lo);
    box_ = {Vec3f(lo - first_), Vec3f(hi - first_)};
    if (view.sea_level) sea_ = static_cast<float>((*view.sea_level - view.container.lo[up_]) / grid_.dx) + box_.lo[up_];
    if (distance_) solid_ = Bricks([this](const Vec3f& p) { return solid_distance(p) - kShell; }, cells_.size());
}

float SolidScene::solid_distance(const Vec3f& position) const {
    const Vec<double, 3> world = grid_.world_from_cell(Vec<double, 3>(position) + first_);
    return static_cast<float>(distance_(world) / grid_.dx);
}

// Differences over a small tetrahedron: four calls instead of six.
Vec3f SolidScene::solid_gradient(const Vec3f& position) const {
    if (normal_) {
        const Vec3f normal(normal_(grid_.world_from_cell(Vec<double, 3>(position) + first_)));
        if (normal != Vec3f()) return normal;
    }
    constexpr float kReach = 0.03F;
    Vec3f gradient;
    for (const Vec3f& corner : {Vec3f(1, 1, 1), Vec3f(1, -1, -1), Vec3f(-1, 1, -1), Vec3f(-1, -1, 1)})
        gradient += corner * solid_distance(position + corner * kReach);
    const float size = length(gradient);
    return size > 0 ? gradient / size : Vec3f();
}

Vec3f SolidScene::solid_normal(const Vec3f& position, const Vec3f& direction) const {
    const Vec3f out = solid_gradient(position);
    return out == Vec3f() ? -direction : towards(out, direction);
}

bool SolidScene::clip_to_container(const Vec3f& origin, const Vec3f& direction, Interval& through) const {
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
float SolidScene::solid_crossing(const Vec3f& origin, const Vec3f& direction, float t0, float t1) const {
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

Hit SolidScene::floor_hit(const Vec3f& origin, const Vec3f& direction) const {
    if (sea_) return sea_hit(origin, direction);
    if (!floor_ || direction[up_] >= 0 || origin[up_] <= box_.lo[up_] - kBarely) return {.t = kNowhere};
    const float t = std::max((box_.lo[up_] - origin[up_]) / direction[up_], 0.0F);
    return {HitKind::floor, t, origin + direction * t, along(up_, 1)};
}

// The surface beside the container, seen from above; in the container its bottom, or the sea behind its sides.
Hit SolidScene::sea_hit(const Vec3f& origin, const Vec3f& direction) const {
    const bool is_everywhere = *sea_ <= box_.lo[up_] + kBarely;
    const float slope = direction[up_], above = origin[up_] - *sea_;
    const auto is_beside = [&](const Vec3f& p) {
        const int other = 3 - up_;
        return is_everywhere || p[0] < box_.lo[0] || p[0] > box_.hi[0] || p[other] < box_.lo[other] ||
               p[other] > box_.hi[other];
    };
    float t = 0;
    if (above > 0) {
        if (slope >= 0) return {.t = kNowhere};
        t = -above / slope;
        const Vec3f point = origin + direction * t;
        if (is_beside(point)) return {HitKind::sea, t, point, along(up_, 1)};
    } else if (is_beside(origin)) {
        return {HitKind::sea, 0, origin, -direction};
    }

    // In the container, below the level of the sea.
    float out = kNowhere;
    for (const int a : {0, 3 - up_})
        if (std::abs(direction[a]) > 1e-9F)
            out = std::min(out, ((direction[a] > 0 ? box_.hi[a] : box_.lo[a]) - origin[a]) / direction[a]);
    const float bottom = slope < 0 ? (box_.lo[up_] - origin[up_]) / slope : kNowhere;
    const float surface = slope > 0 ? -above / slope : kNowhere;
    if (surface < out) return {.t = kNowhere};
    const float end = std::max(std::min(out, bottom), t);
    const Vec3f point = origin + direction * end;
    if (bottom <= out) return {HitKind::floor, end, point, along(up_, 1)};
    return {HitKind::sea, end, point, -direction};
}

Hit SolidScene::nearest_solid(const Vec3f& origin, const Vec3f& direction) const {
    Hit hit = floor_hit(origin, direction);
    Interval through;
    if (!distance_ || !clip_to_container(origin, direction, through) || through.in >= hit.t) return hit;

    // From where the ray comes in: a float cannot count small steps from a camera far away.
    const Vec3f entry = origin + direction * through.in;
    const float end = std::min(through.out, hit.t) - through.in;
    const float t = solid_crossing(entry, direction, 0, end);
    if (t >= end) return hit;
    const bool cut_off = t == 0 && through.in_axis >= 0;
    const Vec3f at = entry + direction * t;
    return {HitKind::solid, through.in + t, at,
            cut_off ? towards(along(through.in_axis, 1), direction) : solid_normal(at, direction)};
}

}  // namespace spindrift

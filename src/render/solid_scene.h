// SPDX-License-Identifier: Apache-2.0
// What stands around in a picture: the container, solids inside it, and the floor under it.  Lengths are in cells,
// positions from the lower corner of the container's first cell.
#pragma once

#include <functional>
#include <optional>

#include "grid/transform.h"
#include "render/bricks.h"

namespace spindrift {

using Vec3f = Vec<float, 3>;

enum class HitKind { nothing, floor, sea, solid, surface, wall };

// The nearest thing along a ray.  A liquid ends at its surface, or flat at a wall of the container.
struct Hit {
    HitKind kind = HitKind::nothing;
    float t = 0;
    Vec3f point{};
    Vec3f normal{};  // against the ray
};

struct SolidView {
    GridTransform<3> grid;
    Box<double, 3> container;  // m
    // Signed distance to the solids, m, negative inside and nowhere farther from zero than the true distance; empty
    // when there are none.  It is called from many threads.
    std::function<double(const Vec<double, 3>&)> distance{};
    // Out of a solid at a place (m) on it, of length 1; where it is zero the slope of the distance serves.  May be
    // empty.
    std::function<Vec<double, 3>(const Vec<double, 3>&)> normal{};
    int up_axis = 1;    // 1 (y) or 2 (z)
    bool floor = true;  // a plane under the container
    // m, along up: there is water below this height beside the container, or everywhere if it lies no higher than that.
    std::optional<double> sea_level{};
};

class SolidScene {
  public:
    explicit SolidScene(const SolidView& view);

    // The floor or a solid, the container's inside being empty otherwise.
    Hit nearest_solid(const Vec3f& origin, const Vec3f& direction) const;

    Vec3f from_world(const Vec<double, 3>& world) const { return Vec3f(grid_.cell_from_world(world) - first_); }
    float cell() const { return static_cast<float>(grid_.dx); }
    const Box<float, 3>& container() const { return box_; }
    const IndexBox<3>& cells() const { return cells_; }  // of the container, in the grid
    int up_axis() const { return up_; }

    // Where a ray is in the container: from t[0], not below 0, to t[1]; entering and leaving through the sides across
    // these axes.  False when it is not.
    struct Interval {
        float in, out;
        int in_axis, out_axis;
    };
    bool clip_to_container(const Vec3f& origin, const Vec3f& direction, Interval& through) const;

  protected:
    bool has_solids() const { return static_cast<bool>(distance_); }
    float solid_distance(const Vec3f& position) const;
    // Out of the solid, of length 1; 0 where it has none.
    Vec3f solid_gradient(const Vec3f& position) const;
    Vec3f solid_normal(const Vec3f& position, const Vec3f& direction) const;
    // The first solid from t0 to t1; t1 where there is none.
    float solid_crossing(const Vec3f& origin, const Vec3f& direction, float t0, float t1) const;
    // The floor or the sea; nothing, if the ray does not reach them.
    Hit floor_hit(const Vec3f& origin, const Vec3f& direction) const;

    // Whether a place beside the container, or on its side, lies in the sea.
    bool is_below_sea(const Vec3f& place) const { return sea_ && place[up_] < *sea_; }

    Box<float, 3> box_;
    int up_;
    bool floor_;

  private:
    Hit sea_hit(const Vec3f& origin, const Vec3f& direction) const;

    std::optional<float> sea_;  // its level
    GridTransform<3> grid_;
    IndexBox<3> cells_;
    Vec<double, 3> first_;  // the corner from which positions count, in cells of the grid
    std::function<double(const Vec<double, 3>&)> distance_;
    std::function<Vec<double, 3>(const Vec<double, 3>&)> normal_;
    Bricks solid_;  // grown by a shell: see solid_crossing
};

// Against the ray.
inline Vec3f towards(const Vec3f& normal, const Vec3f& direction) {
    return dot(normal, direction) > 0 ? -normal : normal;
}
inline Vec3f along(int axis, float value) {
    Vec3f v;
    v[axis] = value;
    return v;
}

}  // namespace spindrift

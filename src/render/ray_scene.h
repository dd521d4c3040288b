// SPDX-License-Identifier: Apache-2.0
// What rays meet: the liquid clipped by its container, solids, and the floor.  Lengths are in cells, positions from the
// lower corner of the container's first cell.
#pragma once

#include "render/bricks.h"
#include "render/liquid_view.h"

namespace spindrift {

using Vec3f = Vec<float, 3>;

enum class Met { nothing, floor, solid, surface, wall };

// The nearest thing along a ray.  The liquid ends at its surface, or flat at a wall of the container.
struct Hit {
    Met met = Met::nothing;
    float t = 0;
    Vec3f point{};
    Vec3f normal{};  // against the ray
};

class RayScene {
  public:
    explicit RayScene(const LiquidView3& view);

    Hit nearest(const Vec3f& origin, const Vec3f& direction, bool in_liquid) const;
    // Whether a place is in the liquid.
    bool holds_liquid(const Vec3f& position) const;

    Vec3f from_world(const Vec<double, 3>& world) const { return Vec3f(grid_.cell_from_world(world) - first_); }
    float cell() const { return static_cast<float>(grid_.dx); }
    const Box<float, 3>& container() const { return box_; }
    int up_axis() const { return up_; }

    // Where a ray is in the container: from t[0], not below 0, to t[1]; entering and leaving through the sides across
    // these axes.  False when it is not.
    struct Passage {
        float in, out;
        int in_axis, out_axis;
    };
    bool passage(const Vec3f& origin, const Vec3f& direction, Passage& through) const;

  private:
    float solid_distance(const Vec3f& position) const;
    Vec3f solid_normal(const Vec3f& position, const Vec3f& direction) const;
    Vec3f liquid_normal(Vec3f position, const Vec3f& direction) const;
    float solid_crossing(const Vec3f& origin, const Vec3f& direction, float t0, float t1) const;
    Hit nearest_in_air(const Vec3f& origin, const Vec3f& direction) const;
    Hit nearest_in_liquid(const Vec3f& origin, const Vec3f& direction) const;

    GridTransform<3> grid_;
    Vec<double, 3> first_;  // the corner from which positions count, in cells of the grid
    Box<float, 3> box_;
    int up_;
    bool floor_;
    std::function<double(const Vec<double, 3>&)> distance_;
    Bricks liquid_;
    Bricks solid_;  // grown by a shell: see solid_crossing
};

}  // namespace spindrift

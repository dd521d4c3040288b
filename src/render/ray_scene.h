// SPDX-License-Identifier: Apache-2.0
// What rays meet: the liquid clipped by its container, drops of spray, solids, and the floor.
#pragma once

#include "render/bricks.h"
#include "render/drop_tree.h"
#include "render/liquid_view.h"
#include "render/solid_scene.h"

namespace spindrift {

class RayScene : public SolidScene {
  public:
    explicit RayScene(const LiquidView3& view);

    Hit nearest(const Vec3f& origin, const Vec3f& direction, bool in_liquid) const;
    // All drops of spray before t_end, through the air; in the liquid all bubbles.
    std::vector<DropTree::DropHit> drops_along(const DropTree::Cone& ray, float t_end, bool in_liquid) const;
    // How the liquid's normal differs at the offsets (cells) of a footprint on its surface.
    std::array<Vec3f, 2> turn_of_normal(const Vec3f& point, const Vec3f& normal,
                                        const std::array<Vec3f, 2>& offset) const;

    // Panes of glass before t_end, through the air: the last one first.
    struct Pane {
        float t;
        Vec3f normal;
    };
    std::vector<Pane> panes(const Vec3f& origin, const Vec3f& direction, float t_end) const;
    // Signed distance to solids of glass, cells; only its sign is right far from them.
    bool has_glass() const { return !glass_.empty(); }
    float glass_distance(const Vec3f& position) const { return glass_.value(position); }

    bool in_solid(const Vec3f& position) const { return has_solids() && solid_distance(position) < 0; }
    // Whether a place is in the liquid.
    bool holds_liquid(const Vec3f& position) const;

  private:
    Vec3f liquid_normal(Vec3f position, const Vec3f& direction) const;
    Hit nearest_in_air(const Vec3f& origin, const Vec3f& direction) const;
    Hit nearest_in_liquid(const Vec3f& origin, const Vec3f& direction) const;

    Bricks liquid_, glass_;
    DropTree drops_, bubbles_;
};

}  // namespace spindrift

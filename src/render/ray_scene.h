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
    // The first drop of spray before t_end, on a way through the air.
    std::optional<DropTree::Met> first_drop(const DropTree::Cone& ray, float t_end) const;
    // Whether a place is in the liquid.
    bool holds_liquid(const Vec3f& position) const;

  private:
    Vec3f liquid_normal(Vec3f position, const Vec3f& direction) const;
    Hit nearest_in_air(const Vec3f& origin, const Vec3f& direction) const;
    Hit nearest_in_liquid(const Vec3f& origin, const Vec3f& direction) const;

    Bricks liquid_;
    DropTree drops_;
};

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// A signed distance made ready for rays.  Where its surface passes, values are kept in bricks of 8 cells a side with
// the neighbours that interpolation needs; everywhere else only the distance to the nearest brick is known, so that
// rays jump over what is empty or full.  Inside a brick they take steps of the distance [Hart96]; the surface is the
// zero of the trilinear interpolant, its normal the gradient of the cubic B-spline through the same values, which does
// not show the cells.
//
// Positions are in cells from the lower corner of a box of cells.  Beyond the box values go on along straight lines:
// a surface that meets a wall reaches it, whatever the field holds on the other side.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/memory.h"
#include "grid/field.h"
#include "render/brick_grid.h"

namespace spindrift {

class Bricks {
  public:
    using Vec3f = Vec<float, 3>;

    Bricks() = default;
    // A field of distances in metres.
    Bricks(const Field<float, 3>& field, const IndexBox<3>& cells, double dx);
    // distance(position) in cells; nowhere farther from zero than the true distance.  It is called from many threads.
    Bricks(const std::function<float(const Vec3f&)>& distance, const Index<3>& size);

    bool empty() const { return count_ == 0; }

    // Cells; beyond all bricks some value of the right sign.
    float value(const Vec3f& position) const;
    // Per cell, not normalised; zero beyond all bricks.  The smooth one is for shading; that of the surface itself has
    // steps between cells.
    Vec3f gradient(const Vec3f& position) const;
    Vec3f linear_gradient(const Vec3f& position) const;

    // The first change of sign along origin + t direction, from t0 to t1; t1 where there is none.  `inside` says on
    // which side the ray starts: rounding may put its origin on the other.
    float crossing(const Vec3f& origin, const Vec3f& direction, float t0, float t1, bool inside) const;

  private:
    static constexpr int kSide = kBrickSide;
    static constexpr int kNodes = kSide + 3;  // one before, two after
    static constexpr int kBrickNodes = kNodes * kNodes * kNodes;
    struct Block;

    // gather(brick, block) fills the block, or returns the sign of a brick that has no surface.
    template <class Gather>
    void build(const Index<3>& size, Gather&& gather);

    // The brick of a place given in nodes, and where in it the place lies.
    Index<3> locate(const Vec3f& nodes, Vec3f& local) const;
    float linear(std::int32_t brick, const Vec3f& local) const;
    float refined(const Vec3f& origin, const Vec3f& direction, Vec<float, 2> t, Vec<float, 2> f, float side) const;

    BrickGrid brick_grid_;
    std::vector<std::int8_t> signs_;  // of places without a brick
    Buffer<float> values_;
    int count_ = 0;
};

}  // namespace spindrift

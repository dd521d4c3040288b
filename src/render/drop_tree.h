// SPDX-License-Identifier: Apache-2.0
// Drops of spray made ready for rays: balls, stretched along their path while the shutter is open, in a tree of boxes.
//
// A drop much smaller than a pixel would be met by chance, and flicker in a film.  Rays therefore have a width: a drop
// narrower than that counts as one as wide, through which the background shows.  So does a moving drop, which is at
// each place for part of the time: however wide or long it is drawn, it covers as much as its disc.
#pragma once

#include <cstdint>
#include <vector>

#include "base/vec.h"

namespace spindrift {

class DropTree {
  public:
    using Vec3f = Vec<float, 3>;

    struct Ball {
        Vec3f centre;
        float radius = 0;
        Vec3f streak{};   // path while the shutter is open; `centre` is in the middle of it
        float count = 1;  // of balls like it, where it stands for several
        bool is_white = false;
    };

    DropTree() = default;
    explicit DropTree(std::vector<Ball> balls);

    bool empty() const { return balls_.empty(); }

    // origin + t direction, half as wide as half_width + spread t.
    struct Cone {
        Vec3f origin, direction;
        float half_width = 0, spread = 0;
    };
    struct DropHit {
        float t = 0;
        Ball ball{};      // as wide as the ray at least, where it is nearest to the ray
        float cover = 1;  // of the ray, by the true drops, on average
    };
    // All balls that the ray enters from 0 to t1, the nearest first.
    std::vector<DropHit> along(const Cone& ray, float t1) const;

  private:
    // Children are next to each other; a leaf has balls instead.
    struct Node {
        Box<float, 3> box{};
        std::uint32_t first = 0;  // child or ball
        std::uint32_t count = 0;  // of balls; 0 when it has children
    };
    void build(std::uint32_t node, std::uint32_t begin, std::uint32_t end);

    std::vector<Ball> balls_;
    std::vector<Node> nodes_;
};

}  // namespace spindrift

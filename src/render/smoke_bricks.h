// SPDX-License-Identifier: Apache-2.0
// Smoke made ready for rays.  Where there is some, what it stops per cell is kept in bricks of 8 cells a side and the
// cells around them, so that interpolation stays inside a brick; rays jump over everything else, so that a picture
// costs what the smoke costs.
//
// A texture changes the smoke between the cells.  Its coordinates are kept in the bricks, too.
//
// Positions are in cells from the lower corner of a box of cells.  Values belong to the middles of cells; beyond a side
// of the box they stay what they are, but fade to nothing before an open side.
#pragma once

#include <array>
#include <cstring>
#include <optional>

#include "base/memory.h"
#include "render/brick_grid.h"
#include "render/smoke_view.h"
#include "render/solid_scene.h"

namespace spindrift {

// Reads cells one after the other; those of one tile without a search.
class TileReader {
  public:
    explicit TileReader(const Field<float, 3>& field) : field_(field) {}
    SPINDRIFT_INLINE float operator()(const Index<3>& cell) {
        const Index<3> tile = tile_of_cell(cell);
        if (!started_ || tile != tile_) {
            const Slot slot = field_.tiles().find(tile);
            values_ = slot == kNoTile ? nullptr : field_.tile(slot);
            tile_ = tile;
            started_ = true;
        }
        return values_ == nullptr ? field_.background() : values_[offset_in_tile(cell)];
    }

  private:
    const Field<float, 3>& field_;
    const float* values_ = nullptr;
    Index<3> tile_{};
    bool started_ = false;
};

class SmokeBricks {
  public:
    static constexpr int kNodes = kBrickSide + 2;
    static constexpr int kBrickNodes = kNodes * kNodes * kNodes;

    SmokeBricks(const SmokeView3& view, const IndexBox<3>& cells);

    std::size_t count() const { return kept_.size(); }
    // What a brick's node stops, per cell.
    const float* extinction(std::size_t brick) const { return extinction_.data() + brick * kBrickNodes; }
    // The cell that a brick's node belongs to, from the box's lower corner; nodes beyond the box share its last cells.
    Index<3> cell_of_node(std::size_t brick, int node) const;
    // Whether a node is one of the brick's own, not one of those around it.
    static bool is_inner(int node);
    // Where the own node of a cell is kept: brick times kBrickNodes plus node.  Nothing where there is no brick.
    std::optional<std::size_t> inner_node(const Index<3>& cell) const;
    // How much of a node's smoke is left before open sides, 0 to 1.
    float fade(std::size_t brick, int node) const;

    // Where in a brick a place lies, for linear interpolation: the node below it, and the part of a cell beyond that
    // node.
    struct Spot {
        int node;
        Vec3f t;
    };
    static SPINDRIFT_INLINE Spot locate(const Vec3f& local) {
        Spot spot{0, {}};
        for (int a = 0; a < 3; ++a) {
            const float at = std::clamp(local[a] + 0.5F, 0.0F, static_cast<float>(kNodes - 1));
            const int below = std::min(static_cast<int>(at), kNodes - 2);
            spot.node = spot.node * kNodes + below;
            spot.t[a] = at - static_cast<float>(below);
        }
        return spot;
    }

    // The same for the quadratic B-spline, which has no kinks: the first of three nodes along each axis, and weights.
    struct SmoothSpot {
        int node;
        std::array<std::array<float, 3>, 3> weights;
    };
    static SPINDRIFT_INLINE SmoothSpot locate_smooth(const Vec3f& local) {
        SmoothSpot spot{0, {}};
        for (int a = 0; a < 3; ++a) {
            const float at = std::clamp(local[a], 0.0F, static_cast<float>(kBrickSide));
            const int cell = std::min(static_cast<int>(at), kBrickSide - 1);
            const float t = at - static_cast<float>(cell), low = 0.5F * (1 - t) * (1 - t), high = 0.5F * t * t;
            spot.node = spot.node * kNodes + cell;
            spot.weights[static_cast<std::size_t>(a)] = {low, 1 - low - high, high};
        }
        return spot;
    }

    // What a texture makes of the smoke at a place in a brick: a factor.
    bool has_texture() const { return texture_.is_there(); }
    float texture_factor(std::size_t brick, const Spot& spot, const Vec3f& position) const;

    // ∫ extinction along a ray from its origin to the end of the box: the light left is exp(−depth).
    float depth(const Vec3f& origin, const Vec3f& direction) const;

    // Calls f(brick, base, t0, t1) for each brick between t0 and t1 in order, until it returns false.  In the brick, a
    // ray is at base + t direction, counted from its lower corner.
    template <class F>
    void walk(const Vec3f& origin, const Vec3f& direction, float t0, float t1, F&& f) const {
        if (kept_.empty()) return;
        const BrickRay ray(origin, direction);
        for (float t = t0; t < t1;) {
            Index<3> brick;
            for (int a = 0; a < 3; ++a)
                brick[a] = std::clamp(static_cast<int>((origin[a] + direction[a] * t) * (1.0F / kBrickSide)), 0,
                                      brick_grid_.size[a] - 1);
            const std::int32_t entry = brick_grid_.entries[brick_grid_.index(brick)];
            const Index<3> reach(entry < 0 ? -entry : 1);
            const float out =
                std::min(std::max(ray.exit(brick - reach + Index<3>(1), brick + reach, t1), t) + kBrickNudge, t1);
            if (entry >= 0 && !f(static_cast<std::size_t>(entry), origin - Vec3f(brick * kBrickSide), t, out)) return;
            t = out;
        }
    }

  private:
    void find_bricks(const SmokeView3& view);
    static constexpr int kDisplacementLanes = 4, kContrastLane = 3;  // three axes, and how much of the pattern shows
    std::size_t displacements_per_node() const { return texture_.weights.size() * kDisplacementLanes; }
    void gather(const SmokeView3& view, std::size_t brick);
    void gather_displacements(std::size_t brick);

    IndexBox<3> cells_;
    float cell_;  // m
    std::array<bool, 6> open_sides_;
    BrickGrid brick_grid_;
    std::vector<std::size_t> kept_;  // the place of each brick
    Buffer<float> extinction_;
    AdvectedTexture<3> texture_;
    Buffer<float> displacements_;  // of the texture: for each node a row for each set
};

}  // namespace spindrift

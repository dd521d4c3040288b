// SPDX-License-Identifier: Apache-2.0
#include "render/bricks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.h"
#include "base/simd.h"

namespace spindrift {
namespace {

constexpr std::size_t kBricksPerBlock = 16;
constexpr float kMinStep = 0.15F;         // cells; what keeps a grazing ray from standing still
constexpr float kStartTolerance = 0.25F;  // cells; how far a ray may seem to be on the wrong side where it starts

// Weights of the uniform cubic B-spline at a part t of a cell, and their derivatives.
struct SplineWeights {
    std::array<float, 4> value, slope;
    explicit SplineWeights(float t) {
        const float u = 1 - t;
        value = {u * u * u / 6, (4 - 3 * t * t * (2 - t)) / 6, (4 - 3 * u * u * (2 - u)) / 6, t * t * t / 6};
        slope = {-0.5F * u * u, t * (1.5F * t - 2), -u * (1.5F * u - 2), 0.5F * t * t};
    }
};

}  // namespace

// Numbered from the node one before the brick.
struct Bricks::Block {
    std::array<float, kBrickNodes> values;

    static std::size_t offset(int x, int y, int z) { return static_cast<std::size_t>((x * kNodes + y) * kNodes + z); }

    // Whether the nodes that linear interpolation uses have both signs; if not, which.
    bool has_surface(std::int8_t& sign) const {
        bool below = false, above = false;
        for (int x = 1; x <= kSide + 1; ++x)
            for (int y = 1; y <= kSide + 1; ++y)
                for (int z = 1; z <= kSide + 1; ++z) {
                    const bool negative = values[offset(x, y, z)] < 0;
                    below |= negative;
                    above |= !negative;
                }
        sign = below ? -1 : 1;
        return below && above;
    }

    // Continues along straight lines beyond the nodes first to last of an axis; with a single one, as a constant.
    void extend(int axis, int first, int last) {
        const int stride = axis == 0 ? kNodes * kNodes : axis == 1 ? kNodes : 1;
        const int other = axis == 0 ? kNodes : kNodes * kNodes;
        const int third = axis == 2 ? kNodes : 1;
        const int inward = last > first ? 1 : 0;
        for (int i = 0; i < kNodes; ++i)
            for (int j = 0; j < kNodes; ++j) {
                float* line = &values[static_cast<std::size_t>(i * other + j * third)];
                const auto at = [&](int n) -> float& { return line[n * stride]; };
                for (int n = first - 1; n >= 0; --n)
                    at(n) = at(first) + static_cast<float>(first - n) * (at(first) - at(first + inward));
                for (int n = last + 1; n < kNodes; ++n)
                    at(n) = at(last) + static_cast<float>(n - last) * (at(last) - at(last - inward));
            }
    }
};

// Node n lies at n - 0.5 and belongs to the cell n - 1 of the box: half a cell beyond the box there are still nodes.
Bricks::Bricks(const Field<float, 3>& field, const IndexBox<3>& cells, double dx) {
    const Tiles<3>& tiles = field.tiles();
    const auto per_cell = static_cast<float>(1 / dx);
    build(cells.size(), [&](const Index<3>& brick, Block& block) {
        // Where along each axis the nodes are found; at most three tiles.
        const Index<3> first = cells.lo + brick * kSide - Index<3>(2);
        std::array<std::array<int, kNodes>, 3> cell;
        for (int a = 0; a < 3; ++a)
            for (int n = 0; n < kNodes; ++n)
                cell[static_cast<std::size_t>(a)][static_cast<std::size_t>(n)] =
                    std::clamp(first[a] + n, cells.lo[a], cells.hi[a] - 1);
        const Index<3> tile = tile_of_cell(Index<3>(cell[0][0], cell[1][0], cell[2][0]));
        std::array<const float*, 27> sources{};
        for_each_index(IndexBox<3>{Index<3>(0), Index<3>(3)}, [&](const Index<3>& step) {
            const Slot slot = tiles.find(tile + step);
            if (slot != kNoTile)
                sources[static_cast<std::size_t>((step[0] * 3 + step[1]) * 3 + step[2])] = field.tile(slot);
        });

        float* out = block.values.data();
        for (const int x : cell[0])
            for (const int y : cell[1])
                for (const int z : cell[2]) {
                    const Index<3> c(x, y, z);
                    const Index<3> step = tile_of_cell(c) - tile;
                    const float* source = sources[static_cast<std::size_t>((step[0] * 3 + step[1]) * 3 + step[2])];
                    const float v = source == nullptr ? field.background() : source[offset_in_tile(c)];
                    *out++ = (std::isfinite(v) ? v : field.background()) * per_cell;
                }
        for (int a = 0; a < 3; ++a) {
            const int lo = std::clamp(cells.lo[a] - first[a], 0, kNodes - 1);
            block.extend(a, lo, std::clamp(cells.hi[a] - 1 - first[a], lo, kNodes - 1));
        }
        return std::int8_t{0};
    });
}

Bricks::Bricks(const std::function<float(const Vec3f&)>& distance, const Index<3>& size) {
    build(size, [&](const Index<3>& brick, Block& block) {
        // A surface farther from the middle than the corners are does not pass through.
        const Vec3f first = Vec3f(brick * kSide) - Vec3f(1.5F);
        const float middle = distance(first + Vec3f(1 + 0.5F * kSide));
        constexpr float kHalfDiagonal = 0.5F * kSide * 1.7321F;
        if (std::abs(middle) > kHalfDiagonal) return static_cast<std::int8_t>(middle < 0 ? -1 : 1);

        float* out = block.values.data();
        for_each_index(IndexBox<3>{Index<3>(0), Index<3>(kNodes)},
                       [&](const Index<3>& n) { *out++ = distance(first + Vec3f(n)); });
        return std::int8_t{0};
    });
}

template <class Gather>
void Bricks::build(const Index<3>& size, Gather&& gather) {
    brick_grid_.size = map([](int n) { return n / kSide + 1; }, size);
    const auto places = static_cast<std::size_t>(product(brick_grid_.size));
    brick_grid_.entries.assign(places, -kFarBrick);
    signs_.assign(places, 1);

    // Find the bricks with a surface, number them in order, and keep their values.
    parallel_ranges(places, kBricksPerBlock, [&](std::size_t begin, std::size_t end) {
        Block block;
        for (std::size_t place = begin; place < end; ++place) {
            signs_[place] = gather(brick_grid_.brick_at(place), block);
            if (signs_[place] == 0 && block.has_surface(signs_[place])) brick_grid_.entries[place] = 0;
        }
    });
    const std::vector<std::size_t> kept = brick_grid_.number_bricks();
    count_ = static_cast<int>(kept.size());
    values_ = Buffer<float>(kept.size() * kBrickNodes);
    parallel_ranges(kept.size(), kBricksPerBlock, [&](std::size_t begin, std::size_t end) {
        Block block;
        for (std::size_t i = begin; i < end; ++i) {
            gather(brick_grid_.brick_at(kept[i]), block);
            std::copy(block.values.begin(), block.values.end(), values_.data() + i * kBrickNodes);
        }
    });
    brick_grid_.find_distances();
}

SPINDRIFT_INLINE Index<3> Bricks::locate(const Vec3f& nodes, Vec3f& local) const {
    Index<3> brick;
    for (int a = 0; a < 3; ++a) {
        brick[a] = std::clamp(static_cast<int>(nodes[a] * (1.0F / kSide)), 0, brick_grid_.size[a] - 1);
        local[a] = std::clamp(nodes[a] - static_cast<float>(brick[a] * kSide), 0.0F, static_cast<float>(kSide));
    }
    return brick;
}

SPINDRIFT_INLINE float Bricks::linear(std::int32_t brick, const Vec3f& local) const {
    Index<3> cell;
    Vec3f t;
    for (int a = 0; a < 3; ++a) {
        cell[a] = std::min(static_cast<int>(local[a]), kSide - 1);
        t[a] = local[a] - static_cast<float>(cell[a]);
    }
    const float* v = values_.data() + static_cast<std::size_t>(brick) * kBrickNodes +
                     Block::offset(cell[0] + 1, cell[1] + 1, cell[2] + 1);
    const auto along_z = [&](const float* p) { return p[0] + t[2] * (p[1] - p[0]); };
    const auto along_y = [&](const float* p) {
        const float low = along_z(p);
        return low + t[1] * (along_z(p + kNodes) - low);
    };
    const float low = along_y(v);
    return low + t[0] * (along_y(v + kNodes * kNodes) - low);
}

float Bricks::value(const Vec3f& position) const {
    Vec3f local;
    const std::size_t place = brick_grid_.index(locate(position + Vec3f(0.5F), local));
    return brick_grid_.entries[place] >= 0 ? linear(brick_grid_.entries[place], local)
                                           : static_cast<float>(signs_[place] * kSide);
}

Bricks::Vec3f Bricks::gradient(const Vec3f& position) const {
    Vec3f local;
    const std::int32_t brick = brick_grid_.entries[brick_grid_.index(locate(position + Vec3f(0.5F), local))];
    if (brick < 0) return {};
    Index<3> cell;
    for (int a = 0; a < 3; ++a) cell[a] = std::min(static_cast<int>(local[a]), kSide - 1);
    const SplineWeights wx(local[0] - static_cast<float>(cell[0]));
    const SplineWeights wy(local[1] - static_cast<float>(cell[1]));
    const SplineWeights wz(local[2] - static_cast<float>(cell[2]));

    const float* v =
        values_.data() + static_cast<std::size_t>(brick) * kBrickNodes + Block::offset(cell[0], cell[1], cell[2]);
    Vec3f gradient;
    for (std::size_t i = 0; i < 4; ++i) {
        float plane = 0, along_y = 0, along_z = 0;
        for (std::size_t j = 0; j < 4; ++j) {
            const float* p = v + (i * kNodes + j) * kNodes;
            const float row = wz.value[0] * p[0] + wz.value[1] * p[1] + wz.value[2] * p[2] + wz.value[3] * p[3];
            const float tilt = wz.slope[0] * p[0] + wz.slope[1] * p[1] + wz.slope[2] * p[2] + wz.slope[3] * p[3];
            plane += wy.value[j] * row;
            along_y += wy.slope[j] * row;
            along_z += wy.value[j] * tilt;
        }
        gradient += Vec3f(wx.slope[i] * plane, wx.value[i] * along_y, wx.value[i] * along_z);
    }
    return gradient;
}

Bricks::Vec3f Bricks::linear_gradient(const Vec3f& position) const {
    Vec3f local;
    const std::int32_t brick = brick_grid_.entries[brick_grid_.index(locate(position + Vec3f(0.5F), local))];
    if (brick < 0) return {};
    Vec3f gradient;
    for (int a = 0; a < 3; ++a) {
        // Linear along the axis: the difference between the cell's two sides.
        Vec3f low = local, high = local;
        low[a] = static_cast<float>(std::min(static_cast<int>(local[a]), kSide - 1));
        high[a] = low[a] + 1;
        gradient[a] = linear(brick, high) - linear(brick, low);
    }
    return gradient;
}

// Between t[0] and t[1], where f is positive and not: false position, halving the weight of an end that stays
// (Illinois).
float Bricks::refined(const Vec3f& origin, const Vec3f& direction, Vec<float, 2> t, Vec<float, 2> f, float side) const {
    float at = t[1];
    int last = -1;
    for (int i = 0; i < 6; ++i) {
        at = t[0] + (t[1] - t[0]) * (f[0] / (f[0] - f[1]));
        const float here = side * value(origin + direction * at);
        if (std::abs(here) < 1e-4F) break;
        const int end = here > 0 ? 0 : 1;
        t[end] = at;
        f[end] = here;
        if (end == last) f[1 - end] *= 0.5F;
        last = end;
    }
    return at;
}

float Bricks::crossing(const Vec3f& origin, const Vec3f& direction, float t0, float t1, bool inside) const {
    if (count_ == 0 && (!signs_.empty() && signs_[0] < 0) == inside) return t1;
    const float side = inside ? -1.0F : 1.0F;  // makes the distance positive where the ray is
    const Vec3f start = origin + Vec3f(0.5F);
    const BrickRay ray(start, direction);

    bool started = false;  // whether the ray was seen on its own side
    Vec<float, 2> before;  // the last place there: t and the distance
    for (float t = t0; t < t1;) {
        Vec3f local;
        const Index<3> brick = locate(start + direction * t, local);
        const std::size_t place = brick_grid_.index(brick);
        const std::int32_t entry = brick_grid_.entries[place];
        if (entry < 0) {
            if (static_cast<float>(signs_[place]) * side < 0 && t > t0 + kStartTolerance) return started ? t : t0;
            // At the side of a brick with a surface the distance is positive still, if only just.
            started = true;
            before = {std::max(ray.exit(brick + Index<3>(entry + 1), brick - Index<3>(entry), t1), t), kBrickNudge};
            t = before[0] + kBrickNudge;
            continue;
        }
        // March through the brick; a step never passes over the next.
        const float out = std::min(std::max(ray.exit(brick, brick + Index<3>(1), t1), t) + kBrickNudge, t1);
        const Vec3f base = start - Vec3f(brick * kSide);
        while (t < out) {
            local = max(min(base + direction * t, Vec3f(static_cast<float>(kSide))), Vec3f(0.0F));
            const float f = side * linear(entry, local);
            if (f > 0) {
                started = true;
                before = {t, f};
                t += std::max(0.9F * f, kMinStep);
            } else if (started) {
                return refined(origin, direction, {before[0], t}, {before[1], f}, side);
            } else if (t > t0 + kStartTolerance) {
                return t0;
            } else {
                t += 0.3F * kStartTolerance;
            }
        }
        t = out;
    }

    // The last step may have passed over the end.
    const float f = side * value(origin + direction * t1);
    return started && f < 0 ? refined(origin, direction, {before[0], t1}, {before[1], f}, side) : t1;
}

}  // namespace spindrift

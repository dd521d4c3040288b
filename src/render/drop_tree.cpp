// SPDX-License-Identifier: Apache-2.0
#include "render/drop_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace spindrift {
namespace {

using Vec3f = Vec<float, 3>;
constexpr std::uint32_t kLeaf = 4;  // balls at most
constexpr std::size_t kDeepest = 64;

int widest_axis(const Vec3f& size) { return size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2; }

// Whether the ray comes nearer than `margin` to the box before t1.
bool passes(const Box<float, 3>& box, const DropTree::Cone& ray, const Vec3f& inverse, float margin, float t1) {
    float in = 0, out = t1;
    for (int a = 0; a < 3; ++a) {
        const float low = (box.lo[a] - margin - ray.origin[a]) * inverse[a];
        const float high = (box.hi[a] + margin - ray.origin[a]) * inverse[a];
        in = std::max(in, std::min(low, high));
        out = std::min(out, std::max(low, high));
    }
    return in <= out;
}

std::optional<DropTree::DropHit> meeting(const DropTree::Ball& ball, const DropTree::Cone& ray) {
    // Where on its path it is nearest to the ray: only the part of the path across.
    Vec3f centre = ball.centre;
    const Vec3f across = ball.streak - ray.direction * dot(ball.streak, ray.direction);
    const float square = dot(across, across);
    if (square > 0) {
        const float part = dot(ray.origin - centre, across) / square;
        centre += ball.streak * std::clamp(part, -0.5F, 0.5F);
    }
    const Vec3f offset = centre - ray.origin;
    const float nearest = dot(offset, ray.direction);
    if (nearest <= 0) return std::nullopt;
    const float wide = std::max(ball.radius, ray.half_width + ray.spread * nearest);
    const Vec3f aside = offset - ray.direction * nearest;
    const float half_square = wide * wide - dot(aside, aside);
    if (half_square <= 0) return std::nullopt;
    const float t = nearest - std::sqrt(half_square);
    if (t < 0) return std::nullopt;
    // Its discs by the area that is drawn: two half discs and what is between them.
    const auto pi = static_cast<float>(M_PI);
    const float drawn = pi * wide * wide + 2 * wide * std::sqrt(square);
    const float cover = ball.count * pi * ball.radius * ball.radius / drawn;
    return DropTree::DropHit{t, {.centre = centre, .radius = wide, .is_white = ball.is_white}, std::min(cover, 1.0F)};
}

}  // namespace

DropTree::DropTree(std::vector<Ball> balls) : balls_(std::move(balls)) {
    if (balls_.empty()) return;
    nodes_.emplace_back();
    build(0, 0, static_cast<std::uint32_t>(balls_.size()));
}

void DropTree::build(std::uint32_t node, std::uint32_t begin, std::uint32_t end) {
    Box<float, 3> centres{balls_[begin].centre, balls_[begin].centre}, box = centres;
    for (std::uint32_t n = begin; n < end; ++n) {
        const Ball& ball = balls_[n];
        centres = {min(centres.lo, ball.centre), max(centres.hi, ball.centre)};
        const Vec3f reach = map([&](float streak) { return ball.radius + 0.5F * std::abs(streak); }, ball.streak);
        box = {min(box.lo, ball.centre - reach), max(box.hi, ball.centre + reach)};
    }
    nodes_[node].box = box;
    if (end - begin <= kLeaf) {
        nodes_[node].first = begin;
        nodes_[node].count = end - begin;
        return;
    }
    const int axis = widest_axis(centres.size());
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(balls_.begin() + begin, balls_.begin() + middle, balls_.begin() + end,
                     [axis](const Ball& a, const Ball& b) { return a.centre[axis] < b.centre[axis]; });
    const auto child = static_cast<std::uint32_t>(nodes_.size());
    nodes_[node].first = child;
    nodes_.resize(nodes_.size() + 2);
    build(child, begin, middle);
    build(child + 1, middle, end);
}

std::vector<DropTree::DropHit> DropTree::along(const Cone& ray, float t1) const {
    std::vector<DropHit> hits;
    if (empty()) return hits;
    const Vec3f inverse =
        map([](float d) { return 1 / (std::abs(d) < 1e-12F ? std::copysign(1e-12F, d) : d); }, ray.direction);
    const float margin = ray.half_width + ray.spread * t1;
    std::array<std::uint32_t, kDeepest> open{};
    std::size_t count = 1;
    while (count > 0) {
        const Node& node = nodes_[open[--count]];
        if (!passes(node.box, ray, inverse, margin, t1)) continue;
        if (node.count == 0) {
            open[count++] = node.first + 1;
            open[count++] = node.first;
        }
        for (std::uint32_t n = node.first; n < node.first + node.count; ++n)
            if (const auto met = meeting(balls_[n], ray); met && met->t < t1) hits.push_back(*met);
    }
    std::sort(hits.begin(), hits.end(), [](const DropHit& a, const DropHit& b) { return a.t < b.t; });
    return hits;
}

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
#include "render/smoke_bricks.h"

#include "base/check.h"
#include "base/parallel.h"

namespace spindrift {
namespace {

constexpr float kFaint = 2e-4F;     // of the light, over the whole box: what stops less cannot be visible
constexpr float kDark = 14;         // a depth after which nothing is left
constexpr float kDepthStep = 1.0F;  // cells
constexpr float kFade = 5;          // cells before an open side
constexpr std::size_t kBricksPerBlock = 8;

}  // namespace

SmokeBricks::SmokeBricks(const SmokeView3& view, const IndexBox<3>& cells)
    : cells_(cells), cell_(static_cast<float>(view.grid.dx)), open_sides_(view.open_sides), texture_(view.texture) {
    brick_grid_.size = map([](int n) { return (n + kBrickSide - 1) / kBrickSide; }, cells.size());
    find_bricks(view);
    kept_ = brick_grid_.number_bricks();
    brick_grid_.find_distances();
    extinction_ = Buffer<float>(kept_.size() * kBrickNodes);
    if (has_texture()) displacements_ = Buffer<float>(kept_.size() * kBrickNodes * displacements_per_node());
    parallel_ranges(kept_.size(), kBricksPerBlock, [&](std::size_t begin, std::size_t end) {
        for (std::size_t brick = begin; brick < end; ++brick) {
            gather_displacements(brick);
            gather(view, brick);
        }
    });
}

// Marks the bricks of cells with something to see, and of those beside them: interpolation reaches a cell far.
void SmokeBricks::find_bricks(const SmokeView3& view) {
    brick_grid_.entries.assign(static_cast<std::size_t>(product(brick_grid_.size)), -kFarBrick);
    const Vec3f size(cells_.size());
    const auto mark = [&](const Field<float, 3>& field, float ambient, float least) {
        const Tiles<3>& tiles = field.tiles();
        std::vector<IndexBox<3>> visible(tiles.count());  // around the cells of each tile that are visible
        for_each_tile(tiles, [&](Slot slot) {
            const float* v = field.tile(slot);
            const Index<3> origin = tiles.origin(slot) - cells_.lo;
            IndexBox<3> box{Index<3>(std::numeric_limits<int>::max()), Index<3>(std::numeric_limits<int>::min())};
            for (int n = 0; n < kTileCells<3>; ++n)
                if (v[n] - ambient > least) {
                    const Index<3> cell = origin + cell_in_tile<3>(n);
                    box = {min(box.lo, cell), max(box.hi, cell + Index<3>(1))};
                }
            visible[static_cast<std::size_t>(slot)] = box;
        });
        for (const IndexBox<3>& box : visible) {
            if (box.empty()) continue;
            IndexBox<3> bricks{max(box.lo - Index<3>(1), Index<3>(0)), min(box.hi + Index<3>(1), cells_.size())};
            if (bricks.empty()) continue;
            bricks = {bricks.lo / kBrickSide, (bricks.hi - Index<3>(1)) / kBrickSide + Index<3>(1)};
            for_each_index(bricks, [&](const Index<3>& b) { brick_grid_.entries[brick_grid_.index(b)] = 0; });
        }
    };
    for (const SmokeLayer& layer : view.layers)
        if (layer.opacity > 0) mark(*layer.field, layer.ambient, kFaint / (layer.opacity * cell_ * length(size)));
    // Black bodies below a third of the temperature of a bright one are dark.
    if (view.glow.field != nullptr && view.glow.strength > 0) mark(*view.glow.field, view.glow.ambient, 0.3F);
}

namespace {

constexpr int kN = SmokeBricks::kNodes;

// From the brick's lower corner: -1 to its side.
Index<3> cell_in_brick(int node) { return {node / (kN * kN) - 1, node / kN % kN - 1, node % kN - 1}; }

}  // namespace

Index<3> SmokeBricks::cell_of_node(std::size_t brick, int node) const {
    const Index<3> cell = brick_grid_.brick_at(kept_[brick]) * kBrickSide + cell_in_brick(node);
    return max(min(cell, cells_.size() - Index<3>(1)), Index<3>(0));
}

bool SmokeBricks::is_inner(int node) {
    return IndexBox<3>{Index<3>(0), Index<3>(kBrickSide)}.contains(cell_in_brick(node));
}

std::optional<std::size_t> SmokeBricks::inner_node(const Index<3>& cell) const {
    const std::int32_t entry = brick_grid_.entries[brick_grid_.index(cell / kBrickSide)];
    if (entry < 0) return std::nullopt;
    const Index<3> in_brick = cell - cell / kBrickSide * kBrickSide + Index<3>(1);
    const int node = (in_brick[0] * kNodes + in_brick[1]) * kNodes + in_brick[2];
    return static_cast<std::size_t>(entry) * kBrickNodes + static_cast<std::size_t>(node);
}

float SmokeBricks::fade(std::size_t brick, int node) const {
    const Index<3> cell = brick_grid_.brick_at(kept_[brick]) * kBrickSide + cell_in_brick(node);
    float left = 1;
    for (int a = 0; a < 3; ++a) {
        const int count = cells_.size()[a];
        const float over = std::min(kFade, 0.25F * static_cast<float>(count));
        for (const bool upper : {false, true}) {
            if (!open_sides_[static_cast<std::size_t>(2 * a + (upper ? 1 : 0))]) continue;
            const float away = static_cast<float>(upper ? count - cell[a] : cell[a] + 1) - 0.5F;
            const float t = std::clamp(away / over, 0.0F, 1.0F);
            left *= t * t * (3 - 2 * t);
        }
    }
    return left;
}

void SmokeBricks::gather(const SmokeView3& view, std::size_t brick) {
    float* out = extinction_.data() + brick * kBrickNodes;
    std::fill_n(out, kBrickNodes, 0.0F);
    for (const SmokeLayer& layer : view.layers) {
        TileReader read(*layer.field);
        const float per_cell = layer.opacity * cell_;
        for (int n = 0; n < kBrickNodes; ++n) {
            const float v = read(cells_.lo + cell_of_node(brick, n)) - layer.ambient;
            if (v > 0) out[n] += v * per_cell;  // false for what is not a number, too
        }
    }
    for (int n = 0; n < kBrickNodes; ++n)
        if (out[n] > 0) out[n] *= fade(brick, n);
    if (!has_texture()) return;
    for (int n = 0; n < kBrickNodes; ++n)
        if (out[n] > 0) out[n] *= texture_factor(brick, {n, {}}, Vec3f(cell_of_node(brick, n)) + Vec3f(0.5F));
}

void SmokeBricks::gather_displacements(std::size_t brick) {
    if (!has_texture()) return;
    const std::size_t stride = displacements_per_node();
    float* out = displacements_.data() + brick * kBrickNodes * stride;
    for (std::size_t f = 0; f < texture_.displacements.size(); ++f) {
        TileReader read(*texture_.displacements[f]);
        for (std::size_t n = 0; n < kBrickNodes; ++n)
            out[n * stride + f / 3 * kDisplacementLanes + f % 3] =
                read(cells_.lo + cell_of_node(brick, static_cast<int>(n)));
    }

    // Where a cell spans more of the pattern than its smallest parts, nothing finer than the cell is known: lines that
    // linear interpolation would draw there are not those of the flow.
    const auto detail = static_cast<float>(texture_.pattern->detail());
    for (std::size_t set = 0; set < texture_.weights.size(); ++set) {
        std::vector<TileReader> read;
        for (std::size_t axis = 0; axis < 3; ++axis) read.emplace_back(*texture_.displacements[3 * set + axis]);
        for (std::size_t n = 0; n < kBrickNodes; ++n) {
            const Index<3> cell = cells_.lo + cell_of_node(brick, static_cast<int>(n));
            float drawn = 0;  // over a cell, along the axis where it is most
            for (int axis = 0; axis < 3; ++axis) {
                Vec3f across;
                for (int a = 0; a < 3; ++a) {
                    TileReader& component = read[static_cast<std::size_t>(a)];
                    across[a] = 0.5F * (component(cell + unit<3>(axis)) - component(cell - unit<3>(axis)));
                }
                drawn = std::max(drawn, length(across));
            }
            out[n * stride + set * kDisplacementLanes + kContrastLane] = std::clamp(2.5F - drawn / detail, 0.0F, 1.0F);
        }
    }
}

float SmokeBricks::texture_factor(std::size_t brick, const Spot& spot, const Vec3f& position) const {
    const std::size_t stride = displacements_per_node();
    const float* v = displacements_.data() + (brick * kBrickNodes + static_cast<std::size_t>(spot.node)) * stride;
    const bool between = spot.t != Vec3f{};
    const auto displacement = [&](int set, int axis) {
        const float* at = v + set * kDisplacementLanes + axis;
        const auto along_z = [&](std::size_t node) {
            const float low = at[node * stride];
            return low + spot.t[2] * (at[(node + 1) * stride] - low);
        };
        const auto along_y = [&](std::size_t node) {
            const float low = along_z(node);
            return low + spot.t[1] * (along_z(node + kNodes) - low);
        };
        if (!between) return *at;
        const float low = along_y(0);
        return low + spot.t[0] * (along_y(kNodes * kNodes) - low);
    };
    const auto bright = texture_.blend<float>(position * cell_, displacement, [&](const Vec3f& place, int set) {
        return 0.5F + displacement(set, kContrastLane) * (texture_.pattern->brightness(place) - 0.5F);
    });
    // Three sets lie over each other, which takes contrast: between a quarter and three quarters lies the whole range.
    const float t = std::clamp(2 * bright - 0.5F, 0.0F, 1.0F);
    return 1 + texture_.amount * (2 * t * t * (3 - 2 * t) - 1);
}

float SmokeBricks::depth(const Vec3f& origin, const Vec3f& direction) const {
    if (kept_.empty()) return 0;
    float in = 0, out = std::numeric_limits<float>::max();
    for (int a = 0; a < 3; ++a) {
        const auto far = static_cast<float>(cells_.size()[a]);
        if (std::abs(direction[a]) < 1e-9F) {
            if (origin[a] < 0 || origin[a] > far) return 0;
            continue;
        }
        const float low = -origin[a] / direction[a], high = (far - origin[a]) / direction[a];
        in = std::max(in, std::min(low, high));
        out = std::min(out, std::max(low, high));
    }
    float sum = 0;
    walk(origin, direction, in, out, [&](std::size_t brick, const Vec3f& base, float t0, float t1) {
        const float* values = extinction(brick);
        const float steps = std::ceil((t1 - t0) / kDepthStep);
        const float h = (t1 - t0) / steps;
        for (int i = 0; i < static_cast<int>(steps); ++i) {
            const Spot spot = locate(base + direction * (t0 + (static_cast<float>(i) + 0.5F) * h));
            const float* v = values + spot.node;
            const auto along_z = [&](const float* p) { return p[0] + spot.t[2] * (p[1] - p[0]); };
            const auto along_y = [&](const float* p) {
                const float low = along_z(p);
                return low + spot.t[1] * (along_z(p + kNodes) - low);
            };
            const float low = along_y(v);
            sum += h * (low + spot.t[0] * (along_y(v + kNodes * kNodes) - low));
        }
        return sum < kDark;
    });
    return sum;
}

}  // namespace spindrift

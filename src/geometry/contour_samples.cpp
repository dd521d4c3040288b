// SPDX-License-Identifier: Apache-2.0
#include "geometry/contour_samples.h"

namespace spindrift::contouring {
namespace {

// Crossings keep this far from samples, in cells: on one, vertices of several cubes would coincide.
constexpr float kApart = 1e-3F;

}  // namespace

template <int Dim>
void TileSamples<Dim>::load(const Field<float, Dim>& phi, const GridTransform<Dim>& transform,
                            const ContourOptions<Dim>& options, const Index<Dim>& coordinate) {
    fields_used_ = sides_used_ = 0;
    load_block(fields_[0], phi, coordinate);
    ++fields_used_;
    if (options.solid != nullptr) {
        Block& solid = fields_[1];
        load_block(solid, *options.solid, coordinate);
        for_each_index(IndexBox<Dim>{Index<Dim>(kLowest), Index<Dim>(kHighest + 1)},
                       [&](const Index<Dim>& s) { solid(s) = -solid(s) - options.overlap; });
        ++fields_used_;
    }
    if (options.box) {
        const Box<double, Dim> in_cells{transform.cell_from_world(options.box->lo),
                                        transform.cell_from_world(options.box->hi)};
        add_sides(in_cells, first_cell(coordinate), transform.dx, phi.tiles().period());
    }
    if (!plain()) find_maximum();
}

template <int Dim>
void TileSamples<Dim>::load_block(Block& block, const Field<float, Dim>& field, const Index<Dim>& coordinate) {
    const Tiles<Dim>& tiles = field.tiles();
    if (const Slot slot = tiles.find(coordinate); slot != kNoTile) return block.load(field, slot);
    for_each_index(IndexBox<Dim>{Index<Dim>(-1), Index<Dim>(2)}, [&](const Index<Dim>& side) {
        const Slot slot = tiles.find(coordinate + side);
        const IndexBox<Dim> block_box{Index<Dim>(kLowest), Index<Dim>(kHighest + 1)};
        const Index<Dim> first = first_cell(side);
        for_each_index(intersection(block_box, {first, first + Index<Dim>(kTileSide)}), [&](const Index<Dim>& s) {
            block(s) = slot == kNoTile ? field.background() : field.tile(slot)[offset_in_tile(s)];
        });
    });
}

// The sides of the box that come between samples of this tile.  Beyond a periodic one the samples of the opposite side
// go on, others are extrapolated.
template <int Dim>
void TileSamples<Dim>::add_sides(const Box<double, Dim>& box_in_cells, const Index<Dim>& origin, double dx,
                                 const Index<Dim>& period) {
    for (int axis = 0; axis < Dim; ++axis) {
        for (const int outward : {-1, 1}) {
            // At local sample s the side lies s + 0.5 - at cells inside (below) or outside (above).
            const double at = (outward < 0 ? box_in_cells.lo : box_in_cells.hi)[axis] - origin[axis];
            const double farthest = outward < 0 ? at - (-1 + 0.5) : kTileSide + 0.5 - at;
            if (farthest < 0) continue;
            const double last_inside = outward < 0 ? std::floor(at - 0.5) + 1 : std::ceil(at - 0.5) - 1;
            for (int k = 0; k < fields_used_ && period[axis] == 0; ++k)
                extrapolate(fields_[static_cast<std::size_t>(k)], axis,
                            static_cast<int>(std::clamp(last_inside, kLowest - 1.0, kHighest + 1.0)), outward);
            sides_[static_cast<std::size_t>(sides_used_++)] = {axis, static_cast<float>(outward * dx),
                                                               static_cast<float>(outward * (0.5 - at) * dx)};
        }
    }
}

// Goes on beyond the last sample inside with the slope it had there.  Were it constant, the surface would bend at
// walls.
template <int Dim>
void TileSamples<Dim>::extrapolate(Block& block, int axis, int last_inside, int outward) const {
    const Index<Dim> step = unit<Dim>(axis) * outward;
    for (int s = last_inside + outward; s >= kLowest && s <= kHighest; s += outward) {
        const int one = s - outward, two = one - outward;
        if (one < kLowest || one > kHighest) continue;
        const bool sloped = two >= kLowest && two <= kHighest;
        IndexBox<Dim> layer{Index<Dim>(kLowest), Index<Dim>(kHighest + 1)};
        layer.lo[axis] = s;
        layer.hi[axis] = s + 1;
        for_each_index(layer, [&](const Index<Dim>& to) {
            const float near = block(to - step);
            block(to) = sloped ? 2 * near - block(to - step - step) : near;
        });
    }
}

template <int Dim>
void TileSamples<Dim>::find_maximum() {
    for_each_index(IndexBox<Dim>{Index<Dim>(-1), Index<Dim>(kTileSide + 1)}, [&](const Index<Dim>& s) {
        float most = value(0, s);
        for (int k = 1; k < functions(); ++k) most = std::max(most, value(k, s));
        maximum_(s) = most;
    });
}

template <int Dim>
Crossing<Dim> TileSamples<Dim>::crossing(const Index<Dim>& cube, int edge) const {
    const int axis = edge_axis<Dim>(edge);
    const Index<Dim> low_offset = corner_offset<Dim>(lower_corner<Dim>(edge));
    Index<Dim> in = cube + low_offset, out = in + unit<Dim>(axis);
    const bool outward = value(in) < 0;
    if (!outward) std::swap(in, out);

    float least = 1;
    int function = 0;
    for (int k = 0; k < functions(); ++k) {
        const float v_in = value(k, in), v_out = value(k, out);
        if (v_out < 0) continue;
        const float t = v_in / (v_in - v_out);
        if (t <= least) {
            least = t;
            function = k;
        }
    }
    Crossing<Dim> crossing{Vec<float, Dim>(low_offset), function};
    const float t = std::clamp(least, kApart, 1 - kApart);
    crossing.place[axis] = outward ? t : 1 - t;
    return crossing;
}

template <int Dim>
CubeInterpolant<Dim> TileSamples<Dim>::interpolant(int function, const Index<Dim>& cube) const {
    CubeInterpolant<Dim> result{};
    for (int c = 0; c < kCorners<Dim>; ++c)
        result.corner[static_cast<std::size_t>(c)] = value(function, cube + corner_offset<Dim>(c));
    if (function >= fields_used_) return result;
    const Block& block = fields_[static_cast<std::size_t>(function)];
    for (int e = 0; e < kEdges<Dim>; ++e) {
        const int stride = Block::stride(edge_axis<Dim>(e));
        const float* at = block.at(cube + corner_offset<Dim>(lower_corner<Dim>(e)));
        const float low = at[-stride] - 2 * at[0] + at[stride], high = at[0] - 2 * at[stride] + at[2 * stride];
        if (low * high > 0) result.bend[static_cast<std::size_t>(e)] = std::abs(low) < std::abs(high) ? low : high;
    }
    return result;
}

template <int Dim>
typename CubeInterpolant<Dim>::ValueGradient CubeInterpolant<Dim>::operator()(const Vec<float, Dim>& place) const {
    ValueGradient result{};
    for (int e = 0; e < kEdges<Dim>; ++e) {
        const int axis = edge_axis<Dim>(e), low = lower_corner<Dim>(e);
        float weight = 1;  // of this edge among those along its axis
        for (int b = 0; b < Dim; ++b)
            if (b != axis) weight *= has(static_cast<unsigned>(low), b) ? place[b] : 1 - place[b];
        const float v_low = corner[static_cast<std::size_t>(low)],
                    v_high = corner[static_cast<std::size_t>(low | 1 << axis)];
        const float t = place[axis];
        result.gradient[axis] += weight * (v_high - v_low);
        if (axis == 0) result.value += weight * (v_low + t * (v_high - v_low));
        result.value -= 0.5F * t * (1 - t) * weight * bend[static_cast<std::size_t>(e)];
    }
    return result;
}

template <int Dim>
Vec<float, Dim> TileSamples<Dim>::smooth_gradient(int function, const Index<Dim>& cube,
                                                  const Vec<float, Dim>& place) const {
    Vec<float, Dim> gradient;
    if (function >= fields_used_) {
        const Side& side = sides_[static_cast<std::size_t>(function - fields_used_)];
        gradient[side.axis] = side.slope;
        return gradient;
    }
    const Block& block = fields_[static_cast<std::size_t>(function)];
    for_each_weight(place, [&](const Index<Dim>& offset, float weight) {
        const float* at = block.at(cube + offset);
        for (int a = 0; a < Dim; ++a) gradient[a] += weight * 0.5F * (at[Block::stride(a)] - at[-Block::stride(a)]);
    });
    return gradient;
}

template struct CubeInterpolant<2>;
template struct CubeInterpolant<3>;
template class TileSamples<2>;
template class TileSamples<3>;

}  // namespace spindrift::contouring

// SPDX-License-Identifier: Apache-2.0
#include "linear/incomplete_cholesky.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace spindrift {
namespace {

// Share of the dropped entries that goes back on the diagonal, and the share of the diagonal below which plain
// incomplete Cholesky takes over: the values in common use for pressure problems.
constexpr float kModified = 0.97F;
constexpr float kSafety = 0.25F;

// A field's value at a neighbour along an axis, 0 beyond the tiles.
template <int Dim>
struct Neighbours {
    Neighbours(const Field<float, Dim>& field, Slot slot) : own(field.tile(slot)) {
        for (int axis = 0; axis < Dim; ++axis)
            for (const bool up : {false, true}) {
                const Slot n = field.tiles().neighbour(slot, side_neighbour<Dim>(axis, up));
                side[static_cast<std::size_t>(2 * axis + up)] = n == kNoTile ? nullptr : field.tile(n);
            }
    }
    float below(int axis, int cell) const {
        const int stride = tile_stride<Dim>(axis);
        if ((cell / stride) % kTileSide > 0) return own[cell - stride];
        const float* tile = side[static_cast<std::size_t>(2 * axis)];
        return tile == nullptr ? 0 : tile[cell + stride * (kTileSide - 1)];
    }
    float above(int axis, int cell) const {
        const int stride = tile_stride<Dim>(axis);
        if ((cell / stride) % kTileSide < kTileSide - 1) return own[cell + stride];
        const float* tile = side[static_cast<std::size_t>(2 * axis + 1)];
        return tile == nullptr ? 0 : tile[cell - stride * (kTileSide - 1)];
    }
    const float* own;
    std::array<const float*, 2 * Dim> side;
};

// Elimination goes from low to high and cannot go round: links across the ends of a period stay on the diagonal only.
template <int Dim>
void open_ring(TileSystem<Dim>& system, const Tiles<Dim>& tiles, Slot slot) {
    for (int axis = 0; axis < Dim; ++axis) {
        const int period = tiles.period()[axis], at = tiles.coordinate(slot)[axis];
        for (int n = 0; period > 0 && n < TileSystem<Dim>::kSideCells; ++n) {
            const int first = first_layer_cell<Dim>(axis, n), last = first + tile_stride<Dim>(axis) * (kTileSide - 1);
            if (at == 0) system.ground[first] += std::exchange(system.lower[axis][first], 0.0F);
            if (at == period - 1) system.ground[last] += std::exchange(system.upper[axis][n], 0.0F);
        }
    }
}

}  // namespace

template <int Dim>
template <class F>
void IncompleteCholesky<Dim>::for_each_wave(bool upwards, F&& f) const {
    const std::size_t waves = wave_begin_.size() - 1;
    for (std::size_t n = 0; n < waves; ++n) {
        const std::size_t wave = upwards ? n : waves - 1 - n;
        const std::size_t begin = wave_begin_[wave];
        parallel_ranges(wave_begin_[wave + 1] - begin, kTilesPerBlock<Dim> / 4, [&](std::size_t from, std::size_t to) {
            TileSystem<Dim> system;
            for (std::size_t i = from; i < to; ++i) {
                const Slot slot = order_[begin + i];
                a_.expand(slot, system);
                open_ring(system, a_.tiles(), slot);
                f(slot, system);
            }
        });
    }
}

template <int Dim>
IncompleteCholesky<Dim>::IncompleteCholesky(const PoissonOperator<Dim>& a)
    : a_(a), order_(a.tiles().count()), inverse_root_(a.tiles_ptr()) {
    const Tiles<Dim>& tiles = a.tiles();
    const auto wave = [&](Slot slot) {
        int sum = 0;
        for (int axis = 0; axis < Dim; ++axis) sum += tiles.coordinate(slot)[axis];
        return sum;
    };
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [&](Slot s, Slot t) { return wave(s) < wave(t); });
    for (std::size_t i = 0; i < order_.size(); ++i)
        if (i == 0 || wave(order_[i]) != wave(order_[i - 1])) wave_begin_.push_back(i);
    wave_begin_.push_back(order_.size());

    // Each cell hands on to its upper neighbours what its elimination takes from their diagonals, c²/L² directly and
    // c (Σ other upper c)/L² for the entries that are dropped.  A cell asks its lower neighbours for theirs.
    Field<float, Dim> other_upper_sum(a.tiles_ptr());  // Σ of a cell's upper conductances
    for_each_tile(tiles, [&](Slot slot) {
        TileSystem<Dim> system;
        a_.expand(slot, system);
        open_ring(system, tiles, slot);
        for (int cell = 0; cell < kTileCells<Dim>; ++cell)
            for (int axis = 0; axis < Dim; ++axis) other_upper_sum.tile(slot)[cell] += system.upper_of(axis, cell);
    });
    for_each_wave(true, [&](Slot slot, const TileSystem<Dim>& system) {
        const Neighbours<Dim> root(inverse_root_, slot), upper_sum(other_upper_sum, slot);
        for (int cell = 0; cell < kTileCells<Dim>; ++cell) {
            const auto n = static_cast<std::size_t>(cell);
            float diagonal = system.ground[n];
            for (int axis = 0; axis < Dim; ++axis) diagonal += system.lower[axis][n] + system.upper_of(axis, cell);
            if (!(diagonal > 0)) continue;
            float pivot = diagonal;
            for (int axis = 0; axis < Dim; ++axis) {
                const float c = system.lower[axis][n];
                if (c == 0) continue;
                const float l = c * root.below(axis, cell);
                const float dropped = upper_sum.below(axis, cell) - c;
                pivot -= l * l + kModified * l * dropped * root.below(axis, cell);
            }
            if (pivot < kSafety * diagonal) pivot = diagonal;
            inverse_root_.tile(slot)[cell] = 1 / std::sqrt(pivot);
        }
    });
}

template <int Dim>
void IncompleteCholesky<Dim>::apply(Field<float, Dim>& z, const Field<float, Dim>& r) const {
    check_same_tiles("incomplete Cholesky", "the operator", a_.tiles(), "r", r.tiles());
    check_same_tiles("incomplete Cholesky", "the operator", a_.tiles(), "z", z.tiles());
    for_each_wave(true, [&](Slot slot, const TileSystem<Dim>& system) {
        const Neighbours<Dim> root(inverse_root_, slot), value(z, slot);
        for (int cell = 0; cell < kTileCells<Dim>; ++cell) {
            float sum = r.tile(slot)[cell];
            for (int axis = 0; axis < Dim; ++axis) {
                const float c = system.lower[axis][cell];
                if (c > 0) sum += c * root.below(axis, cell) * value.below(axis, cell);
            }
            z.tile(slot)[cell] = sum * root.own[cell];
        }
    });
    for_each_wave(false, [&](Slot slot, const TileSystem<Dim>& system) {
        const Neighbours<Dim> value(z, slot);
        const float* root = inverse_root_.tile(slot);
        for (int cell = kTileCells<Dim> - 1; cell >= 0; --cell) {
            float sum = value.own[cell];
            for (int axis = 0; axis < Dim; ++axis) {
                const float c = system.upper_of(axis, cell);
                if (c > 0) sum += c * root[cell] * value.above(axis, cell);
            }
            z.tile(slot)[cell] = sum * root[cell];
        }
    });
}

template class IncompleteCholesky<2>;
template class IncompleteCholesky<3>;

}  // namespace spindrift

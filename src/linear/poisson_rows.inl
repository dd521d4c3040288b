// SPDX-License-Identifier: Apache-2.0
// Rows of the Poisson operator: values and conductances of a tile's cells.  For the kernel files of linear/.

#include "grid/tile_star.inl"

// Beyond a closed or missing side there is `outside` (a tile of zeros), or the tile's own layer again, so that
// differences across the side vanish.
enum class Beyond { zero, mirror };

template <int Dim, Beyond beyond>
SPINDRIFT_INLINE Sides value_sides(const PoissonView<Dim>& a, const float* x, Slot slot, unsigned closed) {
    const float* own = x + static_cast<std::size_t>(slot) * kTileCells<Dim>;
    const auto side = [&](int axis, bool above, int at_far_layer, int at_own_layer) {
        const Slot n = neighbour<Dim>(a.neighbours, slot, axis, above);
        const bool shut = n == kNoTile || ((closed >> (2 * axis + (above ? 1 : 0))) & 1U) != 0;
        if (!shut) return x + static_cast<std::size_t>(n) * kTileCells<Dim> + at_far_layer;
        return beyond == Beyond::zero ? a.zeros : own + at_own_layer;
    };
    return make_sides<Dim>(side);
}

template <int Dim>
SPINDRIFT_INLINE Row sum_of_neighbours(const Star& v) {
    Row sum = (v.below_k + v.above_k) + (v.below_j + v.above_j);
    if constexpr (Dim == 3) sum += v.below_i + v.above_i;
    return sum;
}

// Σ (x_i − x_neighbour) with unit conductances.
template <int Dim>
SPINDRIFT_INLINE Row sum_of_differences(const Star& v) {
    Row sum = ((v.here - v.below_k) + (v.here - v.above_k)) + ((v.here - v.below_j) + (v.here - v.above_j));
    if constexpr (Dim == 3) sum += (v.here - v.below_i) + (v.here - v.above_i);
    return sum;
}

// A general tile's coefficients: its block, and the lower faces of the tiles above it.
struct Faces {
    const float *k, *j, *i, *ground;
    const float *above_k, *above_j, *above_i;
};

template <int Dim>
SPINDRIFT_INLINE const float* lower_faces(const PoissonView<Dim>& a, Slot slot, int axis) {
    if (slot == kNoTile) return a.zeros;
    const std::int32_t kind = a.kind[slot];
    if (kind >= 0)
        return a.blocks + static_cast<std::size_t>(kind) * kPoissonBlock<Dim> +
               static_cast<std::size_t>(axis * kTileCells<Dim>);
    if (kind == kEmptyTile) return a.zeros;
    const unsigned closed = static_cast<unsigned>(kUniformTile - kind);
    return ((closed >> (2 * axis)) & 1U) != 0 ? a.zeros : a.ones;
}

template <int Dim>
SPINDRIFT_INLINE Faces faces_of(const PoissonView<Dim>& a, Slot slot) {
    const auto above = [&](int axis) {
        return lower_faces<Dim>(a, neighbour<Dim>(a.neighbours, slot, axis, true), axis);
    };
    Faces f{};
    f.k = lower_faces<Dim>(a, slot, Dim - 1);
    f.j = lower_faces<Dim>(a, slot, Dim - 2);
    f.ground = f.k + kTileCells<Dim>;
    f.above_k = above(Dim - 1);
    f.above_j = above(Dim - 2);
    if constexpr (Dim == 3) {
        f.i = lower_faces<Dim>(a, slot, 0);
        f.above_i = above(0);
    }
    return f;
}

// The conductances of a row: the same shape as a row of values.
template <int Dim>
SPINDRIFT_INLINE Star conductances(const Faces& f, int i, int j) {
    const int at = i * kPlaneCells, row = at + j * kRow;
    Star c;
    c.here = load_row(f.ground + row);
    c.below_k = load_row(f.k + row);
    c.above_k = shift_down(c.below_k, f.above_k[row]);
    c.below_j = load_row(f.j + row);
    c.above_j = load_row(j < kTileSide - 1 ? f.j + row + kRow : f.above_j + at);
    if constexpr (Dim == 3) {
        c.below_i = load_row(f.i + row);
        c.above_i = load_row(i < kTileSide - 1 ? f.i + row + kPlaneCells : f.above_i + j * kRow);
    }
    return c;
}

template <int Dim>
SPINDRIFT_INLINE Row diagonal(const Star& c) {
    return c.here + sum_of_neighbours<Dim>(c);
}

template <int Dim>
SPINDRIFT_INLINE Row weighted_neighbours(const Star& c, const Star& x) {
    Row sum = (c.below_k * x.below_k + c.above_k * x.above_k) + (c.below_j * x.below_j + c.above_j * x.above_j);
    if constexpr (Dim == 3) sum += c.below_i * x.below_i + c.above_i * x.above_i;
    return sum;
}

template <int Dim>
SPINDRIFT_INLINE Row weighted_differences(const Star& c, const Star& x) {
    Row sum = (c.below_k * (x.here - x.below_k) + c.above_k * (x.here - x.above_k)) +
              (c.below_j * (x.here - x.below_j) + c.above_j * (x.here - x.above_j));
    if constexpr (Dim == 3) sum += c.below_i * (x.here - x.below_i) + c.above_i * (x.here - x.above_i);
    return sum;
}

template <int Dim>
SPINDRIFT_INLINE unsigned closed_sides(std::int32_t uniform_kind) {
    return static_cast<unsigned>(kUniformTile - uniform_kind);
}

template <int Dim>
SPINDRIFT_INLINE void clear_tile(float* tile) {
    for (int n = 0; n < kTileCells<Dim>; n += kRow) store_row(tile + n, fill_row(0));
}

// How far ahead values are asked for, in tiles.  A tile is first met as a neighbour, a few rows at a time, which the
// machine does not foresee; asking for every tile in order, a line with each second row, made fields larger than the
// caches up to a half faster.
constexpr std::size_t kTilesAhead = 16;

template <int Dim>
SPINDRIFT_INLINE void prefetch_row(const float* x, std::size_t slot, std::size_t count, int i, int j) {
    const std::size_t ahead = slot + kTilesAhead < count ? slot + kTilesAhead : slot;
    if (j % 2 == 0) __builtin_prefetch(x + ahead * kTileCells<Dim> + row_offset(i, j));
}

// A x for one tile that is not empty, row by row: emit(i, j, row of x, row of A x, which lanes are unknowns).
template <int Dim, class Emit>
SPINDRIFT_INLINE void apply_tile(const PoissonView<Dim>& a, const float* x, Slot slot, Emit&& emit) {
    const std::int32_t kind = a.kind[slot];
    const float* tile = x + static_cast<std::size_t>(slot) * kTileCells<Dim>;
    const RowMask all = {-1, -1, -1, -1, -1, -1, -1, -1};
    if (kind <= kUniformTile) {
        const Sides sides = value_sides<Dim, Beyond::mirror>(a, x, slot, closed_sides<Dim>(kind));
        const Row mass = fill_row(a.mass);
        for_rows<Dim>(tile, sides, [&](const Plane& plane, int i, int j) {
            const Star v = star<Dim>(plane, j);
            prefetch_row<Dim>(x, static_cast<std::size_t>(slot), a.tile_count, i, j);
            emit(i, j, v.here, mass * v.here + sum_of_differences<Dim>(v), all);
        });
    } else {
        const Sides sides = value_sides<Dim, Beyond::zero>(a, x, slot, 0);
        const Faces faces = faces_of<Dim>(a, slot);
        for_rows<Dim>(tile, sides, [&](const Plane& plane, int i, int j) {
            const Star v = star<Dim>(plane, j);
            const Star c = conductances<Dim>(faces, i, j);
            emit(i, j, v.here, c.here * v.here + weighted_differences<Dim>(c, v), diagonal<Dim>(c) > fill_row(0));
        });
    }
}

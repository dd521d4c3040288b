// SPDX-License-Identifier: Apache-2.0
// Loops of the Poisson operator over ranges of tiles.

#include "linear/poisson_rows.inl"

// Lanes of a row that have a colour.  Tiles begin at even cells, so a cell's colour is that of its place in the tile.
SPINDRIFT_INLINE RowMask lanes_of(Colour colour, int i, int j) {
    const RowMask even = {-1, 0, -1, 0, -1, 0, -1, 0};
    return ((i + j + static_cast<int>(colour)) & 1) == 0 ? even : ~even;
}

template <int Dim>
SPINDRIFT_KERNEL double apply_tiles(const PoissonView<Dim>& a, float* y, const float* x, std::size_t begin,
                                    std::size_t end) {
    RowSum sum;
    for (std::size_t slot = begin; slot < end; ++slot) {
        float* out = y + slot * kTileCells<Dim>;
        if (a.kind[slot] == kEmptyTile) {
            clear_tile<Dim>(out);
            continue;
        }
        apply_tile<Dim>(a, x, static_cast<Slot>(slot), [&](int i, int j, Row here, Row ax, RowMask) {
            store_row(out + row_offset(i, j), ax);
            sum.add_products(here, ax);
            if (j == kTileSide - 1) sum.flush();
        });
    }
    return sum.total();
}

template <int Dim>
SPINDRIFT_KERNEL double residual_tiles(const PoissonView<Dim>& a, float* r, const float* b, const float* x,
                                       std::size_t begin, std::size_t end) {
    RowSum sum;
    for (std::size_t slot = begin; slot < end; ++slot) {
        const std::size_t at = slot * kTileCells<Dim>;
        if (a.kind[slot] == kEmptyTile) {
            clear_tile<Dim>(r + at);
            continue;
        }
        apply_tile<Dim>(a, x, static_cast<Slot>(slot), [&](int i, int j, Row, Row ax, RowMask unknown) {
            const Row rest = select(unknown, load_row(b + at + row_offset(i, j)) - ax, fill_row(0));
            store_row(r + at + row_offset(i, j), rest);
            sum.add_products(rest, rest);
            if (j == kTileSide - 1) sum.flush();
        });
    }
    return sum.total();
}

// x_i = (b_i + Σ c x_neighbour) / diagonal on one colour.
template <int Dim, bool weighted>
SPINDRIFT_KERNEL void relax_tiles(const PoissonView<Dim>& a, float* out, const float* in, const float* b, Colour colour,
                                  float weight, std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
        const Slot slot = static_cast<Slot>(n);
        const std::size_t at = n * kTileCells<Dim>;
        const std::int32_t kind = a.kind[n];
        const auto put = [&](int i, int j, Row old, Row fresh) {
            if constexpr (weighted) fresh = old + fill_row(weight) * (fresh - old);
            store_row(out + at + row_offset(i, j), select(lanes_of(colour, i, j), fresh, old));
        };
        if (kind <= kUniformTile) {
            const unsigned closed = closed_sides<Dim>(kind);
            const Sides sides = value_sides<Dim, Beyond::zero>(a, in, slot, closed);
            const float* inverse = a.inverses + static_cast<std::size_t>(closed) * kTileCells<Dim>;
            for_rows<Dim>(in + at, sides, [&](const Plane& plane, int i, int j) {
                const Star v = star<Dim>(plane, j);
                const int row = row_offset(i, j);
                prefetch_row<Dim>(in, n, a.tile_count, i, j);
                put(i, j, v.here, (load_row(b + at + row) + sum_of_neighbours<Dim>(v)) * load_row(inverse + row));
            });
        } else if (kind == kEmptyTile) {
            clear_tile<Dim>(out + at);
        } else {
            const Sides sides = value_sides<Dim, Beyond::zero>(a, in, slot, 0);
            const Faces faces = faces_of<Dim>(a, slot);
            for_rows<Dim>(in + at, sides, [&](const Plane& plane, int i, int j) {
                const Star v = star<Dim>(plane, j);
                const Star c = conductances<Dim>(faces, i, j);
                const Row d = diagonal<Dim>(c);
                const RowMask unknown = d > fill_row(0);
                const Row sum = load_row(b + at + row_offset(i, j)) + weighted_neighbours<Dim>(c, v);
                put(i, j, v.here, select(unknown, sum / select(unknown, d, fill_row(1)), fill_row(0)));
            });
        }
    }
}

template <int Dim>
SPINDRIFT_KERNEL void relax_zero_tiles(const PoissonView<Dim>& a, float* out, const float* b, Colour colour,
                                       std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
        const std::size_t at = n * kTileCells<Dim>;
        const std::int32_t kind = a.kind[n];
        if (kind == kEmptyTile) {
            clear_tile<Dim>(out + at);
            continue;
        }
        const bool uniform = kind <= kUniformTile;
        const float* inverse = a.inverses + (uniform ? closed_sides<Dim>(kind) : 0) * std::size_t{kTileCells<Dim>};
        const Faces faces = uniform ? Faces{} : faces_of<Dim>(a, static_cast<Slot>(n));
        for (int i = 0; i < kTilePlanes<Dim>; ++i)
            for (int j = 0; j < kTileSide; ++j) {
                const int row = row_offset(i, j);
                Row fresh = load_row(b + at + row);
                if (uniform) {
                    fresh *= load_row(inverse + row);
                } else {
                    const Row d = diagonal<Dim>(conductances<Dim>(faces, i, j));
                    const RowMask unknown = d > fill_row(0);
                    fresh = select(unknown, fresh / select(unknown, d, fill_row(1)), fill_row(0));
                }
                store_row(out + at + row, select(lanes_of(colour, i, j), fresh, fill_row(0)));
            }
    }
}

template <int Dim>
SPINDRIFT_KERNEL void keep_unknown_tiles(const PoissonView<Dim>& a, float* x, std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
        float* tile = x + n * kTileCells<Dim>;
        if (a.kind[n] == kEmptyTile) clear_tile<Dim>(tile);
        if (a.kind[n] < 0) continue;
        const Faces faces = faces_of<Dim>(a, static_cast<Slot>(n));
        for (int i = 0; i < kTilePlanes<Dim>; ++i)
            for (int j = 0; j < kTileSide; ++j) {
                float* row = tile + row_offset(i, j);
                const RowMask unknown = diagonal<Dim>(conductances<Dim>(faces, i, j)) > fill_row(0);
                store_row(row, select(unknown, load_row(row), fill_row(0)));
            }
    }
}

// SPDX-License-Identifier: Apache-2.0
// A tile and some cells around it, copied to a dense block with ghost cells beyond the sides of the domain filled in:
// inside it, values are found with an addition and interpolation has no branches.
#pragma once

#include <cstring>

#include "base/memory.h"
#include "base/simd.h"
#include "grid/field.h"
#include "schemes/field_layout.h"

namespace spindrift {

// A patch as kernels see it.
template <int Dim>
struct PatchView {
    const float* values;
    const float* tile;  // the tile's first cell among them
    int stride[Dim];
    float shift[Dim];  // from a place, in cells from the tile's corner, to points counted from the patch's first
};

template <int Dim>
class Patch {
  public:
    // A tile and all cells up to `reach` beside it.
    void load(const Field<float, Dim>& field, const FieldLayout<Dim>& layout, Slot slot, int reach) {
        load(field, layout, slot, IndexBox<Dim>{Index<Dim>(-reach), Index<Dim>(kTileSide + reach)});
    }

    // A box of cells, counted from the tile's corner.  Where it lies beyond the sides, it reaches two cells inside.
    void load(const Field<float, Dim>& field, const FieldLayout<Dim>& layout, Slot slot, const IndexBox<Dim>& cells) {
        cells_ = cells;
        if (is_around_tile(cells)) {
            const bool is_short = cells.lo[Dim - 1] >= -kShortMargin && cells.hi[Dim - 1] <= kTileSide + kShortMargin;
            const int margin = is_short ? kShortMargin : kTileSide;
            resize(layout, -margin, kTileSide + 2 * margin);
            if (is_short)
                copy_around<kShortMargin>(field, slot);
            else
                copy_around<kTileSide>(field, slot);
        } else {
            const IndexBox<Dim> tiles = tiles_of(cells);
            resize(layout, tiles.lo[Dim - 1] * kTileSide, tiles.size()[Dim - 1] * kTileSide);
            for_each_index(tiles, [&](const Index<Dim>& tile) { copy_part(field, slot, tile); });
        }
        fill_ghosts(layout, field.tiles().origin(slot));
    }
    // Whether a box lies in the tile and those beside it: it is then loaded faster.
    static bool is_around_tile(const IndexBox<Dim>& cells) {
        const Index<Dim> side(kTileSide);
        return max(cells.lo, -side) == cells.lo && min(cells.hi, side * 2) == cells.hi;
    }
    // Values that such a box takes.
    static std::int64_t size_of(const IndexBox<Dim>& cells) {
        const IndexBox<Dim> tiles = tiles_of(cells);
        std::int64_t size = std::int64_t{kTileSide} * tiles.size()[Dim - 1];
        for (int a = 0; a < Dim - 1; ++a) size *= cells.size()[a];
        return size;
    }

    int stride(int axis) const { return stride_[axis]; }
    // The address of a cell, counted from the tile's corner.
    const float* at(const Index<Dim>& cell) const { return values_.data() + offset(cell); }

    PatchView<Dim> view() const {
        PatchView<Dim> view{.values = values_.data(), .tile = values_.data(), .stride = {}, .shift = {}};
        for (int a = 0; a < Dim; ++a) {
            view.stride[a] = stride_[a];
            view.shift[a] = shift_[a];
            view.tile -= first_[a] * stride_[a];
        }
        return view;
    }

    // Between the layout's points, linearly, at a place in cells from the tile's corner.
    SPINDRIFT_INLINE float sample(const Vec<float, Dim>& place) const {
        Vec<float, Dim> t;
        int o = 0;
        for (int a = 0; a < Dim; ++a) {
            const float p = place[a] + shift_[a];
            const int below = static_cast<int>(p);
            t[a] = p - static_cast<float>(below);
            o += below * stride_[a];
        }
        const auto between = [](float a, float b, float s) { return a + s * (b - a); };
        const auto along_first = [&](const float* v) { return Dim == 3 ? between(*v, v[stride_[0]], t[0]) : *v; };
        const auto along_second = [&](const float* v) {
            return between(along_first(v), along_first(v + stride_[Dim - 2]), t[Dim - 2]);
        };
        const float* v = values_.data() + o;
        return between(along_second(v), along_second(v + 1), t[Dim - 1]);
    }

  private:
    // Rows reach so many cells beside the tile at least: copies then have lengths that the compiler knows.
    static constexpr int kShortMargin = 4;

    static IndexBox<Dim> tiles_of(const IndexBox<Dim>& cells) {
        return {tile_of_cell(cells.lo), tile_of_cell(cells.hi - Index<Dim>(1)) + Index<Dim>(1)};
    }

    // Rows begin at a cell and have a length of their own.
    void resize(const FieldLayout<Dim>& layout, int first_of_row, int row) {
        first_ = cells_.lo;
        first_[Dim - 1] = first_of_row;
        stride_[Dim - 1] = 1;
        stride_[Dim - 2] = row;
        if constexpr (Dim == 3) stride_[0] = row * cells_.size()[1];
        const auto size = static_cast<std::size_t>(stride_[0]) * static_cast<std::size_t>(cells_.size()[0]);
        if (values_.size() < size) values_ = Buffer<float>(size);
        shift_ = -(Vec<float, Dim>(first_) + layout.stagger());
    }

    std::size_t offset(const Index<Dim>& cell) const {
        int o = 0;
        for (int a = 0; a < Dim; ++a) o += (cell[a] - first_[a]) * stride_[a];
        return static_cast<std::size_t>(o);
    }

    template <int Margin>
    void copy_around(const Field<float, Dim>& field, Slot slot) {
        // Where there is no tile, all its rows are one.
        struct Part {
            const float* values;
            int next;
        };
        float nothing[kTileSide];
        std::fill_n(nothing, kTileSide, field.background());
        Part parts[kNeighbours<Dim>];
        for (int n = 0; n < kNeighbours<Dim>; ++n) {
            const Slot from = field.tiles().neighbour(slot, n);
            parts[n] = from == kNoTile ? Part{nothing, 0} : Part{field.tile(from), 1};
        }
        float* to = values_.data();
        for (int i = Dim == 3 ? cells_.lo[0] : 0; i < (Dim == 3 ? cells_.hi[0] : 1); ++i)
            for (int tile = -1; tile <= 1; ++tile) {
                const int begin = std::max(cells_.lo[Dim - 2], tile * kTileSide);
                const int rows = std::min(cells_.hi[Dim - 2], (tile + 1) * kTileSide) - begin;
                const int layer = Dim == 3 ? (i >> kTileBits) + 1 : 0;
                const int at = ((i & (kTileSide - 1)) * kTileSide + (begin & (kTileSide - 1))) * kTileSide;
                const Part* part = parts + (layer * 3 + tile + 1) * 3;
                const float *before = part[0].values + at * part[0].next + kTileSide - Margin,
                            *own = part[1].values + at * part[1].next, *behind = part[2].values + at * part[2].next;
                for (int row = 0; row < rows; ++row, to += kTileSide + 2 * Margin) {
                    // Tiles along the last axis mostly follow each other, here and when patches are loaded one by one:
                    // what lies behind the last is what the next patch asks for first.  A wrong guess costs nothing.
                    __builtin_prefetch(behind + kTileCells<Dim>);
                    std::memcpy(to, before, Margin * sizeof(float));
                    std::memcpy(to + Margin, own, kTileSide * sizeof(float));
                    std::memcpy(to + Margin + kTileSide, behind, Margin * sizeof(float));
                    before += part[0].next * kTileSide;
                    own += part[1].next * kTileSide;
                    behind += part[2].next * kTileSide;
                }
            }
    }

    // Whole rows of one tile, as many as the patch has.
    void copy_part(const Field<float, Dim>& field, Slot slot, const Index<Dim>& tile) {
        const Index<Dim> one(1);
        const Slot from = max(tile, -one) == tile && min(tile, one) == tile
                              ? field.tiles().neighbour(slot, neighbour_number(tile))
                              : field.tiles().find(field.tiles().coordinate(slot) + tile);
        const Index<Dim> corner = first_cell(tile);
        const IndexBox<Dim> part = intersection(cells_, {corner, corner + Index<Dim>(kTileSide)});
        Index<Dim> cell = corner;
        for (int i = part.lo[0]; i < (Dim == 3 ? part.hi[0] : part.lo[0] + 1); ++i)
            for (int j = part.lo[Dim - 2]; j < part.hi[Dim - 2]; ++j) {
                cell[0] = i;
                cell[Dim - 2] = j;
                float* to = values_.data() + offset(cell);
                if (from == kNoTile)
                    std::fill_n(to, kTileSide, field.background());
                else
                    std::memcpy(to, field.tile(from) + offset_in_tile(cell), kTileSide * sizeof(float));
            }
    }

    void fill_ghosts(const FieldLayout<Dim>& layout, const Index<Dim>& origin) {
        for (int a = 0; a < Dim; ++a) {
            if (!layout.is_ghost(a, origin[a] + cells_.lo[a]) && !layout.is_ghost(a, origin[a] + cells_.hi[a] - 1))
                continue;
            for (int c = cells_.lo[a]; c < cells_.hi[a]; ++c)
                if (layout.is_ghost(a, origin[a] + c)) fill_layer(layout, origin, a, c);
        }
    }

    void fill_layer(const FieldLayout<Dim>& layout, const Index<Dim>& origin, int axis, int c) {
        IndexBox<Dim> layer = cells_;
        layer.lo[axis] = c;
        layer.hi[axis] = c + 1;
        const bool above = origin[axis] + c >= layout.box.hi[axis];
        const bool varies = static_cast<bool>(layout.sides[static_cast<std::size_t>(axis)][above ? 1 : 0].value);
        const auto ghost = [&](const Index<Dim>& cell) {
            GhostValue<Dim> f = layout.ghost_value(origin + cell, axis);
            f.at[axis] = std::clamp(f.at[axis] - origin[axis], cells_.lo[axis], cells_.hi[axis] - 1);
            return f;
        };
        const GhostValue<Dim> all = ghost(layer.lo);
        const int away = (all.at[axis] - c) * stride_[axis];
        if (varies) {
            for_each_index(layer, [&](const Index<Dim>& cell) {
                const GhostValue<Dim> f = ghost(cell);
                float* to = values_.data() + offset(cell);
                *to = f.scale * to[away] + f.offset;
            });
            return;
        }
        // Runs along the longest way that lies in the layer: the last axis, or the one before.
        const int along = axis == Dim - 1 ? Dim - 2 : Dim - 1, run = layer.size()[along], next = stride_[along];
        layer.hi[along] = layer.lo[along] + 1;
        for_each_index(layer, [&](const Index<Dim>& first) {
            float* to = values_.data() + offset(first);
            const float* from = to + away;
            if (next == 1) {
#pragma GCC ivdep
                for (int n = 0; n < run; ++n) to[n] = all.scale * from[n] + all.offset;
            } else {
                for (int n = 0; n < run; ++n) to[n * next] = all.scale * from[n * next] + all.offset;
            }
        });
    }

    IndexBox<Dim> cells_{};  // that count
    Index<Dim> first_{};     // of those that are there: whole pieces of rows
    Vec<float, Dim> shift_{};
    Index<Dim> stride_{};
    Buffer<float> values_;
};

}  // namespace spindrift

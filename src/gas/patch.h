// SPDX-License-Identifier: Apache-2.0
// A tile and some cells around it, copied to a dense block with all that counts beyond the sides of the box filled in:
// inside it, values are found with an addition and interpolation has no branches.
#pragma once

#include <cstring>

#include "base/memory.h"
#include "base/simd.h"
#include "gas/lattice.h"
#include "grid/field.h"

namespace spindrift {

template <int Dim>
class Patch {
  public:
    static constexpr int kMostReach = kTileSide;
    static constexpr int kMostSide = kTileSide + 2 * kMostReach;

    Patch() : values_(kValues) {}

    void load(const Field<float, Dim>& field, const Lattice<Dim>& lattice, Slot slot, int reach) {
        reach_ = reach;
        side_ = kTileSide + 2 * reach;
        for (int a = 0, s = 1; a < Dim; ++a, s *= side_) stride_[Dim - 1 - a] = s;
        for_each_index(IndexBox<Dim>{Index<Dim>(-1), Index<Dim>(2)}, [&](const Index<Dim>& beside) {
            const Slot from = field.tiles().neighbour(slot, neighbour_number(beside));
            copy(beside, from == kNoTile ? nullptr : field.tile(from), field.background());
        });
        fill_beyond(lattice, field.tiles().origin(slot));
    }

    int reach() const { return reach_; }
    int stride(int axis) const { return stride_[axis]; }
    // The address of a cell of the tile, or up to `reach` beside it.
    const float* at(const Index<Dim>& cell) const { return values_.data() + offset(cell); }

    // Between the lattice's points, linearly; p counts from the patch's first point, and is less than side − 1.
    SPINDRIFT_INLINE float sample(const Vec<float, Dim>& p) const {
        Vec<float, Dim> t;
        const float* v = corner(p, t);
        return Dim == 3 ? join(v, t) : join_pairs(load_pair(v), load_pair(v + stride_[0]), t);
    }

    struct Range {
        float value, least, most;
    };
    // With the range of the points it joins.
    SPINDRIFT_INLINE Range sample_with_range(const Vec<float, Dim>& p) const {
        Vec<float, Dim> t;
        const float* v = corner(p, t);
        float least = *v, most = *v;
        for (int n = 0; n < (1 << Dim); ++n) {
            int o = n & 1;
            for (int a = 0; a < Dim - 1; ++a) o += (n >> (a + 1) & 1) * stride_[a];
            least = std::min(least, v[o]);
            most = std::max(most, v[o]);
        }
        const float value = Dim == 3 ? join(v, t) : join_pairs(load_pair(v), load_pair(v + stride_[0]), t);
        return {value, least, most};
    }

  private:
    using Pair = float __attribute__((vector_size(8)));
    using Four = float __attribute__((vector_size(16)));
    static constexpr std::size_t kValues =
        static_cast<std::size_t>(kMostSide) * kMostSide * (Dim == 3 ? kMostSide : 1) + 16;

    static SPINDRIFT_INLINE Pair load_pair(const float* v) {
        Pair pair;
        std::memcpy(&pair, v, sizeof pair);
        return pair;
    }

    // The point at or below p along each axis, and how far p lies beyond it.
    SPINDRIFT_INLINE const float* corner(const Vec<float, Dim>& p, Vec<float, Dim>& t) const {
        int o = 0;
        for (int a = 0; a < Dim; ++a) {
            const int below = static_cast<int>(p[a]);
            t[a] = p[a] - static_cast<float>(below);
            o += below * stride_[a];
        }
        return values_.data() + o;
    }

    static SPINDRIFT_INLINE float join_pairs(Pair below, Pair above, const Vec<float, Dim>& t) {
        const Pair v = below + t[Dim - 2] * (above - below);
        return v[0] + t[Dim - 1] * (v[1] - v[0]);
    }
    SPINDRIFT_INLINE float join(const float* v, const Vec<float, Dim>& t) const {
        const auto four = [](const float* a, const float* b) {
            const Pair p = load_pair(a), q = load_pair(b);
            return Four{p[0], p[1], q[0], q[1]};
        };
        const Four below = four(v, v + stride_[1]), above = four(v + stride_[0], v + stride_[0] + stride_[1]);
        const Four f = below + t[0] * (above - below);
        return join_pairs(Pair{f[0], f[1]}, Pair{f[2], f[3]}, t);
    }

    std::size_t offset(const Index<Dim>& cell) const {
        int o = 0;
        for (int a = 0; a < Dim; ++a) o += (cell[a] + reach_) * stride_[a];
        return static_cast<std::size_t>(o);
    }

    void copy(const Index<Dim>& beside, const float* tile, float background) {
        IndexBox<Dim> part;
        for (int a = 0; a < Dim; ++a) {
            part.lo[a] = beside[a] < 0 ? -reach_ : beside[a] * kTileSide;
            part.hi[a] = beside[a] < 0 ? 0 : beside[a] == 0 ? kTileSide : kTileSide + reach_;
        }
        const int run = part.size()[Dim - 1];
        IndexBox<Dim> starts = part;
        starts.hi[Dim - 1] = starts.lo[Dim - 1] + 1;
        for_each_index(starts, [&](const Index<Dim>& cell) {
            float* to = values_.data() + offset(cell);
            if (tile == nullptr)
                std::fill_n(to, run, background);
            else if (run == kTileSide)
                std::memcpy(to, tile + offset_in_tile(cell), kTileSide * sizeof(float));
            else
                for (int n = 0; n < run; ++n) to[n] = tile[offset_in_tile(cell) + n];
        });
    }

    void fill_beyond(const Lattice<Dim>& lattice, const Index<Dim>& origin) {
        for (int a = 0; a < Dim; ++a) {
            if (!lattice.is_beyond(a, origin[a] - reach_) && !lattice.is_beyond(a, origin[a] + kTileSide + reach_ - 1))
                continue;
            for (int c = -reach_; c < kTileSide + reach_; ++c)
                if (lattice.is_beyond(a, origin[a] + c)) fill_layer(lattice, origin, a, c);
        }
    }

    void fill_layer(const Lattice<Dim>& lattice, const Index<Dim>& origin, int axis, int c) {
        IndexBox<Dim> layer{Index<Dim>(-reach_), Index<Dim>(kTileSide + reach_)};
        layer.lo[axis] = c;
        layer.hi[axis] = c + 1;
        const int run = layer.size()[Dim - 1];
        layer.hi[Dim - 1] = layer.lo[Dim - 1] + 1;
        const bool above = origin[axis] + c >= lattice.box.hi[axis];
        const bool varies = static_cast<bool>(lattice.ends[static_cast<std::size_t>(axis)][above ? 1 : 0].value);
        const auto folded = [&](const Index<Dim>& cell) {
            Folded<Dim> f = lattice.fold(origin + cell, axis);
            f.at[axis] = std::clamp(f.at[axis] - origin[axis], -reach_, kTileSide + reach_ - 1);
            return f;
        };
        const Folded<Dim> all = folded(layer.lo);
        const int away = (all.at[axis] - c) * stride_[axis];
        for_each_index(layer, [&](const Index<Dim>& first) {
            float* to = values_.data() + offset(first);
            if (!varies) {
                for (int n = 0; n < run; ++n) to[n] = all.scale * to[n + away] + all.offset;
                return;
            }
            Index<Dim> cell = first;
            for (int n = 0; n < run; ++n, ++cell[Dim - 1]) {
                const Folded<Dim> f = folded(cell);
                to[n] = f.scale * to[n + away] + f.offset;
            }
        });
    }

    int reach_ = 0, side_ = 0;
    Index<Dim> stride_{};
    Buffer<float> values_;
};

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Values of a field between its cells.  A position is in cell space (grid/transform.h) and the samplers remember the
// tiles around their last query (grid/tile_window.h), so each thread, and best each tile's loop, makes its own.  They
// hold no copy: the field must outlive them.
//
// Where there is no tile the background counts as a value like any other.  A position that is not finite, or so far
// away that its cell is no int, gives the background and no gradient.  Values in reach of a query must be finite.
#pragma once

#include <cstring>
#include <span>

#include "grid/field.h"
#include "grid/tile_window.h"
#include "grid/transform.h"

namespace spindrift {

template <int Dim>
struct ValueAndGradient {
    float value;
    Vec<float, Dim> gradient;  // per cell: divide by dx for per metre
};

struct ValueAndRange {
    float value, least, most;
};

namespace detail {

// The next float below 2^31 is this one: positions nearer the origin, and two cells either way, are cells of type int.
constexpr float kFarthestPosition = 2147483520.0F;

// The cell at or below a position along each axis, and how far beyond it the position lies.  False when it is no cell.
template <int Dim>
SPINDRIFT_INLINE bool locate(const Vec<float, Dim>& position, Index<Dim>& cell, Vec<float, Dim>& t) {
    bool near = true;
    unrolled<Dim>([&](auto a) { near &= std::abs(position[a]) < kFarthestPosition; });
    if (!near) [[unlikely]]
        return false;
    unrolled<Dim>([&](auto a) {
        const float below = std::floor(position[a]);
        cell[a] = static_cast<int>(below);
        t[a] = position[a] - below;
    });
    return true;
}

// A field as samplers read it: where there is no tile, its background stands in a row of its own.
template <int Dim>
struct SampledField {
    const Field<float, Dim>* field = nullptr;
    std::array<float, 4> background{};

    SampledField() = default;
    explicit SampledField(const Field<float, Dim>& f) : field(&f) { background.fill(f.background()); }
    SPINDRIFT_INLINE const float* row_at(const TileWindow<Dim>& window,
                                         const typename TileWindow<Dim>::Local& cell) const {
        const Slot slot = window.slot(cell);
        return slot == kNoTile ? background.data() : field->tile(slot) + window.offset(cell);
    }
};

// The 2^Dim cells a linear interpolant joins, as pairs along the last axis, where they lie side by side in memory.
using Pair = float __attribute__((vector_size(8)));
template <int Dim>
using Corners = std::array<Pair, std::size_t{1} << (Dim - 1)>;

SPINDRIFT_INLINE Pair load_pair(const float* first) {
    Pair pair;
    std::memcpy(&pair, first, sizeof pair);
    return pair;
}

// Whether a pair lies one cell up an axis; pairs are numbered with the last but one axis fastest.
template <int Dim>
constexpr unsigned pair_step(std::size_t pair, std::size_t axis) {
    return static_cast<unsigned>(pair >> (Dim - 2 - axis)) & 1U;
}

template <int Dim>
SPINDRIFT_INLINE void load_corners(const TileWindow<Dim>& window, const SampledField<Dim>& from,
                                   const typename TileWindow<Dim>::Local& first, Corners<Dim>& corners) {
    constexpr std::size_t kPairs = std::tuple_size_v<Corners<Dim>>;
    constexpr unsigned kLast = kTileSide - 1;
    bool crosses = false;
    unrolled<Dim>([&](auto a) { crosses |= (first[a] & kLast) == kLast; });

    // All in one tile: fixed distances from the first.
    if (!crosses) {
        const Slot slot = window.slot(first);
        if (slot == kNoTile) return corners.fill(load_pair(from.background.data()));
        const float* values = from.field->tile(slot) + window.offset(first);
        unrolled<kPairs>([&](auto p) {
            int distance = 0;
            unrolled<Dim - 1>([&](auto a) { distance += pair_step<Dim>(p, a) != 0 ? tile_stride<Dim>(a) : 0; });
            corners[p] = load_pair(values + distance);
        });
        return;
    }

    const bool pairs_cross = (first[Dim - 1] & kLast) == kLast;
    unrolled<kPairs>([&](auto p) {
        auto cell = first;
        unrolled<Dim - 1>([&](auto a) { cell[a] += pair_step<Dim>(p, a); });
        const float* below = from.row_at(window, cell);
        if (pairs_cross) {
            ++cell[Dim - 1];
            corners[p] = Pair{*below, *from.row_at(window, cell)};
        } else {
            corners[p] = load_pair(below);
        }
    });
}

// a + t (b - a), axis 0 first: exact for constants and at t = 0.
template <int Dim>
SPINDRIFT_INLINE float multilinear(Corners<Dim> v, const Vec<float, Dim>& t) {
    unrolled<Dim - 1>([&](auto a) {
        constexpr std::size_t kHalf = std::size_t{1} << (Dim - 2 - a);
        unrolled<kHalf>([&](auto j) { v[j] += t[a] * (v[j + kHalf] - v[j]); });
    });
    return v[0][0] + t[Dim - 1] * (v[0][1] - v[0][0]);
}

// The same value, and along each axis the differences interpolated along the others.
template <int Dim>
SPINDRIFT_INLINE ValueAndGradient<Dim> multilinear_with_gradient(Corners<Dim> v, const Vec<float, Dim>& t) {
    std::array<Corners<Dim>, Dim - 1> slope;
    unrolled<Dim - 1>([&](auto a) {
        constexpr std::size_t kHalf = std::size_t{1} << (Dim - 2 - a);
        unrolled<kHalf>([&](auto j) {
            slope[a][j] = v[j + kHalf] - v[j];
            v[j] += t[a] * slope[a][j];
            unrolled<a>([&](auto b) { slope[b][j] += t[a] * (slope[b][j + kHalf] - slope[b][j]); });
        });
    });
    const auto join = [s = t[Dim - 1]](const Pair& p) { return p[0] + s * (p[1] - p[0]); };
    ValueAndGradient<Dim> result{join(v[0]), {}};
    unrolled<Dim - 1>([&](auto a) { result.gradient[a] = join(slope[a][0]); });
    result.gradient[Dim - 1] = v[0][1] - v[0][0];
    return result;
}

}  // namespace detail

// Linear along each axis.
template <int Dim>
class LinearSampler {
  public:
    explicit LinearSampler(const Field<float, Dim>& field, const Vec<float, Dim>& stagger = kCellCentre<Dim>)
        : from_(field), stagger_(stagger), window_(field.tiles()) {}
    explicit LinearSampler(const Field<float, Dim>&&, const Vec<float, Dim>& = {}) = delete;

    SPINDRIFT_INLINE float operator()(const Vec<float, Dim>& position) {
        detail::Corners<Dim> corners;
        Vec<float, Dim> t;
        return load(position, corners, t) ? detail::multilinear<Dim>(corners, t) : from_.background[0];
    }

    ValueAndGradient<Dim> value_and_gradient(const Vec<float, Dim>& position) {
        detail::Corners<Dim> corners;
        Vec<float, Dim> t;
        if (!load(position, corners, t)) return {from_.background[0], {}};
        return detail::multilinear_with_gradient<Dim>(corners, t);
    }

    // With the least and the largest of the cells it joins, those of no weight left out: the bounds of a limiter.
    SPINDRIFT_INLINE ValueAndRange value_and_range(const Vec<float, Dim>& position) {
        detail::Corners<Dim> corners;
        Vec<float, Dim> t;
        if (!load(position, corners, t)) return {from_.background[0], from_.background[0], from_.background[0]};
        float least = corners[0][0], most = corners[0][0];
        for (std::size_t p = 0; p < corners.size(); ++p) {
            bool counts = true;
            unrolled<Dim - 1>([&](auto a) { counts &= detail::pair_step<Dim>(p, a) == 0 || t[a] > 0; });
            const float first = counts ? corners[p][0] : corners[0][0];
            const float second = counts && t[Dim - 1] > 0 ? corners[p][1] : first;
            least = std::min({least, first, second});
            most = std::max({most, first, second});
        }
        return {detail::multilinear<Dim>(corners, t), least, most};
    }

    // The same values, one for each position.
    void sample_many(std::span<const Vec<float, Dim>> positions, std::span<float> out) {
        CHECK(positions.size() == out.size(), "sample_many: {} positions, room for {} values", positions.size(),
              out.size());
        for (std::size_t i = 0; i < positions.size(); ++i) out[i] = (*this)(positions[i]);
    }

  private:
    // False where the value is the background and there is nothing to interpolate.
    SPINDRIFT_INLINE bool load(const Vec<float, Dim>& position, detail::Corners<Dim>& corners, Vec<float, Dim>& t) {
        Index<Dim> cell;
        if (!detail::locate(position - stagger_, cell, t)) [[unlikely]]
            return false;
        auto first = window_.local(cell);
        if (!window_.template holds<2>(first)) [[unlikely]] {
            if (!window_.move_to(cell, 2)) return false;
            first = window_.local(cell);
        }
        detail::load_corners(window_, from_, first, corners);
        return true;
    }

    detail::SampledField<Dim> from_;
    Vec<float, Dim> stagger_;
    TileWindow<Dim> window_;
};

// Velocity, or any other face field: each component interpolated linearly between its own faces.
template <int Dim>
class FaceSampler {
  public:
    explicit FaceSampler(const FaceField<Dim>& faces) : window_(faces.tiles()) {
        for (int a = 0; a < Dim; ++a) {
            check_same_tiles("FaceSampler", "component 0", faces.tiles(), "another", faces[a].tiles());
            from_[static_cast<std::size_t>(a)] = detail::SampledField<Dim>(faces[a]);
        }
    }
    explicit FaceSampler(const FaceField<Dim>&&) = delete;

    SPINDRIFT_INLINE Vec<float, Dim> operator()(const Vec<float, Dim>& position) {
        // Along each axis a component is either on the lattice of centres or on that of faces, at most a cell higher.
        Index<Dim> centre, face;
        Vec<float, Dim> t_centre, t_face, result;
        if (!detail::locate(position - kCellCentre<Dim>, centre, t_centre) || !detail::locate(position, face, t_face) ||
            !(window_.template holds<3>(window_.local(centre)) || window_.move_to(centre, 3))) [[unlikely]] {
            for (int a = 0; a < Dim; ++a) result[a] = from_[static_cast<std::size_t>(a)].background[0];
            return result;
        }

        const auto first = window_.local(centre);
        unrolled<Dim>([&](auto a) {
            auto cell = first;
            auto t = t_centre;
            cell[a] += static_cast<unsigned>(face[a] - centre[a]);
            t[a] = t_face[a];
            detail::Corners<Dim> corners;
            detail::load_corners(window_, from_[a], cell, corners);
            result[a] = detail::multilinear<Dim>(corners, t);
        });
        return result;
    }

  private:
    std::array<detail::SampledField<Dim>, Dim> from_;
    TileWindow<Dim> window_;
};

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Cubic interpolation without overshoot.  Between f1 and f2, with Δ = f2 - f1, the Hermite cubic
//   f(t) = f1 + d1 t + (3Δ - 2 d1 - d2) t² + (d1 + d2 - 2Δ) t³
// takes the central slopes d1 = (f2 - f0) / 2, d2 = (f3 - f1) / 2 moved to the nearest between 0 and 3Δ, which keeps it
// monotone [FritschCarlson80]; [FSJ01] appendix B only drops slopes of the wrong sign, which does not.
// Third order where the data is monotone and the slopes need no change, exact for quadratics there.
// One axis after the other, axis 0 first: where slopes are limited the order of the axes is part of the result.
#pragma once

#include <cstring>

#include "grid/sampler.h"

namespace spindrift {

namespace detail {

using Four = float __attribute__((vector_size(16)));

// A NaN stays one.
template <class T>
SPINDRIFT_INLINE T clamped(const T& v, const T& a, const T& b) {
    const T lo = a < b ? a : b;
    const T hi = a < b ? b : a;
    const T raised = v < lo ? lo : v;
    return raised > hi ? hi : raised;
}

// For one row of values or four at a time.
template <class T>
SPINDRIFT_INLINE T monotone_cubic(const T& f0, const T& f1, const T& f2, const T& f3, float t) {
    const T delta = f2 - f1;
    const T d1 = clamped<T>(0.5F * (f2 - f0), T{}, 3.0F * delta);
    const T d2 = clamped<T>(0.5F * (f3 - f1), T{}, 3.0F * delta);
    const T f = f1 + t * (d1 + t * ((3.0F * delta - 2.0F * d1 - d2) + t * (d1 + d2 - 2.0F * delta)));
    return clamped<T>(f, f1, f2);  // what rounding adds
}

// Four cells along the last axis.
template <int Dim>
SPINDRIFT_INLINE Four load_four(const TileWindow<Dim>& window, const SampledField<Dim>& from,
                                typename TileWindow<Dim>::Local cell) {
    Four four;
    const float* row = from.row_at(window, cell);
    const unsigned here = kTileSide - (cell[Dim - 1] & (kTileSide - 1));  // cells before the tile's side
    if (here >= 4) {
        std::memcpy(&four, row, sizeof four);
        return four;
    }
    cell[Dim - 1] += here;
    const float* next = from.row_at(window, cell);
    return Four{row[0], here > 1 ? row[1] : next[0], here > 2 ? row[2] : next[2 - here], next[3 - here]};
}

}  // namespace detail

// Never leaves the range of the 2^Dim cells around the position.
template <int Dim>
class MonotoneCubicSampler {
  public:
    explicit MonotoneCubicSampler(const Field<float, Dim>& field, const Vec<float, Dim>& stagger = kCellCentre<Dim>)
        : from_(field), stagger_(stagger), window_(field.tiles()) {}
    explicit MonotoneCubicSampler(const Field<float, Dim>&&, const Vec<float, Dim>& = {}) = delete;

    SPINDRIFT_INLINE float operator()(const Vec<float, Dim>& position) {
        Index<Dim> cell;
        Vec<float, Dim> t;
        if (!detail::locate(position - stagger_, cell, t)) [[unlikely]]
            return from_.background[0];
        const Index<Dim> lowest = cell - Index<Dim>(1);
        if (!window_.template holds<4>(window_.local(lowest)) && !window_.move_to(lowest, 4)) [[unlikely]]
            return from_.background[0];

        // The 4^(Dim-1) rows of the stencil, last but one axis fastest.
        const auto first = window_.local(lowest);
        constexpr std::size_t kRows = std::size_t{1} << 2 * (Dim - 1);
        std::array<detail::Four, kRows> rows;
        unrolled<kRows>([&](auto r) {
            auto row = first;
            unrolled<Dim - 1>([&](auto a) { row[a] += static_cast<unsigned>(r >> 2 * (Dim - 2 - a)) & 3U; });
            rows[r] = detail::load_four(window_, from_, row);
        });

        unrolled<Dim - 1>([&](auto a) {
            constexpr std::size_t kQuarter = kRows >> 2 * (a + 1);
            unrolled<kQuarter>([&](auto j) {
                rows[j] = detail::monotone_cubic(rows[j], rows[j + kQuarter], rows[j + 2 * kQuarter],
                                                 rows[j + 3 * kQuarter], t[a]);
            });
        });
        const detail::Four& last = rows[0];
        return detail::monotone_cubic<float>(last[0], last[1], last[2], last[3], t[Dim - 1]);
    }

    // The same values, one for each position.
    void sample_many(std::span<const Vec<float, Dim>> positions, std::span<float> out) {
        CHECK(positions.size() == out.size(), "sample_many: {} positions, room for {} values", positions.size(),
              out.size());
        for (std::size_t i = 0; i < positions.size(); ++i) out[i] = (*this)(positions[i]);
    }

  private:
    detail::SampledField<Dim> from_;
    Vec<float, Dim> stagger_;
    TileWindow<Dim> window_;
};

}  // namespace spindrift

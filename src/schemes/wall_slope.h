// SPDX-License-Identifier: Apache-2.0
// The slope of a field at the surface of a solid, n·∇v, where v = 0 on the surface.
//
// Least squares of v ≈ d (g + k d + t·τ + b τ²) over the points around a place of the surface: d is their distance from
// the solid, τ where they are along it, and g is what is asked for.  b is what a curved surface needs, along which the
// direction of the flow turns.  Points right beside the surface, whose values are those of a part of a cell, count
// little.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "base/vec.h"

namespace spindrift {

// All lengths in cells.
template <int Dim>
class WallSlope {
  public:
    // Points within this distance count, along each axis.
    static constexpr int kReach = 2;

    WallSlope(const Vec<double, Dim>& foot, const Vec<double, Dim>& normal) : foot_(foot), normal_(normal) {
        // Along the surface: the axes that lie farthest from the normal, made perpendicular to it.
        int steepest = 0;
        for (int a = 1; a < Dim; ++a)
            if (std::abs(normal[a]) > std::abs(normal[steepest])) steepest = a;
        for (int n = 0, a = 0; a < Dim; ++a) {
            if (a == steepest) continue;
            Vec<double, Dim> tangent(unit<Dim>(a));
            tangent -= normal * dot(normal, tangent);
            tangents_[static_cast<std::size_t>(n++)] = tangent / length(tangent);
        }
    }

    // Points of another surface, or beyond an edge of this one, do not count.
    bool counts(const Vec<double, Dim>& place, double distance) const {
        const Vec<double, Dim> away = place - foot_;
        return distance >= kNearest && dot(away, away) < kRadius * kRadius &&
               std::abs(distance - dot(normal_, away)) <= kMostBent;
    }

    void add(const Vec<double, Dim>& place, double distance, double value) {
        if (!counts(place, distance)) return;
        const Vec<double, Dim> away = place - foot_;
        const double spread = dot(away, away) / (kRadius * kRadius), weight = (1 - spread) * (1 - spread);
        std::array<double, kUnknowns + 1> row{distance, distance * distance};
        for (std::size_t t = 0; t + 1 < Dim; ++t) row[t + 2] = distance * dot(tangents_[t], away);
        const double up = dot(normal_, away);
        row[kUnknowns - 1] = distance * (dot(away, away) - up * up);
        row[kUnknowns] = value;
        for (std::size_t i = 0; i < kUnknowns; ++i)
            for (std::size_t j = i; j <= kUnknowns; ++j) m_[i][j] += weight * row[i] * row[j];
    }

    // Per cell; 0 without points.
    double slope() const {
        // Elimination from the last unknown up, so that the slope comes out first; an unknown that the points do not
        // tell is left out.
        auto m = m_;
        for (std::size_t i = 0; i < kUnknowns; ++i)
            for (std::size_t j = 0; j < i; ++j) m[i][j] = m[j][i];
        for (std::size_t i = kUnknowns; i-- > 0;) {
            if (!(m[i][i] > kLeastPivot * std::max(m_[i][i], kLeastPivot * m_[0][0]))) continue;
            if (i == 0) return m[0][kUnknowns] / m[0][0];
            for (std::size_t k = 0; k < i; ++k) {
                const double f = m[k][i] / m[i][i];
                for (std::size_t j = 0; j <= kUnknowns; ++j) m[k][j] -= f * m[i][j];
            }
        }
        return 0;
    }

  private:
    static constexpr std::size_t kUnknowns = Dim + 2;
    static constexpr double kRadius = 2.2, kNearest = 0.2, kMostBent = 0.6, kLeastPivot = 1e-6;

    Vec<double, Dim> foot_, normal_;  // out of the solid
    std::array<Vec<double, Dim>, Dim - 1> tangents_{};
    std::array<std::array<double, kUnknowns + 1>, kUnknowns> m_{};
};

}  // namespace spindrift

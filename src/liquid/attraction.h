// SPDX-License-Identifier: Apache-2.0
// A shape that liquid is drawn to and comes to rest in.
//
//   ∂u/∂t = −∇ψ(d) − (1 − w) h(d) g − k h(d) u,     ψ' = s h(d),     h = 1 in the shape, (1 − (d/r)²)² beyond it
//
// with the distance d from its surface, negative inside, the acceleration s, the share w of its weight that liquid
// keeps, the damping rate k and the reach r.  Without weight the liquid is at rest where its surface is one of constant
// d: as much as the shape holds fills it, less lies about its middle, more surrounds it evenly.
//
// ψ is known at the centres of cells, and its gradient taken between them, so that the pressure of liquid at rest
// balances it exactly.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "grid/field.h"
#include "grid/transform.h"
#include "schemes/boundary.h"
#include "schemes/forces.h"

namespace spindrift {

// Distances to a shape at the centres of cells of a box; beyond it as at its edge.
template <int Dim>
class CellDistances {
  public:
    CellDistances() = default;
    CellDistances(const IndexBox<Dim>& cells, const GridTransform<Dim>& grid,
                  const std::function<double(const Vec<double, Dim>&)>& distance);
    double at(const Index<Dim>& cell) const { return values_[number(cell)]; }

  private:
    std::size_t number(const Index<Dim>& cell) const;
    IndexBox<Dim> cells_{};
    std::vector<float> values_{};
};

template <int Dim>
struct Attraction {
    CellDistances<Dim> distance;                  // d, m
    double reach = 1;                             // r, m
    std::function<double(double time)> strength;  // s, m/s²
    double damping = 0;                           // k, 1/s
    double weight = 0;                            // w, 0 to 1
    double start = 0, end = std::numeric_limits<double>::infinity();

    TimeSpan acting(const TimeSpan& step) const;
};

// What attractions change the velocity of liquid by in a step; empty when none acts.
template <int Dim>
FaceField<Dim> attraction(const FaceField<Dim>& velocity, const Field<float, Dim>& phi,
                          const std::vector<Attraction<Dim>>& attractions, const Vec<double, Dim>& gravity,
                          const GridTransform<Dim>& grid, const TimeSpan& step);

// m/s²: no liquid is accelerated by more.
template <int Dim>
double strongest_attraction(const std::vector<Attraction<Dim>>& attractions, const TimeSpan& step);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Shapes that keep pouring liquid: while a source is on, its shape is full and moves with its velocity.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "liquid/state.h"
#include "surface/level_set.h"

namespace spindrift {

template <int Dim>
struct LiquidSource {
    std::function<double(const Vec<double, Dim>&)> distance;                         // m, negative inside
    std::function<Vec<double, Dim>(const Vec<double, Dim>&, double time)> velocity;  // m/s
    double start = 0;                                                                // s
    double end = std::numeric_limits<double>::infinity();

    bool is_on(double time) const { return time >= start && time < end; }
};

// The tiles a source needs: those within the band of its shape, inside the container.
template <int Dim>
TilesPtr<Dim> tiles_of(const LiquidSource<Dim>& source, const GridTransform<Dim>& transform,
                       const LevelSetGrid<Dim>& grid);

// Fills the source's shape.  φ and velocity must have its tiles; φ is no distance afterwards where shapes join.
template <int Dim>
void fill_source(LiquidState<Dim>& liquid, const LiquidSource<Dim>& source, const GridTransform<Dim>& transform,
                 const LevelSetGrid<Dim>& grid);

}  // namespace spindrift

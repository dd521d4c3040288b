// SPDX-License-Identifier: Apache-2.0
// Where liquid comes from and where it goes.
#pragma once

#include <functional>
#include <vector>

#include "liquid/state.h"
#include "schemes/source.h"
#include "surface/level_set.h"

namespace spindrift {

// A shape that keeps pouring: while it is on it is full, and moves with its velocity.
template <int Dim>
struct LiquidSource : Source<Dim> {
    // Where the velocity is given, if not just in the shape.
    std::function<double(const Vec<double, Dim>&, double time)> mouth{};
    std::size_t component = 0;  // of a mixture, which it lets out
};

// A shape in which liquid vanishes.
template <int Dim>
struct LiquidSink {
    std::function<double(const Vec<double, Dim>&)> distance;  // m, negative inside
};

// The tiles a source needs, of those of the box: within the band of its shape.
template <int Dim>
TilesPtr<Dim> tiles_of(const LiquidSource<Dim>& source, double time, const GridTransform<Dim>& transform,
                       const LevelSetGrid<Dim>& grid, const IndexBox<Dim>& box, const Index<Dim>& period);

// Whether a tile may have something within this many cells of the source's shape.
template <int Dim>
bool is_near(const LiquidSource<Dim>& source, const Tiles<Dim>& tiles, Slot slot, double time,
             const GridTransform<Dim>& transform, double cells);

// Fills the source's shape.  φ must have its tiles; it is no distance afterwards where shapes join.  Returns its
// largest change, m.
template <int Dim>
double fill_source(Field<float, Dim>& phi, const LiquidSource<Dim>& source, double time,
                   const GridTransform<Dim>& transform, const LevelSetGrid<Dim>& grid);

// Gives the source's shape its velocity.
template <int Dim>
void set_velocity_in(const LiquidSource<Dim>& source, FaceField<Dim>& velocity, double time,
                     const GridTransform<Dim>& transform);

// The largest speed in the source's shape, m/s.
template <int Dim>
double fastest_in(const LiquidSource<Dim>& source, double time, const GridTransform<Dim>& transform,
                  const Tiles<Dim>& tiles);

// One component of a mixture.
template <int Dim>
struct PartOfFlow {
    double let_out = 1;  // its part of what the source lets out,
    // and of what flows in, which is taken where the liquid is that is drawn in: a cell beyond the shape's surface.
    const Field<float, Dim>* drawn_in = nullptr;
};

// What the source lets out, m³/s (m²/s): ∫ (u − w)·n over its shape's surface, which moves with w; of what flows in
// only where there is liquid to be drawn in; elsewhere it is filled up from nowhere.  Only in the box and outside
// solids.  By the body it goes to.  With `part`, of one component.
template <int Dim>
std::vector<double> let_out(const LiquidSource<Dim>& source, const Field<float, Dim>& phi, double time,
                            const GridTransform<Dim>& transform, const LevelSetGrid<Dim>& grid,
                            const Field<float, Dim>* room, const BodyLabels<Dim>& labels,
                            const PartOfFlow<Dim>& part = {});

// Takes away what lies in the sink; φ is no distance afterwards where it was cut.
template <int Dim>
void drain(Field<float, Dim>& phi, const LiquidSink<Dim>& sink, const GridTransform<Dim>& transform,
           const LevelSetGrid<Dim>& grid);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// What tests of pictures share: liquids in a box of cells that has no tiles beyond its walls, as a solver leaves them.
#pragma once

#include <algorithm>

#include "grid/activation.h"
#include "render/liquid_view.h"

namespace spindrift {

// The distance `f` (m, of a world position) on cells of side dx from the origin, cut to a band of four cells; tiles
// where all is air are left out.
template <int Dim, class F>
Field<float, Dim> banded_field(const Index<Dim>& size, double dx, F&& f) {
    const auto band = static_cast<float>(4 * dx);
    const GridTransform<Dim> grid{.origin = {}, .dx = dx};
    const IndexBox<Dim> box{Index<Dim>(0), size};
    const auto value = [&](const Index<Dim>& cell) {
        return box.contains(cell) ? std::clamp(static_cast<float>(f(grid.world_of_centre(cell))), -band, band) : band;
    };
    Field<float, Dim> full(Tiles<Dim>::covering(box), band);
    assign(full, value);
    Field<float, Dim> field(tiles_where(full, [band](float v) { return v < band; }), band);
    assign(field, value);
    return field;
}

// A unit cube of n³ cells that holds `phi`.
inline LiquidView3 unit_cube(const Field<float, 3>& phi, int n) {
    return {
        .phi = &phi, .grid = {.origin = {}, .dx = 1.0 / n}, .container = {Vec<double, 3>(0.0), Vec<double, 3>(1.0)}};
}

// A pool with waves, and a drop above it.
inline double pool_and_drop(const Vec<double, 3>& p) {
    const double level = 0.3 + 0.02 * std::sin(12 * p[0]) * std::cos(9 * p[2]);
    return std::min(0.9 * (p[1] - level), length(p - Vec<double, 3>(0.5, 0.6, 0.5)) - 0.12);
}

}  // namespace spindrift

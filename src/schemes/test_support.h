// SPDX-License-Identifier: Apache-2.0
// What tests of schemes share: basins with a surface, and velocities given by formulas.
#pragma once

#include <cmath>
#include <random>
#include <string>

#include "grid/measure.h"
#include "grid/test_support.h"
#include "schemes/boundary.h"
#include "schemes/domain.h"

namespace spindrift {

enum class TestSides { periodic, closed, no_slip, open_top, mixed };

// A domain of one metre with so many cells along each axis.
template <int Dim>
Domain<Dim> unit_domain(int cells, TestSides kind) {
    Domain<Dim> domain;
    domain.grid = {Vec<double, Dim>(0.0), 1.0 / cells};
    domain.box = {Index<Dim>(0), Index<Dim>(cells)};
    for (int a = 0; a < Dim; ++a)
        for (const int end : {0, 1}) {
            SideKind& side = domain.sides[static_cast<std::size_t>(a)][static_cast<std::size_t>(end)].kind;
            side = SideKind::slip;
            if (kind == TestSides::periodic || (kind == TestSides::mixed && a == 0)) side = SideKind::periodic;
            if (kind == TestSides::no_slip) side = SideKind::prescribed;
            if (kind == TestSides::open_top && a == 1 && end == 1) side = SideKind::open;
            if (kind == TestSides::mixed && a == 1) side = end == 0 ? SideKind::prescribed : SideKind::open;
        }
    return domain;
}

// A container with its lower corner at the world's origin, on all its tiles, and the liquid in it.
template <int Dim>
struct Basin {
    Boundary<Dim> boundaries;
    Field<float, Dim> phi;

    const TilesPtr<Dim>& tiles() const { return phi.tiles_ptr(); }
    double dx() const { return boundaries.domain.grid.dx; }
    const IndexBox<Dim>& box() const { return boundaries.domain.box; }
    Vec<double, Dim> centre(const Index<Dim>& cell) const { return boundaries.domain.grid.world_of_centre(cell); }
    bool wet(const Index<Dim>& cell) const { return box().contains(cell) && phi.at(cell) < 0; }
    // Between two cells one of which is liquid, and not closed.
    bool wet_face(int axis, const Index<Dim>& cell) const {
        return boundaries.open[axis].at(cell) > 0 && (phi.at(cell) < 0 || phi.at(cell - unit<Dim>(axis)) < 0);
    }
};

// Liquid where level(x) is negative, x in metres; closed walls, and a solid where there is one.
template <int Dim, class Level>
Basin<Dim> basin(const Index<Dim>& cells, double dx, Level&& level,
                 std::function<double(const Vec<double, Dim>&)> solid = nullptr) {
    Basin<Dim> b;
    b.boundaries.domain.box = {Index<Dim>(0), cells};
    b.boundaries.domain.grid = {Vec<double, Dim>(0.0), dx};
    b.boundaries.solid_distance = std::move(solid);
    const TilesPtr<Dim> tiles = Tiles<Dim>::covering(b.boundaries.domain.box);
    b.phi = Field<float, Dim>::unfilled(tiles, static_cast<float>(10 * dx));
    assign(b.phi, [&](const Index<Dim>& cell) { return static_cast<float>(level(b.centre(cell))); });
    refit(b.boundaries, tiles);
    return b;
}

template <int Dim>
double full(const Vec<double, Dim>&) {
    return -1;
}

// u(x) at the middle of every face, closed ones included.
template <int Dim, class F>
FaceField<Dim> velocity_of(const Basin<Dim>& b, F&& u) {
    FaceField<Dim> velocity(b.tiles());
    for (int axis = 0; axis < Dim; ++axis)
        assign(velocity[axis], [&](const Index<Dim>& cell) {
            return static_cast<float>(u(b.boundaries.domain.grid.world_of_face(axis, cell))[axis]);
        });
    return velocity;
}

// Different on every face.
template <int Dim>
FaceField<Dim> scrambled_velocity(const Basin<Dim>& b) {
    FaceField<Dim> velocity(b.tiles());
    for (int axis = 0; axis < Dim; ++axis)
        assign(velocity[axis], [&](const Index<Dim>& cell) { return scrambled(cell + Index<Dim>(1000 * (axis + 1))); });
    stop_at_walls(velocity, b.boundaries);
    return velocity;
}

// The largest |f(axis, cell)| over faces of liquid cells.
template <int Dim, class F>
double largest_on_wet_faces(const Basin<Dim>& b, F&& f) {
    double most = 0;
    for (int axis = 0; axis < Dim; ++axis)
        for_each_index(b.tiles()->cell_bounds(), [&](const Index<Dim>& cell) {
            if (b.wet_face(axis, cell)) most = std::max(most, std::abs(static_cast<double>(f(axis, cell))));
        });
    return most;
}

template <int Dim>
double largest_difference(const FaceField<Dim>& a, const FaceField<Dim>& b) {
    double most = 0;
    for (int axis = 0; axis < Dim; ++axis)
        for (std::size_t n = 0; n < a[axis].values().size(); ++n)
            most = std::max(most, std::abs(double{a[axis].values()[n]} - b[axis].values()[n]));
    return most;
}

}  // namespace spindrift

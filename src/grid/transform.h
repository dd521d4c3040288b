// SPDX-License-Identifier: Apache-2.0
// From world to cells and back.  Cell space measures positions in cells: cell i spans i to i + 1 along each axis, so
// its centre lies at i + 0.5, and its lower face along an axis lies at i along that axis and at i + 0.5 along the
// others.
#pragma once

#include "base/vec.h"

namespace spindrift {

// Where in its cell a value sits.
template <int Dim>
constexpr Vec<float, Dim> kCellCentre{0.5F};
template <int Dim>
constexpr Vec<float, Dim> face_centre(int axis) {
    Vec<float, Dim> centre = kCellCentre<Dim>;
    centre[axis] = 0;
    return centre;
}

// Doubles: a float cannot tell cells apart far from the world's origin.
template <int Dim>
struct GridTransform {
    Vec<double, Dim> origin;  // m, the lower corner of cell 0
    double dx = 1;            // m, the side of a cell

    constexpr Vec<double, Dim> cell_from_world(const Vec<double, Dim>& world) const { return (world - origin) / dx; }
    constexpr Vec<double, Dim> world_from_cell(const Vec<double, Dim>& cell) const { return origin + cell * dx; }

    constexpr Vec<double, Dim> world_of_centre(const Index<Dim>& cell) const {
        return world_from_cell(Vec<double, Dim>(cell) + Vec<double, Dim>(kCellCentre<Dim>));
    }
    constexpr Vec<double, Dim> world_of_face(int axis, const Index<Dim>& cell) const {
        return world_from_cell(Vec<double, Dim>(cell) + Vec<double, Dim>(face_centre<Dim>(axis)));
    }

    friend constexpr bool operator==(const GridTransform&, const GridTransform&) = default;
};

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Boundary conditions of a flow on cells that are all liquid, all solid or all air [FM96 §3.2], set from the kinds of
// the cells alone, once per step.
#pragma once

#include <array>
#include <functional>

#include "grid/cell_flow.h"

namespace spindrift {

// Faces of solids stand still, those of inflow cells have the velocity they are given.
template <int Dim>
void set_closed_faces(CellFlow<Dim>& flow,
                      const std::function<double(int axis, const Index<Dim>& face)>& inflow_velocity);

// Faces between full and outflow cells begin with the velocity of the opposite face; the pressure solve does the rest.
template <int Dim>
void set_outflow_faces(CellFlow<Dim>& flow);

// The free surface [FM96 §3.2.3], one rule for all patterns of open sides of a surface cell:
//   - an open side opposite one that is not open has that one's velocity;
//   - open sides opposite each other follow the body force by themselves (see advance_explicitly) and stay as they are;
//   - the sides of the first kind share equally what flows in through the axes without open sides, so that nothing is
//     left where no open sides are opposite each other.  A single open side then has the velocity of equation (10).
template <int Dim>
void set_surface_faces(CellFlow<Dim>& flow);

// The same for the velocities of one cell's sides, below and above along each axis.
template <int Dim>
void balance_open_sides(std::array<std::array<double, 2>, Dim>& velocity,
                        const std::array<std::array<bool, 2>, Dim>& open);

// The pressure of surface cells and of air is that of the air: 0, m²/s².
template <int Dim>
void set_air_pressure(CellFlow<Dim>& flow);

// Where equations and markers look beyond: two layers of faces in the air have the mean of the known ones beside them,
// faces within solids that of the liquid beside them, negated where it sticks to the solid.
template <int Dim>
void set_faces_beyond(CellFlow<Dim>& flow);

// What flows out of a cell, 1/s.
template <int Dim>
double outflow_of(const CellFlow<Dim>& flow, std::ptrdiff_t cell) {
    double sum = 0;
    for (int a = 0; a < Dim; ++a) {
        const Dense<double, Dim>& u = flow.velocity[static_cast<std::size_t>(a)];
        sum += u[cell + u.stride(a)] - u[cell];
    }
    return sum / flow.dx;
}

// The largest component on faces of liquid cells, m/s.
template <int Dim>
double fastest_face(const CellFlow<Dim>& flow);

}  // namespace spindrift

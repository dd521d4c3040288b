// SPDX-License-Identifier: Apache-2.0
// A flow on cells of which each is all liquid, all solid or all air, as in the marker-and-cell method [HarlowWelch65,
// FM96 §3].  Boundary conditions follow from the kinds of cells alone; once they are set, the equations run over all
// cells alike.
//
// One layer of cells around the box says what its sides are: solid, no_slip, inflow or outflow.
#pragma once

#include <cstdint>

#include "grid/dense.h"

namespace spindrift {

enum class CellContent : std::uint8_t {
    empty,    // air
    surface,  // liquid, beside air: its pressure is that of the air
    full,     // liquid
    solid,    // along which the liquid slips
    no_slip,  // solid, to which it sticks
    inflow,   // moves as it is told
    outflow   // lets liquid out
};

constexpr bool is_liquid(CellContent kind) { return kind == CellContent::full || kind == CellContent::surface; }
constexpr bool is_wall(CellContent kind) { return kind == CellContent::solid || kind == CellContent::no_slip; }
constexpr bool is_open(CellContent kind) { return kind == CellContent::empty || kind == CellContent::outflow; }

template <int Dim>
struct CellFlow {
    IndexBox<Dim> box;             // without the layer around it
    double dx;                     // m
    Dense<CellContent, Dim> kind;  // as all the others on the box with the layer
    DenseFaces<Dim> velocity;      // m/s
    Dense<double, Dim> pressure;   // m²/s², over density

    CellFlow(const IndexBox<Dim>& domain, double cell_size);
    // Cells whose lower faces along an axis are those of the box, both ends included.
    IndexBox<Dim> faces(int axis) const {
        IndexBox<Dim> cells = box;
        ++cells.hi[axis];
        return cells;
    }
};

// Liquid cells beside an empty one are surface cells, the others full.
template <int Dim>
void label_surface(CellFlow<Dim>& flow);

extern template struct CellFlow<2>;
extern template struct CellFlow<3>;

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Faces that no-slip solids cut.  A velocity belongs to the centre of its face; what flows through the open part of a
// cut face is that in the middle of this part, up to half a cell farther from the wall:
//
//   flux = open (u + o·∇u),   o the way from the centre of the face to the middle of its open part
//
// Without the second term the divergence in cut cells would be off by as much as the shear there, and the projection
// of a viscous flow along a curved wall of first order  [Ng09].  The slope along the face is a difference towards the
// open side, of the velocity relative to the solid's: of a rigid motion nothing flows through a wall.
#pragma once

#include <array>
#include <vector>

#include "grid/field.h"
#include "schemes/boundary.h"
#include "schemes/cell_place.h"

namespace spindrift {

template <int Dim>
struct CutFace {
    int axis = 0;
    CellPlace face{}, below{};          // the face, and the cell below it
    std::array<CellPlace, Dim> next{};  // by axis along the face: the face on the open side
    std::array<float, Dim> lever{};     // open part times |o| along that axis, in cells; 0 where there is no such face
};

// Tile by tile, in the order of slots.
template <int Dim>
struct CutFaces {
    std::vector<CutFace<Dim>> faces{};
    std::vector<std::size_t> first{};  // of each tile, by slot; one more at the end

    bool empty() const { return faces.empty(); }
};

// Those of a boundary that knows how far faces are from its solids.
template <int Dim>
CutFaces<Dim> cut_faces(const Boundary<Dim>& boundary);

// Takes what flows through them off their centres from the outflow that is wanted of a projection: then what it leaves
// through the middles of open parts is what was wanted.  In cells where the level is negative.
template <int Dim>
void allow_for_cut_faces(Field<float, Dim>& wanted_outflow, const FaceField<Dim>& velocity,
                         const Field<float, Dim>& level, const FaceField<Dim>& wall_velocity, const CutFaces<Dim>& cut);

}  // namespace spindrift

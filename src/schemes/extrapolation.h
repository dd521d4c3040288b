// SPDX-License-Identifier: Apache-2.0
// Velocity beyond the surface and inside solids: ∇φ·∇u = 0 outwards from the liquid, a layer of faces at a time
// [EMF02 §3.3].  A face takes the mean of its neighbours that are known.  At the sides of solids that
// are wet nothing flows through, (u − u_solid)·n = 0 on the faces they close there, or a film of liquid would sink into
// them.  Deeper inside, and where they are dry, the flow goes on as it does outside: liquid that arrives wets them.
#pragma once

#include "schemes/boundary.h"

namespace spindrift {

// Faces of liquid cells (φ < 0) that are not closed are known, and those in mouths; the others are filled in up to
// `layers` cells away.
// Nothing flows through the container's walls: they stay at zero.
template <int Dim>
void extrapolate(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundary<Dim>& boundaries, int layers);

// Of a field of cells: those of the box that are not known, of weight 0, are filled in up to `layers` cells away from
// those that are; farther away they become 0.
template <int Dim>
void extrapolate(Field<float, Dim>& field, const Field<float, Dim>& known, const IndexBox<Dim>& box, int layers);

}  // namespace spindrift

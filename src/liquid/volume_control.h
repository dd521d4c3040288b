// SPDX-License-Identifier: Apache-2.0
// Keeping the volume that the ledger expects, in two ways.
//
// Moving the surface takes a little or adds a little.  restore_volume gives it back at once, along the normals, in
// proportion to how far the surface has just moved: that is where it was lost, and still water stays where it is.  What
// that cannot mend (a surface at rest, more than a tenth of the way) is left to a divergence in the pressure solve that
// swells or shrinks all of the liquid.
#pragma once

#include "grid/field.h"
#include "surface/level_set.h"

namespace spindrift {

// Moves the surface so that it holds `volume`, in cells; `room` is the open part of each cell, or null.
template <int Dim>
void restore_volume(Field<float, Dim>& phi, const FaceField<Dim>& velocity, double dt, double volume,
                    const LevelSetGrid<Dim>& grid, const Field<float, Dim>* room);

// The divergence, 1/s, that takes off a relative error of the volume over the next steps.  [Kim07]
double controlling_divergence(double volume_error, double dt);

}  // namespace spindrift

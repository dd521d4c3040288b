// SPDX-License-Identifier: Apache-2.0
// How much of each face a solid leaves open: the area (2D: length) where the distance, interpolated linearly between
// the face's corners, is positive [Batty07].
//
// Corners cannot see a wall thinner than a cell.  So a face is closed as well when a line from one of its cells to the
// other, between their centres or through an open corner, meets a wall that is thin: with no point deeper than √Dim/2
// cells inward from there.  What is left open then does not leak: past thin walls, a way from cell to cell is a way
// through open space; past thick ones, no cell has open corners on both sides.  The price is that walls thinner than
// √Dim cells have whole faces or none.
#pragma once

#include <array>
#include <functional>

#include "base/vec.h"
#include "grid/field.h"
#include "grid/transform.h"

namespace spindrift {

// Of a solid, in world space: negative inside, and never farther from zero than the nearest surface, since what lies
// within that reach is passed over.  Called by many threads at once.
template <int Dim>
using DistanceFunction = std::function<double(const Vec<double, Dim>& world)>;

struct OpenFractionOptions {
    // Below this a face counts as closed, so that slits do not spoil the solver.
    float slit = 0.01F;
    // Above one less this it counts as open, so that tiles away from walls are uniform.
    float sliver = 0.01F;
    // Not needed for a solid that is known to be thicker than √Dim cells everywhere; half of all questions to the
    // distance are for it.
    bool close_thin_walls = true;
    // In cells: what comes this near to the line between two centres meets it.  Sheets without thickness hold water.
    double touch = 0.01;
};

// 1 where no tile is.
template <int Dim>
FaceField<Dim> open_fractions(const TilesPtr<Dim>& tiles, const GridTransform<Dim>& transform,
                              const DistanceFunction<Dim>& solid, const OpenFractionOptions& options = {});

// Of the line between two corners, or of the square with corners (0,0), (1,0), (1,1), (0,1): 0 to 1.  Where opposite
// corners agree, the centre's value, their mean, says which two are joined.
double open_fraction(const std::array<double, 2>& phi);
double open_fraction(const std::array<double, 4>& phi);

}  // namespace spindrift

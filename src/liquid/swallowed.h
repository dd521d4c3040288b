// SPDX-License-Identifier: Apache-2.0
// Drops and air that the liquid has swallowed, both too fine for the grid.  Where a drop went in the liquid is to grow
// by its volume; where air went under, to draw together by what it gained when it closed over it.
//
// In a single step that would be a blow, the harder the shorter the step.  It takes its time instead, starting and
// ending gently, so that the pressure it needs does not depend on the step:  by the age t it is done to the part
//
//   s² (3 − 2s),   s = t / T,   T = 0.01 s.
#pragma once

#include <vector>

#include "base/vec.h"
#include "grid/field.h"
#include "liquid/bodies.h"

namespace spindrift {

template <int Dim>
struct Swallowed {
    Vec<double, Dim> place;  // cells
    double volume = 0;       // m³ (m²), of a drop; of air, negative
    double age = 0;          // s

    Index<Dim> cell() const;
    double to_come() const;  // m³ (m²): by how much the liquid is still to grow
};

template <int Dim>
double volume_to_come(const std::vector<Swallowed<Dim>>& swallowed);
// The same by body.
template <int Dim>
std::vector<double> volume_to_come(const std::vector<Swallowed<Dim>>& swallowed, const BodyLabels<Dim>& labels);

// Adds what comes of it in dt to the swelling of liquid cells, in parts of a cell.  What is done, and what is not in
// the liquid any more, is taken out.
template <int Dim>
void swell(std::vector<Swallowed<Dim>>& swallowed, Field<float, Dim>& swelling, const Field<float, Dim>& phi,
           double cell_volume, double dt);

// It goes with the flow.
template <int Dim>
void advect(std::vector<Swallowed<Dim>>& swallowed, const FaceField<Dim>& velocity, double dt, double dx);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// How fast a liquid is: what limits its steps.
#pragma once

#include "grid/collocate.h"
#include "grid/field.h"

namespace spindrift {

// Σ|u| over the axes, the largest at a cell within the band: what limits a step of the surface.
template <int Dim>
double largest_axis_sum(const VectorField<Dim>& velocity, const Field<float, Dim>& phi, float reach);

// The largest component of any face's velocity; NaN when one is.
template <int Dim>
double largest_component(const FaceField<Dim>& velocity);

// The fastest liquid cell, by the velocity at its centre; NaN when one is.
template <int Dim>
double largest_speed(const FaceField<Dim>& velocity, const Field<float, Dim>& phi);

// Takes off what components have above a limit.
template <int Dim>
void slow_down(FaceField<Dim>& velocity, double limit);

}  // namespace spindrift

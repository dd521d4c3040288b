// SPDX-License-Identifier: Apache-2.0
// How fast a liquid is: what limits its steps.
#pragma once

#include "grid/field.h"

namespace spindrift {

// The largest component of any face's velocity; NaN when one is.
template <int Dim>
double largest_component(const FaceField<Dim>& velocity);

// The fastest liquid cell, by the velocity at its centre; NaN when one is.
template <int Dim>
double largest_speed(const FaceField<Dim>& velocity, const Field<float, Dim>& phi);

// Limits the magnitude of components; returns how many were above the limit.
template <int Dim>
std::size_t limit_speed(FaceField<Dim>& velocity, double limit);

}  // namespace spindrift

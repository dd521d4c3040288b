// SPDX-License-Identifier: Apache-2.0
// Velocities at cell centres: the mean of each cell's two faces.
#pragma once

#include "grid/field.h"

namespace spindrift {

// One field per axis, all at cell centres.
template <int Dim>
struct VectorField {
    std::array<Field<float, Dim>, Dim> component;

    Field<float, Dim>& operator[](int axis) { return component[static_cast<std::size_t>(axis)]; }
    const Field<float, Dim>& operator[](int axis) const { return component[static_cast<std::size_t>(axis)]; }
};

template <int Dim>
VectorField<Dim> collocated(const FaceField<Dim>& faces);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Fields as vectors: what a Krylov method needs, each in one pass over memory.  Sums have the same bits on any number
// of threads.
#pragma once

#include "grid/field.h"

namespace spindrift {

template <int Dim>
double dot(const Field<float, Dim>& a, const Field<float, Dim>& b);

// y = a x + b y.
template <int Dim>
void axpby(Field<float, Dim>& y, float a, const Field<float, Dim>& x, float b);

template <int Dim>
void copy(Field<float, Dim>& to, const Field<float, Dim>& from);

// The step of conjugate gradients, x += alpha p and r −= alpha q, in one pass; returns r·r.
template <int Dim>
double advance_pair(Field<float, Dim>& x, Field<float, Dim>& r, float alpha, const Field<float, Dim>& p,
                    const Field<float, Dim>& q);

}  // namespace spindrift

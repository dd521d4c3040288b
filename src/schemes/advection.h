// SPDX-License-Identifier: Apache-2.0
// Advection, a_t = −u·∇a, by the method of characteristics:  a_new(x) = a(p(x, −dt)),  where p(x, s) is where the flow
// takes x in the time s  [Stam99] §2.2.  Interpolation makes no new extremes, so an advected field never grows,
// whatever dt.
//
// Back-traces: the midpoint rule; or adaptive, which halves a step until two halves and the whole end in one place; or
// first order, straight on with the velocity at x.
// Schemes: linear interpolation (semi-Lagrangian); or, within the values around p(x, −dt), cubic polynomials through
// four points along each axis; or MacCormack [Selle08], which advects the result back to see the error and subtracts
// half of it.
#pragma once

#include <span>

#include "grid/field.h"
#include "schemes/back_trace.h"
#include "schemes/boundary.h"

namespace spindrift {

enum class AdvectionScheme { semi_lagrangian, maccormack, cubic };

template <int Dim>
struct AdvectionSettings {
    TraceRule trace_rule = TraceRule::midpoint;
    AdvectionScheme scheme = AdvectionScheme::semi_lagrangian;
};

// What it takes to keep the amount of a field of cells (gas/amounts.h), for each of its values.
template <int Dim>
struct AdvectionLimits {
    Field<float, Dim> least, most;  // of the values that it was interpolated from
    Field<float, Dim> missing;      // what advection has lost there; negative: gained
    std::vector<double> left{};     // by tile: what leaves through sides, whatever its sign
};

template <int Dim>
struct AdvectedField {
    const Field<float, Dim>* from;
    Field<float, Dim>* to;  // another field on the same tiles
    const FieldLayout<Dim>* layout;
    int displacement_axis = -1;  // >= 0: it is the displacement of the fluid along this axis, m, which grows
    AdvectionLimits<Dim>* limits = nullptr;  // filled in if given
    float ambient = 0;                       // of which none can be missing
};

// Of a liquid: its open faces up to a cell or two beyond the surface are advected, others keep their values.  The
// velocity must be known (extrapolated) as far beyond the surface as a step reaches.
template <int Dim>
struct LiquidFaces {
    const Field<float, Dim>& phi;
    const FaceField<Dim>& open;  // open fraction of each face
};

// Fields in a row with the same face_axis share their back-traces.
template <int Dim>
void advect(std::span<const AdvectedField<Dim>> fields, const Flow<Dim>& flow, double dt,
            const AdvectionSettings<Dim>& how, const LiquidFaces<Dim>* liquid = nullptr);

// A velocity, whose ghost values are these.
template <int Dim>
FaceField<Dim> advected(const FaceField<Dim>& velocity, const VelocityLayouts<Dim>& layouts, const Flow<Dim>& flow,
                        double dt, const AdvectionSettings<Dim>& how, const LiquidFaces<Dim>* liquid = nullptr);

// Advects a liquid's velocity by another one: that at the beginning or in the middle of the step.
template <int Dim>
void advect(FaceField<Dim>& velocity, const FaceField<Dim>& by, const Field<float, Dim>& phi,
            const Boundary<Dim>& boundaries, double dt, AdvectionScheme scheme);

// And by itself.
template <int Dim>
void advect(FaceField<Dim>& velocity, const Field<float, Dim>& phi, const Boundary<Dim>& boundaries, double dt,
            AdvectionScheme scheme) {
    advect(velocity, velocity, phi, boundaries, dt, scheme);
}

}  // namespace spindrift

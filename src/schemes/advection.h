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
#include "schemes/field_layout.h"

namespace spindrift {

// The explicit midpoint rule draws fluid that turns by the angle θ in a step nearer to the centre, by θ⁴/8 of its
// distance. The implicit one, x½ = x + dt u(x½) / 2, keeps volumes [HairerLubichWanner06].  Fields of cells, whose
// amounts should be kept, are traced by so many iterations of it after the explicit one.
constexpr int kMidpointIterations = 3;

enum class TraceRule { midpoint, adaptive, first_order };
enum class AdvectionScheme { semi_lagrangian, maccormack, cubic };

template <int Dim>
struct AdvectionSettings {
    TraceRule trace_rule = TraceRule::midpoint;
    AdvectionScheme scheme = AdvectionScheme::semi_lagrangian;
};

// The velocity that advects, m/s, with its layouts.
template <int Dim>
struct Flow {
    const FaceField<Dim>& velocity;
    VelocityLayouts<Dim> layouts;
    const Domain<Dim>& domain;
    std::vector<Box<float, Dim>> speeds;  // by tile: the range of each component, m/s
    float fastest_side = 0;               // of the sides with a prescribed velocity

    Flow(const FaceField<Dim>& velocity_, const Domain<Dim>& domain_, double time);
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

// Fields in a row with the same face_axis share their back-traces.
template <int Dim>
void advect(std::span<const AdvectedField<Dim>> fields, const Flow<Dim>& flow, double dt,
            const AdvectionSettings<Dim>& how);

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// Fields carried along by a velocity, a_t = −u·∇a, by the method of characteristics:  a_new(x) = a(p(x, −dt)),  where
// p(x, s) is where the flow brings x in the time s  [Stam99] §2.2.  Interpolation makes no new extremes, so a carried
// field never grows, whatever dt.
//
// Tracing: the midpoint rule; or adaptive, which halves a step until two halves and the whole end in one place; or
// straight on with the velocity at x, which is of first order only, but is enough for what a step needs half way.
// Sharper, within the values around p(x, −dt): cubic polynomials through four points along each axis; or MacCormack
// [Selle08], which carries the result back to see the error and takes half of it off.
#pragma once

#include <span>

#include "gas/lattice.h"
#include "grid/field.h"

namespace spindrift {

// The explicit midpoint rule draws gas that turns by the angle θ in a step nearer to the middle, by θ⁴/8 of its
// distance. The implicit one, x½ = x + dt u(x½) / 2, keeps volumes [HairerLubichWanner06].  Fields of cells, whose
// amounts should be kept, are traced by so many rounds of it after the explicit one.
constexpr int kMidpointRounds = 3;

enum class Tracing { midpoint, adaptive, straight };
enum class Sharpness { linear, maccormack, cubic };

template <int Dim>
struct CarrySettings {
    Tracing tracing = Tracing::midpoint;
    Sharpness sharpness = Sharpness::linear;
};

// The velocity that carries, m/s, with its lattices.
template <int Dim>
struct Flow {
    const FaceField<Dim>& velocity;
    VelocityLattices<Dim> lattices;
    const GasEnclosure<Dim>& enclosure;
    std::vector<Box<float, Dim>> speeds;  // by tile: the range of each component, m/s
    float fastest_side = 0;               // of the sides that drive the gas

    Flow(const FaceField<Dim>& velocity_, const GasEnclosure<Dim>& enclosure_, double time);
};

// What it takes to keep the amount of a field of cells (gas/amounts.h), for each of its values.
template <int Dim>
struct AdvectionLimits {
    Field<float, Dim> least, most;  // of the values that it was interpolated from
    Field<float, Dim> missing;      // what advection has lost there; negative: gained
    std::vector<double> left{};     // by tile: what leaves through sides, whatever its sign
};

template <int Dim>
struct CarriedField {
    const Field<float, Dim>* from;
    Field<float, Dim>* to;  // another field on the same tiles
    const Lattice<Dim>* lattice;
    int way_axis = -1;                       // >= 0: it is the way that gas has come along this axis, m, which grows
    AdvectionLimits<Dim>* limits = nullptr;  // filled in if given
    float ambient = 0;                       // of which none can be missing
};

// Fields in a row with the same face_axis share their characteristics.
template <int Dim>
void carry(std::span<const CarriedField<Dim>> fields, const Flow<Dim>& flow, double dt, const CarrySettings<Dim>& how);

}  // namespace spindrift

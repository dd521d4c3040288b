// SPDX-License-Identifier: Apache-2.0
// How a rigid body moves.  A point X of its own frame, in which its shape is written, is at
//
//   x = R(t) (X − P) + P + s(t)                pivot P, offset s, rotation R
//
// and moves with u(x) = ds/dt + ω × (x − P − s).  The rates are derivatives of the motion itself, so that a point on
// the surface that moves with u stays on it.
#pragma once

#include <functional>

#include "geometry/shapes.h"

namespace spindrift {

// A number or vector that varies in time, and its derivative by time.
template <class T>
struct WithRate {
    T value{}, rate{};
};

template <int Dim>
struct Rotation {
    std::array<Vec<double, Dim>, Dim> matrix = RigidTransform<Dim>::identity();  // rows, orthonormal
    Vec<double, 3> rate{};                                                       // ω, rad/s; in 2D along z alone
};

// By an angle in radians: counter-clockwise in 2D; about an axis in 3D; about x, then y, then z.
Rotation<2> rotation_by(const WithRate<double>& angle);
Rotation<3> rotation_by(const WithRate<double>& angle, const Vec<double, 3>& axis);
Rotation<3> rotation_by(const WithRate<Vec<double, 3>>& angles);

// ω × r.
Vec<double, 2> turning_velocity(const Vec<double, 3>& rate, const Vec<double, 2>& r);
Vec<double, 3> turning_velocity(const Vec<double, 3>& rate, const Vec<double, 3>& r);

// Where a body is at one moment, and how it moves.
template <int Dim>
struct Placement {
    RigidTransform<Dim> world_from_body{};
    Vec<double, Dim> pivot{};     // where it is now
    Vec<double, Dim> velocity{};  // of the pivot, m/s
    Vec<double, 3> rate{};        // ω, rad/s

    Vec<double, Dim> body_from_world(const Vec<double, Dim>& x) const { return world_from_body.local_from_world(x); }
    Vec<double, Dim> velocity_at(const Vec<double, Dim>& x) const {
        return velocity + turning_velocity(rate, x - pivot);
    }
    // The largest speed in a box, m/s: at one of its corners.
    double fastest_in(const Box<double, Dim>& box) const;
};

template <int Dim>
struct Pose {
    Vec<double, Dim> pivot{};
    std::function<WithRate<Vec<double, Dim>>(double time)> offset{};  // m; none: 0
    std::function<Rotation<Dim>(double time)> rotation{};             // none: does not turn

    bool moves() const { return offset || rotation; }
    Placement<Dim> at(double time) const;
};

// Holds the box after it was moved.
template <int Dim>
Box<double, Dim> moved(const Box<double, Dim>& box, const RigidTransform<Dim>& world_from_body);

}  // namespace spindrift

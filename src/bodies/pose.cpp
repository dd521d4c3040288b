// SPDX-License-Identifier: Apache-2.0
#include "bodies/pose.h"

#include <algorithm>
#include <cmath>

namespace spindrift {
namespace {

using Matrix3 = std::array<Vec<double, 3>, 3>;

Vec<double, 3> applied(const Matrix3& rows, const Vec<double, 3>& v) {
    return {dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)};
}

// a · b.
Matrix3 product(const Matrix3& a, const Matrix3& b) {
    Matrix3 out{};
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t k = 0; k < 3; ++k) out[row] += b[k] * a[row][static_cast<int>(k)];
    return out;
}

}  // namespace

Rotation<2> rotation_by(const WithRate<double>& angle) { return {rotation(angle.value).rotation, {0, 0, angle.rate}}; }

Rotation<3> rotation_by(const WithRate<double>& angle, const Vec<double, 3>& axis) {
    return {rotation(axis, angle.value).rotation, axis * (angle.rate / length(axis))};
}

// Each turn takes along the axes of those before it.
Rotation<3> rotation_by(const WithRate<Vec<double, 3>>& angles) {
    Rotation<3> all;
    for (int axis = 0; axis < 3; ++axis) {
        const Rotation<3> next = rotation_by({angles.value[axis], angles.rate[axis]}, Vec<double, 3>(unit<3>(axis)));
        all = {product(next.matrix, all.matrix), applied(next.matrix, all.rate) + next.rate};
    }
    return all;
}

Vec<double, 2> turning_velocity(const Vec<double, 3>& rate, const Vec<double, 2>& r) {
    return {-rate[2] * r[1], rate[2] * r[0]};
}
Vec<double, 3> turning_velocity(const Vec<double, 3>& rate, const Vec<double, 3>& r) {
    return {rate[1] * r[2] - rate[2] * r[1], rate[2] * r[0] - rate[0] * r[2], rate[0] * r[1] - rate[1] * r[0]};
}

template <int Dim>
double Placement<Dim>::fastest_in(const Box<double, Dim>& box) const {
    if (rate == Vec<double, 3>{}) return length(velocity);
    double speed = 0;
    for_each_index(IndexBox<Dim>{Index<Dim>(0), Index<Dim>(2)}, [&](const Index<Dim>& end) {
        Vec<double, Dim> corner;
        for (int a = 0; a < Dim; ++a) corner[a] = end[a] == 0 ? box.lo[a] : box.hi[a];
        speed = std::max(speed, length(velocity_at(corner)));
    });
    return speed;
}

template <int Dim>
Placement<Dim> Pose<Dim>::at(double time) const {
    Placement<Dim> placed;
    const WithRate<Vec<double, Dim>> shift = offset ? offset(time) : WithRate<Vec<double, Dim>>{};
    placed.pivot = pivot + shift.value;
    placed.velocity = shift.rate;
    placed.world_from_body.translation = shift.value;
    if (!rotation) return placed;
    const Rotation<Dim> turned = rotation(time);
    placed.rate = turned.rate;
    placed.world_from_body.rotation = turned.matrix;
    placed.world_from_body.translation = placed.pivot - placed.world_from_body.rotated(pivot);
    return placed;
}

template <int Dim>
Box<double, Dim> moved(const Box<double, Dim>& box, const RigidTransform<Dim>& world_from_body) {
    const auto& rows = world_from_body.rotation;
    if (rows == RigidTransform<Dim>::identity())
        return {box.lo + world_from_body.translation, box.hi + world_from_body.translation};
    Vec<double, Dim> lo = world_from_body.translation, hi = lo;
    for (int a = 0; a < Dim; ++a)
        for (int b = 0; b < Dim; ++b) {
            const double part = rows[static_cast<std::size_t>(a)][b];
            if (part == 0) continue;  // also of a side at infinity
            lo[a] += part * (part > 0 ? box.lo[b] : box.hi[b]);
            hi[a] += part * (part > 0 ? box.hi[b] : box.lo[b]);
        }
    return {lo, hi};
}

#define INSTANTIATE(Dim)            \
    template struct Placement<Dim>; \
    template struct Pose<Dim>;      \
    template Box<double, Dim> moved(const Box<double, Dim>&, const RigidTransform<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift

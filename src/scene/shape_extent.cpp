// SPDX-License-Identifier: Apache-2.0
#include "scene/shape_extent.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "scene/heights.h"

namespace spindrift {
namespace {

using scene::Vec3;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The columns are the turned axes.
using Matrix = std::array<Vec3, 3>;

Vec3 turned(const Vec3& v, const Vec3& radians) {
    Vec3 out = v;
    for (int axis = 0; axis < 3; ++axis) {
        const double c = std::cos(radians[axis]);
        const double s = std::sin(radians[axis]);
        const int a = (axis + 1) % 3;
        const int b = (axis + 2) % 3;
        const double va = out[a];
        const double vb = out[b];
        out[a] = c * va - s * vb;
        out[b] = s * va + c * vb;
    }
    return out;
}

Matrix matrix(const scene::Rotation& rotation) {
    const Vec3 radians = rotation.degrees * (std::numbers::pi / 180);
    return {turned({1, 0, 0}, radians), turned({0, 1, 0}, radians), turned({0, 0, 1}, radians)};
}

// The place as seen from a centre, along turned axes.
Vec3 local(const Vec3& place, const Vec3& centre, const Matrix& axes) {
    const Vec3 v = place - centre;
    return {dot(v, axes[0]), dot(v, axes[1]), dot(v, axes[2])};
}

Box<double, 3> around(const Vec3& centre, const Vec3& half) { return {centre - half, centre + half}; }

// Squared distance from the axis of a cylinder or capsule, and how far along it, 0 to 1 between the ends.
struct AlongAxis {
    double s;
    double distance2;
};
AlongAxis along(const Vec3& place, const Vec3& from, const Vec3& to, bool stop_at_ends) {
    const Vec3 axis = to - from;
    const double length2 = dot(axis, axis);
    double s = length2 > 0 ? dot(place - from, axis) / length2 : 0;
    const double nearest = stop_at_ends ? std::clamp(s, 0.0, 1.0) : s;
    const Vec3 off = place - (from + axis * nearest);
    return {s, dot(off, off)};
}

struct Extent {
    std::optional<Box<double, 3>> operator()(const scene::Box& s) const {
        const Matrix m = matrix(s.rotate_degrees);
        const Vec3 h = (s.max - s.min) * 0.5;
        Vec3 half;
        for (int a = 0; a < 3; ++a)
            half[a] = std::abs(m[0][a]) * h[0] + std::abs(m[1][a]) * h[1] + std::abs(m[2][a]) * h[2];
        return around((s.min + s.max) * 0.5, half);
    }
    std::optional<Box<double, 3>> operator()(const scene::Sphere& s) const { return around(s.center, Vec3(s.radius)); }
    std::optional<Box<double, 3>> operator()(const scene::Ellipsoid& s) const {
        const Matrix m = matrix(s.rotate_degrees);
        Vec3 half;
        for (int a = 0; a < 3; ++a)
            half[a] = length(Vec3(m[0][a] * s.radii[0], m[1][a] * s.radii[1], m[2][a] * s.radii[2]));
        return around(s.center, half);
    }
    std::optional<Box<double, 3>> operator()(const scene::Cylinder& s) const {
        const Vec3 axis = s.to - s.from;
        const double length2 = dot(axis, axis);
        // A disc reaches radius · sin(angle between its normal and the axis).
        const Vec3 reach =
            map([&](double a) { return s.radius * std::sqrt(std::max(0.0, 1 - (length2 > 0 ? a * a / length2 : 0))); },
                axis);
        return Box<double, 3>{min(s.from, s.to) - reach, max(s.from, s.to) + reach};
    }
    std::optional<Box<double, 3>> operator()(const scene::Capsule& s) const {
        return Box<double, 3>{min(s.from, s.to) - Vec3(s.radius), max(s.from, s.to) + Vec3(s.radius)};
    }
    std::optional<Box<double, 3>> operator()(const scene::Cone& s) const {
        const Vec3 axis = s.to - s.from;
        const double length2 = dot(axis, axis);
        const Vec3 reach =
            map([&](double a) { return std::sqrt(std::max(0.0, 1 - (length2 > 0 ? a * a / length2 : 0))); }, axis);
        return Box<double, 3>{min(s.from - reach * s.radius, s.to - reach * s.radius_to),
                              max(s.from + reach * s.radius, s.to + reach * s.radius_to)};
    }
    std::optional<Box<double, 3>> operator()(const scene::Torus& s) const {
        Vec3 reach(s.radius + s.tube_radius);
        for (int a = 0; s.axis && a < 3; ++a) {
            const double along = (*s.axis)[a] / length(*s.axis);
            reach[a] = s.radius * std::sqrt(std::max(0.0, 1 - along * along)) + s.tube_radius;
        }
        return around(s.center, reach);
    }
    std::optional<Box<double, 3>> operator()(const scene::Polygon& s) const {
        Box<double, 3> box{Vec3(kInfinity), Vec3(-kInfinity)};
        for (const Vec3& p : s.points) box = {min(box.lo, p), max(box.hi, p)};
        return box;
    }
    std::optional<Box<double, 3>> operator()(const scene::Plane&) const {
        return Box<double, 3>{Vec3(-kInfinity), Vec3(kInfinity)};
    }
    std::optional<Box<double, 3>> operator()(const scene::Heights&) const {
        return Box<double, 3>{Vec3(-kInfinity), Vec3(kInfinity)};
    }
    std::optional<Box<double, 3>> operator()(const scene::Heightmap&) const {
        return Box<double, 3>{Vec3(-kInfinity), Vec3(kInfinity)};
    }
    std::optional<Box<double, 3>> operator()(const scene::Mesh&) const { return std::nullopt; }
};

struct Thickness {
    int dim;
    double least(const Vec3& v) const { return dim == 2 ? std::min(v[0], v[1]) : std::min({v[0], v[1], v[2]}); }
    std::optional<double> operator()(const scene::Box& s) const { return least(s.max - s.min); }
    std::optional<double> operator()(const scene::Sphere& s) const { return 2 * s.radius; }
    std::optional<double> operator()(const scene::Ellipsoid& s) const { return 2 * least(s.radii); }
    std::optional<double> operator()(const scene::Cylinder& s) const {
        return std::min(2 * s.radius, length(s.to - s.from));
    }
    std::optional<double> operator()(const scene::Capsule& s) const { return 2 * s.radius; }
    std::optional<double> operator()(const scene::Cone& s) const {
        return std::min(2 * std::max(s.radius, s.radius_to), length(s.to - s.from));
    }
    std::optional<double> operator()(const scene::Torus& s) const { return 2 * s.tube_radius; }
    std::optional<double> operator()(const scene::Polygon&) const { return std::nullopt; }
    std::optional<double> operator()(const scene::Plane&) const { return std::nullopt; }
    std::optional<double> operator()(const scene::Heights&) const { return std::nullopt; }
    std::optional<double> operator()(const scene::Heightmap&) const { return std::nullopt; }
    std::optional<double> operator()(const scene::Mesh&) const { return std::nullopt; }
};

struct Contains {
    Vec3 place;
    int dim, up;
    std::optional<bool> operator()(const scene::Box& s) const {
        const Vec3 p = local(place, (s.min + s.max) * 0.5, matrix(s.rotate_degrees));
        for (int axis = 0; axis < dim; ++axis)
            if (std::abs(p[axis]) > 0.5 * (s.max[axis] - s.min[axis])) return false;
        return true;
    }
    std::optional<bool> operator()(const scene::Sphere& s) const { return length(place - s.center) <= s.radius; }
    std::optional<bool> operator()(const scene::Ellipsoid& s) const {
        const Vec3 p = local(place, s.center, matrix(s.rotate_degrees));
        double sum = 0;
        for (int axis = 0; axis < dim; ++axis) sum += p[axis] * p[axis] / (s.radii[axis] * s.radii[axis]);
        return sum <= 1;
    }
    std::optional<bool> operator()(const scene::Cylinder& s) const {
        const AlongAxis a = along(place, s.from, s.to, false);
        return a.s >= 0 && a.s <= 1 && a.distance2 <= s.radius * s.radius;
    }
    std::optional<bool> operator()(const scene::Capsule& s) const {
        return along(place, s.from, s.to, true).distance2 <= s.radius * s.radius;
    }
    std::optional<bool> operator()(const scene::Cone& s) const {
        const AlongAxis a = along(place, s.from, s.to, false);
        const double radius = s.radius + a.s * (s.radius_to - s.radius);
        return a.s >= 0 && a.s <= 1 && a.distance2 <= radius * radius;
    }
    std::optional<bool> operator()(const scene::Torus& s) const {
        const Vec3 off = place - s.center;
        const Vec3 axis = dim == 2 ? Vec3(0, 0, 1) : s.axis ? *s.axis / length(*s.axis) : Vec3(unit<3>(up));
        const double z = dot(off, axis);
        return std::hypot(length(off - axis * z) - s.radius, z) <= s.tube_radius;
    }
    std::optional<bool> operator()(const scene::Polygon& s) const {
        bool inside = false;
        for (std::size_t n = 0; n < s.points.size(); ++n) {
            const Vec3 &a = s.points[n], &b = s.points[(n + 1) % s.points.size()];
            if ((a[1] > place[1]) != (b[1] > place[1]) &&
                place[0] < a[0] + (place[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
                inside = !inside;
        }
        return inside;
    }
    std::optional<bool> operator()(const scene::Plane& s) const { return dot(place - s.point, s.normal) <= 0; }
    std::optional<bool> operator()(const scene::Heights& s) const { return place[up] <= s.height.at(place, 0); }
    std::optional<bool> operator()(const scene::Heightmap& s) const {
        if (!s.image.map) return std::nullopt;
        return place[up] <= height_at(s, place, dim, up);
    }
    std::optional<bool> operator()(const scene::Mesh&) const { return std::nullopt; }
};

}  // namespace

std::optional<Box<double, 3>> extent(const scene::Shape& shape, int dim) {
    std::optional<Box<double, 3>> box = std::visit(Extent{}, shape);
    if (box && dim == 2) box->lo[2] = box->hi[2] = 0;
    return box;
}
std::optional<double> thickness(const scene::Shape& shape, int dim) { return std::visit(Thickness{dim}, shape); }
std::optional<bool> contains(const scene::Shape& shape, const Vec<double, 3>& place, int dim, int up) {
    return std::visit(Contains{place, dim, up}, shape);
}

}  // namespace spindrift

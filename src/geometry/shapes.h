// SPDX-License-Identifier: Apache-2.0
// Shapes by their signed distance: negative inside, in metres, exact but for what is said at ShapeSet.  The set is
// closed; a mesh is the way to any other shape.
//
//   ShapeSet<3> glass;
//   glass.add(Cylinder<3>{{0, 0, 0}, {0, 0.1, 0}, 0.04});
//   glass.subtract(Cylinder<3>{{0, 0.005, 0}, {0, 0.2, 0}, 0.037});
//   const double phi = signed_distance(glass, p);
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/vec.h"

namespace spindrift {

class MeshDistance;

template <int Dim>
struct Sphere {
    Vec<double, Dim> centre;
    double radius = 1;
};

// Axes along the coordinate axes.
template <int Dim>
struct Ellipsoid {
    Vec<double, Dim> centre;
    Vec<double, Dim> radii = Vec<double, Dim>(1.0);
};

// All points within `radius` of the axis from a to b, with flat ends; in 2D a rectangle, 2 radius wide.
template <int Dim>
struct Cylinder {
    Vec<double, Dim> a, b;
    double radius = 1;
};

// The same with round ends.
template <int Dim>
struct Capsule {
    Vec<double, Dim> a, b;
    double radius = 1;
};

// A cylinder whose radius changes along its axis, with flat ends; one radius may be 0.  In 2D a trapezium.
template <int Dim>
struct Cone {
    Vec<double, Dim> a, b;
    double radius_a = 1, radius_b = 0;
};

// All points within `tube` of a circle around the centre, in the plane across the axis; in 2D a ring.
template <int Dim>
struct Torus {
    Vec<double, Dim> centre;
    double radius = 1;  // of the circle
    double tube = 0.25;
    Vec<double, Dim> axis = Vec<double, Dim>(unit<Dim>(Dim - 1));  // of any length; 3D
};

// Closed by the line from its last corner to the first.  Inside is what its sides go round, in either direction.
struct Polygon {
    std::vector<Vec<double, 2>> corners;
};

// All that lies below the plane through a point, seen along its normal, which need not have length 1.
template <int Dim>
struct HalfSpace {
    Vec<double, Dim> point;
    Vec<double, Dim> normal;
};

// Whatever a function says is inside, such as what lies below a wave.  A distance near the surface is enough where no
// one walks along it; a solid needs one that is nowhere too large.
template <int Dim>
struct Implicit {
    std::function<double(const Vec<double, Dim>&)> distance;
};

struct MeshSolid {
    std::shared_ptr<const MeshDistance> distance;
};

namespace detail {
template <int Dim, class... More>
using ShapeVariant = std::variant<Box<double, Dim>, Sphere<Dim>, Ellipsoid<Dim>, Cylinder<Dim>, Capsule<Dim>, Cone<Dim>,
                                  Torus<Dim>, HalfSpace<Dim>, Implicit<Dim>, More...>;
template <int Dim>
struct ShapeOf {
    using type = ShapeVariant<Dim, Polygon>;
};
template <>
struct ShapeOf<3> {
    using type = ShapeVariant<3, MeshSolid>;
};
}  // namespace detail

template <int Dim>
using Shape = typename detail::ShapeOf<Dim>::type;

// world = rotation · local + translation.
template <int Dim>
struct RigidTransform {
    std::array<Vec<double, Dim>, Dim> rotation = identity();  // rows, orthonormal
    Vec<double, Dim> translation;

    Vec<double, Dim> world_from_local(const Vec<double, Dim>& local) const { return rotated(local) + translation; }
    Vec<double, Dim> local_from_world(const Vec<double, Dim>& world) const {
        const Vec<double, Dim> offset = world - translation;
        Vec<double, Dim> local;
        for (int a = 0; a < Dim; ++a) local += rotation[static_cast<std::size_t>(a)] * offset[a];
        return local;
    }
    Vec<double, Dim> rotated(const Vec<double, Dim>& direction) const {
        Vec<double, Dim> out;
        for (int a = 0; a < Dim; ++a) out[a] = dot(rotation[static_cast<std::size_t>(a)], direction);
        return out;
    }

    static constexpr std::array<Vec<double, Dim>, Dim> identity() {
        std::array<Vec<double, Dim>, Dim> rows;
        for (int a = 0; a < Dim; ++a) rows[static_cast<std::size_t>(a)][a] = 1;
        return rows;
    }
};

// Turns by an angle: in 2D counter-clockwise, in 3D about an axis, as a screw turns that moves along it.
RigidTransform<2> rotation(double radians);
RigidTransform<3> rotation(const Vec<double, 3>& axis, double radians);

enum class Combine { add, subtract };

// Shapes put on and cut out in order.  The distance of the whole is exact in sign, and nowhere farther from zero than
// the true distance: within a union and outside a cut it is a bound, so it can be walked along safely.
template <int Dim>
struct ShapeSet {
    struct Part {
        Shape<Dim> shape;
        Combine how = Combine::add;
        std::optional<RigidTransform<Dim>> pose{};  // none: the shape's numbers are in world space
    };
    std::vector<Part> parts;

    void add(Shape<Dim> shape) { parts.push_back({std::move(shape), Combine::add, std::nullopt}); }
    void subtract(Shape<Dim> shape) { parts.push_back({std::move(shape), Combine::subtract, std::nullopt}); }
};

template <int Dim>
double signed_distance(const Shape<Dim>& shape, const Vec<double, Dim>& p);
// +∞ when there is no shape.
template <int Dim>
double signed_distance(const ShapeSet<Dim>& set, const Vec<double, Dim>& p);

// Out of the set at a place on its surface, of length 1, where that is the surface of a mesh; else zero, and the slope
// of the distance says it.
template <int Dim>
Vec<double, Dim> mesh_normal(const ShapeSet<Dim>& set, const Vec<double, Dim>& p);

// Holds the whole shape; infinite where it has no end, empty (lo above hi) when there is nothing.
template <int Dim>
Box<double, Dim> bounding_box(const Shape<Dim>& shape);
template <int Dim>
Box<double, Dim> bounding_box(const ShapeSet<Dim>& set);

// What makes a shape unusable ("its radius is -1 m; it must be above 0"), or nothing.
template <int Dim>
std::string fault(const Shape<Dim>& shape);

}  // namespace spindrift

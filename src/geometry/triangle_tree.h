// SPDX-License-Identifier: Apache-2.0
// Triangles in a tree of boxes: the nearest triangle to a point, the first one along a ray, and the winding number,
// which says how often the surface goes round a point: 1 inside, 0 outside, in between near holes.  Far branches count
// as one dipole each [Barill18].
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "geometry/mesh.h"

namespace spindrift {

struct Ray {
    Vec<double, 3> origin;
    Vec<double, 3> direction;  // of length 1
};

class TriangleTree {
  public:
    explicit TriangleTree(const TriangleMesh& mesh);

    struct Nearest {
        double distance;  // m
        Vec<double, 3> point;
        std::uint32_t triangle;  // in the mesh
        std::uint32_t place;     // in the tree, see Start
        int examined;            // boxes and triangles looked at
    };
    // How a search begins.
    struct Start {
        std::optional<std::uint32_t> near{};  // the place in the tree of a triangle that may be the nearest
        double slack = 0;                     // the distance found may be too large by this part of it
    };
    // Nothing when no triangle is nearer than `within`.
    std::optional<Nearest> nearest(const Vec<double, 3>& p, double within, const Start& start) const;
    std::optional<Nearest> nearest(const Vec<double, 3>& p, double within) const { return nearest(p, within, Start{}); }

    // How often the line between two points enters the mesh, less how often it leaves it: by so much the winding number
    // changes.  Nothing when the line meets an edge or lies in a triangle, but for rounding.
    std::optional<int> crossings(const Vec<double, 3>& from, const Vec<double, 3>& to) const;

    struct Hit {
        double distance;
        Vec<double, 3> normal;  // outward, of length 1
        std::uint32_t triangle;
    };
    // The first triangle beyond `from` along the ray that `accept(hit)` takes.
    template <class Accept>
    std::optional<Hit> first_hit(const Ray& ray, double from, Accept&& accept) const;

    // A branch counts as a dipole from `far` of its radii away.  Near the surface of a sphere of 10,000 triangles and a
    // lumpy shape of 19,000 the error was at most 0.024 at 2.5, and 0.18 at 1.2 in a quarter of the time.
    double winding_number(const Vec<double, 3>& p, double far = 2.5) const;

    bool empty() const { return triangles_.empty(); }
    Box<float, 3> bounding_box() const;

  private:
    struct Triangle {
        Vec<float, 3> a, b, c;
        std::uint32_t number;
    };
    // Children are next to each other; a leaf has triangles instead.
    struct Node {
        Box<float, 3> box;
        std::uint32_t first = 0;  // child or triangle
        std::uint32_t count = 0;  // of triangles; 0 when it has children
    };
    // A cylinder around a branch, its axis along the mean normal: of a smooth surface it holds a thin slice where a box
    // along the coordinate axes would stick out by about its own size, and most of a search would be for nothing.
    struct Slice {
        Vec<float, 3> centre, axis;
        float low = 0, high = 0;  // along the axis, from the centre
        float radius = 0;

        double squared_distance(const Vec<double, 3>& p) const {
            const Vec<double, 3> off = p - Vec<double, 3>(centre);
            const double z = dot(off, Vec<double, 3>(axis));
            const double along = std::max({low - z, z - high, 0.0});
            const double across = std::max(std::sqrt(std::max(dot(off, off) - z * z, 0.0)) - radius, 0.0);
            return (along * along + across * across) * (1 - 1e-6);  // the axis is rounded
        }
    };
    // What a branch looks like from afar: the sum of its triangles' area vectors, at their middle.
    struct Dipole {
        Vec<float, 3> area;
        Vec<float, 3> centre;
        float radius = 0;  // all of it lies within, around the centre
    };

    void build(std::uint32_t node, std::uint32_t begin, std::uint32_t end);
    Slice slice_around(std::uint32_t begin, std::uint32_t end) const;
    void sum_up_dipoles();
    // Of one triangle; see crossings().
    static std::optional<int> crossing(const Triangle& triangle, const Vec<double, 3>& from, const Vec<double, 3>& way);
    static std::optional<Hit> intersection(const Triangle& triangle, const Ray& ray, double from);
    static bool crosses(const Box<float, 3>& box, const Ray& ray, const Vec<double, 3>& inverse, double from,
                        double to);

    std::vector<Triangle> triangles_;
    std::vector<Node> nodes_;
    std::vector<Slice> slices_;    // one per node
    std::vector<Dipole> dipoles_;  // one per node
};

template <class Accept>
std::optional<TriangleTree::Hit> TriangleTree::first_hit(const Ray& ray, double from, Accept&& accept) const {
    std::optional<Hit> first;
    if (empty()) return first;
    const Vec<double, 3> inverse = map([](double d) { return 1 / d; }, ray.direction);
    std::vector<std::uint32_t> open{0};
    double nearest_so_far = std::numeric_limits<double>::infinity();
    while (!open.empty()) {
        const Node& node = nodes_[open.back()];
        open.pop_back();
        if (!crosses(node.box, ray, inverse, from, nearest_so_far)) continue;
        if (node.count == 0) {
            open.push_back(node.first + 1);
            open.push_back(node.first);
        }
        for (std::uint32_t t = node.first; t < node.first + node.count; ++t) {
            const std::optional<Hit> hit = intersection(triangles_[t], ray, from);
            if (hit && hit->distance < nearest_so_far && accept(*hit)) {
                first = hit;
                nearest_so_far = hit->distance;
            }
        }
    }
    return first;
}

}  // namespace spindrift

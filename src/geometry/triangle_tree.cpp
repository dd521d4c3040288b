// SPDX-License-Identifier: Apache-2.0
#include "geometry/triangle_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace spindrift {
namespace {

using Point = Vec<double, 3>;

constexpr std::uint32_t kLeafTriangles = 4;  // a choice, not tuned

// Halving bounds the depth by the bits of a triangle's number; each level leaves one child waiting.
constexpr std::size_t kDeepest = 64;

Point cross(const Point& a, const Point& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double squared_distance(const Box<float, 3>& box, const Point& p) {
    double sum = 0;
    for (int a = 0; a < 3; ++a) {
        const double d = std::max({double{box.lo[a]} - p[a], p[a] - double{box.hi[a]}, 0.0});
        sum += d * d;
    }
    return sum;
}

// The point of a triangle next to p: of its corners, its sides or its inside [Ericson05, 5.1.5].
Point closest_point(const Point& a, const Point& b, const Point& c, const Point& p) {
    const Point ab = b - a, ac = c - a;
    const double d1 = dot(ab, p - a), d2 = dot(ac, p - a);
    if (d1 <= 0 && d2 <= 0) return a;
    const double d3 = dot(ab, p - b), d4 = dot(ac, p - b);
    if (d3 >= 0 && d4 <= d3) return b;
    const double d5 = dot(ab, p - c), d6 = dot(ac, p - c);
    if (d6 >= 0 && d5 <= d6) return c;

    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0 && d1 > d3) return a + ab * (d1 / (d1 - d3));
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0 && d2 > d6) return a + ac * (d2 / (d2 - d6));
    const double va = d3 * d6 - d5 * d4;
    const double e = d4 - d3, f = d5 - d6;
    if (va <= 0 && e >= 0 && f >= 0 && e + f > 0) return b + (c - b) * (e / (e + f));

    const double sum = va + vb + vc;
    if (!(sum > 0)) return a;
    return a + ab * (vb / sum) + ac * (vc / sum);
}

// The part of the sphere of directions around p that a triangle covers, signed, [Oosterom83]: up to 4π.
double solid_angle(const Point& p, const Point& a0, const Point& b0, const Point& c0) {
    const Point a = a0 - p, b = b0 - p, c = c0 - p;
    const double la = length(a), lb = length(b), lc = length(c);
    const double volume = dot(a, cross(b, c));
    const double rest = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    return volume == 0 ? 0 : 2 * std::atan2(volume, rest);
}

}  // namespace

TriangleTree::TriangleTree(const TriangleMesh& mesh) {
    triangles_.reserve(mesh.triangles.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto& corner = mesh.triangles[t];
        triangles_.push_back({mesh.positions[corner[0]], mesh.positions[corner[1]], mesh.positions[corner[2]], t});
    }
    if (triangles_.empty()) return;
    nodes_.reserve(2 * triangles_.size());
    nodes_.emplace_back();
    build(0, 0, static_cast<std::uint32_t>(triangles_.size()));
    sum_up_dipoles();
}

// Halves the triangles along the longest side of the box around their middles.
void TriangleTree::build(std::uint32_t node, std::uint32_t begin, std::uint32_t end) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    Box<float, 3> box{Vec<float, 3>(kInfinity), Vec<float, 3>(-kInfinity)}, middles = box;
    const auto middle = [](const Triangle& t) { return t.a + t.b + t.c; };  // times 3
    for (std::uint32_t i = begin; i < end; ++i) {
        const Triangle& t = triangles_[i];
        box = bounds(box, {min(min(t.a, t.b), t.c), max(max(t.a, t.b), t.c)});
        middles = bounds(middles, {middle(t), middle(t)});
    }
    nodes_[node].box = box;
    if (end - begin <= kLeafTriangles) {
        nodes_[node].first = begin;
        nodes_[node].count = end - begin;
        return;
    }

    const Vec<float, 3> size = middles.size();
    const int axis = static_cast<int>(std::max_element(size.data.begin(), size.data.end()) - size.data.begin());
    const std::uint32_t half = begin + (end - begin) / 2;
    std::nth_element(triangles_.begin() + begin, triangles_.begin() + half, triangles_.begin() + end,
                     [&](const Triangle& s, const Triangle& t) {
                         return std::pair(middle(s)[axis], s.number) < std::pair(middle(t)[axis], t.number);
                     });
    const auto child = static_cast<std::uint32_t>(nodes_.size());
    nodes_[node].first = child;
    nodes_.resize(nodes_.size() + 2);
    build(child, begin, half);
    build(child + 1, half, end);
}

// Children stand after their parents, so backwards they come first.
void TriangleTree::sum_up_dipoles() {
    struct Sum {
        Point area, moment;
        double weight = 0;
        double radius = 0;
        Point centre() const { return weight > 0 ? moment / weight : moment; }
    };
    std::vector<Sum> sums(nodes_.size());
    dipoles_.resize(nodes_.size());
    for (std::size_t n = nodes_.size(); n-- > 0;) {
        const Node& node = nodes_[n];
        Sum& sum = sums[n];
        for (std::uint32_t t = node.first; t < node.first + node.count; ++t) {
            const Point a(triangles_[t].a), b(triangles_[t].b), c(triangles_[t].c);
            const Point area = cross(b - a, c - a) * 0.5;
            sum.area += area;
            sum.moment += (a + b + c) * (length(area) / 3);
            sum.weight += length(area);
        }
        for (const std::uint32_t child : {node.first, node.first + 1}) {
            if (node.count > 0) break;
            sum.area += sums[child].area;
            sum.moment += sums[child].moment;
            sum.weight += sums[child].weight;
        }
        if (!(sum.weight > 0)) sum.moment = (Point(node.box.lo) + Point(node.box.hi)) * 0.5;

        // The box's farthest corner bounds both leaves and branches.
        const Point centre = sum.centre();
        const Point reach = max(Point(node.box.hi) - centre, centre - Point(node.box.lo));
        dipoles_[n] = {Vec<float, 3>(sum.area), Vec<float, 3>(centre), static_cast<float>(length(reach))};
    }
}

std::optional<TriangleTree::Nearest> TriangleTree::nearest(const Vec<double, 3>& p, double within) const {
    std::optional<Nearest> best;
    if (empty()) return best;
    double bound = within * within;
    std::array<std::pair<double, std::uint32_t>, kDeepest> open;
    std::size_t waiting = 0;
    if (const double d = squared_distance(nodes_[0].box, p); d < bound) open[waiting++] = {d, 0};
    while (waiting > 0) {
        const auto [least, number] = open[--waiting];
        if (least >= bound) continue;
        const Node& node = nodes_[number];
        for (std::uint32_t t = node.first; t < node.first + node.count; ++t) {
            const Triangle& triangle = triangles_[t];
            const Point q = closest_point(Point(triangle.a), Point(triangle.b), Point(triangle.c), p);
            const double squared = dot(p - q, p - q);
            if (squared < bound) {
                bound = squared;
                best = Nearest{squared, q, triangle.number};
            }
        }
        if (node.count > 0) continue;

        // The nearer child is taken up first.
        std::pair<double, std::uint32_t> near{squared_distance(nodes_[node.first].box, p), node.first};
        std::pair<double, std::uint32_t> far{squared_distance(nodes_[node.first + 1].box, p), node.first + 1};
        if (far.first < near.first) std::swap(near, far);
        if (far.first < bound) open[waiting++] = far;
        if (near.first < bound) open[waiting++] = near;
    }
    if (best) best->distance = std::sqrt(best->distance);
    return best;
}

double TriangleTree::winding_number(const Vec<double, 3>& p, double far) const {
    if (empty()) return 0;
    double angle = 0;
    std::array<std::uint32_t, kDeepest> open;
    std::size_t waiting = 0;
    open[waiting++] = 0;
    while (waiting > 0) {
        const std::uint32_t number = open[--waiting];
        const Node& node = nodes_[number];
        const Dipole& dipole = dipoles_[number];
        const Point offset = Point(dipole.centre) - p;
        const double squared = dot(offset, offset);
        if (squared > far * far * double{dipole.radius} * double{dipole.radius}) {
            angle += dot(Point(dipole.area), offset) / (squared * std::sqrt(squared));
            continue;
        }
        for (std::uint32_t t = node.first; t < node.first + node.count; ++t) {
            const Triangle& triangle = triangles_[t];
            angle += solid_angle(p, Point(triangle.a), Point(triangle.b), Point(triangle.c));
        }
        if (node.count > 0) continue;
        open[waiting++] = node.first + 1;
        open[waiting++] = node.first;
    }
    return angle / (4 * std::numbers::pi);
}

Box<float, 3> TriangleTree::bounding_box() const {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    return empty() ? Box<float, 3>{Vec<float, 3>(kInfinity), Vec<float, 3>(-kInfinity)} : nodes_[0].box;
}

// [Moeller97], both sides.
std::optional<TriangleTree::Hit> TriangleTree::intersection(const Triangle& triangle, const Ray& ray, double from) {
    const Point a(triangle.a), ab = Point(triangle.b) - a, ac = Point(triangle.c) - a;
    const Point s = cross(ray.direction, ac);
    const double determinant = dot(ab, s);
    if (determinant == 0) return std::nullopt;
    const Point offset = ray.origin - a;
    const Point q = cross(offset, ab);
    const double u = dot(offset, s) / determinant, v = dot(ray.direction, q) / determinant;
    const double distance = dot(ac, q) / determinant;
    if (!(u >= 0 && v >= 0 && u + v <= 1 && distance > from)) return std::nullopt;
    const Point normal = cross(ab, ac);
    return Hit{distance, normal / length(normal), triangle.number};
}

bool TriangleTree::crosses(const Box<float, 3>& box, const Ray& ray, const Vec<double, 3>& inverse, double from,
                           double to) {
    for (int a = 0; a < 3; ++a) {
        // A ray within a side's plane gives NaN, which min and max pass over.
        const double t0 = (double{box.lo[a]} - ray.origin[a]) * inverse[a];
        const double t1 = (double{box.hi[a]} - ray.origin[a]) * inverse[a];
        from = std::max(from, std::min(t0, t1));
        to = std::min(to, std::max(t0, t1));
    }
    return from <= to;
}

}  // namespace spindrift

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
    slices_.reserve(2 * triangles_.size());
    slices_.emplace_back();
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
    slices_[node] = slice_around(begin, end);
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
    slices_.resize(nodes_.size());
    build(child, begin, half);
    build(child + 1, half, end);
}

TriangleTree::Slice TriangleTree::slice_around(std::uint32_t begin, std::uint32_t end) const {
    Point normal, middle;
    for (std::uint32_t i = begin; i < end; ++i) {
        const Point a(triangles_[i].a), b(triangles_[i].b), c(triangles_[i].c);
        normal += cross(b - a, c - a);
        middle += (a + b + c) / 3.0;
    }
    const double size = length(normal);
    Slice slice{.centre = Vec<float, 3>(middle / static_cast<double>(end - begin)),
                .axis = size > 0 ? Vec<float, 3>(normal / size) : Vec<float, 3>(1, 0, 0)};
    double low = 0, high = 0, radius = 0;
    for (std::uint32_t i = begin; i < end; ++i)
        for (const Vec<float, 3>& corner : {triangles_[i].a, triangles_[i].b, triangles_[i].c}) {
            const Point off = Point(corner) - Point(slice.centre);
            const double z = dot(off, Point(slice.axis));
            low = std::min(low, z);
            high = std::max(high, z);
            radius = std::max(radius, std::sqrt(std::max(dot(off, off) - z * z, 0.0)));
        }
    const double rounding = 1e-5 * (radius + high - low);
    slice.low = static_cast<float>(low - rounding);
    slice.high = static_cast<float>(high + rounding);
    slice.radius = static_cast<float>(radius + rounding);
    return slice;
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

std::optional<TriangleTree::Nearest> TriangleTree::nearest(const Vec<double, 3>& p, double within,
                                                           const Start& start) const {
    std::optional<Nearest> best;
    if (empty()) return best;
    const double keep = (1 - start.slack) * (1 - start.slack);  // of the bound: beyond it a branch is passed over
    double bound = within * within;
    int examined = 0;
    const auto look = [&](std::uint32_t t) {
        const Triangle& triangle = triangles_[t];
        const Point q = closest_point(Point(triangle.a), Point(triangle.b), Point(triangle.c), p);
        const double squared = dot(p - q, p - q);
        ++examined;
        if (squared < bound) {
            bound = squared;
            best = Nearest{squared, q, triangle.number, t, 0};
        }
    };
    if (start.near) look(*start.near);

    std::array<std::pair<double, std::uint32_t>, kDeepest> open;
    std::size_t waiting = 0;
    if (const double d = slices_[0].squared_distance(p); d < keep * bound) open[waiting++] = {d, 0};
    while (waiting > 0) {
        const auto [least, number] = open[--waiting];
        if (least >= keep * bound) continue;
        const Node& node = nodes_[number];
        for (std::uint32_t t = node.first; t < node.first + node.count; ++t) look(t);
        if (node.count > 0) continue;

        // The nearer child is taken up first.
        std::pair<double, std::uint32_t> near{slices_[node.first].squared_distance(p), node.first};
        std::pair<double, std::uint32_t> far{slices_[node.first + 1].squared_distance(p), node.first + 1};
        examined += 2;
        if (far.first < near.first) std::swap(near, far);
        if (far.first < keep * bound) open[waiting++] = far;
        if (near.first < keep * bound) open[waiting++] = near;
    }
    if (best) {
        best->distance = std::sqrt(best->distance);
        best->examined = examined;
    }
    return best;
}

std::optional<int> TriangleTree::crossings(const Vec<double, 3>& from, const Vec<double, 3>& to) const {
    if (empty()) return 0;
    const Point way = to - from, lo = min(from, to), hi = max(from, to);
    const auto overlaps = [&](const Box<float, 3>& box) {
        for (int a = 0; a < 3; ++a)
            if (double{box.lo[a]} > hi[a] || double{box.hi[a]} < lo[a]) return false;
        return true;
    };
    int entered = 0;
    std::array<std::uint32_t, kDeepest> open;
    std::size_t waiting = 0;
    if (overlaps(nodes_[0].box)) open[waiting++] = 0;
    while (waiting > 0) {
        const Node& node = nodes_[open[--waiting]];
        for (std::uint32_t t = node.first; t < node.first + node.count; ++t) {
            const std::optional<int> turn = crossing(triangles_[t], from, way);
            if (!turn) return std::nullopt;
            entered += *turn;
        }
        if (node.count > 0) continue;
        for (const std::uint32_t child : {node.first, node.first + 1})
            if (overlaps(nodes_[child].box)) open[waiting++] = child;
    }
    return entered;
}

// By the signs of volumes: of the triangle with either end of the line, and of the line with each side.
std::optional<int> TriangleTree::crossing(const Triangle& triangle, const Vec<double, 3>& from,
                                          const Vec<double, 3>& way) {
    const Point a = Point(triangle.a) - from, b = Point(triangle.b) - from, c = Point(triangle.c) - from;
    double size = 0;
    for (const Point& v : {a, b, c, way})
        for (int k = 0; k < 3; ++k) size = std::max(size, std::abs(v[k]));
    const double rounding = 1e-13 * size * size * size;
    const auto side = [&](double volume) { return volume > rounding ? 1 : volume < -rounding ? -1 : 0; };

    const Point normal = cross(b - a, c - a);
    const int before = side(-dot(normal, a)), after = side(dot(normal, way) - dot(normal, a));
    if (before != 0 && before == after) return 0;
    const int ab = side(dot(way, cross(a, b))), bc = side(dot(way, cross(b, c))), ca = side(dot(way, cross(c, a)));
    const int most = std::max({ab, bc, ca}), least = std::min({ab, bc, ca});
    if (most > 0 && least < 0) return 0;
    if (before == 0 || after == 0 || ab == 0 || bc == 0 || ca == 0) return std::nullopt;
    return before;
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

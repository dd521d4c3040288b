// SPDX-License-Identifier: Apache-2.0
#include "geometry/face_fractions.h"

#include <algorithm>
#include <cmath>

namespace spindrift {
namespace {

// In cells.  Nearer to the surface a corner counts as on it: walls that coincide with faces are meant to, and rounding
// must not open a part of them.
constexpr double kOnSurface = 1e-5;

// In cells.  A step small enough to see the two sides of a sheet, large enough for distances that went through float.
constexpr double kGradientStep = 0.02;

// In cells.  How deep a solid must be for its corners alone to hold water: half the longest diagonal of a cell.
template <int Dim>
const double kThick = 0.5 * std::sqrt(double{Dim});

// In cells, from a tile's centre to the farthest point asked for: corners of its cells, and centres half a cell below.
template <int Dim>
const double kTileReach = 0.5 * (kTileSide + 1) * std::sqrt(double{Dim});

// Where a line of values from positive a to negative b crosses zero, as the part that is positive.
double positive_part(double a, double b) { return a / (a - b); }

// The solid's distance, in cells, at positions in cells.
template <int Dim>
struct Solid {
    const DistanceFunction<Dim>& distance;
    const GridTransform<Dim>& transform;

    double operator()(const Vec<double, Dim>& cell) const {
        return distance(transform.world_from_cell(cell)) / transform.dx;
    }
};

// Whether the solid around q, a point on it or in it, is too thin for corners to see it.  `outward` is a guess of its
// normal, of length 1: where it is good, one look shows a large ball of solid that q belongs to.
template <int Dim>
bool is_thin(const Solid<Dim>& solid, const Vec<double, Dim>& q, const Vec<double, Dim>& outward) {
    if (solid(q - outward) < -0.95) return false;

    // Else look along the true normal.  Depths of one cell and two find the inside of walls, edges and corners alike.
    Vec<double, Dim> normal;
    for (int a = 0; a < Dim; ++a) {
        Vec<double, Dim> step;
        step[a] = kGradientStep;
        normal[a] = solid(q + step) - solid(q - step);
    }
    // A distance has slope 1, or √½ on the inward diagonal of an edge: much less means the middle of a sheet.
    const double slope = length(normal);
    if (!(slope > kGradientStep)) return true;
    normal = normal / slope;
    return solid(q - normal) > -kThick<Dim> && solid(q - normal * 2.0) > -kThick<Dim>;
}

// The line, one cell long, through a point of a face and along the face's normal.
template <int Dim>
struct Line {
    Vec<double, Dim> middle;
    double at_middle;  // the distance there
    int axis;
};

template <int Dim>
bool crosses_thin_wall(const Line<Dim>& line, const Solid<Dim>& solid, const Vec<double, Dim>& outward, double touch) {
    if (line.at_middle < touch) return is_thin(solid, line.middle, outward);
    for (const double sign : {-1.0, 1.0}) {
        Vec<double, Dim> p = line.middle;
        for (double walked = line.at_middle; walked <= 0.5;) {
            p[line.axis] = line.middle[line.axis] + sign * walked;
            const double free = solid(p);
            if (free < touch) {
                if (is_thin(solid, p, outward)) return true;
                break;
            }
            walked += free;
        }
    }
    return false;
}

// The distance, in cells, at the corners of a tile's cells.
template <int Dim>
struct Corners {
    static constexpr int kSide = kTileSide + 1;
    static constexpr int kCount = Dim == 2 ? kSide * kSide : kSide * kSide * kSide;
    std::array<double, kCount> phi;

    static std::size_t offset(const Index<Dim>& corner) {
        int o = 0;
        for (int a = 0; a < Dim; ++a) o = o * kSide + corner[a];
        return static_cast<std::size_t>(o);
    }

    Corners(const Solid<Dim>& solid, const Index<Dim>& origin) {
        for_each_index(IndexBox<Dim>{Index<Dim>(0), Index<Dim>(kSide)}, [&](const Index<Dim>& corner) {
            const double d = solid(Vec<double, Dim>(origin + corner));
            phi[offset(corner)] = std::abs(d) < kOnSurface ? 0.0 : d;
        });
    }

    // Of a cell's lower face, in the order that open_fraction() takes.
    auto face(const Index<Dim>& cell, int axis) const {
        return map_corners(cell, axis, [&](const Index<Dim>& corner) { return phi[offset(corner)]; });
    }

    // The direction in which the distance grows over a cell.
    Vec<double, Dim> outward(const Index<Dim>& cell) const {
        Vec<double, Dim> sum;
        for_each_index(IndexBox<Dim>{Index<Dim>(0), Index<Dim>(2)}, [&](const Index<Dim>& side) {
            const double value = phi[offset(cell + side)];
            for (int a = 0; a < Dim; ++a) sum[a] += side[a] == 0 ? -value : value;
        });
        const double l = length(sum);
        return l > 0 ? sum / l : sum;
    }

    template <class F>
    static auto map_corners(const Index<Dim>& cell, int axis, F&& f) {
        const Index<Dim> u = unit<Dim>((axis + 1) % Dim);
        if constexpr (Dim == 2) {
            return std::array{f(cell), f(cell + u)};
        } else {
            const Index<Dim> v = unit<Dim>((axis + 2) % Dim);
            return std::array{f(cell), f(cell + u), f(cell + u + v), f(cell + v)};
        }
    }
};

// Whether a thin wall parts the two cells of a face.  Where a thick solid covers a part of the face, its centre may lie
// in there, and the wall may stand on what is left: lines through the open corners find that.
template <int Dim>
bool parted_by_thin_wall(const Solid<Dim>& solid, const Corners<Dim>& corners, const Index<Dim>& origin,
                         const Index<Dim>& cell, int axis, double touch) {
    // Half a cell along each axis is the farthest from any corner to the line through the centre.
    const auto phi = corners.face(cell, axis);
    if (*std::max_element(phi.begin(), phi.end()) > kThick<Dim> + touch) return false;
    const Vec<double, Dim> outward = corners.outward(cell);
    const auto centre = Vec<double, Dim>(origin + cell) + Vec<double, Dim>(face_centre<Dim>(axis));
    if (crosses_thin_wall<Dim>({centre, solid(centre), axis}, solid, outward, touch)) return true;

    if (*std::min_element(phi.begin(), phi.end()) > 0) return false;
    const auto place = Corners<Dim>::map_corners(cell, axis, [&](const Index<Dim>& c) { return origin + c; });
    for (std::size_t i = 0; i < phi.size(); ++i)
        if (phi[i] > 0 && phi[i] < 0.5 &&
            crosses_thin_wall<Dim>({Vec<double, Dim>(place[i]), phi[i], axis}, solid, outward, touch))
            return true;
    return false;
}

template <int Dim>
void fill_tile(FaceField<Dim>& open, Slot slot, const Solid<Dim>& solid, const OpenFractionOptions& options) {
    // Most tiles are far from any wall, or deep inside one.
    const Index<Dim> origin = open.tiles().origin(slot);
    const double at_centre = solid(Vec<double, Dim>(origin) + Vec<double, Dim>(0.5 * kTileSide));
    if (std::abs(at_centre) > kTileReach<Dim>) {
        for (int a = 0; a < Dim; ++a) std::fill_n(open[a].tile(slot), kTileCells<Dim>, at_centre > 0 ? 1.0F : 0.0F);
        return;
    }

    const Corners<Dim> corners(solid, origin);
    for (int a = 0; a < Dim; ++a) {
        float* values = open[a].tile(slot);
        for (int i = 0; i < kTileCells<Dim>; ++i) {
            const Index<Dim> cell = cell_in_tile<Dim>(i);
            const auto fraction = static_cast<float>(open_fraction(corners.face(cell, a)));
            values[i] = fraction > 1 - options.sliver ? 1.0F : fraction < options.slit ? 0.0F : fraction;
            if (values[i] > 0 && options.close_thin_walls &&
                parted_by_thin_wall(solid, corners, origin, cell, a, options.touch))
                values[i] = 0;
        }
    }
}

}  // namespace

double open_fraction(const std::array<double, 2>& phi) {
    const auto [a, b] = phi;
    if (a > 0) return b >= 0 ? 1 : positive_part(a, b);
    return b > 0 ? (a >= 0 ? 1 : positive_part(b, a)) : 0;
}

// The positive corners cut off one by one where they are apart, else what is left when the others are.
double open_fraction(const std::array<double, 4>& phi) {
    const auto at = [&](int i) { return phi[static_cast<std::size_t>(i & 3)]; };
    int positive = 0, negative = 0;
    for (const double v : phi) {
        positive += v > 0 ? 1 : 0;
        negative += v < 0 ? 1 : 0;
    }
    if (positive == 0) return 0;
    if (negative == 0) return 1;

    // Two neighbours: a strip between the crossings of the two lines that leave them.
    for (int i = 0; positive == 2 && i < 4; ++i)
        if (at(i) > 0 && at(i + 1) > 0)
            return 0.5 * (positive_part(at(i), at(i + 3)) + positive_part(at(i + 1), at(i + 2)));

    // Else corners cut off by triangles.
    const bool cut_positive = positive == 1 || (positive == 2 && at(0) + at(1) + at(2) + at(3) <= 0);
    double cut = 0;
    for (int i = 0; i < 4; ++i) {
        if ((at(i) > 0) != cut_positive || at(i) == 0) continue;
        cut += 0.5 * positive_part(at(i), at(i + 1)) * positive_part(at(i), at(i + 3));
    }
    return cut_positive ? cut : 1 - cut;
}

template <int Dim>
FaceField<Dim> open_fractions(const TilesPtr<Dim>& tiles, const GridTransform<Dim>& transform,
                              const DistanceFunction<Dim>& solid, const OpenFractionOptions& options) {
    FaceField<Dim> open;
    for (int a = 0; a < Dim; ++a) open[a] = Field<float, Dim>::unfilled(tiles, 1.0F);
    const Solid<Dim> in_cells{solid, transform};
    for_each_tile(*tiles, [&](Slot slot) { fill_tile(open, slot, in_cells, options); });
    return open;
}

template FaceField<2> open_fractions(const TilesPtr<2>&, const GridTransform<2>&, const DistanceFunction<2>&,
                                     const OpenFractionOptions&);
template FaceField<3> open_fractions(const TilesPtr<3>&, const GridTransform<3>&, const DistanceFunction<3>&,
                                     const OpenFractionOptions&);

}  // namespace spindrift

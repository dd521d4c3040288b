// SPDX-License-Identifier: Apache-2.0
// Smooth curves through space, for controls and whatever else follows one: pieces of cubic Bézier curves, which all
// kinds are turned into.
//
// Places on a curve are named by a parameter from 0 to the number of pieces, whose whole part is the number of the
// piece, or by the length of the curve up to them, in m.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "base/vec.h"

namespace spindrift {

template <int Dim>
class Curve {
  public:
    using Place = Vec<double, Dim>;

    // Through two points or more, of which no two in a row coincide; a closed one goes on from the last to the first.
    static Curve straight(const std::vector<Place>& points, bool is_closed = false);
    // Catmull-Rom, centripetal: without cusps and loops between points [Yuksel11].
    static Curve catmull_rom(const std::vector<Place>& points, bool is_closed = false);
    // Point, two handles, point, two handles, …: 3n + 1 points, or 3n of a closed one.
    static Curve bezier(const std::vector<Place>& points, bool is_closed = false);
    // Along a smooth function of a parameter from 0 to 1, as so many pieces: the error falls with their fourth power.
    static Curve along(const std::function<Place(double)>& function, int pieces);

    double end() const { return static_cast<double>(pieces_.size()); }  // of the parameter
    double length() const { return lengths_.back(); }
    bool is_closed() const { return is_closed_; }

    Place at(double parameter) const;
    Place derivative(double parameter) const;  // by the parameter, within its piece
    Place tangent(double parameter) const;     // of length 1, also where the derivative vanishes
    // Of the curve's bend, 1/m: points to its inside, across the tangent.
    Place curvature(double parameter) const;

    double length_to(double parameter) const;
    double parameter_at(double length) const;  // within the curve

    struct Nearest {
        double parameter = 0;
        double distance = 0;  // m
    };
    // The nearest point between two parameters; of several the first.
    Nearest nearest(const Place& x, double from, double to) const;
    Nearest nearest(const Place& x) const { return nearest(x, 0, end()); }

    // Holds the whole curve.
    Box<double, Dim> bounding_box() const;

  private:
    using Piece = std::array<Place, 4>;  // control points
    static constexpr int kSpans = 4;     // of each piece, whose lengths are known

    Curve(std::vector<Piece> pieces, bool is_closed);
    std::size_t piece_at(double parameter) const;

    std::vector<Piece> pieces_;
    std::vector<double> lengths_;  // up to each span, and of all
    bool is_closed_ = false;
};

extern template class Curve<2>;
extern template class Curve<3>;

}  // namespace spindrift

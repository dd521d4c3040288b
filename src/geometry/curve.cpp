// SPDX-License-Identifier: Apache-2.0
#include "geometry/curve.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace spindrift {
namespace {

template <int Dim>
using Piece = std::array<Vec<double, Dim>, 4>;

template <int Dim>
Vec<double, Dim> value(const Piece<Dim>& p, double t) {
    const double s = 1 - t;
    return p[0] * (s * s * s) + p[1] * (3 * s * s * t) + p[2] * (3 * s * t * t) + p[3] * (t * t * t);
}
template <int Dim>
Vec<double, Dim> slope(const Piece<Dim>& p, double t) {
    const double s = 1 - t;
    return ((p[1] - p[0]) * (s * s) + (p[2] - p[1]) * (2 * s * t) + (p[3] - p[2]) * (t * t)) * 3.0;
}
template <int Dim>
Vec<double, Dim> bend(const Piece<Dim>& p, double t) {
    return ((p[2] - p[1] * 2.0 + p[0]) * (1 - t) + (p[3] - p[2] * 2.0 + p[1]) * t) * 6.0;
}

// The part of a piece between two parameters, by its values and slopes there.
template <int Dim>
Piece<Dim> part(const Piece<Dim>& p, double from, double to) {
    const Vec<double, Dim> a = value(p, from), b = value(p, to);
    const double third = (to - from) / 3;
    return {a, a + slope(p, from) * third, b - slope(p, to) * third, b};
}

// Gauss's eight points on (0, 1) [AbramowitzStegun64, table 25.4].
constexpr std::array<double, 4> kGaussPlace{0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                            0.9602898564975363};
constexpr std::array<double, 4> kGaussWeight{0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                             0.1012285362903763};
template <int Dim>
double length_of(const Piece<Dim>& p, double from, double to) {
    const double half = 0.5 * (to - from), middle = 0.5 * (to + from);
    double sum = 0;
    for (std::size_t k = 0; k < kGaussPlace.size(); ++k)
        for (const double sign : {-1.0, 1.0})
            sum += kGaussWeight[k] * spindrift::length(slope(p, middle + sign * half * kGaussPlace[k]));
    return half * sum;
}

// m²: nothing of the piece is nearer than this, for it lies within the box of its control points.
template <int Dim>
double bound(const Piece<Dim>& p, const Vec<double, Dim>& x) {
    double sum = 0;
    for (int a = 0; a < Dim; ++a) {
        const double lo = std::min({p[0][a], p[1][a], p[2][a], p[3][a]}),
                     hi = std::max({p[0][a], p[1][a], p[2][a], p[3][a]});
        const double beyond = std::max({lo - x[a], x[a] - hi, 0.0});
        sum += beyond * beyond;
    }
    return sum;
}

// Whether the squared distance has one minimum along the piece: |F'|² > (x − F)·F'' by bounds on all three.
template <int Dim>
bool has_one_minimum(const Piece<Dim>& p, const Vec<double, Dim>& x) {
    const Vec<double, Dim> chord = p[3] - p[0];
    const double length2 = dot(chord, chord);
    if (!(length2 > 0)) return false;
    // Along the chord no control leg is longer or shorter than these; the derivative lies between.
    double slowest = std::numeric_limits<double>::infinity(), farthest = 0, bends = 0;
    for (std::size_t k = 0; k < 3; ++k) slowest = std::min(slowest, 3 * dot(p[k + 1] - p[k], chord));
    for (const Vec<double, Dim>& q : p) farthest = std::max(farthest, dot(q - x, q - x));
    for (std::size_t k = 0; k < 2; ++k) {
        const Vec<double, Dim> second = (p[k + 2] - p[k + 1] * 2.0 + p[k]) * 6.0;
        bends = std::max(bends, dot(second, second));
    }
    return slowest > 0 && slowest * slowest / length2 > std::sqrt(farthest * bends);
}

// Halvings of a piece after which the search trusts in one minimum: about the centre of an arc there is none.
constexpr int kMostHalvings = 6;

template <int Dim>
class NearestSearch {
  public:
    explicit NearestSearch(const Vec<double, Dim>& x) : x_(x) {}

    void look(const Piece<Dim>& piece, double from, double to, double offset) {
        look(piece, part(piece, from, to), from, to, offset, 0);
    }
    double parameter() const { return parameter_; }
    double distance2() const { return best_; }
    double distance_bound(const Piece<Dim>& piece) const { return bound(piece, x_); }

  private:
    void look(const Piece<Dim>& whole, const Piece<Dim>& piece, double from, double to, double offset, int depth) {
        if (bound(piece, x_) >= best_) return;
        if (depth >= kMostHalvings || has_one_minimum(piece, x_)) return refine(whole, from, to, offset);
        const double middle = 0.5 * (from + to);
        look(whole, part(whole, from, middle), from, middle, offset, depth + 1);
        look(whole, part(whole, middle, to), middle, to, offset, depth + 1);
    }

    // Newton's method for (F − x)·F' = 0, held within bounds where it changes sign.
    void refine(const Piece<Dim>& p, double from, double to, double offset) {
        constexpr int kMostSteps = 60;
        const auto rise = [&](double t) { return dot(value(p, t) - x_, slope(p, t)); };
        if (!(rise(from) < 0)) return keep(p, from, offset);
        if (!(rise(to) > 0)) return keep(p, to, offset);
        double lo = from, hi = to, t = 0.5 * (lo + hi);
        for (int k = 0; k < kMostSteps && lo < hi; ++k) {
            const Vec<double, Dim> apart = value(p, t) - x_, first = slope(p, t);
            const double rises = dot(apart, first);
            (rises < 0 ? lo : hi) = t;
            double next = t - rises / (dot(first, first) + dot(apart, bend(p, t)));
            if (std::abs(next - t) <= std::numeric_limits<double>::epsilon()) break;
            if (!(next > lo && next < hi)) next = 0.5 * (lo + hi);
            t = next;
        }
        keep(p, t, offset);
    }
    void keep(const Piece<Dim>& p, double t, double offset) {
        const Vec<double, Dim> apart = value(p, t) - x_;
        const double distance2 = dot(apart, apart);
        if (distance2 < best_) best_ = distance2, parameter_ = offset + t;
    }

    Vec<double, Dim> x_;
    double best_ = std::numeric_limits<double>::infinity();
    double parameter_ = 0;
};

}  // namespace

template <int Dim>
Curve<Dim>::Curve(std::vector<Piece> pieces, bool is_closed) : pieces_(std::move(pieces)), is_closed_(is_closed) {
    CHECK(!pieces_.empty(), "a curve needs a piece");
    lengths_.push_back(0);
    for (const Piece& piece : pieces_)
        for (int k = 0; k < kSpans; ++k)
            lengths_.push_back(lengths_.back() + length_of(piece, 1.0 * k / kSpans, (k + 1.0) / kSpans));
}

template <int Dim>
Curve<Dim> Curve<Dim>::straight(const std::vector<Place>& points, bool is_closed) {
    const std::size_t count = points.size() - (is_closed ? 0 : 1);
    std::vector<Piece> pieces;
    for (std::size_t k = 0; k < count; ++k) {
        const Place &a = points[k], &b = points[(k + 1) % points.size()];
        pieces.push_back({a, a + (b - a) / 3.0, b - (b - a) / 3.0, b});
    }
    return Curve(std::move(pieces), is_closed);
}

template <int Dim>
Curve<Dim> Curve<Dim>::catmull_rom(const std::vector<Place>& points, bool is_closed) {
    if (points.size() < 3) return straight(points, is_closed);
    const std::size_t size = points.size(), count = size - (is_closed ? 0 : 1);
    // Beyond the ends of an open one its first and last line go on.
    const auto point = [&](std::size_t k, int by) {
        const auto at = static_cast<std::ptrdiff_t>(k) + by, all = static_cast<std::ptrdiff_t>(size);
        if (is_closed) return points[static_cast<std::size_t>((at + all) % all)];
        if (at < 0) return points[0] * 2.0 - points[1];
        if (at >= all) return points[size - 1] * 2.0 - points[size - 2];
        return points[static_cast<std::size_t>(at)];
    };
    std::vector<Piece> pieces;
    for (std::size_t k = 0; k < count; ++k) {
        const std::array<Place, 4> p{point(k, -1), point(k, 0), point(k, 1), point(k, 2)};
        std::array<double, 3> knot{};
        for (std::size_t i = 0; i < 3; ++i) knot[i] = std::sqrt(spindrift::length(p[i + 1] - p[i]));
        const auto [before, here, after] = knot;
        const Place start = ((p[1] - p[0]) / before - (p[2] - p[0]) / (before + here) + (p[2] - p[1]) / here) * here;
        const Place stop = ((p[2] - p[1]) / here - (p[3] - p[1]) / (here + after) + (p[3] - p[2]) / after) * here;
        pieces.push_back({p[1], p[1] + start / 3.0, p[2] - stop / 3.0, p[2]});
    }
    return Curve(std::move(pieces), is_closed);
}

template <int Dim>
Curve<Dim> Curve<Dim>::bezier(const std::vector<Place>& points, bool is_closed) {
    CHECK(points.size() % 3 == (is_closed ? 0U : 1U), "{} points do not make Bézier pieces", points.size());
    std::vector<Piece> pieces;
    for (std::size_t k = 0; k + 2 < points.size(); k += 3)
        pieces.push_back({points[k], points[k + 1], points[k + 2], points[(k + 3) % points.size()]});
    return Curve(std::move(pieces), is_closed);
}

template <int Dim>
Curve<Dim> Curve<Dim>::along(const std::function<Place(double)>& function, int pieces) {
    CHECK(pieces >= 5, "{} pieces are too few for slopes of fourth order", pieces);
    std::vector<Place> points;
    for (int k = 0; k <= pieces; ++k) points.push_back(function(static_cast<double>(k) / pieces));
    // Slopes of fourth order from the points themselves, at the ends from one side: nothing beyond them is asked for.
    const auto slope_at = [&](int k) {
        const int sign = k < 2 ? 1 : -1;
        const auto p = [&](int by) { return points[static_cast<std::size_t>(k + by)]; };
        if (k >= 2 && k <= pieces - 2) return (p(-2) - p(-1) * 8.0 + p(1) * 8.0 - p(2)) / 12.0;
        if (k == 0 || k == pieces)
            return (p(0) * -25.0 + p(sign) * 48.0 - p(2 * sign) * 36.0 + p(3 * sign) * 16.0 - p(4 * sign) * 3.0) *
                   (sign / 12.0);
        return (p(-sign) * -3.0 - p(0) * 10.0 + p(sign) * 18.0 - p(2 * sign) * 6.0 + p(3 * sign)) * (sign / 12.0);
    };
    std::vector<Piece> out;
    for (int k = 0; k < pieces; ++k) {
        const Place &a = points[static_cast<std::size_t>(k)], &b = points[static_cast<std::size_t>(k + 1)];
        out.push_back({a, a + slope_at(k) / 3.0, b - slope_at(k + 1) / 3.0, b});
    }
    double reach = 0;
    for (const Place& p : points) reach = std::max(reach, spindrift::length(p - points[0]));
    return Curve(std::move(out), spindrift::length(points.back() - points[0]) < 1e-9 * reach);
}

template <int Dim>
std::size_t Curve<Dim>::piece_at(double parameter) const {
    return static_cast<std::size_t>(std::clamp(std::floor(parameter), 0.0, end() - 1));
}

template <int Dim>
auto Curve<Dim>::at(double parameter) const -> Place {
    const std::size_t k = piece_at(parameter);
    return value(pieces_[k], parameter - static_cast<double>(k));
}
template <int Dim>
auto Curve<Dim>::derivative(double parameter) const -> Place {
    const std::size_t k = piece_at(parameter);
    return slope(pieces_[k], parameter - static_cast<double>(k));
}

template <int Dim>
auto Curve<Dim>::tangent(double parameter) const -> Place {
    constexpr double kNone = 1e-9;  // of the extent of the piece: a derivative that has vanished
    const std::size_t k = piece_at(parameter);
    const Piece& p = pieces_[k];
    const double t = parameter - static_cast<double>(k);
    const double extent = spindrift::length(p[3] - p[0]) + spindrift::length(p[1] - p[0]);
    Place direction = slope(p, t);
    if (!(spindrift::length(direction) > kNone * extent)) direction = bend(p, t) * (t < 1 ? 1.0 : -1.0);
    if (!(spindrift::length(direction) > kNone * extent)) direction = p[3] - p[0];
    const double size = spindrift::length(direction);
    return size > 0 ? direction / size : Place{};
}

template <int Dim>
auto Curve<Dim>::curvature(double parameter) const -> Place {
    const std::size_t k = piece_at(parameter);
    const double t = parameter - static_cast<double>(k);
    const Place first = slope(pieces_[k], t), second = bend(pieces_[k], t);
    const double speed2 = dot(first, first);
    if (!(speed2 > 0)) return {};
    return (second - first * (dot(second, first) / speed2)) / speed2;
}

template <int Dim>
double Curve<Dim>::length_to(double parameter) const {
    const std::size_t k = piece_at(parameter);
    const double t = std::clamp(parameter - static_cast<double>(k), 0.0, 1.0);
    const int span = std::min(static_cast<int>(t * kSpans), kSpans - 1);
    return lengths_[k * kSpans + static_cast<std::size_t>(span)] +
           length_of(pieces_[k], static_cast<double>(span) / kSpans, t);
}

template <int Dim>
double Curve<Dim>::parameter_at(double length) const {
    if (!(length > 0)) return 0;
    if (length >= this->length()) return end();
    const auto above = std::upper_bound(lengths_.begin(), lengths_.end(), length);
    const auto span = static_cast<double>(above - lengths_.begin() - 1);
    double lo = span / kSpans, hi = (span + 1) / kSpans;
    double s = lo + (hi - lo) * (length - *(above - 1)) / (*above - *(above - 1));
    // Newton's method within the span.
    constexpr int kMostSteps = 60;
    for (int k = 0; k < kMostSteps && lo < hi; ++k) {
        const double missing = length - length_to(s);
        (missing > 0 ? lo : hi) = s;
        double next = s + missing / spindrift::length(derivative(s));
        if (std::abs(next - s) <= std::numeric_limits<double>::epsilon() * end()) break;
        if (!(next > lo && next < hi)) next = 0.5 * (lo + hi);
        s = next;
    }
    return s;
}

template <int Dim>
auto Curve<Dim>::nearest(const Place& x, double from, double to) const -> Nearest {
    from = std::clamp(from, 0.0, end());
    to = std::clamp(to, from, end());
    // The piece that may be nearest first: the others are then seldom looked into.
    const std::size_t first = piece_at(from), last = piece_at(to);
    NearestSearch<Dim> search(x);
    std::size_t likely = first;
    for (std::size_t k = first; k <= last; ++k)
        if (search.distance_bound(pieces_[k]) < search.distance_bound(pieces_[likely])) likely = k;
    const auto look = [&](std::size_t k) {
        const auto offset = static_cast<double>(k);
        search.look(pieces_[k], std::max(from - offset, 0.0), std::min(to - offset, 1.0), offset);
    };
    look(likely);
    for (std::size_t k = first; k <= last; ++k)
        if (k != likely) look(k);
    return {search.parameter(), std::sqrt(search.distance2())};
}

template <int Dim>
Box<double, Dim> Curve<Dim>::bounding_box() const {
    Box<double, Dim> box{pieces_[0][0], pieces_[0][0]};
    for (const Piece& piece : pieces_)
        for (const Place& p : piece) {
            box.lo = min(box.lo, p);
            box.hi = max(box.hi, p);
        }
    return box;
}

template class Curve<2>;
template class Curve<3>;

}  // namespace spindrift

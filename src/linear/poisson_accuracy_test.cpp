// SPDX-License-Identifier: Apache-2.0
// How near the discrete solution is to that of −∇²u = f: second order in the spacing, in the largest error of any cell,
// with a curved free surface by ghost fluid [Gibou02] and with a curved wall by cut faces [Ng09].
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "linear/poisson_solver.h"
#include "linear/test_support.h"

namespace spindrift {
namespace {

template <class T>
class PoissonAccuracy : public ::testing::Test {};
TYPED_TEST_SUITE(PoissonAccuracy, Dimensions);

constexpr double kPi = std::numbers::pi;

// A ball of radius 1 in a grid of spacing 2.3 / n, its centre at a place within a cell that no symmetry favours.
template <int Dim>
struct Ball {
    int n;
    Vec<double, Dim> centre;  // in cells
    TilesPtr<Dim> tiles;
    double spacing() const { return 2.3 / n; }
    double radius() const { return 1 / spacing(); }               // in cells
    Vec<double, Dim> from_centre(const Index<Dim>& cell) const {  // of a cell's centre, in units of the radius
        return (Vec<double, Dim>(cell) + Vec<double, Dim>(0.5) - centre) * spacing();
    }
};

template <int Dim>
Ball<Dim> ball(int n, double shift = 0) {
    Ball<Dim> b{n, Vec<double, Dim>(0.5 * n), Tiles<Dim>::covering({Index<Dim>(0), Index<Dim>(n)})};
    for (int a = 0; a < Dim; ++a) b.centre[a] += std::fmod(0.137 + 0.291 * a + shift * (1 + 0.618 * a), 1.0);
    return b;
}

template <int Dim>
Field<float, Dim> solve_tightly(const PoissonOperator<Dim>& a, const Field<float, Dim>& b) {
    Field<float, Dim> x(a.tiles_ptr());
    const SolveReport report = solve_poisson(x, b, a, {.tolerance = 1e-7});
    EXPECT_TRUE(report.converged);
    return x;
}

// u = (1 − r²) e^{x/2}, zero on the surface.  Returns the largest error.
template <int Dim>
double free_surface_error(const Ball<Dim>& ball) {
    constexpr double kGrowth = 0.5;
    Field<float, Dim> level(ball.tiles, 3.0F), b(ball.tiles);
    assign(level, [&](const Index<Dim>& cell) {
        return static_cast<float>(length(ball.from_centre(cell)) * ball.radius() - ball.radius());
    });
    const auto exact = [&](const Vec<double, Dim>& p) { return (1 - dot(p, p)) * std::exp(kGrowth * p[0]); };
    assign(b, [&](const Index<Dim>& cell) {
        const Vec<double, Dim> p = ball.from_centre(cell);
        const double f =
            std::exp(kGrowth * p[0]) * (2 * Dim + 4 * kGrowth * p[0] - kGrowth * kGrowth * (1 - dot(p, p)));
        return static_cast<float>(f * ball.spacing() * ball.spacing());
    });
    const FaceField<Dim> open(ball.tiles, 1);
    const Field<float, Dim> x = solve_tightly(free_surface_operator(level, open), b);
    double worst = 0;
    for_each_cell(*ball.tiles, [&](const Index<Dim>& cell) {
        if (level.at(cell) < 0)
            worst = std::max(worst, std::abs(static_cast<double>(x.at(cell)) - exact(ball.from_centre(cell))));
    });
    return worst;
}

// Liquid fills the ball, solid lies around it.  The part of a cell's lower face inside: its share of the face, and the
// flux −∂u/∂n of u = cos π r² through it.  Chords are exact; across them in 3D it is the midpoint rule.
struct FacePart {
    double share = 0, flux = 0;
};

template <int Dim>
FacePart open_part(const Ball<Dim>& ball, const Index<Dim>& cell, int axis) {
    const Vec<double, Dim> corner = Vec<double, Dim>(cell) - ball.centre;
    const double r2 = ball.radius() * ball.radius(), h = ball.spacing();
    const auto chord = [&](double squared, double from, double& lo, double& hi) {
        const double half = std::sqrt(std::max(squared, 0.0));
        lo = std::max(from, -half);
        hi = std::min(from + 1, half);
        return hi > lo;
    };
    FacePart part;
    const auto add_chord = [&](Vec<double, Dim> p, int along, double weight) {
        double lo, hi;
        p[along] = 0;
        if (!chord(r2 - dot(p, p), corner[along], lo, hi)) return;
        part.share += weight * (hi - lo);
        // Three points of Gauss are exact for what varies across a cell to well below the scheme's error.
        constexpr double kPlace[] = {-0.7745966692414834, 0, 0.7745966692414834},
                         kWeight[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
        for (int i = 0; i < 3; ++i) {
            p[along] = 0.5 * (lo + hi) + 0.5 * (hi - lo) * kPlace[i];
            const double slope = -std::sin(kPi * dot(p, p) * h * h) * 2 * kPi * p[axis] * h;
            part.flux -= weight * (hi - lo) * kWeight[i] * slope;
        }
    };
    const int first = (axis + 1) % Dim;
    if constexpr (Dim == 2) {
        add_chord(corner, first, 1);
    } else {
        double lo, hi;
        const int second = (axis + 2) % Dim;
        if (!chord(r2 - corner[axis] * corner[axis], corner[second], lo, hi)) return part;
        constexpr int kChords = 12;
        for (int i = 0; i < kChords; ++i) {
            Vec<double, Dim> p = corner;
            p[second] = lo + (hi - lo) * (i + 0.5) / kChords;
            add_chord(p, first, (hi - lo) / kChords);
        }
    }
    return part;
}

// u = cos π r² has no slope on the wall.  The right side is what flows out through the open part of a cell's faces,
// which is the integral of −∇²u over the open part of the cell.  Returns the largest error, a constant apart.
template <int Dim>
double wall_error(const Ball<Dim>& ball) {
    System<Dim> system(ball.tiles);
    system.unknown.fill(1);
    Field<float, Dim> b(ball.tiles);
    std::array<Field<double, Dim>, Dim> flux;
    for (int axis = 0; axis < Dim; ++axis) {
        Field<double, Dim>& f = flux[static_cast<std::size_t>(axis)] = Field<double, Dim>(ball.tiles);
        for_each_tile(*ball.tiles, [&](Slot slot) {
            for (int i = 0; i < kTileCells<Dim>; ++i) {
                const FacePart part = open_part(ball, ball.tiles->origin(slot) + cell_in_tile<Dim>(i), axis);
                system.conductance[axis].tile(slot)[i] = static_cast<float>(part.share);
                f.tile(slot)[i] = part.flux;
            }
        });
    }
    assign(b, [&](const Index<Dim>& cell) {
        double out = 0;
        for (std::size_t axis = 0; axis < Dim; ++axis)
            out += flux[axis].at(cell + unit<Dim>(static_cast<int>(axis))) - flux[axis].at(cell);
        return static_cast<float>(out * ball.spacing());
    });
    const PoissonOperator<Dim> a = system.make_operator();
    const Field<float, Dim> x = solve_tightly(a, b);

    std::vector<double> errors;
    double mean = 0, worst = 0;
    for_each_cell(*ball.tiles, [&](const Index<Dim>& cell) {
        if (!(system.diagonal(cell) > 0)) return;
        const Vec<double, Dim> p = ball.from_centre(cell);
        errors.push_back(static_cast<double>(x.at(cell)) - std::cos(kPi * dot(p, p)));
        mean += errors.back();
    });
    mean /= static_cast<double>(errors.size());
    for (const double e : errors) worst = std::max(worst, std::abs(e - mean));
    return worst;
}

template <int Dim>
std::vector<int> grids() {
    return Dim == 2 ? std::vector<int>{32, 64, 128} : std::vector<int>{16, 32, 64};
}

template <int Dim, class Error>
void expect_second_order(const char* what, Error&& error) {
    std::vector<double> errors;
    for (const int n : grids<Dim>()) errors.push_back(error(n));
    for (std::size_t i = 1; i < errors.size(); ++i) {
        const double order = std::log2(errors[i - 1] / errors[i]);
        EXPECT_GT(order, 1.8) << what << ", errors " << ::testing::PrintToString(errors);
    }
}

TYPED_TEST(PoissonAccuracy, SecondOrderWithACurvedFreeSurface) {
    constexpr int Dim = TypeParam::kDim;
    expect_second_order<Dim>("free surface", [](int n) { return free_surface_error(ball<Dim>(n)); });
}

TYPED_TEST(PoissonAccuracy, SecondOrderWithACurvedWall) {
    constexpr int Dim = TypeParam::kDim;
    expect_second_order<Dim>("wall", [](int n) { return wall_error(ball<Dim>(n)); });
}

// Where within a cell the boundary lies must not show.
TYPED_TEST(PoissonAccuracy, PlaceWithinACellHardlyMatters) {
    constexpr int Dim = TypeParam::kDim;
    const int n = grids<Dim>()[1];
    const auto expect_narrow = [&](const char* what, auto&& error, double bound) {
        double least = error(ball<Dim>(n)), most = least;
        for (int i = 1; i < 8; ++i) {
            const double e = error(ball<Dim>(n, 0.129 * i));
            least = std::min(least, e);
            most = std::max(most, e);
        }
        EXPECT_LT(most, 1.6 * least) << what;
        EXPECT_LT(most, bound) << what;
    };
    expect_narrow("free surface", free_surface_error<Dim>, Dim == 2 ? 1.2e-3 : 4.5e-3);
    expect_narrow("wall", wall_error<Dim>, Dim == 2 ? 0.017 : 0.1);
}

}  // namespace
}  // namespace spindrift

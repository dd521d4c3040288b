// SPDX-License-Identifier: Apache-2.0
// Surfaces made of particles alone.
#include "surface/particle_surface.h"

#include <fmt/format.h>

#include "grid/measure.h"
#include "grid/test_support.h"
#include "surface/curvature.h"

namespace spindrift {
namespace {

constexpr double kDx = 0.1;  // m; not one, so that a length in the wrong unit shows
constexpr int kCells = 40;
constexpr int kBand = 6;

template <int Dim>
using Place = Vec<double, Dim>;  // in cells

template <int Dim>
LevelSetGrid<Dim> container() {
    return {kDx, {Index<Dim>(0), Index<Dim>(kCells)}, kBand};
}
template <int Dim>
TilesPtr<Dim> all_tiles() {
    return Tiles<Dim>::covering(container<Dim>().box);
}

// φ − exact in cells, where the surface is near: mean, deviation from that, and the largest.
struct Errors {
    double mean = 0, deviation = 0, largest = 0;
};
template <int Dim, class F>
Errors errors_near(const Field<float, Dim>& phi, double within, F&& exact) {
    double sum = 0, squares = 0, most = 0;
    int count = 0;
    for_each_index(container<Dim>().box, [&](const Index<Dim>& cell) {
        const double d = exact(Place<Dim>(cell) + Place<Dim>(0.5));
        if (!(std::abs(d) < within)) return;
        const double error = phi.at(cell) / kDx - d;
        sum += error, squares += error * error, ++count;
        most = std::max(most, std::abs(error));
    });
    const double mean = sum / count;
    return {mean, std::sqrt(std::max(squares / count - mean * mean, 0.0)), most};
}

// The mean of |κ| beside the surface, 1/cells.
template <int Dim>
double bending(const Field<float, Dim>& phi) {
    const Field<float, Dim> bend = curvature(phi, container<Dim>());
    double sum = 0;
    int count = 0;
    for_each_index(container<Dim>().box, [&](const Index<Dim>& cell) {
        if (!(std::abs(phi.at(cell)) < 0.7 * kDx)) return;
        sum += std::abs(bend.at(cell)) * kDx;
        ++count;
    });
    return sum / count;
}

template <class D>
class ParticleSurfaceTest : public ::testing::Test {};
TYPED_TEST_SUITE(ParticleSurfaceTest, Dimensions);

// Marching from a field that is right beside the surface and nowhere else gives its distance in the whole band.
TYPED_TEST(ParticleSurfaceTest, MarchingFindsTheDistanceToFirstOrder) {
    constexpr int Dim = TypeParam::kDim;
    const auto error = [](double radius) {
        const auto ball = [=](const Place<Dim>& x) { return length(x - Place<Dim>(19.7)) - radius; };
        Field<float, Dim> phi(all_tiles<Dim>(), static_cast<float>(kBand * kDx));
        assign(phi, [&](const Index<Dim>& cell) {
            return static_cast<float>(kDx * std::clamp(ball(Place<Dim>(cell) + Place<Dim>(0.5)), -1.0, 1.0));
        });
        march(phi, container<Dim>());
        for_each_index(container<Dim>().box, [&](const Index<Dim>& cell) {
            const double d = ball(Place<Dim>(cell) + Place<Dim>(0.5));
            if (std::abs(d) > kBand + 1) {
                EXPECT_FLOAT_EQ(phi.at(cell), static_cast<float>(std::copysign(kBand * kDx, d)));
            }
        });
        return errors_near<Dim>(phi, kBand - 1, ball).largest;
    };
    EXPECT_LT(error(9), 0.5);
    // A plane along the axes is exact.
    Field<float, Dim> phi(all_tiles<Dim>(), static_cast<float>(kBand * kDx));
    const auto plane = [](const Place<Dim>& x) { return x[Dim - 1] - 17.3; };
    assign(phi, [&](const Index<Dim>& cell) {
        return static_cast<float>(kDx * std::clamp(plane(Place<Dim>(cell) + Place<Dim>(0.5)), -0.9, 0.9));
    });
    march(phi, container<Dim>());
    EXPECT_LT(errors_near<Dim>(phi, kBand - 1, plane).largest, 1e-4);
}

// The particles of a ball give its distance within a fraction of a cell, and smoothing takes the bumps of their spheres
// away.
TYPED_TEST(ParticleSurfaceTest, ABallOfParticlesIsABall) {
    constexpr int Dim = TypeParam::kDim;
    constexpr int kPerCell = 16;
    const double radius = covering_radius(kPerCell, Dim);
    const auto ball = [](const Place<Dim>& x) { return length(x - Place<Dim>(20.2)) - 12; };
    Field<float, Dim> exact(all_tiles<Dim>(), static_cast<float>(kBand * kDx));
    assign(exact, [&](const Index<Dim>& cell) {
        return static_cast<float>(kDx * std::clamp<double>(ball(Place<Dim>(cell) + Place<Dim>(0.5)), -kBand, kBand));
    });
    const auto particles = filled(exact, container<Dim>(), kPerCell, 3);
    const auto rough = surface_of_particles(particles, radius, container<Dim>(), 0);
    const auto even = surface_of_particles(particles, radius, container<Dim>());
    const Errors before = errors_near<Dim>(rough, 1, ball), after = errors_near<Dim>(even, 1, ball);
    const double folds = bending(rough), folds_left = bending(even);
    const auto text = [](const Errors& e) {
        return fmt::format("mean {:+.3f}, deviation {:.3f}, largest {:.3f}", e.mean, e.deviation, e.largest);
    };
    this->RecordProperty("rough", text(before));
    this->RecordProperty("smooth", text(after));
    this->RecordProperty("folds", fmt::format("{:.3f}, {:.3f} left", folds, folds_left));
    EXPECT_LT(std::abs(after.mean), 0.05);
    EXPECT_LT(after.deviation, 0.13);
    EXPECT_LT(after.largest, 0.5);
    EXPECT_LT(std::abs(liquid_cells(even, container<Dim>()) / liquid_cells(exact, container<Dim>()) - 1), 0.015);
    // The smoothing evens out folds, not the waves that spheres leave.
    EXPECT_LT(after.deviation, before.deviation);
    EXPECT_LT(folds_left - (Dim - 1) / 12.0, 0.8 * (folds - (Dim - 1) / 12.0));
    // No holes inside.
    for_each_index(container<Dim>().box, [&](const Index<Dim>& cell) {
        if (ball(Place<Dim>(cell) + Place<Dim>(0.5)) < -1) {
            EXPECT_LT(even.at(cell), 0);
        }
    });
}

// A surface that is smooth already stays where it is.
TYPED_TEST(ParticleSurfaceTest, SmoothingLeavesAPlaneAlone) {
    constexpr int Dim = TypeParam::kDim;
    Field<float, Dim> phi(all_tiles<Dim>(), static_cast<float>(kBand * kDx));
    const auto plane = [](const Place<Dim>& x) { return x[0] - 17.3; };
    assign(phi, [&](const Index<Dim>& cell) {
        return static_cast<float>(kDx * std::clamp<double>(plane(Place<Dim>(cell) + Place<Dim>(0.5)), -kBand, kBand));
    });
    smooth(phi, container<Dim>(), 10);
    EXPECT_LT(errors_near<Dim>(phi, 2, plane).largest, 1e-4);
}

}  // namespace
}  // namespace spindrift

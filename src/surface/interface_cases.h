// SPDX-License-Identifier: Apache-2.0
// The classic trials of surface trackers: a shape advected by a given flow that brings it back to where it was.
#pragma once

#include <cmath>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "grid/sampler.h"
#include "surface/hybrid_surface.h"

namespace spindrift {

template <int Dim>
struct InterfaceCase {
    int cells;  // along each side of the container
    double side;
    double end;                                                           // s
    int steps;                                                            // of at most about a cell
    std::function<double(const Vec<double, Dim>&)> distance;              // m
    std::function<Vec<double, Dim>(const Vec<double, Dim>&)> velocity;    // m/s, at time 0
    std::function<double(double)> strength = [](double) { return 1.0; };  // of the flow, over time

    double dx() const { return side / cells; }
};

// A disk of radius 15 with a slot 5 wide and 25 long, turned once about the middle of a square of 100 [Zalesak79].
inline double notched_disk(const Vec<double, 2>& p) {
    constexpr double kRadius = 15, kHalf = 2.5, kTop = 10;
    const double x = std::abs(p[0] - 50), y = p[1] - 75, r = std::hypot(x, y);
    const double mouth = -std::sqrt(kRadius * kRadius - kHalf * kHalf);
    const bool inside = r < kRadius && !(x < kHalf && y < kTop);
    const bool faces_mouth = y < 0 && x * kRadius < kHalf * r;
    const double arc = faces_mouth ? std::hypot(x - kHalf, y - mouth) : std::abs(r - kRadius);
    const double wall = std::hypot(x - kHalf, y - std::clamp(y, mouth, kTop));
    const double top = std::hypot(x - std::min(x, kHalf), y - kTop);
    const double distance = std::min({arc, wall, top});
    return inside ? -distance : distance;
}
inline InterfaceCase<2> zalesak_disk(int cells) {
    return {cells, 100, 628, 7 * cells, notched_disk, [](const Vec<double, 2>& p) {
                return Vec<double, 2>(M_PI / 314 * (50 - p[1]), M_PI / 314 * (p[0] - 50));
            }};
}

// Corners of the notched disk that are where they were: liquid a cell away on one side, air a cell away on the other.
inline int corners_kept(const Field<float, 2>& phi, const InterfaceCase<2>& c) {
    LinearSampler<2> level(phi);
    const auto cells_per_unit = static_cast<float>(c.cells / 100.0);
    const auto mouth = static_cast<float>(75 - std::sqrt(15 * 15 - 2.5 * 2.5));
    int kept = 0;
    for (const float side : {-1.0F, 1.0F})
        for (const float y : {mouth, 85.0F}) {
            const Vec<float, 2> corner = Vec<float, 2>(50 + 2.5F * side, y) * cells_per_unit;
            const Vec<float, 2> into(0.7071F * side, 0.7071F);
            kept += level(corner + into) < 0 && level(corner - into) > 0 ? 1 : 0;
        }
    return kept;
}

// A disk drawn out to a thin spiral and back again, in 8 s [LeVeque96].
inline InterfaceCase<2> single_vortex(int cells) {
    return {cells,
            1,
            8,
            10 * cells,
            [](const Vec<double, 2>& p) { return length(p - Vec<double, 2>(0.5, 0.75)) - 0.15; },
            [](const Vec<double, 2>& p) {
                const double sx = std::sin(M_PI * p[0]), sy = std::sin(M_PI * p[1]);
                return Vec<double, 2>(-sx * sx * std::sin(2 * M_PI * p[1]), sy * sy * std::sin(2 * M_PI * p[0]));
            },
            [](double t) { return std::cos(M_PI * t / 8); }};
}

// A ball drawn out to a thin sheet and back again, in 3 s [LeVeque96, Enright02].
inline InterfaceCase<3> deformed_ball(int cells) {
    return {cells,
            1,
            3,
            7 * cells,
            [](const Vec<double, 3>& p) { return length(p - Vec<double, 3>(0.35)) - 0.15; },
            [](const Vec<double, 3>& p) {
                Vec<double, 3> s, d;
                for (int a = 0; a < 3; ++a) s[a] = std::pow(std::sin(M_PI * p[a]), 2), d[a] = std::sin(2 * M_PI * p[a]);
                return Vec<double, 3>(2 * s[0] * d[1] * d[2], -d[0] * s[1] * d[2], -d[0] * d[1] * s[2]);
            },
            [](double t) { return std::cos(M_PI * t / 3); }};
}

// Samples per cell and axis when shapes are measured.
template <int Dim>
constexpr int kSamplesAcross = Dim == 2 ? 10 : 4;

struct ShapeMeasure {
    double volume = 0;      // m³ (m²), of φ < 0, linear between cells
    double difference = 0;  // of the parts that are in one of the two shapes only
    ShapeMeasure& operator+=(const ShapeMeasure& b) {
        volume += b.volume;
        difference += b.difference;
        return *this;
    }
};

// What φ encloses, and how it differs from another shape.
template <int Dim>
ShapeMeasure measure_shape(const Field<float, Dim>& phi, const InterfaceCase<Dim>& c) {
    constexpr int kAcross = kSamplesAcross<Dim>;
    const IndexBox<Dim> samples{Index<Dim>(0), Index<Dim>(kAcross)}, box{Index<Dim>(0), Index<Dim>(c.cells)};
    const double share = std::pow(c.dx() / kAcross, Dim);
    return sum_over_tiles(phi.tiles(), ShapeMeasure{}, [&](Slot slot) {
        LinearSampler<Dim> level(phi);
        ShapeMeasure sum;
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const Index<Dim> cell = phi.tiles().origin(slot) + cell_in_tile<Dim>(n);
            const Vec<double, Dim> centre = (Vec<double, Dim>(cell) + Vec<double, Dim>(0.5)) * c.dx();
            const double here = phi.tile(slot)[n], there = c.distance(centre);
            if (!box.contains(cell) || (here > 2 * c.dx() && there > 2 * c.dx())) continue;
            for_each_index(samples, [&](const Index<Dim>& k) {
                const Vec<float, Dim> p =
                    Vec<float, Dim>(cell) + (Vec<float, Dim>(k) + Vec<float, Dim>(0.5F)) / static_cast<float>(kAcross);
                const bool inside = level(p) < 0;
                if (inside) sum.volume += share;
                if (inside != (c.distance(Vec<double, Dim>(p) * c.dx()) < 0)) sum.difference += share;
            });
        }
        return sum;
    });
}

template <int Dim>
struct InterfaceRun {
    Field<float, Dim> phi;
    ParticleSet<Dim> particles;
    ShapeMeasure before{}, after{};
    // (volume − volume before) / volume before: what the flow did, not what the grid cannot show.
    double volume_error() const { return after.volume / before.volume - 1; }
};

// A trial's particles are right by definition: its velocity is exact, so none is removed for having escaped, and none
// is added.
inline ParticleLevelSetSettings trial_settings() {
    ParticleLevelSetSettings settings;
    settings.escape_distance = std::numeric_limits<double>::infinity();
    settings.reseed_interval = std::numeric_limits<double>::infinity();
    settings.seed = 1;
    return settings;
}

// Advances the shape through the whole of its flow.
template <int Dim>
InterfaceRun<Dim> run_interface(const InterfaceCase<Dim>& c, const ParticleLevelSetSettings& settings) {
    constexpr int kBand = 7;
    const SurfaceTracking<Dim> tracking{{c.dx(), {Index<Dim>(0), Index<Dim>(c.cells)}, kBand}, settings};
    const TilesPtr<Dim> tiles = Tiles<Dim>::covering(tracking.grid.box);
    const double band = kBand * c.dx();
    InterfaceRun<Dim> run{Field<float, Dim>(tiles, static_cast<float>(band)), ParticleSet<Dim>(tiles)};
    assign(run.phi, [&](const Index<Dim>& cell) {
        return static_cast<float>(
            std::clamp(c.distance((Vec<double, Dim>(cell) + Vec<double, Dim>(0.5)) * c.dx()), -band, band));
    });
    run.before = measure_shape(run.phi, c);

    FaceField<Dim> at_start(tiles);
    for (int axis = 0; axis < Dim; ++axis)
        assign(at_start[axis], [&](const Index<Dim>& cell) {
            const Vec<double, Dim> x = Vec<double, Dim>(cell) + Vec<double, Dim>(face_centre<Dim>(axis));
            return static_cast<float>(c.velocity(x * c.dx())[axis]);
        });
    reseed(run.particles, run.phi, tracking, 0);
    const double dt = c.end / c.steps;
    for (int n = 0; n < c.steps; ++n) {
        FaceField<Dim> u = at_start;
        const auto strength = static_cast<float>(c.strength((n + 0.5) * dt));
        for (int axis = 0; axis < Dim; ++axis) transform_values(u[axis], [=](float v) { return v * strength; });
        advance_tracked(run.phi, run.particles, u, dt, tracking);
        reseed_if_due(run.particles, run.phi, tracking, (n + 1) * dt, dt, static_cast<std::uint32_t>(n + 1));
    }
    run.after = measure_shape(run.phi, c);
    return run;
}

}  // namespace spindrift

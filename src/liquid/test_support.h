// SPDX-License-Identifier: Apache-2.0
// What tests of liquids share: tanks, running a method, and what one would measure on a real tank.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "grid/collocate.h"
#include "grid/measure.h"
#include "grid/test_support.h"
#include "liquid/gauges.h"
#include "liquid/particle_level_set_2002.h"

namespace spindrift {

constexpr double kGravity = 9.81;
constexpr double kFrame = 1.0 / 24;

// A closed tank with slipping walls, its lower corner at the world's origin; gravity pulls along axis 1.
template <int Dim>
World<Dim> tank(const Index<Dim>& cells, double dx) {
    World<Dim> world;
    world.grid = {Vec<double, Dim>(0.0), dx};
    world.box = world.domain = {Index<Dim>(0), cells};
    world.gravity = [](double) {
        Vec<double, Dim> g;
        g[1] = -kGravity;
        return g;
    };
    return world;
}

template <int Dim>
Vec<double, Dim> at_rest(const Vec<double, Dim>&) {
    return Vec<double, Dim>(0.0);
}

// A block of liquid in the lower corner of the tank: inside where x < width and y < height.
template <int Dim>
double dam_distance(const Vec<double, Dim>& p, double width, double height) {
    const double x = p[0] - width, y = p[1] - height;
    return x > 0 && y > 0 ? std::hypot(x, y) : std::max(x, y);
}

// Advances to `end` in steps that are stable and no longer than `longest`; watch(report) is called after each.  Stops
// and fails the test when a step fails.
template <int Dim, class Watch>
void run(LiquidMethod<Dim>& method, LiquidState<Dim>& liquid, double end, double longest, Watch&& watch) {
    while (liquid.time < end - 1e-9) {
        const double dt = std::min({method.stable_dt(liquid), longest, end - liquid.time});
        const StepReport report = method.step(liquid, dt);
        ASSERT_EQ(report.failure, "") << "in step " << liquid.step << ", at " << liquid.time << " s";
        watch(report);
    }
}
template <int Dim>
void run(LiquidMethod<Dim>& method, LiquidState<Dim>& liquid, double end, double longest = kFrame) {
    run(method, liquid, end, longest, [](const StepReport&) {});
}

// How full a cell is, as if the surface lay along a side of it.
template <int Dim>
double wet_part(const LiquidState<Dim>& liquid, const Index<Dim>& cell, double dx) {
    return std::clamp(0.5 - liquid.phi.at(cell) / dx, 0.0, 1.0);
}

// Sums over the liquid of its volume (1), its place and its energy per unit mass.
template <int Dim>
struct Totals {
    double volume = 0;  // m³ (m²)
    Vec<double, Dim> centre;
    Vec<double, Dim> momentum;  // over density
    double kinetic = 0, potential = 0;
    double energy() const { return kinetic + potential; }
};
template <int Dim>
Totals<Dim> totals(const LiquidState<Dim>& liquid, const World<Dim>& world) {
    const double dx = world.grid.dx, cell_volume = std::pow(dx, Dim);
    const VectorField<Dim> u = collocated(liquid.velocity);
    Totals<Dim> t;
    for_each_index(intersection(world.box, liquid.tiles().cell_bounds()), [&](const Index<Dim>& cell) {
        const double part = wet_part(liquid, cell, dx) * cell_volume;
        if (!(part > 0)) return;
        const Vec<double, Dim> x = world.grid.world_of_centre(cell);
        Vec<double, Dim> v;
        for (int a = 0; a < Dim; ++a) v[a] = u[a].at(cell);
        t.volume += part;
        t.centre += x * part;
        t.momentum += v * part;
        t.kinetic += 0.5 * part * dot(v, v);
        t.potential += part * kGravity * x[1];
    });
    if (t.volume > 0) t.centre = t.centre / t.volume;
    return t;
}

}  // namespace spindrift

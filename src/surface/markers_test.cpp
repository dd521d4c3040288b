// SPDX-License-Identifier: Apache-2.0
#include "surface/markers.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace spindrift {
namespace {

template <int Dim>
CellFlow<Dim> empty_box(int cells) {
    CellFlow<Dim> flow({Index<Dim>(0), Index<Dim>(cells)}, 0.1);
    for_each_index(flow.box, [&](const Index<Dim>& cell) { flow.kind[cell] = CellContent::empty; });
    return flow;
}

// A velocity that is linear in place, on all faces.
template <int Dim>
void set_linear(CellFlow<Dim>& flow, double shear) {
    for (int a = 0; a < Dim; ++a)
        for_each_index(flow.kind.box(), [&](const Index<Dim>& face) {
            const int other = (a + 1) % Dim;
            flow.velocity[static_cast<std::size_t>(a)][face] = 0.1 + shear * (face[other] + 0.5) - 0.05 * face[a];
        });
}

template <int Dim>
void half_full() {
    CellFlow<Dim> flow = empty_box<Dim>(8);
    const GridTransform<Dim> grid{.origin = {}, .dx = 0.1};
    Markers<Dim> markers;
    // Up to the middle of the fifth layer.
    seed<Dim>(markers, flow, grid, 4, [](const Vec<double, Dim>& x) { return x[1] - 0.45; });
    const double columns = std::pow(8, Dim - 1);
    EXPECT_EQ(markers.count(), static_cast<std::size_t>(columns * 18 * std::pow(4, Dim - 1)));
    EXPECT_NEAR(label_cells(flow, markers), 4.5 * columns, 1e-9);
    Index<Dim> cell(3);
    const CellContent expected[] = {CellContent::full, CellContent::surface, CellContent::empty};
    for (const int layer : {3, 4, 5}) {
        cell[1] = layer;
        EXPECT_EQ(flow.kind[cell], expected[layer - 3]);
    }
    // The surface lies where half of the weight is liquid, walls or not.
    const Dense<double, Dim> part = liquid_part(flow, markers);
    for_each_index(flow.box, [&](const Index<Dim>& at) {
        if (at[1] == 4) {
            EXPECT_NEAR(part[at], 0.5, 0.03);
        }
        if (at[1] < 3) {
            EXPECT_NEAR(part[at], 1, 0.03);
        }
        if (at[1] > 5) {
            EXPECT_EQ(part[at], 0);
        }
    });
}
TEST(Markers, LabelAndWeighAHalfFullBox2D) { half_full<2>(); }
TEST(Markers, LabelAndWeighAHalfFullBox3D) { half_full<3>(); }

template <int Dim>
void linear_velocities() {
    CellFlow<Dim> flow = empty_box<Dim>(6);
    set_linear(flow, 0.3);
    const AreaWeighting<Dim> velocity(flow);
    for (const double x : {-2.9, -1.25, -0.5, 0.0, 0.77, 2.6}) {
        Vec<double, Dim> place(x);
        place[0] = 0.3 * x;
        const Vec<double, Dim> u = velocity(place), cells = place + middle_of(flow.box);
        for (int a = 0; a < Dim; ++a) {
            const int other = (a + 1) % Dim;
            EXPECT_NEAR(u[a], 0.1 + 0.3 * cells[other] - 0.05 * cells[a], 1e-12) << x;
        }
    }
}
TEST(Markers, AreaWeightingIsExactForLinearVelocities2D) { linear_velocities<2>(); }
TEST(Markers, AreaWeightingIsExactForLinearVelocities3D) { linear_velocities<3>(); }

// A marker in a rotating flow comes back to where it was, within the error of second order.
TEST(Markers, MoveAroundInARotation) {
    CellFlow<2> flow = empty_box<2>(20);
    for_each_index(flow.kind.box(), [&](const Index<2>& face) {
        flow.velocity[0][face] = -(face[1] + 0.5 - 10) * flow.dx;  // one radian per second
        flow.velocity[1][face] = (face[0] + 0.5 - 10) * flow.dx;
    });
    double error[2];
    for (const int fine : {0, 1}) {
        const int steps = fine != 0 ? 400 : 200;
        Markers<2> markers;
        markers.add({6.0, 0.0}, 1.0);
        for (int n = 0; n < steps; ++n) (void)move(markers, flow, 2 * std::numbers::pi / steps);
        error[fine] = length(markers.place(0) - Vec<double, 2>(6.0, 0.0));
    }
    EXPECT_LT(error[0], 0.01);  // cells; measured 0.006
    EXPECT_NEAR(error[0] / error[1], 4, 0.3);
}

TEST(Markers, StayOutOfWallsAndLeaveThroughOutflows) {
    CellFlow<2> flow = empty_box<2>(6);
    for_each_index(flow.kind.box(), [&](const Index<2>& cell) {
        if (cell[0] == 6) flow.kind[cell] = CellContent::outflow;
        flow.velocity[0][cell] = cell[1] < 3 ? 1 : -1;  // to the outflow below, to the wall above
    });
    Markers<2> markers;
    seed<2>(markers, flow, {.origin = {}, .dx = 0.1}, 2, [](const Vec<double, 2>&) { return -1.0; });
    double out = 0;
    for (int n = 0; n < 40; ++n) out += move(markers, flow, 0.05).flowed_out;
    EXPECT_NEAR(out, 18, 1e-9);
    for (std::size_t n = 0; n < markers.count(); ++n) {
        EXPECT_GT(markers.place(n)[1], 0);
        EXPECT_GE(markers.place(n)[0], -3);
        EXPECT_LT(markers.place(n)[0], -2.9);
    }
}

TEST(Markers, InflowsPutInAsManyAsAreAskedFor) {
    CellFlow<2> flow = empty_box<2>(10);
    for_each_index(flow.kind.box(), [&](const Index<2>& cell) {
        if (cell[0] == -1 && cell[1] < 4) flow.kind[cell] = CellContent::inflow;
        flow.velocity[0][cell] = cell[1] < 4 ? 0.8 : 0;
    });
    for (const double per_second : {0.0, 500.0}) {
        Markers<2> markers;
        double volume = 0;
        std::size_t added = 0;
        for (int n = 0; n < 50; ++n) {
            const MarkerReport report = emit(markers, flow, 0.01, 16, per_second, 1, static_cast<std::uint32_t>(n));
            volume += report.flowed_in;
            added += report.added;
        }
        EXPECT_NEAR(volume, 0.8 * 0.5 / 0.1 * 4, 1e-9);  // cells
        EXPECT_NEAR(static_cast<double>(added), per_second > 0 ? 250 : volume * 16, 1);
        double held = 0;
        for (const double part : markers.volumes()) held += part;
        EXPECT_NEAR(held, volume, 0.1);  // one marker
    }
}

TEST(Markers, MirroredMarkersMoveMirroredBitByBit) {
    CellFlow<2> flow = empty_box<2>(8);
    for_each_index(flow.faces(0), [&](const Index<2>& face) {
        const double u = 0.37 * std::sin(0.9 * std::min(face[0], 8 - face[0]) + face[1]);
        flow.velocity[0][face] = face[0] == 4 ? 0 : face[0] < 4 ? u : -u;
    });
    for_each_index(flow.faces(1), [&](const Index<2>& face) {
        flow.velocity[1][face] = 0.41 * std::cos(1.3 * std::min(face[0], 7 - face[0]) + 0.7 * face[1]);
    });
    Markers<2> markers;
    seed<2>(markers, flow, {.origin = {}, .dx = 0.1}, 3,
            [](const Vec<double, 2>& x) { return (x[0] - 0.4) * (x[0] - 0.4) + (x[1] - 0.3) * (x[1] - 0.3) - 0.05; });
    const std::size_t count = markers.count();
    ASSERT_GT(count, 30U);
    for (int n = 0; n < 30; ++n) (void)move(markers, flow, 0.03);
    std::vector<Vec<double, 2>> places;
    for (std::size_t n = 0; n < count; ++n) places.push_back(markers.place(n));
    for (const Vec<double, 2>& place : places)
        EXPECT_EQ(std::count(places.begin(), places.end(), Vec<double, 2>(-place[0], place[1])), 1);
}

}  // namespace
}  // namespace spindrift

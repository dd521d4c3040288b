// SPDX-License-Identifier: Apache-2.0
// The Poisson operator and its smoother, alone.
#include <cmath>

#include <fmt/format.h>

#include "bench/bench.h"
#include "linear/model_problems.h"
#include "linear/poisson.h"

namespace spindrift::bench {
namespace {

constexpr double kFloat = sizeof(float);

std::string cube(int n) { return fmt::format("{}^3", n); }
int size_or(const Settings& settings, int own) { return settings.size > 0 ? settings.size : own; }

// Coefficients are read for general tiles alone; averaged over all cells.
double coefficient_bytes(const PoissonOperator<3>& a) {
    return 4 * kFloat * static_cast<double>(a.general_tile_count()) / static_cast<double>(a.tiles().count());
}

Measurement measure_operator(const std::string& name, const std::string& size, const PoissonOperator<3>& a,
                             const Settings& settings) {
    Field<float, 3> x(a.tiles_ptr(), 0), y(a.tiles_ptr(), 0);
    x.fill(1);
    a.keep_unknowns(x);
    Measurement m{name, size};
    m.seconds = best_seconds(settings, [&] { a.apply(y, x); });
    m.cells = static_cast<double>(a.tiles().cell_count());
    m.bytes_per_cell = 2 * kFloat + coefficient_bytes(a);
    return m;
}

void run_triad(const Settings& settings, const Report& report) {
    Measurement m{"triad", "2^25"};
    m.cells = std::pow(2.0, 25);
    m.bytes_per_cell = 3 * kFloat;
    m.seconds = m.cells * m.bytes_per_cell / triad_bandwidth(settings);
    m.remark = "a = b + s c: the yardstick";
    report(m);
}

void run_operator(const Settings& settings, const Report& report) {
    const int n = size_or(settings, 256);
    {
        const auto problem = closed_problem<3>(n, Obstacle::none);
        Measurement m =
            measure_operator("operator", cube(n), free_surface_operator(problem.level, problem.open), settings);
        m.remark = "closed box: uniform tiles, no coefficients stored";
        report(m);
    }
    // The same box with coefficients that vary everywhere.
    const TilesPtr<3> tiles = Tiles<3>::covering({Index<3>(0), Index<3>(n)});
    const PoissonOperator<3> varying(tiles, 0, [&tiles](Slot slot, TileSystem<3>& system) {
        for (int axis = 0; axis < 3; ++axis) {
            const bool below = tiles->neighbour(slot, side_neighbour<3>(axis, false)) != kNoTile;
            const bool above = tiles->neighbour(slot, side_neighbour<3>(axis, true)) != kNoTile;
            for (int i = 0; i < kTileCells<3>; ++i) system.lower[axis][i] = 0.5F + 0.001F * static_cast<float>(i % 7);
            for (int i = 0; i < TileSystem<3>::kSideCells; ++i) {
                float& first = system.lower[axis][first_layer_cell<3>(axis, i)];
                system.upper[axis][i] = above ? first : 0;
                if (!below) first = 0;
            }
        }
        std::fill_n(system.ground, kTileCells<3>, slot % 2 == 0 ? 0.0F : 1.0F);
    });
    Measurement m = measure_operator("operator", cube(n), varying, settings);
    m.remark = "every face and ground stored";
    report(m);
}

// A pool that fills a tenth of a box, and the whole box, in one run.
void run_sparse(const Settings& settings, const Report& report) {
    const int n = size_or(settings, 256);
    const auto full = closed_problem<3>(n, Obstacle::none);
    const double full_seconds =
        measure_operator("", "", free_surface_operator(full.level, full.open), settings).seconds;
    const auto pool = pool_problem<3>(n, 0.1);
    const PoissonOperator<3> a = free_surface_operator(pool.level, pool.open);
    Measurement m = measure_operator("operator-sparse", cube(n), a, settings);
    m.remark =
        fmt::format("{:.1f} % of the box is liquid; {:.1f} % of the full box's time",
                    100 * static_cast<double>(a.unknown_count()) / std::pow(n, 3), 100 * m.seconds / full_seconds);
    report(m);
}

void run_smoother(const Settings& settings, const Report& report) {
    const int n = size_or(settings, 256);
    const auto problem = closed_problem<3>(n, Obstacle::none);
    const PoissonOperator<3> a = free_surface_operator(problem.level, problem.open);
    Field<float, 3> x(a.tiles_ptr(), 0), y(a.tiles_ptr(), 0);
    Measurement m{"smoother", cube(n)};
    m.seconds = best_seconds(settings, [&] { a.relax(y, x, problem.right_side, Colour::red); });
    m.cells = static_cast<double>(a.tiles().cell_count());
    m.bytes_per_cell = 3 * kFloat + coefficient_bytes(a);
    m.remark = "one colour of red-black Gauss-Seidel";
    report(m);
}

}  // namespace

std::vector<Case> kernel_cases() {
    return {{"triad", "memory bandwidth, the yardstick of the others", run_triad},
            {"operator", "y = A x, the Poisson operator on a full box", run_operator},
            {"operator-sparse", "the same where a tenth of the box is liquid", run_sparse},
            {"smoother", "half a sweep of the multigrid smoother", run_smoother}};
}

}  // namespace spindrift::bench

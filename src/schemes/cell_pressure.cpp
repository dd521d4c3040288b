// SPDX-License-Identifier: Apache-2.0
#include "schemes/cell_pressure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "linear/poisson_solver.h"
#include "schemes/cell_boundary.h"

namespace spindrift {
namespace {

// Whether a change of pressure on the other side of a face would move liquid through it.
bool lets_through(CellContent kind) { return is_liquid(kind) || is_open(kind); }

template <int Dim>
void for_each_side(const Dense<CellContent, Dim>& kind, std::ptrdiff_t cell, auto&& f) {
    for (int a = 0; a < Dim; ++a)
        for (const int side : {0, 1}) f(a, side, cell + (2 * side - 1) * kind.stride(a));
}

// What should flow out of each full cell, 1/s: nothing, but where more flows into a closed region of full cells than
// out.  Returns what is too much, m³/s.
template <int Dim>
double set_goal(Dense<double, Dim>& goal, const CellFlow<Dim>& flow) {
    Dense<std::uint8_t, Dim> seen(flow.kind.box());
    double overflow = 0;
    std::vector<Index<Dim>> region;
    for_each_index(flow.box, [&](const Index<Dim>& start) {
        if (flow.kind[start] != CellContent::full || seen[start] != 0) return;
        region.assign(1, start);
        seen[start] = 1;
        bool is_closed = true;
        double sum = 0;
        for (std::size_t k = 0; k < region.size(); ++k) {
            const Index<Dim> cell = region[k];
            sum += outflow_of(flow, flow.kind.offset(cell));
            for (int a = 0; a < Dim; ++a)
                for (const int side : {-1, 1}) {
                    const Index<Dim> beside = cell + unit<Dim>(a) * side;
                    const CellContent kind = flow.kind[beside];
                    is_closed &= kind != CellContent::surface && !is_open(kind);
                    if (kind != CellContent::full || seen[beside] != 0) continue;
                    seen[beside] = 1;
                    region.push_back(beside);
                }
        }
        if (!is_closed) return;
        const double each = sum / static_cast<double>(region.size());
        for (const Index<Dim>& cell : region) goal[cell] = each;
        overflow += std::max(0.0, -sum) * std::pow(flow.dx, Dim);
    });
    return overflow;
}

// Sweeps over the full cells.  They follow the changes of pressure alone, which tell what becomes of the divergence;
// the velocities are changed once, at the end.
template <int Dim>
class Relaxation {
  public:
    Relaxation(const CellFlow<Dim>& flow, const Dense<double, Dim>& goal, double dt, double beta0)
        : box_(flow.box), dp_(flow.kind.box()), conductance_(dt / (flow.dx * flow.dx)) {
        const double beta = beta0 * flow.dx * flow.dx / (2 * Dim * dt);
        for_each_index(box_, [&](const Index<Dim>& cell) {
            const std::ptrdiff_t n = dp_.offset(cell);
            if (flow.kind[n] != CellContent::full) return;
            Unknown unknown{.cell = n,
                            .missing = goal[n] - outflow_of(flow, n),
                            .beta = beta * (2.0 * Dim / (2 * Dim + alike(cell)))};
            for_each_side(flow.kind, n, [&](int, int, std::ptrdiff_t beside) {
                if (lets_through(flow.kind[beside])) unknown.open += 1;
            });
            cells_[colour(cell)].push_back(unknown);
        });
        change_.resize(std::max(cells_[0].size(), cells_[1].size()));
    }

    // Returns the largest divergence that it met, 1/s.
    double sweep() { return std::max(relax(cells_[0]), relax(cells_[1])); }

    const Dense<double, Dim>& change() const { return dp_; }

  private:
    struct Unknown {
        std::ptrdiff_t cell;
        double missing;   // 1/s, at the start
        double beta;      // m²/s
        double open = 0;  // sides that let liquid through
    };

    // Counted from the nearer end of each axis.
    std::size_t colour(const Index<Dim>& cell) const {
        int sum = 0;
        for (int a = 0; a < Dim; ++a) sum += std::min(cell[a] - box_.lo[a], box_.hi[a] - 1 - cell[a]);
        return static_cast<std::size_t>(sum & 1);
    }
    // Neighbours of the same colour: across the middle of an even number of cells.
    int alike(const Index<Dim>& cell) const {
        int count = 0;
        for (int a = 0; a < Dim; ++a) {
            const int length = box_.hi[a] - box_.lo[a], place = cell[a] - box_.lo[a];
            if (length % 2 == 0 && (place == length / 2 || place == length / 2 - 1)) ++count;
        }
        return count;
    }

    double relax(const std::vector<Unknown>& cells) {
        constexpr std::size_t kCells = 4096;  // of a block
        std::array<std::ptrdiff_t, Dim> step;
        for (int a = 0; a < Dim; ++a) step[static_cast<std::size_t>(a)] = dp_.stride(a);
        const double most = parallel_max(cells.size(), kCells, 0.0, [&](std::size_t begin, std::size_t end) {
            double largest = 0;
            for (std::size_t n = begin; n < end; ++n) {
                const Unknown& at = cells[n];
                double beside = 0;
                for (const std::ptrdiff_t s : step) beside += dp_[at.cell - s] + dp_[at.cell + s];
                const double missing = at.missing + conductance_ * (beside - at.open * dp_[at.cell]);
                change_[n] = at.beta * missing;
                if (!(std::abs(missing) <= largest)) largest = std::abs(missing);
            }
            return largest;
        });
        parallel_ranges(cells.size(), kCells, [&](std::size_t begin, std::size_t end) {
            for (std::size_t n = begin; n < end; ++n) dp_[cells[n].cell] += change_[n];
        });
        return most;
    }

    IndexBox<Dim> box_;
    Dense<double, Dim> dp_;  // 0 in all but full cells
    double conductance_;     // of a face, s/m²
    std::array<std::vector<Unknown>, 2> cells_;
    std::vector<double> change_;
};

// p + δp, and the velocities that go with it.
template <int Dim>
void change_pressure(CellFlow<Dim>& flow, const Dense<double, Dim>& dp, double dt) {
    for_each_cell(flow.box, [&](const Index<Dim>& cell) {
        if (flow.kind[cell] == CellContent::full) flow.pressure[cell] += dp[cell];
    });
    for (int a = 0; a < Dim; ++a) {
        Dense<double, Dim>& u = flow.velocity[static_cast<std::size_t>(a)];
        const std::ptrdiff_t step = u.stride(a);
        for_each_cell(flow.faces(a), [&](const Index<Dim>& face) {
            const std::ptrdiff_t n = u.offset(face);
            if (lets_through(flow.kind[n]) && lets_through(flow.kind[n - step]))
                u[n] += dt / flow.dx * (dp[n - step] - dp[n]);
        });
    }
}

// The same system, A δp = (goal − ∇·u) dx² / −dt, by conjugate gradients with multigrid on tiles.
template <int Dim>
SolveReport solve_on_tiles(CellFlow<Dim>& flow, const Dense<double, Dim>& goal, double dt,
                           const CellPressureSettings& settings) {
    const TilesPtr<Dim> tiles = Tiles<Dim>::covering(flow.box);
    FaceField<Dim> conductance(tiles);
    Field<float, Dim> ground(tiles), b(tiles), x(tiles);
    Field<std::uint8_t, Dim> unknown(tiles);
    double squares = 0;
    for_each_index(flow.box, [&](const Index<Dim>& cell) {
        const std::ptrdiff_t n = flow.kind.offset(cell);
        if (flow.kind[n] != CellContent::full) return;
        unknown.ref(cell) = 1;
        const double right = (goal[n] - outflow_of(flow, n)) * flow.dx * flow.dx / dt;
        b.ref(cell) = static_cast<float>(right);
        squares += right * right;
        for_each_side(flow.kind, n, [&](int a, int side, std::ptrdiff_t beside) {
            if (flow.kind[beside] == CellContent::full) {
                if (side == 0) conductance[a].ref(cell) = 1;
            } else if (lets_through(flow.kind[beside])) {
                ground.ref(cell) += 1;
            }
        });
    });
    // No cell has more than the norm of all.
    const double allowed = settings.tolerance * flow.dx * flow.dx / dt;
    SolveOptions options{.tolerance = squares > 0 ? std::min(0.1, allowed / std::sqrt(squares)) : 0.1,
                         .max_iterations = settings.max_sweeps};
    SolveReport report = solve_poisson(x, b, PoissonOperator<Dim>(conductance, ground, unknown), options);

    Dense<double, Dim> dp(flow.kind.box());
    copy(dp, x);
    change_pressure(flow, dp, dt);
    return report;
}

template <int Dim>
double largest_divergence(const CellFlow<Dim>& flow, const Dense<double, Dim>& goal) {
    return largest_over_cells(flow.box, [&](const Index<Dim>& cell) {
        const std::ptrdiff_t n = goal.offset(cell);
        return flow.kind[n] == CellContent::full ? std::abs(outflow_of(flow, n) - goal[n]) : 0.0;
    });
}

}  // namespace

template <int Dim>
CellPressureReport solve_cell_pressure(CellFlow<Dim>& flow, double dt, const CellPressureSettings& settings) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    CellPressureReport report;
    Dense<double, Dim> goal(flow.kind.box());
    report.overflow = set_goal(goal, flow);
    report.cells = sum_over_cells(flow.box, std::size_t{0}, [&](const Index<Dim>& cell) {
        return flow.kind[cell] == CellContent::full ? std::size_t{1} : std::size_t{0};
    });
    const double before = largest_divergence(flow, goal);
    if (settings.method == CellPressure::multigrid) {
        if (report.cells > 0) report.solve = solve_on_tiles(flow, goal, dt, settings);
    } else {
        Relaxation<Dim> relaxation(flow, goal, dt, settings.over_relaxation);
        report.solve.converged = false;
        while (!report.solve.converged && report.solve.iterations < settings.max_sweeps) {
            const double met = relaxation.sweep();
            ++report.solve.iterations;
            report.solve.converged = met < settings.tolerance;
            if (std::isfinite(met)) continue;
            report.solve.failure = "the divergence of a cell is not finite";
            break;
        }
        change_pressure(flow, relaxation.change(), dt);
    }
    report.divergence = largest_divergence(flow, goal);
    if (settings.method == CellPressure::relaxation)
        report.solve.residual = report.solve.measured_residual = before > 0 ? report.divergence / before : 0;
    report.solve.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return report;
}

template CellPressureReport solve_cell_pressure(CellFlow<2>&, double, const CellPressureSettings&);
template CellPressureReport solve_cell_pressure(CellFlow<3>&, double, const CellPressureSettings&);

}  // namespace spindrift

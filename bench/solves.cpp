// SPDX-License-Identifier: Apache-2.0
// Whole pressure solves to a relative residual of 1e-6, set-up of operator and levels included.
#include <fmt/format.h>

#include "bench/bench.h"
#include "linear/fourier.h"
#include "linear/model_problems.h"
#include "linear/poisson_solver.h"

namespace spindrift::bench {
namespace {

constexpr double kFloat = sizeof(float);

// Fields read or written once per cell in an iteration on the finest level: first relaxation 2, five more 3 each,
// restriction 2, prolongation 2, r·z 2, p 3, A p 2, x and r 6; coarser levels add a seventh of eleven relaxations and
// transfers.
constexpr double kFieldsPerIteration = 2 + 5 * 3 + 2 + 2 + 2 + 3 + 2 + 6 + (2 + 11 * 3 + 4) / 7.0;
// Passes that read the coefficients of general tiles.
constexpr double kCoefficientPasses = 8;

void measure_solve(const std::string& name, int n, const ModelProblem<3>& problem, const Settings& settings,
                   const Report& report) {
    Field<float, 3> x(problem.level.tiles_ptr());
    PoissonSolver<3> solver;
    SolveReport solved;
    double unknowns = 0, general = 0;
    Measurement m{name, fmt::format("{}^3", n)};
    m.seconds = best_seconds(settings, [&] {
        x.fill(0);
        const PoissonOperator<3> a = free_surface_operator(problem.level, problem.open);
        solved = solver.solve(x, problem.right_side, a);
        unknowns = static_cast<double>(a.unknown_count());
        general = static_cast<double>(a.general_tile_count()) / static_cast<double>(a.tiles().count());
    });
    m.cells = unknowns;
    m.bytes_per_cell =
        kFloat * (kFieldsPerIteration + kCoefficientPasses * 4 * general) * static_cast<double>(solved.iterations);
    m.iterations = solved.iterations;
    m.residual = solved.residual;
    m.remark = solved.converged
                   ? fmt::format("{:.1f} bytes held per unknown", static_cast<double>(solver.bytes()) / unknowns)
                   : "did not converge " + solved.failure;
    report(m);
}

std::vector<int> sizes(const Settings& settings, std::vector<int> own) {
    return settings.size > 0 ? std::vector<int>{settings.size} : own;
}

void run_fourier(const Settings& settings, const Report& report) {
    if (!FourierSolver<3>::available()) {
        Measurement m{"fourier", "-"};
        m.remark = "this build has no FFTW";
        report(m);
        return;
    }
    for (const int n : sizes(settings, {64, 128})) {
        const auto problem = closed_problem<3>(n, Obstacle::none);
        FourierSolver<3>::Sides sides;
        for (auto& axis : sides) axis.fill(FourierSide::closed);
        FourierSolver<3> solver(problem.box, sides);
        Field<float, 3> x(problem.level.tiles_ptr());
        SolveReport solved;
        Measurement m{"fourier", fmt::format("{}^3", n)};
        m.seconds = best_seconds(settings, [&] { solved = solver.solve(x, problem.right_side); });
        m.cells = static_cast<double>(x.tiles().cell_count());
        m.bytes_per_cell = kFloat * (2 + 2 * 6 + 2 + 2);  // in, six transforms in place, out, residual
        m.iterations = solved.iterations;
        m.residual = solved.residual;
        m.remark = "closed box, cosine transforms; single precision bounds the residual";
        report(m);
    }
}

}  // namespace

std::vector<Case> solve_cases() {
    return {{"solve-dam", "pressure of a breaking dam with a sphere in it",
             [](const Settings& s, const Report& report) {
                 for (const int n : sizes(s, {64, 128, 256}))
                     measure_solve("solve-dam", n, dam_problem<3>(n), s, report);
             }},
            {"solve-closed", "a closed box with a sphere in it: nothing holds the pressure",
             [](const Settings& s, const Report& report) {
                 for (const int n : sizes(s, {64, 128}))
                     measure_solve("solve-closed", n, closed_problem<3>(n), s, report);
             }},
            {"solve-full", "a box of liquid, open on all sides",
             [](const Settings& s, const Report& report) {
                 for (const int n : sizes(s, {64, 128})) measure_solve("solve-full", n, full_problem<3>(n), s, report);
             }},
            {"fourier", "a closed box by cosine transforms", run_fourier}};
}

}  // namespace spindrift::bench

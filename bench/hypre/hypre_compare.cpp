// SPDX-License-Identifier: Apache-2.0
// The pressure problem of `spindrift bench solve-dam`, solved by hypre's conjugate gradients with PFMG and by ours, in
// one run:
//
//   mpirun --bind-to none -n 2 build/release/bin/hypre_compare [cells along a side, default 128]
//
// hypre runs on all ranks, in double precision, with red-black Gauss-Seidel, on the whole box: cells without liquid are
// rows of the identity, since its grids are boxes.  Ours runs on one rank with as many threads, while the others sleep.
// hypre's time includes setting up its levels but not assembling its matrix; ours includes both.  Each is the best of
// several.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <thread>
#include <vector>

#include <HYPRE_struct_ls.h>
#include <fmt/format.h>
#include <mpi.h>

#include "base/parallel.h"
#include "linear/model_problems.h"
#include "linear/poisson_solver.h"

namespace spindrift::bench {
namespace {

constexpr double kTolerance = 1e-6;
constexpr int kRepeats = 5;

// The rows of one rank's slab of the box, one after the other along x, y, z as hypre orders them (x fastest).
struct Slab {
    std::array<HYPRE_Int, 3> lo, hi;  // inclusive
    std::vector<double> matrix;       // centre, −x, −y, −z per cell: the symmetric half
    std::vector<double> right_side;
};

Slab slab_of(const ModelProblem<3>& problem, int n, int rank, int ranks) {
    Slab slab{{0, 0, n * rank / ranks}, {n - 1, n - 1, n * (rank + 1) / ranks - 1}, {}, {}};
    const PoissonOperator<3> a = free_surface_operator(problem.level, problem.open);
    for (int k = slab.lo[2]; k <= slab.hi[2]; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                const Index<3> cell(i, j, k);
                const Slot slot = a.tiles().find(tile_of_cell(cell));
                double centre = 0;
                std::array<double, 3> lower{};
                static thread_local TileSystem<3> system;
                static thread_local Slot loaded = kNoTile;
                if (slot != kNoTile) {
                    if (slot != loaded) a.expand(slot, system);
                    loaded = slot;
                    const int at = offset_in_tile(cell);
                    centre = system.ground[at];
                    for (int axis = 0; axis < 3; ++axis) {
                        lower[static_cast<std::size_t>(axis)] = system.lower[axis][at];
                        centre += static_cast<double>(system.lower[axis][at]) + system.upper_of(axis, at);
                    }
                }
                const bool unknown = centre > 0;
                slab.matrix.insert(slab.matrix.end(), {unknown ? centre : 1.0, -lower[0], -lower[1], -lower[2]});
                slab.right_side.push_back(unknown ? problem.right_side.at(cell) : 0.0);
            }
    return slab;
}

struct Outcome {
    double seconds = std::numeric_limits<double>::infinity();
    int iterations = 0;
    double residual = 0;
};

Outcome solve_with_hypre(const Slab& slab) {
    HYPRE_StructGrid grid;
    HYPRE_StructGridCreate(MPI_COMM_WORLD, 3, &grid);
    auto lo = slab.lo, hi = slab.hi;
    HYPRE_StructGridSetExtents(grid, lo.data(), hi.data());
    HYPRE_StructGridAssemble(grid);
    HYPRE_StructStencil stencil;
    HYPRE_StructStencilCreate(3, 4, &stencil);
    std::array<std::array<HYPRE_Int, 3>, 4> offsets{{{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
    for (int s = 0; s < 4; ++s) HYPRE_StructStencilSetElement(stencil, s, offsets[static_cast<std::size_t>(s)].data());

    HYPRE_StructMatrix matrix;
    HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid, stencil, &matrix);
    HYPRE_StructMatrixSetSymmetric(matrix, 1);
    HYPRE_StructMatrixInitialize(matrix);
    std::array<HYPRE_Int, 4> entries{0, 1, 2, 3};
    std::vector<double> values = slab.matrix;
    HYPRE_StructMatrixSetBoxValues(matrix, lo.data(), hi.data(), 4, entries.data(), values.data());
    HYPRE_StructMatrixAssemble(matrix);
    HYPRE_StructVector b, x;
    for (HYPRE_StructVector* v : {&b, &x}) {
        HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, v);
        HYPRE_StructVectorInitialize(*v);
    }
    std::vector<double> right = slab.right_side;
    HYPRE_StructVectorSetBoxValues(b, lo.data(), hi.data(), right.data());
    HYPRE_StructVectorAssemble(b);

    Outcome outcome;
    for (int n = 0; n < kRepeats; ++n) {
        HYPRE_StructVectorSetConstantValues(x, 0);
        HYPRE_StructVectorAssemble(x);
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        HYPRE_StructSolver multigrid, gradients;
        HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &multigrid);
        HYPRE_StructPFMGSetMaxIter(multigrid, 1);
        HYPRE_StructPFMGSetTol(multigrid, 0);
        HYPRE_StructPFMGSetZeroGuess(multigrid);
        HYPRE_StructPFMGSetRelaxType(multigrid, 2);  // red-black Gauss-Seidel, symmetric
        HYPRE_StructPFMGSetNumPreRelax(multigrid, 1);
        HYPRE_StructPFMGSetNumPostRelax(multigrid, 1);
        HYPRE_StructPCGCreate(MPI_COMM_WORLD, &gradients);
        HYPRE_StructPCGSetTol(gradients, kTolerance);
        HYPRE_StructPCGSetTwoNorm(gradients, 1);
        HYPRE_StructPCGSetMaxIter(gradients, 200);
        HYPRE_StructPCGSetPrecond(gradients, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, multigrid);
        HYPRE_StructPCGSetup(gradients, matrix, b, x);
        HYPRE_StructPCGSolve(gradients, matrix, b, x);
        outcome.seconds = std::min(outcome.seconds, MPI_Wtime() - start);
        HYPRE_StructPCGGetNumIterations(gradients, &outcome.iterations);
        HYPRE_StructPCGGetFinalRelativeResidualNorm(gradients, &outcome.residual);
        HYPRE_StructPCGDestroy(gradients);
        HYPRE_StructPFMGDestroy(multigrid);
    }
    HYPRE_StructVectorDestroy(x);
    HYPRE_StructVectorDestroy(b);
    HYPRE_StructMatrixDestroy(matrix);
    HYPRE_StructStencilDestroy(stencil);
    HYPRE_StructGridDestroy(grid);
    return outcome;
}

Outcome solve_with_ours(const ModelProblem<3>& problem) {
    Field<float, 3> x(problem.level.tiles_ptr());
    PoissonSolver<3> solver;
    Outcome outcome;
    for (int n = 0; n < kRepeats; ++n) {
        x.fill(0);
        const double start = MPI_Wtime();
        const PoissonOperator<3> a = free_surface_operator(problem.level, problem.open);
        const SolveReport report = solver.solve(x, problem.right_side, a, {.tolerance = kTolerance});
        outcome.seconds = std::min(outcome.seconds, MPI_Wtime() - start);
        outcome.iterations = report.iterations;
        outcome.residual = report.residual;
    }
    return outcome;
}

// Waits without burning a core, which MPI_Barrier would.
void sleep_until_all_are_here() {
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int done = 0; done == 0;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

int run(int n) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    set_thread_count(ranks);
    const ModelProblem<3> problem = dam_problem<3>(n);
    const Outcome hypre = solve_with_hypre(slab_of(problem, n, rank, ranks));
    if (rank == 0) {
        const Outcome ours = solve_with_ours(problem);
        fmt::print("{}^3 dam, relative residual {:g}\n", n, kTolerance);
        const auto row = [](const std::string& who, const Outcome& o) {
            fmt::print("{:<32} {:>8.3f} s {:>4} iterations, residual {:.1e}\n", who, o.seconds, o.iterations,
                       o.residual);
        };
        row(fmt::format("hypre CG + PFMG, {} ranks", ranks), hypre);
        row(fmt::format("Spindrift, {} threads", ranks), ours);
        fmt::print("ratio {:.1f}\n", hypre.seconds / ours.seconds);
    }
    sleep_until_all_are_here();
    return 0;
}

}  // namespace
}  // namespace spindrift::bench

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int n = argc > 1 ? std::atoi(argv[1]) : 128;
    const bool good = n >= 8 && n <= 512;
    if (!good) fmt::print(stderr, "hypre_compare: the size must be 8 to 512 cells, not '{}'\n", argv[1]);
    const int status = good ? spindrift::bench::run(n) : 2;
    MPI_Finalize();
    return status;
}

// SPDX-License-Identifier: Apache-2.0
// Solves A x = b by preconditioned conjugate gradients, or by relaxation alone.
#pragma once

#include <memory>

#include "linear/multigrid.h"
#include "linear/poisson.h"
#include "linear/solve_report.h"

namespace spindrift {

enum class Preconditioner { multigrid, incomplete_cholesky, none };

struct SolveOptions {
    double tolerance = 1e-6;  // of ‖b − A x‖ / ‖b‖
    int max_iterations = 200;
    Preconditioner preconditioner = Preconditioner::multigrid;
    MultigridOptions multigrid{};
    // Cells that have one value in common, group by group.  How well the faces inside a group conduct does not matter
    // to the solution, but the better, the sooner it is found.
    const std::vector<CellGroup>* shared = nullptr;
};

// Keeps its working fields from one solve to the next while the tiles stay the same.
template <int Dim>
class PoissonSolver {
  public:
    // x holds the first guess and receives the solution; it is zero where there is no unknown, and has zero mean in
    // regions that no Dirichlet cell holds, whose right side is made compatible.
    SolveReport solve(Field<float, Dim>& x, const Field<float, Dim>& b, const PoissonOperator<Dim>& a,
                      const SolveOptions& options = {});

    // Memory of the last solve: x, b, working fields, operator and all levels.
    std::size_t bytes() const { return bytes_; }

  private:
    // For right sides so small that sums of squares would underflow; `norm` is ‖b‖, roughly.
    SolveReport solve_in_own_units(Field<float, Dim>& x, const Field<float, Dim>& b, const PoissonOperator<Dim>& a,
                                   const SolveOptions& options, double norm);

    Field<float, Dim> r_, p_, z_, q_;
    std::size_t bytes_ = 0;
};

template <int Dim>
SolveReport solve_poisson(Field<float, Dim>& x, const Field<float, Dim>& b, const PoissonOperator<Dim>& a,
                          const SolveOptions& options = {}) {
    return PoissonSolver<Dim>().solve(x, b, a, options);
}

// The 1996 paper's way: sweeps of over-relaxed Gauss–Seidel, red cells then black.  An iteration is a sweep; the
// residual is measured every few.
struct RelaxationOptions {
    double tolerance = 1e-6;
    int max_iterations = 20000;
    float weight = 1.7F;  // β0 of [FM96]; below 2
};
template <int Dim>
SolveReport solve_by_relaxation(Field<float, Dim>& x, const Field<float, Dim>& b, const PoissonOperator<Dim>& a,
                                const RelaxationOptions& options = {});

extern template class PoissonSolver<2>;
extern template class PoissonSolver<3>;

}  // namespace spindrift

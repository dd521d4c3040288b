// SPDX-License-Identifier: Apache-2.0
// Direct solves on a box of cells:  mass x_i + Σ_faces (x_i − x_neighbour) = b_i,  spacing one: the caller puts dx²
// into b.  Each side of the box is periodic, closed (no flux), fixed_face (x = 0 on the wall) or fixed_centre (x = 0 at
// the centre of the cell beyond), in any mixture but a single periodic side.  The operator is diagonal in the
// eigenvectors of its axes [Hockney65] [Swarztrauber77], so that x solves the discrete system itself to rounding.
// Without mass and fixed sides b loses its mean and x has none.  Fast where the sequences of fourier_lines.h have small
// prime factors: n for most sides, but n + 1 with fixed_centre on both sides and 2n + 1 with it on one.
//
//   FourierSolver<2> solver(box, {{{periodic, periodic}, {closed, fixed_centre}}});
//   const SolveReport report = solver.solve(pressure, right_side);
#pragma once

#include <array>
#include <memory>

#include "grid/field.h"
#include "linear/fourier_lines.h"
#include "linear/solve_report.h"

namespace spindrift {

template <int Dim>
class FourierSolver {
  public:
    using Sides = std::array<std::array<FourierSide, 2>, Dim>;  // below and above, by axis

    // Holds the plans and one float per cell: keep it for as long as the box stays.
    FourierSolver(const IndexBox<Dim>& box, const Sides& sides);
    FourierSolver(FourierSolver&&) noexcept;
    FourierSolver& operator=(FourierSolver&&) noexcept;
    ~FourierSolver();

    // Whether this build has FFTW.  To make a solver without it stops the program.
    static bool available() { return LineTransform::available(); }

    // x and b live on the same tiles, which cover the box; cells of x outside the box keep their values.  A right side
    // that is not finite is a failure that leaves x as it was.  One solve at a time.
    SolveReport solve(Field<float, Dim>& x, const Field<float, Dim>& b, float mass = 0);

  private:
    struct Work;
    std::unique_ptr<Work> work_;
};

extern template class FourierSolver<2>;
extern template class FourierSolver<3>;

}  // namespace spindrift

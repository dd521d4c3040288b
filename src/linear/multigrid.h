// SPDX-License-Identifier: Apache-2.0
// One V-cycle of multigrid, z ≈ A⁻¹ r from z = 0: the preconditioner of choice for conjugate gradients [Tatebe93].
//
// Coarse cells are 2^Dim fine ones; values go up and down unchanged (piecewise constant), which costs least memory
// traffic and needs no care at boundaries.  The coarse operator is the finite-volume one of the coarse cells: a face
// conducts the mean of its fine faces; ground is weakened by the way from the coarse centre, g → g / (1 + β g).
// Red–black Gauss–Seidel, run backwards on the way up, makes the cycle symmetric.  Compare [McAdams10] (no cut faces),
// [Shao22] (aggregation).
#pragma once

#include <vector>

#include "linear/poisson.h"

namespace spindrift {

struct MultigridOptions {
    int fine_half_sweeps = 3;    // colours relaxed before and after the coarse correction on the finest level
    int coarse_half_sweeps = 6;  // and on the others, where they cost an eighth, a 64th, …
    int bottom_half_sweeps = 24;
};

template <int Dim>
class Multigrid {
  public:
    // Keeps a reference to the operator.
    explicit Multigrid(const PoissonOperator<Dim>& finest, MultigridOptions options = {});

    // `scratch` is any field on the finest tiles, overwritten.
    void apply(Field<float, Dim>& z, const Field<float, Dim>& r, Field<float, Dim>& scratch);

    std::size_t level_count() const { return coarse_.size() + 1; }
    const PoissonOperator<Dim>& level(std::size_t n) const { return n == 0 ? finest_ : coarse_[n - 1].a; }
    std::size_t bytes() const;

  private:
    struct Level {
        PoissonOperator<Dim> a;
        std::vector<Slot> children;  // 2^Dim slots of the finer level per tile, kNoTile where there is none
        Field<float, Dim> x, b, scratch;
    };
    void cycle(std::size_t level, Field<float, Dim>& x, const Field<float, Dim>& b, Field<float, Dim>& scratch);

    const PoissonOperator<Dim>& finest_;
    MultigridOptions options_;
    std::vector<Level> coarse_;
};

extern template class Multigrid<2>;
extern template class Multigrid<3>;

}  // namespace spindrift

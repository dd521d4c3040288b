// SPDX-License-Identifier: Apache-2.0
// Modified incomplete Cholesky of level zero: L Lᵀ ≈ A with the pattern of A, what it drops put back on the diagonal so
// that row sums are kept; the preconditioner of [FF01].  z = L⁻ᵀ L⁻¹ r.
//
// A cell depends on its lower neighbours alone, so tiles whose coordinates have the same sum do not depend on each
// other: they are taken together, wave after wave, with the result of a plain sweep in order.
#pragma once

#include <vector>

#include "linear/poisson.h"

namespace spindrift {

template <int Dim>
class IncompleteCholesky {
  public:
    explicit IncompleteCholesky(const PoissonOperator<Dim>& a);
    void apply(Field<float, Dim>& z, const Field<float, Dim>& r) const;
    std::size_t bytes() const { return inverse_root_.bytes() + order_.size() * sizeof(Slot); }

  private:
    template <class F>
    void for_each_wave(bool upwards, F&& f) const;

    const PoissonOperator<Dim>& a_;
    std::vector<Slot> order_;              // tiles, wave by wave
    std::vector<std::size_t> wave_begin_;  // into order_, and one more
    Field<float, Dim> inverse_root_;       // 1 / L_ii, 0 where there is no unknown
};

extern template class IncompleteCholesky<2>;
extern template class IncompleteCholesky<3>;

}  // namespace spindrift

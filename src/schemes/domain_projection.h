// SPDX-License-Identifier: Apache-2.0
// The projection of a velocity that fills its domain onto those without divergence:  ∇²q = ∇·w,  w −= ∇q  [Stam99]
// §2.1, with the operator, divergence and gradient of schemes/divergence.h.
//
// Boxes and blocks of tiles without solids are solved directly by Fourier, cosine and sine transforms along their axes;
// all others by conjugate gradients with multigrid.
#pragma once

#include <memory>
#include <optional>

#include "linear/fourier.h"
#include "linear/poisson_solver.h"
#include "schemes/domain_boundary.h"

namespace spindrift {

enum class PressureSolver {
    automatic,  // the fastest that applies
    fourier,    // a direct solve: a block of tiles without gaps or solids
    multigrid   // any boundary
};

struct [[nodiscard]] DomainProjectionReport {
    SolveReport solve{};
    bool direct = false;
    double divergence = 0;  // the largest left in a cell beside what was wanted, 1/s
    std::size_t cells = 0;  // unknowns
};

template <int Dim>
class DomainProjection {
  public:
    // Whether a direct solve applies, by the boundary.
    static bool has_direct(const DomainBoundary<Dim>& boundary);

    // The velocity of walls must be that of the boundary.  `wanted_outflow` is the divergence wanted, times dx, of
    // fluid cells, and 0 in others; none may be wanted.
    DomainProjectionReport project(FaceField<Dim>& velocity, Field<float, Dim>& q, const DomainBoundary<Dim>& boundary,
                                   const Field<float, Dim>* wanted_outflow, PressureSolver solver, double tolerance);

    // To be called when the boundary has changed.
    void forget() {
        operator_.reset();
        fourier_.reset();
    }

  private:
    std::optional<PoissonOperator<Dim>> operator_;
    std::optional<FourierSolver<Dim>> fourier_;
    PoissonSolver<Dim> solver_;
};

extern template class DomainProjection<2>;
extern template class DomainProjection<3>;

}  // namespace spindrift

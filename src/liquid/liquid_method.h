// SPDX-License-Identifier: Apache-2.0
// What the methods of a liquid whose surface is a signed distance have in common: all but their steps.
#pragma once

#include <functional>

#include "linear/poisson_solver.h"
#include "liquid/domain.h"
#include "liquid/mixture.h"
#include "liquid/step_limit.h"
#include "schemes/step_report.h"

namespace spindrift {

template <int Dim>
class LiquidMethod {
  public:
    LiquidMethod(World<Dim> world, const LiquidSettings& settings) : domain_(std::move(world), settings) {}
    virtual ~LiquidMethod() = default;
    LiquidMethod(LiquidMethod&&) noexcept = default;

    // The liquid at time 0: where `distance` (m, world positions) is negative, moving with `velocity`.  Of a mixture,
    // it consists of these parts.
    LiquidState<Dim> initial_state(const std::function<double(const Vec<double, Dim>&)>& distance,
                                   const std::function<Vec<double, Dim>(const Vec<double, Dim>&)>& velocity,
                                   const ComponentParts<Dim>& parts = {}) const;

    // The longest step, s, that keeps the fastest liquid within `cfl` cells and resolves the waves of the grid.  What
    // changes in time by itself (sources, gravity) is looked at 24 times a second at least.
    StepLimit step_limit(const LiquidState<Dim>& liquid) const;
    double stable_dt(const LiquidState<Dim>& liquid) const { return step_limit(liquid).dt; }

    // Advances by dt.  When report.failure is set the state is no longer usable: the caller goes back to the one it
    // kept.
    virtual StepReport step(LiquidState<Dim>& liquid, double dt) = 0;

    // Moves surface, particles and drops on by dt, 0 or less than a step, as the next step is going to, without forces
    // and pressure, and brings the velocity to that time: what a frame shows.  The result is there to be looked at, not
    // to be continued from.
    StepReport show(LiquidState<Dim>& liquid, double dt);

    // What the state holds as it is, as far as it can be told without a step: volumes, bodies, counts, speed.
    StepReport measured(const LiquidState<Dim>& liquid) const;

    // How much there is of each component of a mixture.
    ComponentVolumes components(const LiquidState<Dim>& liquid) const;

    const World<Dim>& world() const { return domain_.world; }

  protected:
    // Moves the surface with the velocity, and the time on.
    virtual void advance_surface(LiquidState<Dim>& liquid, double dt, StepReport& report) = 0;

    mutable LiquidDomain<Dim> domain_;  // its boundaries follow the state that is asked about
    PoissonSolver<Dim> solver_{};
};

extern template class LiquidMethod<2>;
extern template class LiquidMethod<3>;

}  // namespace spindrift

// SPDX-License-Identifier: Apache-2.0
// The method "particle-level-set-2002": a free-surface liquid whose surface is a signed distance, corrected by
// particles on both sides of it [EMF02].  Without particles it is the method "level-set".
#pragma once

#include <functional>
#include <memory>

#include "liquid/mixture.h"
#include "liquid/settings.h"
#include "liquid/state.h"
#include "liquid/step_limit.h"
#include "liquid/world.h"
#include "schemes/step_report.h"

namespace spindrift {

template <int Dim>
class ParticleLevelSet2002 {
  public:
    ParticleLevelSet2002(World<Dim> world, LiquidSettings settings);
    ~ParticleLevelSet2002();
    ParticleLevelSet2002(ParticleLevelSet2002&&) noexcept;

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
    StepReport step(LiquidState<Dim>& liquid, double dt);

    // Moves surface, particles and drops on by dt, 0 or less than a step, as the next step is going to, without forces
    // and pressure, and brings the velocity to that time: what a frame shows.  The result is there to be looked at, not
    // to be continued from.
    StepReport show(LiquidState<Dim>& liquid, double dt);

    // What the state holds as it is, as far as it can be told without a step: volumes, bodies, counts, speed.
    StepReport measured(const LiquidState<Dim>& liquid) const;

    // How much there is of each component of a mixture.
    ComponentVolumes components(const LiquidState<Dim>& liquid) const;

    const World<Dim>& world() const;

  private:
    struct Work;
    std::unique_ptr<Work> work_;
};

extern template class ParticleLevelSet2002<2>;
extern template class ParticleLevelSet2002<3>;

}  // namespace spindrift

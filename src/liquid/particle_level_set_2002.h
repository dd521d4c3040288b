// SPDX-License-Identifier: Apache-2.0
// The method "particle-level-set-2002": a free-surface liquid whose surface is a signed distance, mended by particles
// on both sides of it [EMF02].  Without particles it is the method "level-set".
#pragma once

#include <functional>
#include <memory>

#include "liquid/state.h"
#include "liquid/step_report.h"
#include "liquid/world.h"
#include "schemes/advection.h"
#include "surface/particle_level_set.h"

namespace spindrift {

struct LiquidSettings {
    VelocityAdvection advection = VelocityAdvection::maccormack;
    double cfl = 4;               // cells that the fastest liquid may cross in a step
    bool volume_control = false;  // see volume_control.h
    double pressure_tolerance = 1e-6;
    int max_pressure_iterations = 200;
    ParticleLevelSetSettings particles{.sides = ParticleSides::none, .overlap = 2};
    double reseed_interval = 5.0 / 24;  // s
    double escaped = 0.15;  // cells on the wrong side, after mending, at which water is spray and air is gone
};

template <int Dim>
class ParticleLevelSet2002 {
  public:
    ParticleLevelSet2002(World<Dim> world, LiquidSettings settings);
    ~ParticleLevelSet2002();
    ParticleLevelSet2002(ParticleLevelSet2002&&) noexcept;

    // The liquid at time 0: where `distance` (m, world positions) is negative, moving with `velocity`.
    LiquidState<Dim> initial_state(const std::function<double(const Vec<double, Dim>&)>& distance,
                                   const std::function<Vec<double, Dim>(const Vec<double, Dim>&)>& velocity) const;

    // The longest step that keeps the fastest liquid within `cfl` cells, s; infinite when nothing moves or pulls.
    double stable_dt(const LiquidState<Dim>& liquid) const;

    // Advances by dt: the surface moves with the velocity, then forces and pressure act on the velocity.  The two leap
    // over each other: the very first step gives the velocity half a step's start, so that it is that of the middle of
    // each step in which the surface moves with it, and paths are of second order in dt.
    //
    // When report.failure is set the state is no longer usable: the caller goes back to the one it kept.
    StepReport step(LiquidState<Dim>& liquid, double dt);

    const World<Dim>& world() const;

  private:
    struct Work;
    std::unique_ptr<Work> work_;
};

extern template class ParticleLevelSet2002<2>;
extern template class ParticleLevelSet2002<3>;

}  // namespace spindrift

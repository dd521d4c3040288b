// SPDX-License-Identifier: Apache-2.0
// A surface in a flow that is given, not simulated: what is left of a tracker's errors when the velocity has none.
// The surface is that of the method level-set, with particles that of [EMF02], or that of [FF01].
#pragma once

#include <functional>

#include "liquid/state.h"
#include "liquid/world.h"
#include "schemes/step_report.h"
#include "surface/hybrid_surface.h"

namespace spindrift {

struct GivenFlowSettings {
    ParticleLevelSetSettings particles{};
    double cfl = 3;  // cells that the surface may cross in a step, summed over the axes
};

template <int Dim>
class GivenFlow {
  public:
    // Writes the velocity at a time, m/s, to all faces of the field's tiles.
    using Velocity = std::function<void(FaceField<Dim>& velocity, double time)>;

    GivenFlow(World<Dim> world, Velocity velocity, GivenFlowSettings settings);

    // The surface at time 0: the zero of `distance` (m, world positions), negative in the liquid.
    LiquidState<Dim> initial_state(const std::function<double(const Vec<double, Dim>&)>& distance) const;

    double stable_dt(const LiquidState<Dim>& liquid) const;
    // When report.failure is set the state is no longer usable.
    StepReport step(LiquidState<Dim>& liquid, double dt) const;

    const World<Dim>& world() const { return world_; }

  private:
    double speed(const LiquidState<Dim>& liquid) const;
    void refit_tiles(LiquidState<Dim>& liquid) const;
    double volume(const Field<float, Dim>& phi) const;

    World<Dim> world_;
    Velocity velocity_;
    GivenFlowSettings settings_;
    SurfaceTracking<Dim> tracking_;
};

extern template class GivenFlow<2>;
extern template class GivenFlow<3>;

}  // namespace spindrift
